import type { Json, JsonObject } from './json.js';

/** A resource as it is stored. Rows are replaced, never changed. */
export interface Row extends JsonObject {
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
  /** Not shown, nor is the next: the interface's documents do not say what they are about. */
  readonly shipmentIds: readonly number[];
  readonly about: DocumentSubject;
}

/** What a document is about besides shipments, by the ids of resources. */
export type DocumentSubject = {
  readonly inboundShipmentId?: number;
  readonly returnShipmentId?: number;
  readonly stockTakingId?: number;
  readonly globalTradeItemIds?: readonly number[];
};

export interface ItemRow extends Row {
  readonly stockKeepingUnit: string;
  /** Whether stock is kept of it; of what is not stocked nothing is reserved or drawn. */
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

/** One movement of one lot. */
export interface TransactionRow extends Row {
  readonly transactionType: string;
  readonly globalTradeItemId: number;
  readonly globalTradeItemLotId: number;
  /** Signed. */
  readonly numItems: number;
  /** How many of them a document has posted. */
  readonly numItemsPosted: number;
}

export interface ReceivableLineRow extends Row {
  readonly globalTradeItemId: number;
  readonly numItemsReceived: number;
}

export interface MessageRow extends Row {
  readonly eventId: string;
}

/** A file on a resource. A file of the same name takes the place of the earlier one. */
export interface AttachmentRow extends Row {
  readonly of: 'documents' | 'shipments' | 'globalTradeItems';
  readonly ownerId: number;
  readonly fileName: string;
  /** `null` where only an address was given. */
  readonly size: number | null;
  readonly timesAttached: number;
}

export interface PrintRow extends Row {
  readonly invocation: 'printDocument' | 'printResource';
  readonly body: Json;
}

export interface Area {
  readonly contextId: number;
  readonly apiKey: string;
}

/** The rows of one resource in all areas. */
export class Table<R extends Row> {
  private readonly rows = new Map<number, R>();
  private readonly areas = new Map<number, Map<number, R>>();
  private readonly indexes: ReadonlyMap<string, Map<string, Set<number>>>;

  /** @param indexed fields that rows are looked up by, besides their id */
  constructor(indexed: readonly string[] = []) {
    this.indexes = new Map(indexed.map((field) => [field, new Map<string, Set<number>>()]));
  }

  /** Adds the row, or replaces the one with its id. */
  put(row: R): R {
    const before = this.rows.get(row.id);
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
    for (const [field, index] of this.indexes) index.get(place(row, field))?.delete(row.id);
    this.rows.delete(row.id);
    this.areas.get(row.contextId)?.delete(row.id);
  }

  /** `null` also when it is in another area. */
  find(contextId: number, id: number): R | null {
    const row = this.rows.get(id);
    return row?.contextId === contextId ? row : null;
  }

  /** Whichever area it is in. */
  byId(id: number): R | null {
    return this.rows.get(id) ?? null;
  }

  /** In the order they were created. */
  in(contextId: number): readonly R[] {
    return [...(this.areas.get(contextId)?.values() ?? [])];
  }

  /** The oldest. */
  firstIn(contextId: number): R | null {
    return this.areas.get(contextId)?.values().next().value ?? null;
  }

  countIn(contextId: number): number {
    return this.areas.get(contextId)?.size ?? 0;
  }

  /** The area's rows whose field has this value, in the order they were created; quick where the field is indexed. */
  where(contextId: number, field: string, value: Json): readonly R[] {
    const index = this.indexes.get(field);
    if (index === undefined) return this.in(contextId).filter((row) => (row[field] ?? null) === value);
    const ids = [...(index.get(`${contextId} ${String(value)}`) ?? [])].sort((a, b) => a - b);
    return ids.flatMap((id) => this.find(contextId, id) ?? []);
  }

  all(): readonly R[] {
    return [...this.rows.values()];
  }
}

function place(row: Row, field: string): string {
  return `${row.contextId} ${String(row[field] ?? null)}`;
}

const FIRST_ID = 10_000_001;

/** Everything the stand-in knows, in memory. */
export class Store {
  readonly contexts = new Table<Row>();
  readonly sellers = new Table<Row>(['sellerNumber']);
  readonly carriers = new Table<Row>(['carrierName']);
  readonly customers = new Table<Row>(['customerNumber']);
  readonly suppliers = new Table<Row>(['supplierNumber']);
  readonly productGroups = new Table<Row>(['productGroupName']);
  readonly products = new Table<Row>(['productNumber']);
  readonly productCustomsInformations = new Table<Row>(['productId']);
  readonly globalTradeItems = new Table<ItemRow>(['stockKeepingUnit']);
  readonly includedItems = new Table<Row>(['globalTradeItemId']);
  readonly locations = new Table<Row>(['locationNumber']);
  readonly shipments = new Table<ShipmentRow>(['shipmentNumber', 'transportBookingId']);
  readonly shipmentLines = new Table<ShipmentLineRow>(['shipmentId', 'globalTradeItemId']);
  readonly shippingContainers = new Table<ContainerRow>(['shipmentId']);
  readonly instances = new Table<Row>(['shipmentId', 'shipmentLineId', 'shippingContainerId', 'globalTradeItemId']);
  readonly inboundShipments = new Table<Row>(['inboundShipmentNumber']);
  readonly inboundShipmentLines = new Table<ReceivableLineRow>(['inboundShipmentId', 'globalTradeItemId']);
  readonly returnShipments = new Table<Row>(['returnShipmentNumber']);
  readonly returnShipmentLines = new Table<ReceivableLineRow>(['returnShipmentId']);
  readonly lots = new Table<LotRow>(['globalTradeItemId']);
  readonly reservations = new Table<ReservationRow>(['globalTradeItemId']);
  readonly transactions = new Table<TransactionRow>([
    'shipmentId',
    'inboundShipmentId',
    'returnShipmentId',
    'stockTakingId',
    'globalTradeItemId',
    'globalTradeItemLotId',
  ]);
  readonly postings = new Table<Row>(['documentId']);
  readonly stockTakings = new Table<Row>(['stockTakingNumber']);
  readonly stockTakingLines = new Table<Row>(['stockTakingId']);
  readonly documents = new Table<DocumentRow>(['documentType']);
  readonly messages = new Table<MessageRow>();
  readonly attachments = new Table<AttachmentRow>(['ownerId']);
  readonly prints = new Table<PrintRow>();
  readonly auditLog = new Table<Row>();
  /** By the attachment's id. */
  readonly contents = new Map<number, Buffer>();

  private readonly areasByKey = new Map<string, Area>();
  private lastId = FIRST_ID - 1;

  /** All resources share one sequence. */
  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  addArea(area: Area): void {
    this.areasByKey.set(area.apiKey, area);
  }

  areaOfKey(apiKey: string | undefined): Area | null {
    return (apiKey === undefined ? undefined : this.areasByKey.get(apiKey)) ?? null;
  }

  areas(): readonly Area[] {
    return [...this.areasByKey.values()];
  }
}
