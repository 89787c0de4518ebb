import { listAt, numberAt, textAt, valueAt } from '../json.js';
import { gramsOf } from '../units.js';
import { addressLines } from './address-lines.js';
import type { NewBooking } from './books.js';

/** Where a request to a simulated carrier has the parts of a booking: paths of names with dots. */
export interface BookingFields {
  readonly reference: string;
  /** Missing: the service is read otherwise. */
  readonly service?: string;
  readonly sender: string;
  readonly recipient: string;
  /** The lines of either address, as `addressLines` takes them. */
  readonly lines: readonly string[];
  readonly parcels: string;
  /** Paths within a parcel. */
  readonly parcel: {
    /** The weight, in one of the two units. */
    readonly grams?: string;
    readonly kilograms?: string;
    readonly id?: string;
    /** Missing: the label of each parcel has the booking's reference. */
    readonly reference?: string;
  };
}

/** The booking in a request. */
export function readBooking(body: unknown, fields: BookingFields): NewBooking {
  const { parcel } = fields;
  const within = (value: unknown, path: string) => valueAt(value, ...path.split('.'));
  const at = (path: string) => within(body, path);
  const weightOf = (row: unknown) => {
    const weight = numberAt(within(row, parcel.grams ?? parcel.kilograms ?? ''));
    return parcel.grams === undefined ? gramsOf(weight) : (weight ?? 0);
  };
  return {
    reference: textAt(at(fields.reference)) ?? '',
    service: fields.service === undefined ? '' : (textAt(at(fields.service)) ?? ''),
    sender: addressLines(at(fields.sender), ...fields.lines),
    recipient: addressLines(at(fields.recipient), ...fields.lines),
    parcels: listAt(at(fields.parcels)).map((row) => ({
      ...(parcel.id !== undefined && { id: textAt(within(row, parcel.id)) ?? '' }),
      ...(parcel.reference !== undefined && { reference: textAt(within(row, parcel.reference)) }),
      weightGrams: weightOf(row),
    })),
  };
}
