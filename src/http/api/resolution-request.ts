import type { FoundNumbers, PartAnswer, Resolution } from '../../consignment/machine/operator.js';
import { BadRequest } from '../bad-request.js';
import { type Body, type Fields, fieldsIn, isObject, objectOf } from '../openapi/body.js';

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
const PART = objectOf(
  { reference: { type: 'string' }, outcome: { type: 'string', enum: ['booked', 'not-booked'] }, ...NUMBERS },
  ['reference', 'outcome'],
);
/** What a person answers about a booking in doubt. */
export const ANSWER = { type: 'string', enum: ['booked', 'not-booked', 'give-up'] };
export const RESOLUTION = objectOf({
  answer: ANSWER,
  ...NUMBERS,
  parts: { type: 'array', minItems: 1, maxItems: MAX_PARTS, items: PART },
});

type Name = keyof typeof RESOLUTION.properties;

/** What `resolve` takes for one consignment: what an operator saw at the carrier. */
export const RESOLVE: Body<Resolution> = {
  schema: RESOLUTION,
  examples: [
    { answer: 'booked', carrierNumber: '70000000001', trackingNumbers: { '501': '370000000000000017' } },
    { answer: 'not-booked' },
    {
      parts: [
        { reference: '10045-1', outcome: 'booked', trackingNumbers: { '501': '370000000000000017' } },
        { reference: '10045-2', outcome: 'not-booked' },
      ],
    },
  ],
  read: (body) => readResolution(fieldsIn(RESOLUTION, body ?? {})),
};

/** @throws BadRequest */
export function readResolution(fields: Fields<Name>): Resolution {
  const { answer, parts } = fields;
  if (parts !== undefined) {
    if (answer !== undefined || !Array.isArray(parts) || parts.length === 0 || parts.length > MAX_PARTS)
      throw new BadRequest(ANSWERS);
    return { answer: 'parts', parts: parts.map(readPart) };
  }
  if (answer === 'not-booked' || answer === 'give-up') return { answer };
  if (answer !== 'booked') throw new BadRequest(ANSWERS);
  return { answer, ...readNumbers(fields) };
}

function readPart(value: unknown): PartAnswer {
  const { outcome, reference: given = null, ...numbers } = fieldsIn(PART, value, 'each of parts');
  const reference = identifier(given);
  if (reference === null || reference === '') throw new BadRequest(ANSWERS);
  if (outcome === 'not-booked') return { reference, outcome };
  if (outcome !== 'booked') throw new BadRequest(ANSWERS);
  return { reference, outcome, ...readNumbers(numbers) };
}

function readNumbers({ carrierNumber = null, trackingNumbers }: Fields<keyof typeof NUMBERS>): FoundNumbers {
  if (!isObject(trackingNumbers)) throw new BadRequest(ANSWERS);
  const numbers = Object.entries(trackingNumbers).map(([id, number]) => [id, identifier(number) ?? ''] as const);
  return { carrierNumber: identifier(carrierNumber), trackingNumbers: Object.fromEntries(numbers) };
}

function identifier(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string' || !VISIBLE.test(value))
    throw new BadRequest('numbers are texts of 1 to 100 characters');
  return value.trim();
}
