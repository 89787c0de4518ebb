import type { HttpRequest } from '../../carriers/contract/http-port.js';

const MASK = '***';
/** Names of fields with credentials; their values are always hidden. */
const SECRET_NAME = /authorization|api-?key|secret|password|token|cookie|^kode$|^code$/i;

/** A request without secrets in its address, headers and body. */
export function redactRequest(request: HttpRequest, mask: (text: string) => string): HttpRequest {
  const { url, query, headers, json, form } = request;
  return {
    ...request,
    url: mask(url),
    ...(query && { query: texts(query, mask) }),
    ...(headers && { headers: texts(headers, mask) }),
    ...(form && { form: texts(form, mask) }),
    ...(json === undefined ? {} : { json: redacted(json, mask) }),
  };
}

function texts(
  named: Readonly<Record<string, string>>,
  mask: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(named).map(([name, text]) => [name, SECRET_NAME.test(name) ? MASK : mask(text)]),
  );
}

function redacted(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, mask));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [
      name,
      SECRET_NAME.test(name) ? MASK : redacted(item, mask),
    ]),
  );
}
