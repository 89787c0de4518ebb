import type { HttpRequest } from '../../../carriers/contract/http-port.js';
import { type Masking, maskingAll, maskingInAddress, maskPath, maskSecrets } from './mask-secrets.js';

/** A request that is shown and not sent, without secrets in its address, headers and body. */
export function redactRequest(request: HttpRequest, known: Masking): HttpRequest {
  const { url, query, headers, json, form } = request;
  const by = maskingAll(known, []);
  const texts = (named: Readonly<Record<string, string>>, as = by) => maskSecrets(named, as) as typeof named;
  return {
    ...request,
    url: maskPath(url, by),
    ...(query && { query: texts(query, maskingInAddress(by)) }),
    ...(headers && { headers: texts(headers) }),
    ...(form && { form: texts(form) }),
    ...(json === undefined ? {} : { json: maskSecrets(json, by) }),
  };
}
