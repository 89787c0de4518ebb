import type { ImsArea } from '../ims/calls/ims-area.js';
import type { Stretch } from '../ims/calls/paging.js';
import type { ImsDocument, ImsShipment } from '../ims/resources.js';
import { shipmentsLeftBy } from '../manifests/shipments-of-note.js';
import type { Ours } from './verdict.js';
import type { BookingContext } from '../consignment/context.js';
import type { Area } from '../areas/area.js';

/** Pages of 1,000 rows; the next search continues behind them. */
const PAGES_PER_LIST = 3;
const STATUSES = ['PENDING', 'ON_GOING'] as const;

/** The lists of one search: each is read at most once, when it is needed. */
export interface Lists {
  /** Open documents that ask for a booking: two lists for each type that is booked on. */
  documents(): Promise<readonly ImsDocument[]>;
  /** Shipments without a delivery note: one list. */
  unpacked(): Promise<readonly ImsShipment[]>;
  /**
   * The open shipment of each document, which the document does not name. Looks first among the unpacked shipments,
   * which are few, then among all that no carrier has collected.
   */
  shipmentsOf(documentIds: readonly string[]): Promise<ReadonlyMap<string, ImsShipment>>;
  /** Consignment notes, whatever their status: one list. */
  notes(): Promise<readonly ImsDocument[]>;
  /** The shipments that left by a consignment note; it must have a number. */
  leftBy(note: ImsDocument): Promise<readonly ImsShipment[]>;
  /** How far the lists that were too long for one search were read. */
  rests(): Rests;
}

/** Rows read of a list, by its name. */
export type Rests = ReadonlyMap<string, number>;

/** Reads in the background queue, after every booking. @param begun where the last search stopped */
export function openLists({ log }: Pick<BookingContext, 'log'>, area: Area, begun: Rests = new Map()): Lists {
  const { imsBackground: ims, bookOn, contextId } = area;
  // A list that is not read this time keeps its position.
  const rests = new Map(begun);
  const stretch: StretchOf = (list) => {
    rests.delete(list);
    const onCut = (rows: number) => {
      rests.set(list, rows);
      log.warn('list too long for one look', { area: contextId, list, rows });
    };
    return { maxPages: PAGES_PER_LIST, from: begun.get(list) ?? 0, onCut };
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
    leftBy: (note) =>
      shipmentsLeftBy(ims, note, (rows) =>
        log.warn('list too long for one look', { area: contextId, list: `note ${note.id}`, rows }),
      ),
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

/** Reads the positions out of the values that a search leaves for the next one. */
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

/** The values that decide which shipments of an area are ours. */
export function oursIn(context: BookingContext, { contextId, imsBackground }: Area): Ours {
  return {
    area: contextId,
    accounts: [...context.accounts.values()],
    rules: context.rules.rules.length,
    statuses: imsBackground.can('setWorkStatus') ? 'kept' : 'not-kept',
  };
}

/** Filters the rows again: a service that ignores a filter returns everything. */
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
