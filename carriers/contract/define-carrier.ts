import type { CarrierAdapter, CarrierDefinition } from './adapter.js';
import { wrapAccount } from './wrap-account.js';

/** Makes an adapter of a carrier's definition: every error in it becomes an error of the contract, without secrets. */
export function defineCarrier<Settings extends object>(
  definition: CarrierDefinition<Settings>,
): CarrierAdapter<Settings> {
  const { secrets, connect, ...adapter } = definition;
  return { ...adapter, connect: (config, tools) => wrapAccount(connect(config, tools), secrets(config)) };
}
