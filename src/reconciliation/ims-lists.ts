import type { ImsArea } from '../ims/calls/area.js';
import type { Stretch } from '../ims/calls/paging.js';
import type { ImsDocument, ImsShipment } from '../ims/resources.js';
import type { Ours } from './verdict.js';
import type { BookingContext } from '../consignment/context.js';
import type { Area } from '../areas/area.js';

/** Of 1,000 rows each; the next look goes on with what is beyond. */
export const PAGES_PER_LIST = 3;
/** For the shipments of one consignment note: as many as an event may name. */
const PAGES_PER_NOTE = 10;
const STATUSES = ['PENDING', 'ON_GOING'] as const;

/** One look into an area: its lists are read at most once, and only when something asks for them. */
export interface Lists {
  /** Documents that ask for a booking and are not done. Two lists for each type of document that is booked on. */
  documents(): Promise<readonly ImsDocument[]>;
  /** Shipments without a delivery note: one list. */
  unpacked(): Promise<readonly ImsShipment[]>;
  /**
   * The shipment of each document, where it is open: documents do not say. First among those that are not packed, which
   * are few; only for what is not there among all that no carrier has collected.
   */
  shipmentsOf(documentIds: readonly string[]): Promise<ReadonlyMap<string, ImsShipment>>;
  /** Consignment notes, whatever their status: one list. */
  notes(): Promise<readonly ImsDocument[]>;
  /** The shipments that left by a consignment note; it must have a number. */
  leftBy(note: ImsDocument): Promise<readonly ImsShipment[]>;
  /** Of the lists that were longer than one look, how far they are read. */
  rests(): Rests;
}

/** Rows that were read of a list, by its name. */
export type Rests = ReadonlyMap<string, number>;

/** Nobody waits for these requests, so they go after every booking. @param begun by the look before: it goes on there */
export function openLists({ log }: Pick<BookingContext, 'log'>, area: Area, begun: Rests = new Map()): Lists {
  const { imsBackground: ims, bookOn, contextId } = area;
  // What nobody asks for this time is where it was.
  const rests = new Map(begun);
  const stretch: StretchOf = (list) => {
    rests.delete(list);
    const onCut = (rows: number) => {
      rests.set(list, rows);
      log.warn('list too long for one look', { area: contextId, list, rows });
    };
    return { mostPages: PAGES_PER_LIST, from: begun.get(list) ?? 0, onCut };
  };
  const unpacked = once(() => collect(ims.listShipments(UNPACKED, stretch('unpacked'))));
  const notCollected = once(() => collect(ims.listShipments(NOT_COLLECTED, stretch('not-collected'))));
  return {
    documents: once(() => openDocuments(ims, typesBookedOn(bookOn), stretch)),
    unpacked,
    notes: once(async () => {
      const listed = await collect(ims.listDocuments(NOTES, stretch(CONSIGNMENT_NOTE)));
      return listed.filter((note) => note.documentType === CONSIGNMENT_NOTE && note.cancelled !== true);
    }),
    leftBy: async ({ id, documentNumber }) => {
      const onCut = (rows: number) =>
        log.warn('list too long for one look', { area: contextId, list: `note ${id}`, rows });
      const filter = { consignmentNoteNumber: documentNumber ?? '', onlyNotCancelled: 'true' };
      const listed = await collect(ims.listShipments(filter, { mostPages: PAGES_PER_NOTE, onCut }));
      return listed.filter((shipment) => shipment.consignmentNoteId === id);
    },
    rests: () => rests,
    shipmentsOf: async (documentIds) => {
      if (documentIds.length === 0) return new Map();
      const near = byDocument(await unpacked());
      if (documentIds.every((id) => near.has(id))) return near;
      return new Map([...byDocument(await notCollected()), ...near]);
    },
  };
}

type StretchOf = (list: string) => Stretch;

const REST = /^rest:(.+):(\d+)$/;

/** How far lists are read, among what a look leaves for the next one. */
export function restsIn(seen: Iterable<string>): Rests {
  const found = [...seen].flatMap((note) => [REST.exec(note) ?? []]);
  return new Map(found.flatMap(([, list, from]) => (list && from ? [[list, Number(from)] as const] : [])));
}

/** The reverse of `restsIn`. */
export function notesOf(rests: Rests): readonly string[] {
  return [...rests].map(([list, from]) => `rest:${list}:${from}`);
}

const UNPACKED = { onlyNotCancelled: 'true', onlyNoDeliveryNote: 'true' } as const;
const NOT_COLLECTED = { onlyNotCancelled: 'true', onlyNoConsignmentNote: 'true' } as const;

export const CONSIGNMENT_NOTE = 'CONSIGNMENT_NOTE';
const NOTES = { documentType: CONSIGNMENT_NOTE, onlyNotCancelled: 'true' } as const;

export function typesBookedOn(bookOn: Area['bookOn']): readonly string[] {
  return bookOn === 'delivery-note' ? ['TRANSPORT_BOOKING', 'DELIVERY_NOTE'] : ['TRANSPORT_BOOKING'];
}

/** Whose things of an area are. */
export function oursIn(context: BookingContext, { contextId, imsBackground }: Area): Ours {
  return {
    area: contextId,
    accounts: [...context.accounts.values()],
    rules: context.rules.rules.length,
    statuses: imsBackground.can('setWorkStatus') ? 'kept' : 'not-kept',
  };
}

/** Filters are believed, and checked: a service that does not know one of them gives all there is. */
async function openDocuments(
  ims: ImsArea,
  types: readonly string[],
  stretch: StretchOf,
): Promise<readonly ImsDocument[]> {
  const found: ImsDocument[] = [];
  for (const documentType of types) {
    for (const workStatus of STATUSES) {
      const filter = { documentType, workStatus, onlyNotCancelled: 'true' };
      const listed = await collect(ims.listDocuments(filter, stretch(`${documentType}-${workStatus}`)));
      const isMeant = (document: ImsDocument) =>
        document.documentType === documentType && document.workStatus === workStatus && document.cancelled !== true;
      found.push(...listed.filter(isMeant));
    }
  }
  return found;
}

function byDocument(shipments: readonly ImsShipment[]): ReadonlyMap<string, ImsShipment> {
  return new Map(
    shipments.flatMap((shipment) =>
      [shipment.transportBookingId, shipment.deliveryNoteId].flatMap((id) =>
        id === null ? [] : [[id, shipment] as const],
      ),
    ),
  );
}

async function collect<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  return () => (running ??= work());
}
