import type { ImsEndpoint } from './endpoint.js';
import type { Ims } from '../ims.js';
import { invocationEndpoints } from '../invocations/invocations.js';
import { dataExtensionEndpoints } from '../resources/data-extensions.js';
import { documentEndpoints } from '../resources/endpoints/document-endpoints.js';
import { inboundEndpoints } from '../resources/endpoints/inbound-endpoints.js';
import { itemEndpoints } from '../resources/endpoints/item-endpoints.js';
import { lotEndpoints } from '../resources/lots.js';
import { outboundEndpoints } from '../resources/endpoints/outbound-endpoints.js';
import { partnerEndpoints } from '../resources/partners.js';

/** All endpoints of the REST API. The gateway answers requests to other paths itself. */
export function imsEndpoints(ims: Ims): readonly ImsEndpoint[] {
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
