import type { CarrierAdapter, CarrierDefinition } from './adapter.js';
import { wrapAccount } from './wrap-account.js';

/** Marks `connect` of a defined carrier. The registry's symbol is the same in every copy of this module. */
const WRAPPED = Symbol.for('waybridge.carrier');

/** Makes an adapter of a carrier's definition: every error in it becomes an error of the contract, without secrets. */
export function defineCarrier<Settings extends object>(
  definition: CarrierDefinition<Settings>,
): CarrierAdapter<Settings> {
  const { secrets, connect, ...adapter } = definition;
  const wrapped: CarrierAdapter<Settings>['connect'] = (config, tools) =>
    wrapAccount(connect(config, tools), secrets(config));
  return { ...adapter, connect: Object.assign(wrapped, { [WRAPPED]: true }) };
}

/** Whether `defineCarrier` made what connects: without it errors of the account could be of any kind, and show secrets. */
export function isDefinedCarrier({ connect }: Pick<CarrierAdapter, 'connect'>): boolean {
  return WRAPPED in connect;
}
