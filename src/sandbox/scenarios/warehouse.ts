import type { JsonObject } from '../store/json.js';

/** How far a worker has come with a shipment, one after the other; a cancelled one goes no way at all. */
export type WorkedState = 'packed' | 'booked' | 'delivery-note' | 'handed-over' | 'cancelled';

/** What a scenario is loaded into. */
export interface Warehouse {
  /** A new, empty area: a context without sellers and carriers. */
  addArea(area: { readonly contextId: number; readonly apiKey: string }): void;
  /**
   * As a POST to that collection; tells nobody.
   * @throws Refusal with the reason
   */
  create(contextId: number, collection: string, body: JsonObject): JsonObject & { readonly id: number };
  /**
   * Takes a shipment further, as a worker's steps would.
   * @throws Refusal when not all of its pieces are there, and for other reasons
   */
  bring(contextId: number, shipmentId: number, state: WorkedState): void;
  /**
   * Takes in all that an inbound or a return shipment announced, each line to a new lot, and makes the receipt.
   * @throws Refusal with the reason
   */
  receive(contextId: number, collection: Announced, id: number): void;
}

/** Collections of shipments that come in. */
export type Announced = 'inboundShipments' | 'returnShipments';
