import { MASK } from './kept-request.js';

/** Names of fields, query parameters and headers whose values are never kept. */
const SECRET_NAME =
  /authori[sz]ation|api[-_ ]?key|secret|pass(word|wd|phrase)|passw|^pwd$|token|cookie|credential|signature|^sig$|session|^kode$|^pin$/i;
/** Credentials that are recognised by their form: of HTTP, JSON Web Tokens, and in the query of an address. */
const CREDENTIALS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(Basic|Bearer)\s+[\w.~+/=-]{6,}/gi, `$1 ${MASK}`],
  [/\beyJ[\w-]{8,}\.[\w-]+(\.[\w-]*)?/g, MASK],
  [/([?&](?:[\w-]*(?:token|key|secret|password|signature|sig|session|kode))=)[^&\s"'<>]+/gi, `$1${MASK}`],
];
/** None of the patterns matches a text without one of these. */
const MAY_HOLD = /basic|bearer|eyJ|[?&]/i;
const MAX_DEPTH = 40;

export type MaskText = (text: string) => string;

/** The names that came before; carriers and the IMS have some hundreds. */
const KNOWN_NAMES = new Map<string, boolean>();
const MAX_KNOWN_NAMES = 5_000;

export function isSecretName(name: string): boolean {
  const known = KNOWN_NAMES.get(name);
  if (known !== undefined) return known;
  if (KNOWN_NAMES.size >= MAX_KNOWN_NAMES) KNOWN_NAMES.clear();
  const isSecret = SECRET_NAME.test(name);
  KNOWN_NAMES.set(name, isSecret);
  return isSecret;
}

/**
 * Masks secrets in texts, also when they are percent-encoded.
 * @param known replaces the secrets of the installation
 * @param extra secrets of this exchange, such as the values of its headers
 */
export function secretsMask(known: MaskText, extra: readonly string[]): MaskText {
  const ofExchange = extra.filter(({ length }) => length >= SHORTEST_SECRET);
  const mask = (text: string): string => {
    let without = known(text);
    for (const secret of ofExchange) if (without.includes(secret)) without = without.replaceAll(secret, MASK);
    if (!MAY_HOLD.test(without)) return without;
    return CREDENTIALS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), without);
  };
  return (text) => {
    if (text.length < SHORTEST_SECRET) return text;
    const masked = mask(text);
    if (!masked.includes('%')) return masked;
    const decoded = decodedOf(masked);
    return mask(decoded) === decoded ? masked : mask(decoded);
  };
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
export function withoutSecrets(value: unknown, mask: MaskText, depth = 0): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? lengthInWords(value) : mask(value);
  if (typeof value === 'number') return maskedNumber(value, mask);
  if (value === null || typeof value !== 'object') return value;
  if (depth === MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map((member: unknown) => withoutSecrets(member, mask, depth + 1));
  return membersOf(value, mask, depth + 1);
}

function membersOf(value: object, mask: MaskText, depth: number): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const isHidden = member !== null && typeof member !== 'boolean' && isSecretName(name);
    kept[mask(name)] = isHidden ? MASK : withoutSecrets(member, mask, depth);
  }
  return kept;
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
