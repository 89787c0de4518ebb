import type { FoundNumbers, PartAnswer, Resolution } from '../../consignment/machine/operator.js';
import { BadRequest } from '../bad-request.js';

const ANSWERS =
  'answer must be "booked" (with carrierNumber and trackingNumbers by container id), "not-booked" or "give-up"; ' +
  'or give "parts", for each reference in doubt { "reference", "outcome": "booked" (with its numbers) or "not-booked" }';
/** The most references: a shipment has no more parcels. */
const MAX_PARTS = 1_000;
const VISIBLE = /^[\x20-\x7e]{1,100}$/;

/**
 * What an operator saw at the carrier.
 * @throws BadRequest
 */
export function readResolution(body: unknown): Resolution {
  const fields = fieldsOf(body ?? {});
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
  const fields = fieldsOf(value);
  const { outcome } = fields;
  const reference = identifier(fields['reference'] ?? null);
  if (reference === null || reference === '') throw new BadRequest(ANSWERS);
  if (outcome === 'not-booked') return { reference, outcome };
  if (outcome !== 'booked') throw new BadRequest(ANSWERS);
  return { reference, outcome, ...readNumbers(fields) };
}

function readNumbers({ carrierNumber, trackingNumbers }: Readonly<Record<string, unknown>>): FoundNumbers {
  const numbers = Object.entries(fieldsOf(trackingNumbers)).map(
    ([id, number]) => [id, identifier(number) ?? ''] as const,
  );
  return {
    carrierNumber: identifier(carrierNumber ?? null),
    trackingNumbers: Object.fromEntries(numbers),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new BadRequest(ANSWERS);
  return value as Readonly<Record<string, unknown>>;
}

function identifier(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string' || !VISIBLE.test(value))
    throw new BadRequest('numbers are texts of 1 to 100 characters');
  return value.trim();
}
