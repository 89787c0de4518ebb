import type { JsonMembers } from '../store/json.js';
import type { WorkedState } from './warehouse.js';

/**
 * In the order of creation: rows that others refer to come first. Shipments of all kinds follow after these
 * collections.
 */
export const COLLECTIONS = [
  'productGroups',
  'products',
  'productCustomsInformations',
  'suppliers',
  'locations',
  'globalTradeItems',
  'globalTradeItemLots',
  'sellers',
  'customers',
  'carriers',
] as const;

export type Collection = (typeof COLLECTIONS)[number];

export const SHIPMENT_STATES = [
  'new',
  'packed',
  'booked',
  'delivery-note',
  'handed-over',
  'cancelled',
] as const satisfies readonly ('new' | WorkedState)[];

export type ShipmentState = (typeof SHIPMENT_STATES)[number];

/** Bodies as the REST API takes them, except that dates may be written as `today`, `today+2` or `today-30`. */
export interface ScenarioShipment {
  readonly body: JsonMembers;
  /** Without `shipmentId`. */
  readonly shippingContainers: readonly JsonMembers[];
  readonly state: ShipmentState;
}

export const ARRIVALS = ['new', 'received'] as const;

/** An inbound or return shipment: announced only (`new`), or received completely, with its receipt. */
export interface InboundShipment {
  readonly body: JsonMembers;
  readonly state: (typeof ARRIVALS)[number];
}

export interface ReturnShipment extends InboundShipment {
  /** Index of the returned shipment in the area's list; `null` when the body says which shipment it is, or none. */
  readonly ofShipment: number | null;
}

/** The contents of an area. */
export interface AreaContents {
  readonly bodies: Readonly<Record<Collection, readonly JsonMembers[]>>;
  readonly inboundShipments: readonly InboundShipment[];
  readonly shipments: readonly ScenarioShipment[];
  readonly returnShipments: readonly ReturnShipment[];
}

/** Names with parts; a name's share is its part of the sum: `{ DK: 3, SE: 1 }` means three quarters and one quarter. */
export type Shares = Readonly<Record<string, number>>;

export const ASSORTMENTS = ['outdoor', 'wool', 'home', 'care', 'pantry'] as const;

export type Assortment = (typeof ASSORTMENTS)[number];

/** What the sandbox generates in addition to the contents of the file. */
export interface Generate {
  readonly sellers: number;
  readonly suppliers: number;
  readonly products: number;
  readonly customers: number;
  readonly shipments: number;
  readonly inboundShipments: number;
  readonly returnShipments: number;
  readonly assortments: readonly Assortment[];
  /** ISO 3166-1 alpha-2 code to share of the customers. */
  readonly countries: Shares;
  /** Name of a carrier, or `none`, to share of the shipments. */
  readonly carriers: Shares;
  readonly states: Shares;
  /** Per cent of the customers that are companies. */
  readonly companies: number;
  /** Per cent of all shipments that lack stock for packing; only new shipments can be back orders. */
  readonly backOrders: number;
  /** Range of delivery dates, in days from today, both ends inclusive. */
  readonly deliveryInDays: { readonly from: number; readonly to: number };
}

export interface ScenarioArea {
  /** The place in the file, e.g. `areas[0]`. */
  readonly place: string;
  readonly contextId: number;
  readonly apiKey: string;
  readonly contents: AreaContents;
  readonly generate: Generate | null;
}

/** The contents of a warehouse, as one file describes them. */
export interface Scenario {
  readonly description: string;
  /** Seed of the generator: the same seed generates the same contents. */
  readonly seed: number;
  readonly areas: readonly ScenarioArea[];
}
