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
  readonly cancelled?: boolean | null;
  readonly deliveryNoteId?: number | null;
  readonly consignmentNoteId?: number | null;
}

export interface ContainerRow extends Row {
  readonly shipmentId: number;
}

export interface DocumentRow extends Row {
  readonly documentType: string;
  readonly documentNumber: number;
  readonly workStatus: string;
  readonly cancelled: boolean;
  /** Not shown: the interface's documents do not say which shipments they are about. */
  readonly shipmentIds: readonly number[];
}

export interface MessageRow extends Row {
  readonly eventId: string;
}

/** A file on a document or a shipment. A file of the same name takes the place of the earlier one. */
export interface AttachmentRow extends Row {
  readonly of: 'documents' | 'shipments';
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

  /** Adds the row, or replaces the one with its id. */
  put(row: R): R {
    this.rows.set(row.id, row);
    return row;
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
    return this.all().filter((row) => row.contextId === contextId);
  }

  all(): readonly R[] {
    return [...this.rows.values()];
  }
}

const FIRST_ID = 10_000_001;

/** Everything the stand-in knows, in memory. */
export class Store {
  readonly contexts = new Table<Row>();
  readonly sellers = new Table<Row>();
  readonly carriers = new Table<Row>();
  readonly shipments = new Table<ShipmentRow>();
  readonly shipmentLines = new Table<ContainerRow>();
  readonly shippingContainers = new Table<ContainerRow>();
  readonly documents = new Table<DocumentRow>();
  readonly messages = new Table<MessageRow>();
  readonly attachments = new Table<AttachmentRow>();
  readonly prints = new Table<PrintRow>();
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
