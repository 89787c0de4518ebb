import type { HttpAnswer } from '../contract/index.js';
import { CarrierRejected, CarrierUnavailable, quoted } from '../contract/index.js';
import { during } from './during.js';

/** Bookings wait while a probe does. */
export const PROBE_TIMEOUT_MS = 5_000;

/**
 * Does the work of a probe: a refusal is an answer of the carrier too.
 * @throws CarrierUnavailable
 */
export async function duringProbe(work: () => Promise<unknown>): Promise<void> {
  try {
    await during('read', work);
  } catch (error) {
    if (!(error instanceof CarrierRejected)) throw error;
  }
}

/** An answer that the carrier itself never gives: a page of maintenance, say. */
export function notTheCarrier(answer: HttpAnswer): CarrierUnavailable {
  return new CarrierUnavailable(`status ${answer.status}, not from the carrier: ${quoted(answer)}`);
}
