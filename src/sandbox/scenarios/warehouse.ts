import type { JsonMembers } from '../store/json.js';

/** The states that workers bring a shipment to, in sequence; `cancelled` is not part of the sequence. */
export type WorkedState = 'packed' | 'booked' | 'delivery-note' | 'handed-over' | 'cancelled';

/** The target that a scenario is loaded into. */
export interface Warehouse {
  /** Creates an empty area: a context without sellers and carriers. */
  addArea(area: { readonly contextId: number; readonly apiKey: string }): void;
  /**
   * Does what a POST to that collection does, without sending events.
   * @throws ImsRefusal with the reason
   */
  create(contextId: number, collection: string, body: JsonMembers): JsonMembers & { readonly id: number };
  /**
   * Brings a new shipment to a state by the steps that workers take.
   * @throws ImsRefusal e.g. when not all of its pieces are in stock
   */
  bring(contextId: number, shipmentId: number, state: WorkedState): void;
  /**
   * Receives all pieces of an inbound or return shipment, each line into a new lot, and creates the receipt.
   * @throws ImsRefusal with the reason
   */
  receive(contextId: number, collection: Announced, id: number): void;
}

/** The collections of shipments that a warehouse receives. */
export type Announced = 'inboundShipments' | 'returnShipments';
