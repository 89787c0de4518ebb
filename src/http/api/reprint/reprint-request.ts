import type { ReprintRequest } from '../../../operator/labels/reprint.js';
import { BadRequest } from '../../bad-request.js';
import { type Body, fieldsIn, objectOf } from '../../openapi/body.js';
import type { JsonSchema } from '../../openapi/parameters.js';

const MAX_COPIES = 10;

const textOf = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, description });

/** What `reprint` takes, each of which may be missing. */
export const REPRINT_FIELDS = {
  deviceName: textOf(200, 'The device whose printer prints it; as it was printed when missing'),
  copies: { type: 'integer', minimum: 1, maximum: MAX_COPIES, default: 1 },
  parcel: textOf(100, 'The container, or the tracking number, of the only parcel whose label is printed'),
  profile: textOf(50, 'A profile of printing.profiles; as it was printed when missing'),
  reason: textOf(300, 'Why, for the history'),
} as const satisfies Readonly<Record<keyof ReprintRequest, JsonSchema>>;

const SCHEMA = objectOf(REPRINT_FIELDS);
const NAMES = Object.keys(REPRINT_FIELDS) as readonly (keyof typeof REPRINT_FIELDS)[];

/** What `reprint` takes; nothing, as it was printed. */
export const REPRINT: Body<ReprintRequest> = {
  schema: SCHEMA,
  examples: [
    {},
    {
      deviceName: 'Packing table 2',
      copies: 2,
      parcel: '370000000000000017',
      profile: 'thermal',
      reason: 'a torn label',
    },
  ],
  read: (body) => {
    const given = fieldsIn(SCHEMA, body ?? {});
    return Object.fromEntries(NAMES.filter((name) => name in given).map((name) => [name, read(name, given[name])]));
  },
};

function read(name: keyof typeof REPRINT_FIELDS, value: unknown): string | number {
  if (name === 'copies') return copiesIn(value);
  const { maxLength } = REPRINT_FIELDS[name];
  const isText = typeof value === 'string' && value.isWellFormed() && /^\P{Cc}+$/u.test(value);
  if (isText && value.trim() !== '' && value.length <= maxLength) return value.trim();
  throw new BadRequest(`${name} is text of at most ${maxLength} visible characters`);
}

function copiesIn(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_COPIES) return value;
  throw new BadRequest(`copies is a whole number from 1 to ${MAX_COPIES}`);
}
