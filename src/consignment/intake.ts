import { createHash } from 'node:crypto';
import type { Sql } from '../db/database.js';
import { storable } from '../../carriers/contract/storable.js';
import { asJsonb } from '../db/json.js';
import { tryParseJson } from '../../carriers/contract/json.js';
import { type ImsEvent, type ReadEvent, readEvents } from '../ims/events.js';
import type { Addressee, BookedOn, Consignment } from './consignment.js';
import { type ErrandKind, insertErrand } from './errand-rows.js';
import { markHandedOver } from './hand-over-rows.js';
import { type NewConsignment, insertConsignment, reopenByDocument, wishCancelled } from './ledger.js';

/** What became of one event. */
export interface Receipt {
  readonly eventId: string | null;
  readonly outcome: 'accepted' | 'duplicate' | 'ignored' | 'unreadable';
  readonly problems?: readonly string[];
}

/** What intake needs to know of the areas. */
export type KnownAreas = ReadonlyMap<string, { readonly bookOn: 'transport-booking' | 'delivery-note' }>;

export interface Arrival {
  readonly event: ReadEvent;
  /** As it came. */
  readonly body: string;
  readonly now: Date;
  /** Somebody we know nothing of has begun to book it: it is in doubt from the start. */
  readonly begun?: 'elsewhere';
}

/** What a sender posted, event by event, each with its own text. */
export function arrivalsIn(body: Uint8Array): readonly Omit<Arrival, 'now'>[] {
  const events = readEvents(body);
  const [only, ...more] = events;
  if (only && more.length === 0) return [{ event: only, body: storable(Buffer.from(body).toString('utf8')) }];
  const json = tryParseJson(body);
  return events.map((event, index) => ({
    event,
    body: storable(JSON.stringify(Array.isArray(json) ? (json as readonly unknown[])[index] : null)),
  }));
}

/** The shipments that an event names. @param body as it was kept; `null`: it was not */
export function shipmentsNamedIn(body: string | null, eventId: string): readonly string[] {
  const events = body === null ? [] : readEvents(Buffer.from(body));
  return events.flatMap((event) => (event.kind === 'event' && event.eventId === eventId ? event.shipmentIds : []));
}

export interface Taken {
  readonly receipt: Receipt;
  /** Rows to be looked at now. */
  readonly wake: readonly string[];
}

/** What an event asks us to do; pure. */
export type Demand =
  | { readonly kind: 'book'; readonly bookedOn: BookedOn }
  | { readonly kind: 'errand'; readonly errand: ErrandKind }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'hand-over' }
  | { readonly kind: 'nothing'; readonly problems?: readonly string[] };

const OLD_BOOKING_TYPES = ['packingCompleted', 'shippingLabelRequest'];

export function demandOf(event: ImsEvent, area: { readonly bookOn: 'transport-booking' | 'delivery-note' }): Demand {
  if (event.eventType === 'shipmentCreated') return named(event, { kind: 'errand', errand: 'choose-carrier' });
  if (OLD_BOOKING_TYPES.includes(event.eventType ?? ''))
    return event.shipmentId === null ? WITHOUT_SHIPMENT : { kind: 'book', bookedOn: 'packing-completed' };
  if (event.eventType === 'documentCancelled')
    return cancels(event) ? named(event, { kind: 'cancel' }) : { kind: 'nothing' };
  // Without a type it is taken for what it looks like.
  return event.eventType === 'documentCreated' || event.eventType === null
    ? demandOfCreated(event, area)
    : { kind: 'nothing' };
}

function demandOfCreated(event: ImsEvent, area: { readonly bookOn: 'transport-booking' | 'delivery-note' }): Demand {
  if (event.documentType !== null) return named(event, demandOfDocument(event.documentType, area));
  return event.documentId === null ? { kind: 'nothing' } : { kind: 'errand', errand: 'identify-document' };
}

/** These came before there were booking documents: whatever document they name, it is not one to book for. */
const WITHOUT_SHIPMENT: Demand = { kind: 'nothing', problems: ['it names no shipment'] };
const NAMELESS: Demand = { kind: 'nothing', problems: ['it names neither a document nor a shipment'] };

/** Who wants something booked or cancelled must say what. */
function named(event: ImsEvent, demand: Demand): Demand {
  const nameless = event.documentId === null && event.shipmentId === null;
  return nameless && demand.kind !== 'nothing' && demand.kind !== 'hand-over' ? NAMELESS : demand;
}

/** A document that was created asks by its type. */
export function demandOfDocument(
  documentType: string,
  area: { readonly bookOn: 'transport-booking' | 'delivery-note' },
): Demand {
  switch (documentType) {
    case 'TRANSPORT_BOOKING':
      return { kind: 'book', bookedOn: 'transport-booking' };
    case 'DELIVERY_NOTE':
      return area.bookOn === 'delivery-note'
        ? { kind: 'book', bookedOn: 'delivery-note' }
        : { kind: 'errand', errand: 'look-at-delivery-note' };
    case 'CONSIGNMENT_NOTE':
      return { kind: 'hand-over' };
    default:
      return { kind: 'nothing' };
  }
}

function cancels(event: ImsEvent): boolean {
  return event.documentType === 'TRANSPORT_BOOKING' || event.documentType === 'DELIVERY_NOTE';
}

/** Stores one event with all it asks for; inside the caller's transaction, so all of it or nothing is there. */
export async function takeIn(sql: Sql, arrival: Arrival, areas: KnownAreas): Promise<Taken> {
  const { event } = arrival;
  const area = event.kind === 'event' ? areaOfEvent(event, areas) : null;
  const demand = decide(event, area, areas);
  const first = await insertEvent(sql, arrival, { area, demand });
  if (event.kind === 'unreadable')
    return { receipt: { eventId: event.eventId, outcome: 'unreadable', problems: event.problems }, wake: [] };
  if (!first) return { receipt: { eventId: event.eventId, outcome: 'duplicate' }, wake: [] };
  if (demand.kind === 'nothing' || area === null) {
    const problems = demand.kind === 'nothing' && demand.problems ? { problems: demand.problems } : {};
    return { receipt: { eventId: event.eventId, outcome: 'ignored', ...problems }, wake: [] };
  }
  const { now, begun } = arrival;
  const wake = await begin(sql, { event, area, demand, bookOn: areas.get(area)?.bookOn, now, ...(begun && { begun }) });
  return { receipt: { eventId: event.eventId, outcome: 'accepted' }, wake };
}

function decide(event: ReadEvent, area: string | null, areas: KnownAreas): Demand {
  if (event.kind === 'unreadable') return { kind: 'nothing' };
  const settings = area === null ? undefined : areas.get(area);
  if (settings) return demandOf(event, settings);
  const problem = event.contextId === null ? 'contextId is missing' : `area ${event.contextId} is not configured`;
  return { kind: 'nothing', problems: [problem] };
}

/** Some old events do not name their area: with one area there is no doubt. */
function areaOfEvent(event: ImsEvent, areas: KnownAreas): string | null {
  if (event.contextId !== null) return event.contextId;
  const [only, ...more] = areas.keys();
  return only !== undefined && more.length === 0 ? only : null;
}

/**
 * @returns whether the event is new to us. What was ignored, because its area was not configured for it then, is new once
 * it asks for something.
 */
async function insertEvent(
  sql: Sql,
  { event, body, now }: Arrival,
  { area, demand }: { readonly area: string | null; readonly demand: Demand },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into event (event_id, area, event_type, document_type, document_id, shipment_id, occurred_at, outcome, problems,
                        body, received_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11)
     on conflict (event_id) do update
       set area = excluded.area, event_type = excluded.event_type, document_type = excluded.document_type,
           document_id = excluded.document_id, shipment_id = excluded.shipment_id, outcome = excluded.outcome
       where event.outcome = 'ignored' and excluded.outcome = 'accepted'
     returning event_id`,
    event.kind === 'event'
      ? [...described(event, area), demand.kind === 'nothing' ? 'ignored' : 'accepted', null, body, now]
      : [unreadableId(body), null, null, null, null, null, null, 'unreadable', asJsonb(event.problems), body, now],
  );
  return rows.length > 0;
}

function described(event: ImsEvent, area: string | null): readonly unknown[] {
  return [
    event.eventId,
    area,
    event.eventType,
    event.documentType,
    event.documentId,
    event.shipmentId,
    event.occurredAt,
  ];
}

/** Not the id it claims: an unreadable event must never hide a readable one that comes under the same id. */
function unreadableId(body: string): string {
  return `unreadable:${createHash('sha256').update(body).digest('hex')}`;
}

interface Beginning {
  readonly event: ImsEvent;
  readonly area: string;
  readonly demand: Exclude<Demand, { kind: 'nothing' }>;
  readonly bookOn: 'transport-booking' | 'delivery-note' | undefined;
  readonly now: Date;
  readonly begun?: 'elsewhere';
}

async function begin(sql: Sql, { event, area, demand, bookOn, now, begun }: Beginning): Promise<readonly string[]> {
  switch (demand.kind) {
    case 'book': {
      const booking = newConsignment(event, area, { bookedOn: demand.bookedOn, now });
      const ids = await beginBooking(sql, { ...booking, ...(begun && { begun }) });
      // Without a type it may as well be the cancellation of what we know already: the document tells.
      if (ids.length > 0 || event.eventType !== null || event.documentId === null) return ids;
      return beginErrand(sql, { event, area, now }, 'identify-document');
    }
    case 'errand':
      return beginErrand(sql, { event, area, now }, demand.errand);
    case 'cancel':
      return wishCancelled(sql, {
        area,
        ...cancelledBookings(event, bookOn),
        before: new Date((event.occurredAt ?? now).getTime() + EVENT_TIME_TOLERANCE_MS),
        by: { ...addresseeOf(event), by: 'document' },
        now,
      });
    case 'hand-over':
      await markHandedOver(sql, { area, documentId: event.documentId, shipmentIds: event.shipmentIds, now });
      return event.documentId === null ? [] : beginErrand(sql, { event, area, now }, 'hand-over');
  }
}

async function beginErrand(
  sql: Sql,
  { event, area, now }: Pick<Beginning, 'event' | 'area' | 'now'>,
  kind: ErrandKind,
): Promise<readonly string[]> {
  const { eventId: id, shipmentId, documentId } = event;
  await insertErrand(sql, { id, kind, area, shipmentId, documentId, addressee: addresseeOf(event), createdAt: now });
  return [id];
}

/** Event times have whole seconds and another clock. */
const EVENT_TIME_TOLERANCE_MS = 2_000;

/** The document we booked on names the booking itself; any other names the shipment whose bookings are meant. */
function cancelledBookings(event: ImsEvent, bookOn: 'transport-booking' | 'delivery-note' | undefined) {
  const bookedOn = bookOn === 'delivery-note' ? ['TRANSPORT_BOOKING', 'DELIVERY_NOTE'] : ['TRANSPORT_BOOKING'];
  const own = bookedOn.includes(event.documentType ?? '');
  return { documentId: own ? event.documentId : null, shipmentId: event.shipmentId };
}

/** One document, one consignment: a second event for it takes up what had failed and changes nothing else. */
export async function beginBooking(sql: Sql, consignment: NewConsignment): Promise<readonly string[]> {
  const id = (await insertConsignment(sql, consignment)) ?? (await reopenByDocument(sql, consignment));
  return id === null ? [] : [id];
}

function newConsignment(
  event: ImsEvent,
  area: string,
  { bookedOn, now }: { readonly bookedOn: Consignment['bookedOn']; readonly now: Date },
): NewConsignment {
  const documentId = bookedOn === 'packing-completed' ? null : event.documentId;
  return {
    area,
    bookedOn,
    documentId,
    shipmentId: event.shipmentId,
    carrierName: event.carrierName,
    addressee: addresseeOf(event),
    now,
  };
}

function addresseeOf(event: ImsEvent): Addressee {
  return { eventId: event.eventId, userId: event.userId, deviceName: event.deviceName };
}
