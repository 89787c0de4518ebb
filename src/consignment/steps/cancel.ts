import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierRejected, CarrierUnavailable } from '../../../carriers/contract/errors.js';
import type { Consignment, Part } from '../consignment.js';
import type { CancelResult, Fact } from '../machine/fact.js';
import { type Account, type World, accountOf } from '../world.js';

/**
 * Cancels at the carrier whatever is booked there. That it is about to leave is committed before (`aboutToCancel`): a
 * carrier may refuse the second cancellation of what the first has cancelled.
 */
export async function cancelBooked(world: World, consignment: Consignment): Promise<Fact> {
  const account = accountOf(world, consignment.plan?.account);
  const booked = consignment.parts.filter((part) => part.state === 'booked');
  return { kind: 'cancelled', results: await Promise.all(booked.map((part) => cancelPart(account, part))) };
}

async function cancelPart(account: Account, part: Part): Promise<CancelResult> {
  const { n, booking } = part;
  const cancel = account.carrier.cancel;
  if (!cancel || booking === null) return { n, kind: 'not-possible' };
  try {
    return { n, ...(await account.slot(() => cancel(booking))) };
  } catch (error) {
    const known = carrierError(error, 'read');
    if (known instanceof CarrierRejected) return { n, kind: 'refused', problems: known.problems };
    const retryAfterMs = known instanceof CarrierUnavailable ? known.retryAfterMs : null;
    return { n, kind: 'unavailable', because: known.message, retryAfterMs };
  }
}
