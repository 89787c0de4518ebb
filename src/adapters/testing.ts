import type { CarrierAdapter } from '../../carriers/contract/index.js';
import { contractCasesOver } from '../../carriers/testing/contract-cases.js';
import { type ContractCase, type ContractOptions, type Stage, staged, suiteOf } from '../../carriers/testing/suite.js';
import { createHttpPort } from '../transport/http-port.js';

/* The package's entry `waybridge/adapter/testing`: a carrier's simulator, and what every carrier must do. */
export * from '../../carriers/toolkit/simulator/index.js';
export type { CarrierServer, Fault, SeenRequest } from '../../carriers/testing/carrier-server.js';
export { answering, losingTheAnswer, neverAnswering, resetting } from '../../carriers/testing/carrier-server.js';
export type { ContractCase, ContractOptions, Stage } from '../../carriers/testing/suite.js';

/**
 * What every carrier must do, tried over real HTTP against its simulator.
 * @param options `simulator` as the plug-in starts it; the rest comes from `adapter.sample` where it is not given
 * @returns in any order; `run` throws an AssertionError that says what happened instead
 */
export function contractCases<Settings extends object>(
  adapter: CarrierAdapter<Settings>,
  options: ContractOptions,
): readonly ContractCase[] {
  return contractCasesOver(adapter, { ...options, http: createHttpPort({ allowPrivateAddresses: 'allowed' }) });
}

/**
 * A case of your own, at a simulator of its own behind real HTTP.
 * @param options as for `contractCases`
 * @param play what is tried: `connect()` is an account, `after(milliseconds)` moves the clock, `failing(answering(500))` makes
 *   every request fail, `server.asked()` are the requests that arrived
 */
export function ownCase<Settings extends object>(
  adapter: CarrierAdapter<Settings>,
  { name, ...options }: ContractOptions & { readonly name: string },
  play: (stage: Stage) => Promise<void>,
): ContractCase {
  const http = createHttpPort({ allowPrivateAddresses: 'allowed' });
  return staged(suiteOf(adapter as CarrierAdapter, http, options), name, play);
}
