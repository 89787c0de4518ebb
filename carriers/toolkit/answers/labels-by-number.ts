import type { Booking, Label } from '../../contract/index.js';
import { trackingNumbersOf } from '../parcels/booked-parcels.js';
import { labelsInBase64 } from './pdf-answer.js';

/** A label in an answer, which may be that of several parcels. */
export interface PrintedLabel {
  readonly trackingNumbers: readonly (string | null)[];
  readonly base64: string | null;
}

/**
 * The labels of a booking in the order of its parcels, each found by its number; with them what else is printed for a parcel,
 * such as a declaration for customs.
 * @returns empty: a parcel has none, so that all of them are asked for again
 */
export function labelsByNumber(booking: Booking, printed: readonly PrintedLabel[]): readonly Label[] {
  const ofParcels = trackingNumbersOf(booking).map((number) =>
    printed.filter(({ trackingNumbers, base64 }) => trackingNumbers.includes(number) && base64 !== null),
  );
  if (ofParcels.some((each) => each.length === 0)) return [];
  const labels = [...new Set(ofParcels.flat())].map(({ base64 }) => labelsInBase64(base64));
  return labels.some((each) => each.length === 0) ? [] : labels.flat();
}
