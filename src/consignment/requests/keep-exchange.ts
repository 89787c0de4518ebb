import type { HttpAnswer } from '../../../carriers/contract/http-port.js';
import { parseJson } from '../../../carriers/contract/json.js';
import type { Exchange } from '../../transport/recorded-http.js';
import { type KeptBody, type KeptSide, type KeptTexts, MASK } from './kept-request.js';
import { type MaskText, isSecretName, secretsMask, withoutSecrets } from './mask-secrets.js';

/** A larger body is kept as its type and size only. */
export const MAX_BODY_BYTES = 16_000;
/** An answer that is larger than this is not read at all. */
export const MAX_READ_BYTES = 256_000;
const MAX_HEADERS = 60;
const MAX_HEADER_TEXT = 300;

/** Headers of our requests that never hold a secret; the values of all others are masked. */
const PLAIN_HEADERS = ['accept', 'accept-language', 'content-type', 'x-request-id'];

/** These, and those that carriers declare as `plainHeaders`. */
export function plainHeaders(declared: readonly string[]): ReadonlySet<string> {
  return new Set([...PLAIN_HEADERS, ...declared.filter((name) => !isSecretName(name))]);
}

/** An exchange that waits to be kept. */
export type PendingExchange = Exchange & {
  /** The size of an answer whose body is not kept. */
  readonly unreadBytes?: number;
};

export interface Keeping {
  /** Replaces the secrets of the installation in a text. */
  readonly mask: MaskText;
  /** Headers whose values are kept: see `plainHeaders`. */
  readonly plain: ReadonlySet<string>;
}

/** Both sides of an exchange, bounded and without secrets. */
export function keepExchange(
  { request, answer, unreadBytes }: PendingExchange,
  { mask: known, plain }: Keeping,
): KeptTexts {
  const { headers = {}, query = {} } = request;
  const mask = secretsMask(known, secretsIn(headers, plain));
  const inAddress = URL.canParse(request.url) ? Object.fromEntries(new URL(request.url).searchParams) : {};
  return {
    query: withoutSecrets({ ...inAddress, ...query }, mask) as Readonly<Record<string, string>>,
    request: { headers: ownHeaders(request, mask, plain), body: ownBody(request, mask) },
    answer: answer && { headers: answerHeaders(answer, mask), body: answerBody(answer, mask, unreadBytes) },
  };
}

/** The values of headers that are masked, with and without their scheme: an answer may quote them. */
function secretsIn(headers: Readonly<Record<string, string>>, plain: Keeping['plain']): readonly string[] {
  const hidden = Object.entries(headers).filter(([name]) => !plain.has(name.toLowerCase()));
  return hidden.flatMap(([, value]) => [value, value.replace(/^\w+ /, '')]);
}

function ownHeaders(
  { headers = {}, json, form }: Exchange['request'],
  mask: MaskText,
  plain: Keeping['plain'],
): KeptSide['headers'] {
  const type =
    json === undefined ? (form === undefined ? null : 'application/x-www-form-urlencoded') : 'application/json';
  const all = { ...(type !== null && { 'content-type': type }), ...headers };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => {
      const lower = name.toLowerCase();
      return [lower, plain.has(lower) ? mask(value) : maskedHeader(value)];
    }),
  );
}

/** `Bearer ***`: the scheme stays. */
function maskedHeader(value: string): string {
  const scheme = /^(Bearer|Basic) /.exec(value)?.[1];
  return scheme === undefined ? MASK : `${scheme} ${MASK}`;
}

function ownBody({ json, form }: Exchange['request'], mask: MaskText): KeptBody {
  if (form !== undefined) return bounded({ kind: 'form', value: withoutSecrets(form, mask) });
  if (json === undefined) return { kind: 'none' };
  return bounded({ kind: 'json', value: withoutSecrets(json, mask) });
}

function answerHeaders({ headers }: HttpAnswer, mask: MaskText): KeptSide['headers'] {
  const kept = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isSecretName(name) ? MASK : mask(value).slice(0, MAX_HEADER_TEXT)]),
  );
}

function answerBody({ headers, body }: HttpAnswer, mask: MaskText, unreadBytes: number | undefined): KeptBody {
  const type = headers['content-type']?.slice(0, MAX_HEADER_TEXT) ?? '';
  const leftOut = { kind: 'left-out', type, bytes: unreadBytes ?? body.byteLength } as const;
  if (unreadBytes !== undefined) return leftOut;
  if (body.byteLength === 0) return { kind: 'none' };
  return isText(type) || opensJson(body) ? (textBody(body, mask) ?? leftOut) : leftOut;
}

function isText(type: string): boolean {
  return /json|text|xml|html|urlencoded/i.test(type);
}

/** `null`: it is left out. */
function textBody(body: Uint8Array, mask: MaskText): KeptBody | null {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const value = readJson(text);
  if (value !== undefined) {
    const kept = { kind: 'json', value: withoutSecrets(value, mask) } as const;
    // A mask is shorter than what it stands for.
    return body.byteLength > MAX_BODY_BYTES ? bounded(kept) : kept;
  }
  // A label for a printer is text too.
  const isLabel = /^\s*(\^XA|%PDF|%!PS)/.test(text);
  return isLabel || body.byteLength > MAX_BODY_BYTES ? null : { kind: 'text', text: mask(text) };
}

function opensJson(body: Uint8Array): boolean {
  return body[0] === 0x7b || body[0] === 0x5b;
}

/** A number with so many digits is rounded by `JSON.parse`. */
const LONG_NUMBER = /[:[,]\s*-?\d{16}/;

/** The exact reader takes many times as long, so it reads only what needs it. `undefined`: not JSON. */
function readJson(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) && text.length <= MAX_BODY_BYTES ? parseJson(text) : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function bounded(body: Extract<KeptBody, { readonly kind: 'json' | 'form' }>): KeptBody {
  const bytes = Buffer.byteLength(JSON.stringify(body.value) ?? '');
  return bytes > MAX_BODY_BYTES ? { kind: 'left-out', type: body.kind, bytes } : body;
}
