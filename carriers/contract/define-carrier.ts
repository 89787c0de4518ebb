import type { CarrierAdapter, CarrierConnection, CarrierDefinition } from './adapter.js';
import { sampleRequest } from './sample-request.js';
import type { StartSimulator } from './simulator.js';
import { wholeTools } from './tools.js';
import { wrapAccount } from './wrap-account.js';

/** Marks `connect` of a defined carrier, and holds its `secrets`. The registry's symbol is the same in every copy of this module. */
const WRAPPED = Symbol.for('waybridge.carrier');

/** Makes an adapter of a carrier's definition: every error in it becomes an error of the contract, without secrets. */
export function defineCarrier<Settings extends object>(
  definition: CarrierDefinition<Settings>,
): CarrierAdapter<Settings> {
  const { secrets, connect, ...adapter } = definition;
  const sample = { account: adapter.id, request: sampleRequest(), ...adapter.sample };
  const wrapped: CarrierAdapter<Settings>['connect'] = (config, tools) =>
    wrapAccount(withBook(connect(config, wholeTools(tools))), secrets(config));
  return { ...adapter, sample, connect: Object.assign(wrapped, { [WRAPPED]: secrets }) };
}

/** Requires `book`: no compiler has checked a carrier that is written in JavaScript. */
function withBook(connection: CarrierConnection): CarrierConnection {
  if (typeof connection.book !== 'function') throw new Error('the account has no book');
  return connection;
}

/** Whether `defineCarrier` made what connects: without it errors of the account could be of any kind, and show secrets. */
export function isDefinedCarrier({ connect }: Pick<CarrierAdapter, 'connect'>): boolean {
  return WRAPPED in connect;
}

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

/**
 * The values in settings that must appear in no text.
 * @returns `null` where they are not known: another version of this module defined the carrier, or its `secrets` needs a setting
 *   that is missing here
 */
export function secretsIn({ connect }: Pick<CarrierAdapter, 'connect'>, config: object): readonly string[] | null {
  const secrets: unknown = Reflect.get(connect, WRAPPED);
  if (typeof secrets !== 'function') return null;
  try {
    return (secrets as CarrierDefinition<object>['secrets'])(config).filter((text) => typeof text === 'string');
  } catch {
    return null;
  }
}
