import { nearestWord } from '../../../../carriers/contract/plain-text.js';
import type { ReprintRequest } from '../../../operator/reprint.js';
import { BadRequest } from '../../bad-request.js';
import type { JsonSchema } from '../../openapi/parameters.js';

const MAX_COPIES = 10;
const MAX_MISSPELT = 3;

const textOf = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, description });

/** What `reprint` takes, each of which may be missing. */
export const REPRINT_FIELDS = {
  deviceName: textOf(200, 'The device whose printer prints it; as it was printed when missing'),
  copies: { type: 'integer', minimum: 1, maximum: MAX_COPIES, default: 1 },
  parcel: textOf(100, 'The container, or the tracking number, of the only parcel whose label is printed'),
  profile: textOf(50, 'A profile of printing.profiles; as it was printed when missing'),
  reason: textOf(300, 'Why, for the history'),
} as const satisfies Readonly<Record<keyof ReprintRequest, JsonSchema>>;

export const REPRINT_BODY: JsonSchema = { type: 'object', properties: REPRINT_FIELDS, additionalProperties: false };

type Name = keyof typeof REPRINT_FIELDS;

/** @throws BadRequest */
export function readReprint(body: unknown): ReprintRequest {
  const given = body ?? {};
  if (typeof given !== 'object' || Array.isArray(given))
    throw new BadRequest(`the body is an object with some of ${KNOWN}`);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, read(name, value)]));
}

const KNOWN = Object.keys(REPRINT_FIELDS).join(', ');

function read(name: string, value: unknown): string | number {
  if (!isKnown(name)) throw unknownField(name);
  if (name === 'copies') return copiesIn(value);
  const { maxLength } = REPRINT_FIELDS[name];
  const isText = typeof value === 'string' && value.isWellFormed() && /^\P{Cc}+$/u.test(value);
  if (isText && value.trim() !== '' && value.length <= maxLength) return value.trim();
  throw new BadRequest(`${name} is text of at most ${maxLength} visible characters`);
}

function isKnown(name: string): name is Name {
  return Object.hasOwn(REPRINT_FIELDS, name);
}

function unknownField(name: string): BadRequest {
  const meant = nearestWord(name.slice(0, 60), Object.keys(REPRINT_FIELDS), MAX_MISSPELT);
  return new BadRequest(
    `"${name.slice(0, 60)}" is none of ${KNOWN}${meant === null ? '' : `: do you mean "${meant}"?`}`,
  );
}

function copiesIn(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_COPIES) return value;
  throw new BadRequest(`copies is a whole number from 1 to ${MAX_COPIES}`);
}
