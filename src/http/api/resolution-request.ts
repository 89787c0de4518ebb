import type { FoundNumbers, PartAnswer, Resolution, LookedUpRequest } from '../../consignment/machine/operator.js';
import { BadRequest } from '../bad-request.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { type Body, type BodyFields, fieldsIn, objectOf } from '../openapi/body.js';
import { timeIn } from '../openapi/parameters.js';

const ANSWERS =
  'answer must be "booked" (with carrierNumber and trackingNumbers by container id), "not-booked" or "give-up"; ' +
  'or give "parts", for each reference in doubt { "reference", "outcome": "booked" (with its numbers) or "not-booked" }';
/** The most references: a shipment has no more parcels. */
const MAX_PARTS = 1_000;
const VISIBLE = /^[\x20-\x7e]{1,100}$/;

const NUMBERS = {
  carrierNumber: { type: ['string', 'null'] },
  trackingNumbers: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'By the id of the container',
  },
};
const SENT = {
  sentAt: {
    type: ['string', 'null'],
    description:
      'The `sentAt` in `unconfirmed` of what was looked up: the answer is refused with 409 when the request was sent again ' +
      'since. Missing: it is about what is in doubt now',
  },
};
const PART = objectOf(
  { reference: { type: 'string' }, outcome: { type: 'string', enum: ['booked', 'not-booked'] }, ...NUMBERS, ...SENT },
  ['reference', 'outcome'],
);
/** What a person answers about a booking in doubt. */
export const ANSWER = { type: 'string', enum: ['booked', 'not-booked', 'give-up'] };
export const RESOLUTION = objectOf({
  answer: ANSWER,
  ...NUMBERS,
  ...SENT,
  parts: { type: 'array', minItems: 1, maxItems: MAX_PARTS, items: PART },
});

type Name = keyof typeof RESOLUTION.properties;

/** What `resolve` takes for one consignment: what an operator saw at the carrier. */
export const RESOLVE: Body<Resolution> = {
  schema: RESOLUTION,
  examples: [
    { answer: 'booked', carrierNumber: '70000000001', trackingNumbers: { '501': '370000000000000017' } },
    { answer: 'not-booked', sentAt: '2026-03-04T12:00:00.000Z' },
    {
      parts: [
        { reference: '10045-1', outcome: 'booked', trackingNumbers: { '501': '370000000000000017' } },
        { reference: '10045-2', outcome: 'not-booked', sentAt: '2026-03-04T12:00:00.000Z' },
      ],
    },
  ],
  read: (body) => readResolution(fieldsIn(RESOLUTION, body ?? {})),
};

/** @throws BadRequest */
export function readResolution({ sentAt, ...fields }: BodyFields<Name>): Resolution {
  const { answer, parts } = fields;
  if (parts === undefined) return { ...readOneAnswer(fields), ...seenIn([{ reference: null, sentAt }]) };
  if (answer !== undefined || !Array.isArray(parts) || parts.length === 0 || parts.length > MAX_PARTS)
    throw new BadRequest(ANSWERS);
  if (sentAt !== undefined) throw new BadRequest('sentAt stands in each of parts');
  const read = parts.map(readPart);
  return { answer: 'parts', parts: read.map(({ part }) => part), ...seenIn(read.map(({ seen }) => seen)) };
}

function readOneAnswer({ answer, ...fields }: BodyFields<Name>): Resolution {
  if (answer === 'not-booked' || answer === 'give-up') return { answer };
  if (answer !== 'booked') throw new BadRequest(ANSWERS);
  return { answer, ...readNumbers(fields) };
}

interface Seen extends Pick<LookedUpRequest, 'reference'> {
  readonly sentAt: unknown;
}

function readPart(value: unknown): { readonly part: PartAnswer; readonly seen: Seen } {
  const { outcome, reference: given = null, sentAt, ...numbers } = fieldsIn(PART, value, 'each of parts');
  const reference = identifier(given);
  if (reference === null || reference === '') throw new BadRequest(ANSWERS);
  const seen = { reference, sentAt };
  if (outcome === 'not-booked') return { part: { reference, outcome }, seen };
  if (outcome !== 'booked') throw new BadRequest(ANSWERS);
  return { part: { reference, outcome, ...readNumbers(numbers) }, seen };
}

/** The references whose time of sending the answer names. */
function seenIn(given: readonly Seen[]): Pick<Resolution, 'seen'> {
  const seen = given.flatMap(({ reference, sentAt }) =>
    sentAt === undefined ? [] : [{ reference, sentAt: momentOf(sentAt) }],
  );
  return seen.length === 0 ? {} : { seen };
}

/** `null`: not sent by us. */
function momentOf(sentAt: unknown): Date | null {
  if (sentAt === null) return null;
  const moment = typeof sentAt === 'string' ? timeIn(sentAt) : null;
  if (moment === null)
    throw new BadRequest('sentAt is the one in "unconfirmed", e.g. 2026-03-04T12:00:00.000Z, or null');
  return moment;
}

function readNumbers({ carrierNumber = null, trackingNumbers }: BodyFields<keyof typeof NUMBERS>): FoundNumbers {
  if (!isJsonObject(trackingNumbers)) throw new BadRequest(ANSWERS);
  const numbers = Object.entries(trackingNumbers).map(([id, number]) => [id, identifier(number) ?? ''] as const);
  return { carrierNumber: identifier(carrierNumber), trackingNumbers: Object.fromEntries(numbers) };
}

function identifier(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string' || !VISIBLE.test(value))
    throw new BadRequest('numbers are texts of 1 to 100 characters');
  return value.trim();
}
