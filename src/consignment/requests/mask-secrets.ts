import { isSecretInAddress, isSecretName, maybeSecretNames } from '../../transport/secret-names.js';
import { MASK } from './kept-request.js';

/** Credentials that are recognised by their form: of HTTP, and JSON Web Tokens. */
const CREDENTIALS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(Basic|Bearer)\s+[\w.~+/=-]{6,}/gi, `$1 ${MASK}`],
  [/\beyJ[\w-]{8,}\.[\w-]+(\.[\w-]*)?/g, MASK],
];
/** The name of a parameter in an address, also in XML. */
const PARAMETER = /[?&](?:amp;)?([\w-]+)=/g;
/** Each of `CREDENTIALS` needs one of these: a text without any holds none. */
const MAY_HOLD = /basic|bearer|eyJ/i;
const MAX_DEPTH = 40;

export type MaskText = (text: string) => string;

/** Carriers and the IMS have some hundreds of names. */
const MAX_KNOWN_NAMES = 5_000;

/** By what secrets are known. */
export interface Masking {
  /** Replaces those of the installation in a text. */
  readonly mask: MaskText;
  /** Whether the values of fields, query parameters and headers of this name are never kept. */
  readonly isSecretName: (name: string) => boolean;
  /** Finds at least these names in JSON. */
  readonly maybeNames: RegExp;
}

/** @param declared names, beside our own: the `secret` of what carriers declare */
export function masking(mask: MaskText, declared: readonly string[]): Masking {
  const judged = new Map<string, boolean>();
  const isSecret = (name: string): boolean => {
    const before = judged.get(name);
    if (before !== undefined) return before;
    if (judged.size >= MAX_KNOWN_NAMES) judged.clear();
    const judgement = isSecretName(name, declared);
    judged.set(name, judgement);
    return judgement;
  };
  return { mask, isSecretName: isSecret, maybeNames: maybeSecretNames(declared) };
}

/** The same for the parameters of an address. */
export function maskingInAddress(known: Masking): Masking {
  return { ...known, isSecretName: (name) => isSecretInAddress(name, known.isSecretName) };
}

/**
 * The same, whose `mask` replaces credentials too, also when they are percent-encoded.
 * @param extra secrets of this exchange, such as the values of its headers
 */
export function maskingAll(known: Masking, extra: readonly string[]): Masking {
  const inAddress = maskingInAddress(known);
  const ofExchange = extra.filter(({ length }) => length >= SHORTEST_SECRET);
  const replaced = (text: string): string => {
    let without = known.mask(text);
    for (const secret of ofExchange) if (without.includes(secret)) without = without.replaceAll(secret, MASK);
    if (MAY_HOLD.test(without))
      without = CREDENTIALS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), without);
    return withoutParameters(without, inAddress.isSecretName);
  };
  const mask = (text: string): string => {
    if (text.length < SHORTEST_SECRET) return text;
    const masked = replaced(text);
    if (!masked.includes('%')) return masked;
    const decoded = decodedOf(masked);
    return replaced(decoded) === decoded ? masked : replaced(decoded);
  };
  return { ...known, mask };
}

/** A text without the values of secret parameters in its addresses. */
function withoutParameters(text: string, isSecret: Masking['isSecretName']): string {
  if (!text.includes('?') && !text.includes('&')) return text;
  const names = [...text.matchAll(PARAMETER)].map(([, name = '']) => name).filter(isSecret);
  if (names.length === 0) return text;
  const secret = new RegExp(`([?&](?:amp;)?(?:${[...new Set(names)].join('|')})=)[^&\\s"'<>]+`, 'g');
  return text.replace(secret, `$1${MASK}`);
}

/** A name, and its value, within a part of a path. */
const PAIR = /([\w-]+)=([^;]*)/g;

/**
 * A masked address, or the path of one, without the values behind secret names in its path: `/token/abc`, `/token=abc` and
 * `;token=abc`.
 */
export function maskPath(address: string, known: Masking): string {
  const { isSecretName } = maskingInAddress(known);
  return known.mask(address).replace(/^[^?#]*/, (path) => {
    const parts = path.split('/');
    const isSecretAt = (place: number) => {
      const before = parts[place - 1] ?? '';
      return !before.includes('=') && isSecretName(before);
    };
    return parts
      .map((part, place) => (part !== '' && isSecretAt(place) ? MASK : withoutPairs(part, isSecretName)))
      .join('/');
  });
}

/** A part that holds no secret stays as it is, also where it is percent-encoded. */
function withoutPairs(part: string, isSecret: Masking['isSecretName']): string {
  const decoded = decodedOf(part);
  const masked = decoded.replace(PAIR, (pair, name: string) => (isSecret(name) ? `${name}=${MASK}` : pair));
  return masked === decoded ? part : masked;
}

const SHORTEST_SECRET = 4;

/** What is not percent-encoded, such as a `%` that stands by itself, stays as it is. */
function decodedOf(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/**
 * A value of JSON with masked texts; the values of secret names are masked whole. A text that is too long to be kept,
 * such as a label, is replaced by its length.
 */
export function maskSecrets(value: unknown, by: Masking, depth = 0): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? lengthInWords(value) : by.mask(value);
  if (typeof value === 'number') return maskedNumber(value, by.mask);
  if (value === null || typeof value !== 'object') return value;
  if (depth === MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map((member: unknown) => maskSecrets(member, by, depth + 1));
  return membersOf(value, by, depth + 1);
}

function membersOf(value: object, by: Masking, depth: number): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const isHidden = member !== null && typeof member !== 'boolean' && by.isSecretName(name);
    kept[by.mask(name)] = isHidden ? MASK : maskSecrets(member, by, depth);
  }
  return kept;
}

/**
 * Whether a text, which may be JSON, holds nothing that `mask` and `maskSecrets` replace, in any part of it. `false`: it may
 * hold something. One search over the whole takes a fraction of the time that one over each part takes.
 */
export function isHarmless(text: string, { mask, maybeNames }: Masking): boolean {
  // What is escaped or encoded in it is not searched.
  if (text.includes('\\') || text.includes('%')) return false;
  return !maybeNames.test(text) && !mayHoldLongText(text) && mask(text) === text;
}

/** A text that is too long covers one of these steps whole. */
const STEP = 500;

function mayHoldLongText(json: string): boolean {
  for (let from = 0; from + STEP <= json.length; from += STEP) {
    const quote = json.indexOf('"', from);
    if (quote === -1 || quote >= from + STEP) return true;
  }
  return false;
}

const MAX_TEXT = 1_000;

/** Replaces long texts by their lengths; as a rule there are none, and the value is the same. */
export function shortened(value: unknown): unknown {
  if (!holdsLongText(value)) return value;
  if (typeof value === 'string') return lengthInWords(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(shortened);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [name, shortened(member)]),
  );
}

function holdsLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > MAX_TEXT;
  if (value === null || typeof value !== 'object') return false;
  for (const name in value) if (holdsLongText((value as Readonly<Record<string, unknown>>)[name])) return true;
  return false;
}

function lengthInWords(text: string): string {
  return `(${text.length} characters)`;
}

/** A secret of digits may be written as a number. */
function maskedNumber(value: number, mask: MaskText): unknown {
  const text = String(value);
  return text.length < SHORTEST_SECRET || mask(text) === text ? value : MASK;
}
