import type { Endpoint, Ims } from './endpoint.js';
import { invocationEndpoints } from './invocations/invocations.js';
import { dataExtensionEndpoints } from './resources/data-extensions.js';
import { documentEndpoints } from './resources/document-endpoints.js';
import { inboundEndpoints } from './resources/inbound-endpoints.js';
import { itemEndpoints } from './resources/item-endpoints.js';
import { lotEndpoints } from './resources/lots.js';
import { outboundEndpoints } from './resources/outbound-endpoints.js';
import { partnerEndpoints } from './resources/partners.js';

/** Every endpoint there is; whatever is not here is answered as the gateway answers what it does not know. */
export function imsEndpoints(ims: Ims): readonly Endpoint[] {
  return [
    ...itemEndpoints(ims),
    ...partnerEndpoints(ims),
    ...dataExtensionEndpoints(ims),
    ...outboundEndpoints(ims),
    ...inboundEndpoints(ims),
    ...lotEndpoints(ims),
    ...documentEndpoints(ims),
    ...invocationEndpoints(ims),
  ];
}
