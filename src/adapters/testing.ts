import type { CarrierAdapter } from '../../carriers/contract/index.js';
import { contractCases as casesOver } from '../../carriers/testing/contract-cases.js';
import type { ContractCase, ContractOptions } from '../../carriers/testing/suite.js';
import { createHttpPort } from '../transport/http-port.js';

/* The package's entry `waybridge/adapter/testing`: a carrier's simulator, and what every carrier must do. */
export * from '../../carriers/toolkit/simulator/index.js';
export type { ContractCase, ContractOptions } from '../../carriers/testing/suite.js';

/**
 * What every carrier must do, tried over real HTTP against its simulator.
 * @param options `simulator` as the plug-in starts it; the rest comes from `adapter.sample` where it is not given
 * @returns in any order; `run` throws an AssertionError that says what happened instead
 */
export function contractCases<Settings extends object>(
  adapter: CarrierAdapter<Settings>,
  options: ContractOptions,
): readonly ContractCase[] {
  return casesOver(adapter, { ...options, http: createHttpPort({ allowPrivateAddresses: 'allowed' }) });
}
