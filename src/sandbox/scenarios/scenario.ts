import type { JsonObject } from '../store/json.js';
import type { WorkedState } from './warehouse.js';

/** In the order in which they are created: what others refer to comes first. Shipments of all kinds come last. */
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

export const STATES = [
  'new',
  'packed',
  'booked',
  'delivery-note',
  'handed-over',
  'cancelled',
] as const satisfies readonly ('new' | WorkedState)[];

export type ShipmentState = (typeof STATES)[number];

/** Bodies as the REST API takes them, but for dates, which may be written `today`, `today+2` or `today-30`. */
export interface ScenarioShipment {
  readonly body: JsonObject;
  /** Without `shipmentId`. */
  readonly shippingContainers: readonly JsonObject[];
  readonly state: ShipmentState;
}

export const ARRIVALS = ['new', 'received'] as const;

/** A shipment that comes in: only announced, or all of it received, with its receipt. */
export interface Arrival {
  readonly body: JsonObject;
  readonly state: (typeof ARRIVALS)[number];
}

export interface ReturnShipment extends Arrival {
  /** Index of the shipment that comes back, where its id is not in the body. */
  readonly ofShipment: number | null;
}

/** All that an area holds. */
export interface AreaContents {
  readonly bodies: Readonly<Record<Collection, readonly JsonObject[]>>;
  readonly inboundShipments: readonly Arrival[];
  readonly shipments: readonly ScenarioShipment[];
  readonly returnShipments: readonly ReturnShipment[];
}

/** Names with parts of any sum: `{ DK: 3, SE: 1 }` is three quarters and one quarter. */
export type Shares = Readonly<Record<string, number>>;

export const ASSORTMENTS = ['outdoor', 'wool', 'home', 'care', 'pantry'] as const;

export type Assortment = (typeof ASSORTMENTS)[number];

/** What is to be invented beside that which the file says. */
export interface Generate {
  readonly sellers: number;
  readonly suppliers: number;
  readonly products: number;
  readonly customers: number;
  readonly shipments: number;
  readonly inboundShipments: number;
  readonly returnShipments: number;
  readonly assortments: readonly Assortment[];
  /** ISO 3166-1 alpha-2 to share of the customers. */
  readonly countries: Shares;
  /** Names of carriers, or `none`, to share of the shipments. */
  readonly carriers: Shares;
  readonly states: Shares;
  /** Per cent of the customers that are companies. */
  readonly companies: number;
  /** Per cent of the shipments that cannot be packed for want of stock; at most those that are new. */
  readonly backOrders: number;
  /** Days from today. */
  readonly deliveryInDays: { readonly from: number; readonly to: number };
}

export interface ScenarioArea {
  /** Where it stands in the file, as in `areas[0]`. */
  readonly place: string;
  readonly contextId: number;
  readonly apiKey: string;
  readonly contents: AreaContents;
  readonly generate: Generate | null;
}

/** A whole warehouse, as one file describes it. */
export interface Scenario {
  readonly description: string;
  /** The same seed invents the same things. */
  readonly seed: number;
  readonly areas: readonly ScenarioArea[];
}
