import type { CarrierAdapter } from './adapter.js';
import type { StartSimulator } from './simulator.js';

/** The version of this contract. It grows when an adapter that was written for the version before would no longer work. */
export const CONTRACT_VERSION = 1;

/** The default export of a carrier's package. */
export interface CarrierPlugIn<Settings extends object = object> {
  /** The version of the contract that the adapter is written for. */
  readonly contract: typeof CONTRACT_VERSION;
  readonly adapter: CarrierAdapter<Settings>;
  /** Loaded only for the sandbox, the demo and the contract cases. */
  readonly simulator: () => Promise<StartSimulator>;
  /** What the contract cases need to know besides the adapter: `ContractOptions` of `waybridge/adapter/testing`. */
  readonly cases?: object;
}

/** The plug-in itself; for its types. */
export function plugIn<Settings extends object>(carrier: CarrierPlugIn<Settings>): CarrierPlugIn<Settings> {
  return carrier;
}
