import type { ShipmentFields } from '../answers/shipments.js';
import type { BookedEntry } from './books.js';
import { withValue } from './with-value.js';

/**
 * A booking as the carrier writes it, with its parts where `readFoundBooking` and `readTracking` look for them.
 * @param parcelRow what else stands in the row of a parcel
 */
export function shipmentRow(
  { carrierNumber, reference, trackingNumbers, parcelIds = [] }: BookedEntry,
  fields: ShipmentFields,
  parcelRow: (trackingNumber: string) => object,
): object {
  const { number, id } = fields.parcel;
  const parcels = trackingNumbers.map((trackingNumber, place) => ({
    ...{ [number]: trackingNumber, ...(id !== undefined && { [id]: parcelIds[place] }) },
    ...parcelRow(trackingNumber),
  }));
  const referenceAt = typeof fields.reference === 'string' ? [fields.reference] : [];
  const texts = [[fields.number, carrierNumber], ...referenceAt.map((path) => [path, reference])] as const;
  const parts = [...texts, [fields.parcels, parcels]] as const;
  return parts.reduce<object>((row, [path, value]) => withValue(row, String(path).split('.'), value), {});
}
