import type { Cancellation, Operation } from '../contract/index.js';
import { CarrierRejected, carrierError } from '../contract/index.js';

/**
 * Does a piece of work at a carrier, from the request to the read answer, and turns whatever goes wrong into an error
 * that the core understands.
 * @param operation `change`: what is not foreseen may have been done; `read`: it may be asked again
 * @throws CarrierRejected | CarrierUnavailable | OutcomeUnknown (of a change only)
 */
export async function during<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw carrierError(error, operation);
  }
}

/**
 * Cancels at a carrier: what it refuses is a result, not an error.
 * @throws CarrierUnavailable | OutcomeUnknown
 */
export async function duringCancellation(work: () => Promise<unknown>): Promise<Cancellation> {
  try {
    await during('change', work);
    return { kind: 'cancelled' };
  } catch (error) {
    if (error instanceof CarrierRejected) return { kind: 'refused', problems: error.problems };
    throw error;
  }
}
