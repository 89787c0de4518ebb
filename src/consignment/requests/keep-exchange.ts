import type { HttpAnswer } from '../../../carriers/contract/http-port.js';
import { parseJson } from '../../../carriers/contract/json.js';
import type { RecordedExchange } from '../../transport/recorded-http.js';
import { type KeptBody, type KeptSide, type KeptTexts, MASK } from './kept-request.js';
import { type MaskText, type Masking, isHarmless, maskingAll, maskingInAddress, maskSecrets } from './mask-secrets.js';

/** A larger body is kept as its type and size only. */
const MAX_KEPT_BODY_BYTES = 16_000;
/** An answer that is larger than this is not read at all. */
export const MAX_READ_BYTES = 256_000;
const MAX_HEADERS = 60;
const MAX_HEADER_TEXT = 300;

/** Headers of our requests that never hold a secret; the values of all others are masked. */
const PLAIN_HEADERS = ['accept', 'accept-language', 'content-type', 'x-request-id'];

/** The headers that hold no secrets: these, and those that carriers declare as `plainHeaders`. */
export function plainHeaders(declared: readonly string[]): ReadonlySet<string> {
  return new Set([...PLAIN_HEADERS, ...declared]);
}

/** An exchange that waits to be kept. */
export type PendingExchange = RecordedExchange & {
  /** The size of an answer whose body is not kept. */
  readonly unreadBytes?: number;
};

export interface Keeping extends Masking {
  /** Headers whose values are kept: see `plainHeaders`. */
  readonly plain: ReadonlySet<string>;
}

/** Both sides of an exchange, bounded and without secrets. */
export function keepExchange({ request, answer, unreadBytes }: PendingExchange, keeping: Keeping): KeptTexts {
  const { headers = {}, query = {} } = request;
  const isPlain = (name: string) => keeping.plain.has(name.toLowerCase()) && !keeping.isSecretName(name);
  const by = maskingAll(keeping, secretsIn(headers, isPlain));
  return {
    query: maskSecrets({ ...queryIn(request.url), ...query }, maskingInAddress(by)) as Readonly<Record<string, string>>,
    request: { headers: ownHeaders(request, by.mask, isPlain), body: ownBody(request, by) },
    answer: answer && { headers: answerHeaders(answer, by), body: answerBody(answer, by, unreadBytes) },
  };
}

function queryIn(url: string): Readonly<Record<string, string>> {
  return url.includes('?') && URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {};
}

type IsPlain = (header: string) => boolean;

/** The values of headers that are masked, with and without their scheme: an answer may quote them. */
function secretsIn(headers: Readonly<Record<string, string>>, isPlain: IsPlain): readonly string[] {
  const hidden = Object.entries(headers).filter(([name]) => !isPlain(name));
  return hidden.flatMap(([, value]) => [value, value.replace(/^\w+ /, '')]);
}

function ownHeaders(
  { headers = {}, json, form }: RecordedExchange['request'],
  mask: MaskText,
  isPlain: IsPlain,
): KeptSide['headers'] {
  const type =
    json === undefined ? (form === undefined ? null : 'application/x-www-form-urlencoded') : 'application/json';
  const all = { ...(type !== null && { 'content-type': type }), ...headers };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name.toLowerCase(), isPlain(name) ? mask(value) : maskedHeader(value)]),
  );
}

/** `Bearer ***`: the scheme stays. */
function maskedHeader(value: string): string {
  const scheme = /^(Bearer|Basic) /.exec(value)?.[1];
  return scheme === undefined ? MASK : `${scheme} ${MASK}`;
}

function ownBody({ json, form }: RecordedExchange['request'], by: Masking): KeptBody {
  if (form !== undefined) return bounded({ kind: 'form', value: maskSecrets(form, by) });
  const text = JSON.stringify(json) as string | undefined;
  if (text === undefined) return { kind: 'none' };
  return keptAsItIs(text, by) ?? bounded({ kind: 'json', value: maskSecrets(json, by) });
}

/** `null`: parts of it are masked, or it is too large. */
function keptAsItIs(text: string, by: Masking): KeptBody | null {
  return Buffer.byteLength(text) <= MAX_KEPT_BODY_BYTES && isHarmless(text, by) ? { kind: 'text', text } : null;
}

function answerHeaders({ headers }: HttpAnswer, by: Masking): KeptSide['headers'] {
  const kept = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, by.isSecretName(name) ? MASK : by.mask(value).slice(0, MAX_HEADER_TEXT)]),
  );
}

function answerBody({ headers, body }: HttpAnswer, by: Masking, unreadBytes: number | undefined): KeptBody {
  const type = headers['content-type']?.slice(0, MAX_HEADER_TEXT) ?? '';
  const leftOut = { kind: 'left-out', type, bytes: unreadBytes ?? body.byteLength } as const;
  if (unreadBytes !== undefined) return leftOut;
  if (body.byteLength === 0) return { kind: 'none' };
  return isText(type) || opensJson(body) ? (textBody(body, by) ?? leftOut) : leftOut;
}

function isText(type: string): boolean {
  return /json|text|xml|html|urlencoded/i.test(type);
}

/** `null`: it is left out. */
function textBody(body: Uint8Array, by: Masking): KeptBody | null {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  // A label for a printer is text too.
  if (/^\s*(\^XA|%PDF|%!PS)/.test(text)) return null;
  return keptAsItIs(text, by) ?? maskedBody(text, by);
}

function maskedBody(text: string, by: Masking): KeptBody | null {
  const isLarge = Buffer.byteLength(text) > MAX_KEPT_BODY_BYTES;
  const value = readJson(text);
  if (value === undefined) return isLarge ? null : { kind: 'text', text: by.mask(text) };
  const kept = { kind: 'json', value: maskSecrets(value, by) } as const;
  // A mask is shorter than what it stands for.
  return isLarge ? bounded(kept) : kept;
}

function opensJson(body: Uint8Array): boolean {
  return body[0] === 0x7b || body[0] === 0x5b;
}

/** A number with so many digits is rounded by `JSON.parse`. */
const LONG_NUMBER = /[:[,]\s*-?\d{16}/;

/** The exact reader takes many times as long, so it reads only what needs it. `undefined`: not JSON. */
function readJson(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) && text.length <= MAX_KEPT_BODY_BYTES
      ? parseJson(text)
      : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function bounded(body: Extract<KeptBody, { readonly kind: 'json' | 'form' }>): KeptBody {
  const bytes = Buffer.byteLength(JSON.stringify(body.value) ?? '');
  return bytes > MAX_KEPT_BODY_BYTES ? { kind: 'left-out', type: body.kind, bytes } : body;
}
