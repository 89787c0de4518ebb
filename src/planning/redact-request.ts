import type { HttpRequest } from '../../carriers/contract/http-port.js';

const MASK = '***';
/** Names of fields with credentials; their values are always hidden. */
const SECRET_NAME = /authorization|api-?key|secret|password|token|cookie|^code$/i;

/** By what secrets are known. */
export interface Redacting {
  /** Replaces those of the installation in a text. */
  readonly mask: (text: string) => string;
  /** Names that the carrier declares, beside our own. */
  readonly declared: readonly string[];
}

/** A request without secrets in its address, headers and body. */
export function redactRequest(request: HttpRequest, by: Redacting): HttpRequest {
  const { url, query, headers, json, form } = request;
  return {
    ...request,
    url: by.mask(url),
    ...(query && { query: texts(query, by) }),
    ...(headers && { headers: texts(headers, by) }),
    ...(form && { form: texts(form, by) }),
    ...(json === undefined ? {} : { json: redacted(json, by) }),
  };
}

function texts(named: Readonly<Record<string, string>>, by: Redacting): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(named).map(([name, text]) => [name, isSecretName(name, by) ? MASK : by.mask(text)]),
  );
}

function redacted(value: unknown, by: Redacting): unknown {
  if (typeof value === 'string') return by.mask(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, by));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [
      name,
      isSecretName(name, by) ? MASK : redacted(item, by),
    ]),
  );
}

function isSecretName(name: string, { declared }: Redacting): boolean {
  return SECRET_NAME.test(name) || declared.includes(name.toLowerCase());
}
