import type { CarrierAdapter, CarrierConnection, CarrierDefinition } from './adapter.js';
import { wholeTools } from './tools.js';
import { wrapAccount } from './wrap-account.js';

/** Marks `connect` of a defined carrier. The registry's symbol is the same in every copy of this module. */
const WRAPPED = Symbol.for('waybridge.carrier');

/** Makes an adapter of a carrier's definition: every error in it becomes an error of the contract, without secrets. */
export function defineCarrier<Settings extends object>(
  definition: CarrierDefinition<Settings>,
): CarrierAdapter<Settings> {
  const { secrets, connect, ...adapter } = definition;
  const wrapped: CarrierAdapter<Settings>['connect'] = (config, tools) =>
    wrapAccount(withBook(connect(config, wholeTools(tools))), secrets(config));
  return { ...adapter, connect: Object.assign(wrapped, { [WRAPPED]: true }) };
}

/** Of a carrier in JavaScript no compiler has asked for it. */
function withBook(connection: CarrierConnection): CarrierConnection {
  if (typeof connection.book !== 'function') throw new Error('the account has no book');
  return connection;
}

/** Whether `defineCarrier` made what connects: without it errors of the account could be of any kind, and show secrets. */
export function isDefinedCarrier({ connect }: Pick<CarrierAdapter, 'connect'>): boolean {
  return WRAPPED in connect;
}
