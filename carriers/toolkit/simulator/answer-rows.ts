import type { SimulatedEvent, TrackingStatus } from '../../contract/index.js';
import type { ShipmentFields } from '../answers/shipments.js';
import type { EventFields } from '../tracking/tracking-event.js';
import type { BookedEntry } from './books.js';

interface Writing {
  readonly codes: Readonly<Record<TrackingStatus, string>>;
  /** The form of the carrier's times. */
  timeOf(at: Date): string;
  /** Where the carrier has the place, e.g. `location.city`. */
  readonly place?: string;
}

/** An event as the carrier writes it, with its parts where `readEvents` looks for them. */
export function eventRow(
  { status, at, place }: SimulatedEvent,
  fields: Pick<EventFields, 'at' | 'code' | 'text'>,
  { codes, timeOf, place: placeField }: Writing,
): object {
  const row = {
    [fields.at]: timeOf(at),
    [fields.code]: codes[status],
    ...(fields.text !== undefined && { [fields.text]: `Simulated: ${status}` }),
  };
  return placeField === undefined ? row : withValue(row, placeField.split('.'), place);
}

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
  const referenceAt = fields.referencesIn === undefined ? [fields.reference] : [];
  const texts = [[fields.number, carrierNumber], ...referenceAt.map((path) => [path, reference])] as const;
  const parts = [...texts, [fields.parcels, parcels]] as const;
  return parts.reduce<object>((row, [path, value]) => withValue(row, String(path).split('.'), value), {});
}

/** The object with a value at a path of names. */
export function withValue(row: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = Object.getOwnPropertyDescriptor(row, name)?.value as object | undefined;
  return { ...row, [name]: rest.length === 0 ? value : withValue(inner ?? {}, rest, value) };
}
