import type { CarrierAdapter } from './contract/adapter.js';
import type { StartSimulator } from './contract/simulator.js';

/** A carrier as the service knows it; its simulator is loaded only by those who simulate. */
export interface ListedCarrier {
  readonly adapter: CarrierAdapter;
  readonly simulator: () => Promise<StartSimulator>;
}

/** The carriers, one line each. */
export const carriers: readonly ListedCarrier[] = [];
