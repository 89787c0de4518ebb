import type { BookingRequest, FoundBooking, TrackingEvent, TrackingStatus } from '../../contract/index.js';
import { listAt, neededAt, neededList, textAt, textIn, unexpected } from '../json.js';
import type { ParcelFields } from '../parcels/booked-parcels.js';
import { readParcels } from '../parcels/booked-parcels.js';
import type { EventFields } from '../tracking/tracking-event.js';
import { boundedEvents, readEvents } from '../tracking/tracking-event.js';

/** Where a carrier's answer has shipments and their parcels. Its simulator writes them to the same places. */
export interface ShipmentFields {
  /** Missing: the answer is the list of shipments. */
  readonly list?: string;
  /** The carrier says in a row of the list that it found nothing: an empty list says neither. */
  readonly neverEmpty?: true;
  readonly number: string;
  /** Where our reference stands. */
  readonly reference: string;
  /** The rows of a shipment in each of which a reference stands, any of them ours; missing: it stands in the shipment itself. */
  referencesIn?(shipment: unknown): readonly unknown[];
  /** The list of parcels, and the names within a parcel. */
  readonly parcels: string;
  readonly parcel: ParcelFields;
  /** The page on which the recipient follows a parcel of a shipment; none when not given. */
  pageOf?(trackingNumber: string, shipment: unknown): string;
}

/** As `ShipmentFields`, of an answer that has the events of each parcel too. */
export interface TrackedShipments extends ShipmentFields {
  /** The list of events within a parcel. */
  readonly events: string;
  readonly event: EventFields;
  /** The meaning of a code, where that depends on the shipment. */
  statusIn?(shipment: unknown, code: string | null): TrackingStatus | null;
  /** What all events of a parcel have, such as the day on which it is expected. */
  about?(shipment: unknown, parcel: unknown): Partial<TrackingEvent>;
}

/** @param answer `null`: the carrier knows none */
function shipmentsIn(answer: unknown, { list, neverEmpty }: ShipmentFields): readonly unknown[] {
  const shipments = answer === null ? [] : neededList(answer, ...(list?.split('.') ?? []));
  if (neverEmpty && shipments.length === 0) throw unexpected(answer, 'a shipment');
  return shipments;
}

/**
 * The first shipment of an answer that has the reference of the request; `null`: none has.
 * @throws Error the answer has no list of shipments; ours has no number or no list of parcels, or a parcel has no number
 */
export function readFoundBooking(
  answer: unknown,
  request: BookingRequest,
  fields: ShipmentFields,
): FoundBooking | null {
  const { number, parcels, parcel, reference, referencesIn = (shipment: unknown) => [shipment], pageOf } = fields;
  const isOurs = (row: unknown) => textIn(row, reference) === request.reference;
  const shipment = shipmentsIn(answer, fields).find((each) => referencesIn(each).some(isOurs));
  if (shipment === undefined) return null;
  const rows = neededList(shipment, ...parcels.split('.'));
  const found = readParcels(rows, parcel, (each) => pageOf?.(each, shipment) ?? null);
  return { carrierNumber: neededAt(shipment, number), parcels: found, labelSource: null };
}

/** What happened to one parcel of the shipments of an answer. @throws Error the answer has no list of shipments */
export function readTracking(
  answer: unknown,
  trackingNumber: string,
  fields: TrackedShipments,
): readonly TrackingEvent[] {
  const { parcels, parcel, events, event, statusIn, pageOf, about } = fields;
  const eventsIn = (shipment: unknown) =>
    listAt(shipment, ...parcels.split('.'))
      .filter((row) => textAt(row, parcel.number) === trackingNumber)
      .flatMap((row) => {
        const read = statusIn ? { ...event, statusOf: (code: string | null) => statusIn(shipment, code) } : event;
        const page = pageOf && { trackingUrl: pageOf(trackingNumber, shipment) };
        return readEvents(listAt(row, events), read, { trackingNumber, ...page, ...about?.(shipment, row) });
      });
  return boundedEvents(shipmentsIn(answer, fields).flatMap(eventsIn));
}
