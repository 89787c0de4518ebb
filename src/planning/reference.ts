import { createHash } from 'node:crypto';

const DIGEST_CHARACTERS = 6;

/**
 * The reference at the carrier: the shipment's number, with a counter when that is taken, because the shipment is
 * booked again under another document, or because two areas have the same number.
 * @param taken references at the same account that begin with this number
 */
export function consignmentReference(shipmentNumber: string, taken: ReadonlySet<string>): string {
  const number = inOneLine(shipmentNumber);
  let reference = number;
  for (let count = 2; isTaken(reference, taken); count += 1) reference = `${number}.${count}`;
  return reference;
}

/** Replaces line breaks: a carrier that reads or prints lines would misread the rest. */
export function inOneLine(shipmentNumber: string): string {
  const line = shipmentNumber.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line === '' ? 'shipment' : line;
}

/** Whether the reference, or one of its parts, is taken. */
function isTaken(reference: string, taken: ReadonlySet<string>): boolean {
  return taken.has(reference) || [...taken].some((other) => isPartOf(other, reference));
}

/** Whether this name could be a part of that reference. */
export function isPartOf(other: string, reference: string): boolean {
  return other.startsWith(`${reference}-`) && /^\d+$/.test(other.slice(reference.length + 1));
}

/**
 * The reference of one part, within the carrier's length. A shortened one ends in a digest of the whole, so that two
 * long shipment numbers never become the same reference.
 */
export function partReference(
  reference: string,
  part: { readonly n: number; readonly of: number },
  longest: number,
): string {
  const whole = part.of === 1 && part.n === 1 ? reference : `${reference}-${part.n}`;
  if (whole.length <= longest) return whole;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, DIGEST_CHARACTERS);
  return `${whole.slice(0, longest - DIGEST_CHARACTERS - 1)}-${digest}`;
}
