import { Journal } from './journal.js';
import type { Json, JsonMembers } from './json.js';

/** A stored resource. The store replaces rows and never mutates them. */
export interface Row extends JsonMembers {
  readonly id: number;
  readonly contextId: number;
}

export interface ShipmentRow extends Row {
  readonly shipmentNumber: string;
  readonly carrierName?: string | null;
  readonly sellerId?: number | null;
  readonly onHold?: boolean | null;
  readonly cancelled?: boolean | null;
  readonly deliveryNoteId?: number | null;
  readonly consignmentNoteId?: number | null;
}

export interface ShipmentLineRow extends Row {
  readonly shipmentId: number;
  readonly globalTradeItemId: number;
  readonly numItemsOrdered: number;
  readonly numItemsPacked: number;
  readonly abandoned: boolean;
  readonly reservationId: number | null;
}

export interface ContainerRow extends Row {
  readonly shipmentId: number;
}

export interface DocumentRow extends Row {
  readonly documentType: string;
  readonly documentNumber: number;
  readonly workStatus: string;
  readonly cancelled: boolean;
  /** Internal, like `about`: responses do not say what a document is about. */
  readonly shipmentIds: readonly number[];
  readonly about: DocumentSubject;
}

/** The rows that a document is about besides shipments, by id. */
export type DocumentSubject = {
  /** For a delivery note: the lines that it abandoned. */
  readonly abandonedLineIds?: readonly number[];
  readonly inboundShipmentId?: number;
  readonly returnShipmentId?: number;
  readonly stockTakingId?: number;
  readonly globalTradeItemIds?: readonly number[];
};

export interface ItemRow extends Row {
  readonly stockKeepingUnit: string;
  /** Whether the warehouse keeps stock of the item; otherwise the service reserves and draws nothing. */
  readonly stocked: boolean;
  readonly productId: number;
}

export interface LotRow extends Row {
  readonly globalTradeItemId: number;
  readonly numItemsRemaining: number;
  readonly numItemsPosted: number;
  readonly lotStatus: string;
  readonly locationNumber: string;
  readonly inventorySortDate: string;
}

export interface ReservationRow extends Row {
  readonly globalTradeItemId: number;
  readonly numItemsReserved: number;
}

/** A stock movement of one lot. */
export interface TransactionRow extends Row {
  readonly transactionType: string;
  readonly globalTradeItemId: number;
  readonly globalTradeItemLotId: number;
  /** Positive into the lot, negative out of it. */
  readonly numItems: number;
  /** The part of `numItems` that documents have posted. */
  readonly numItemsPosted: number;
}

export interface ReceivableLineRow extends Row {
  readonly globalTradeItemId: number;
  readonly numItemsReceived: number;
}

export interface MessageRow extends Row {
  readonly eventId: string;
}

/** A file attached to a resource. It replaces an earlier file of the same name. */
export interface AttachmentRow extends Row {
  readonly of: 'documents' | 'shipments' | 'globalTradeItems';
  readonly ownerId: number;
  readonly fileName: string;
  /** In bytes; `null` when only a URL was given. */
  readonly size: number | null;
  readonly timesAttached: number;
}

export interface PrintRow extends Row {
  readonly invocation: 'printDocument' | 'printResource';
  readonly body: Json;
}

export interface SandboxArea {
  readonly contextId: number;
  readonly apiKey: string;
}

export interface NewArea extends SandboxArea {
  /** Names of the area's initial carriers; none when not given. */
  readonly carriers?: readonly string[];
}

/** The rows of one resource in all areas. */
export class Table<R extends Row> {
  private readonly rows = new Map<number, R>();
  private readonly areas = new Map<number, Map<number, R>>();
  private readonly indexes: ReadonlyMap<string, Map<string, Set<number>>>;

  /** @param indexed fields that rows are looked up by, in addition to the id */
  constructor(
    private readonly journal: Journal,
    indexed: readonly string[],
  ) {
    this.indexes = new Map(indexed.map((field) => [field, new Map<string, Set<number>>()]));
  }

  /** Adds the row, or replaces the one with its id. */
  put(row: R): R {
    const before = this.rows.get(row.id);
    this.journal.note(() => void (before === undefined ? this.remove(row) : this.put(before)));
    for (const [field, index] of this.indexes) {
      if (before !== undefined && before[field] === row[field]) continue;
      if (before !== undefined) index.get(place(before, field))?.delete(row.id);
      const ids = index.get(place(row, field)) ?? new Set();
      index.set(place(row, field), ids.add(row.id));
    }
    this.rows.set(row.id, row);
    const area = this.areas.get(row.contextId) ?? new Map<number, R>();
    this.areas.set(row.contextId, area.set(row.id, row));
    return row;
  }

  remove(row: R): void {
    this.journal.note(() => this.putBack(row));
    for (const [field, index] of this.indexes) index.get(place(row, field))?.delete(row.id);
    this.rows.delete(row.id);
    this.areas.get(row.contextId)?.delete(row.id);
  }

  /** Restores a removed row at its old position: rows are ordered by id. */
  private putBack(row: R): void {
    this.put(row);
    const rows = [...(this.areas.get(row.contextId) ?? [])];
    this.areas.set(row.contextId, new Map(rows.toSorted(([one], [other]) => one - other)));
  }

  /** `null` when no row has this id, or the row is in another area. */
  find(contextId: number, id: number): R | null {
    const row = this.rows.get(id);
    return row?.contextId === contextId ? row : null;
  }

  /** Finds a row in any area. */
  byId(id: number): R | null {
    return this.rows.get(id) ?? null;
  }

  /** The rows of an area, in the order of creation. */
  in(contextId: number): readonly R[] {
    return [...(this.areas.get(contextId)?.values() ?? [])];
  }

  /** The oldest row of an area. */
  firstIn(contextId: number): R | null {
    return this.areas.get(contextId)?.values().next().value ?? null;
  }

  countIn(contextId: number): number {
    return this.areas.get(contextId)?.size ?? 0;
  }

  /**
   * The area's rows whose field has this value, in the order of creation. Fast for indexed fields; others need a scan
   * of the area.
   */
  where(contextId: number, field: string, value: Json): readonly R[] {
    const index = this.indexes.get(field);
    if (index === undefined) return this.in(contextId).filter((row) => (row[field] ?? null) === value);
    const ids = index.get(`${contextId} ${String(value)}`);
    if (ids === undefined || ids.size === 0) return [];
    return [...ids].sort((a, b) => a - b).flatMap((id) => this.find(contextId, id) ?? []);
  }

  all(): readonly R[] {
    return [...this.rows.values()];
  }
}

function place(row: Row, field: string): string {
  return `${row.contextId} ${String(row[field] ?? null)}`;
}

const FIRST_ID = 10_000_001;

/** All data of the sandboxed IMS, in memory. */
export class Store {
  private readonly journal = new Journal();
  readonly contexts = this.table<Row>();
  readonly sellers = this.table<Row>(['sellerNumber']);
  readonly carriers = this.table<Row>(['carrierName']);
  readonly dataExtensions = this.table<Row>(['dataExtensionName']);
  readonly customers = this.table<Row>(['customerNumber']);
  readonly suppliers = this.table<Row>(['supplierNumber']);
  readonly productGroups = this.table<Row>(['productGroupName']);
  readonly products = this.table<Row>(['productNumber']);
  readonly productCustomsInformations = this.table<Row>(['productId']);
  readonly globalTradeItems = this.table<ItemRow>(['stockKeepingUnit']);
  readonly includedItems = this.table<Row>(['globalTradeItemId']);
  readonly locations = this.table<Row>(['locationNumber']);
  readonly shipments = this.table<ShipmentRow>(['shipmentNumber', 'transportBookingId']);
  readonly shipmentLines = this.table<ShipmentLineRow>(['shipmentId', 'globalTradeItemId']);
  readonly shippingContainers = this.table<ContainerRow>(['shipmentId']);
  readonly instances = this.table<Row>(['shipmentId', 'shipmentLineId', 'shippingContainerId', 'globalTradeItemId']);
  readonly inboundShipments = this.table<Row>(['inboundShipmentNumber']);
  readonly inboundShipmentLines = this.table<ReceivableLineRow>(['inboundShipmentId', 'globalTradeItemId']);
  readonly returnShipments = this.table<Row>(['returnShipmentNumber']);
  readonly returnShipmentLines = this.table<ReceivableLineRow>(['returnShipmentId']);
  readonly lots = this.table<LotRow>(['globalTradeItemId']);
  readonly reservations = this.table<ReservationRow>(['globalTradeItemId']);
  readonly transactions = this.table<TransactionRow>([
    'shipmentId',
    'inboundShipmentId',
    'returnShipmentId',
    'stockTakingId',
    'globalTradeItemId',
    'globalTradeItemLotId',
  ]);
  readonly postings = this.table<Row>(['documentId']);
  readonly stockTakings = this.table<Row>(['stockTakingNumber']);
  readonly stockTakingLines = this.table<Row>(['stockTakingId']);
  readonly documents = this.table<DocumentRow>(['documentType']);
  readonly messages = this.table<MessageRow>();
  readonly attachments = this.table<AttachmentRow>(['ownerId']);
  readonly prints = this.table<PrintRow>();
  readonly auditLog = this.table<Row>();
  /** File contents, keyed by the attachment's id. */
  readonly contents = new Map<number, Buffer>();

  private readonly areasByKey = new Map<string, SandboxArea>();
  private lastId = FIRST_ID - 1;

  /** The next id; all resources share one sequence. */
  nextId(): number {
    this.lastId += 1;
    this.journal.note(() => void (this.lastId -= 1));
    return this.lastId;
  }

  /** Runs `act` as a transaction: when it throws, undoes its changes and rethrows. */
  allOrNothing<T>(act: () => T): T {
    return this.journal.allOrNothing(act);
  }

  addArea(area: SandboxArea): void {
    this.areasByKey.set(area.apiKey, area);
  }

  areaOfKey(apiKey: string | undefined): SandboxArea | null {
    return (apiKey === undefined ? undefined : this.areasByKey.get(apiKey)) ?? null;
  }

  areas(): readonly SandboxArea[] {
    return [...this.areasByKey.values()];
  }

  private table<R extends Row>(indexed: readonly string[] = []): Table<R> {
    return new Table<R>(this.journal, indexed);
  }
}
