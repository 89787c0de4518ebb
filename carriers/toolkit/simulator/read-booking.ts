import { listAt, numberAt, textAt, valueAt } from '../json.js';
import { gramsOf } from '../units.js';
import { addressLines } from './address-lines.js';
import type { NewBooking } from './books.js';

/** Where a request to a simulated carrier has the parts of a booking: paths of names with dots. */
export interface BookingFields {
  readonly reference: string;
  readonly sender: string;
  readonly recipient: string;
  /** The lines of either address, as `addressLines` takes them. */
  readonly lines: readonly string[];
  readonly parcels: string;
  readonly parcel: {
    /** The weight, in one of the two units. */
    readonly grams?: string;
    readonly kilograms?: string;
    readonly id?: string;
    /** Missing: the label of each parcel has the booking's reference. */
    readonly reference?: string;
  };
}

/** The booking in a request, but for its service. */
export function readBooking(body: unknown, fields: BookingFields): Omit<NewBooking, 'service'> {
  const { parcel } = fields;
  const at = (path: string) => valueAt(body, ...path.split('.'));
  const weightOf = (row: unknown) =>
    parcel.grams === undefined ? gramsOf(numberAt(row, parcel.kilograms ?? '')) : (numberAt(row, parcel.grams) ?? 0);
  return {
    reference: textAt(at(fields.reference)) ?? '',
    sender: addressLines(at(fields.sender), ...fields.lines),
    recipient: addressLines(at(fields.recipient), ...fields.lines),
    parcels: listAt(at(fields.parcels)).map((row) => ({
      ...(parcel.id !== undefined && { id: textAt(row, parcel.id) ?? '' }),
      ...(parcel.reference !== undefined && { reference: textAt(row, parcel.reference) }),
      weightGrams: weightOf(row),
    })),
  };
}
