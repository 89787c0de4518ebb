import type { JsonObject } from '../json.js';

/** How far a worker has come with a shipment, one after the other. */
export type WorkedState = 'packed' | 'booked' | 'delivery-note' | 'handed-over';

/** What a scenario is loaded into. */
export interface Warehouse {
  /** A new, empty area: a context without sellers and carriers. */
  addArea(area: { readonly contextId: number; readonly apiKey: string }): void;
  /**
   * As a POST to that collection; tells nobody.
   * @throws Error with the reason
   */
  create(contextId: number, collection: string, body: JsonObject): JsonObject & { readonly id: number };
  /**
   * Takes a shipment further, as a worker's steps would.
   * @throws Error with the reason
   */
  bring(contextId: number, shipmentId: number, state: WorkedState): void;
}
