import { MASK } from '../../consignment/requests/kept-request.js';
import type { KeptBody, KeptRequest, KeptTexts } from '../../consignment/requests/kept-request.js';

/** The request as a command of a shell. Variables such as `$AUTHORIZATION` stand for its secrets. */
export function curlOf({ method, origin, path }: KeptRequest, { query, request }: KeptTexts): string {
  const pairs = Object.entries(query).map(([name, value]) => `--url-query ${quoted(`${name}=${value}`, name)}`);
  const headers = Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`, name)}`);
  const url = quoted(`${origin}${path}`, 'secret');
  return [`curl -X ${method} ${url}`, ...pairs, ...headers, ...dataOf(request.body)].join(' \\\n  ');
}

function dataOf(body: KeptBody): readonly string[] {
  switch (body.kind) {
    case 'none':
      return [];
    case 'left-out':
      return [`--data-binary @body  # ${body.bytes} bytes that are not kept`];
    case 'text':
      return [`--data-raw ${quoted(body.text, 'secret')}`];
    case 'form':
      return Object.entries(body.value as Readonly<Record<string, unknown>>).map(
        ([name, value]) => `--data-urlencode ${quoted(`${name}=${String(value)}`, name)}`,
      );
    case 'json':
      return [`--data-raw ${quoted(JSON.stringify(named(body.value, 'secret')), 'secret')}`];
  }
}

/** A masked value of JSON gets the name of its field, so that the variable says which secret it is. */
function named(value: unknown, name: string): unknown {
  if (value === MASK) return `${MASK}${variableOf(name)}${MASK}`;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((member: unknown) => named(member, name));
  return Object.fromEntries(Object.entries(value).map(([key, member]: [string, unknown]) => [key, named(member, key)]));
}

const MASKED = /\*\*\*(?:([A-Z][A-Z0-9_]*)\*\*\*)?/g;

/** A terminal acts on these when they are pasted. */
const CONTROLS = /(?!\n)\p{Cc}/gu;

/** Single quotes keep every character as it is; only variables stand outside of them. */
function quoted(text: string, name: string): string {
  const escaped = text.replace(CONTROLS, '').replaceAll("'", `'\\''`);
  return `'${escaped.replace(MASKED, (_mask, own?: string) => `'"$${own ?? variableOf(name)}"'`)}'`;
}

/** `x-api-key` as `X_API_KEY`. */
function variableOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
  return words.replace(/[^A-Z0-9]+/g, '_').replace(/^[^A-Z]+/, '') || 'SECRET';
}
