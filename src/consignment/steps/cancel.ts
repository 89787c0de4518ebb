import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierRejected, CarrierUnavailable } from '../../../carriers/contract/errors.js';
import { type Call, BulkheadRejected } from '../../accounts/bulkhead.js';
import { type Consignment, type Part, hasUnusableNumbers } from '../consignment.js';
import type { CancelResult, Fact, Postponed } from '../machine/facts.js';
import type { BookingContext } from '../context.js';
import { siblings } from '../ledger/consignment-rows.js';
import { isHandedOn } from '../ledger/sequence.js';
import type { Account } from '../../accounts/account.js';
import { reachAccount } from './reach-account.js';

/** As `cancelBooked`, unless a later booking of the shipment has taken the parts over. */
export async function cancelOwn(
  context: BookingContext,
  consignment: Consignment,
  intend: () => Promise<Consignment>,
): Promise<Fact> {
  if (!(await areHandedOn(context, consignment))) return cancelBooked(context, consignment, intend);
  return { kind: 'cancelled', results: bookedIn(consignment).map(({ n }) => ({ n, kind: 'handed-on' })) };
}

/**
 * Cancels all booked parts at the carrier. The intent is committed first: a carrier may refuse a second cancellation
 * because the first one succeeded.
 * @param intend commits that the cancellations are about to be sent
 */
export async function cancelBooked(
  context: BookingContext,
  consignment: Consignment,
  intend: () => Promise<Consignment>,
): Promise<Fact> {
  const booked = bookedIn(consignment);
  const reached = await reachAccount(context, consignment);
  if (reached.kind === 'not-now') return { kind: 'cancelled', results: booked.map(later(reached.postponed)) };
  if (reached.kind === 'gone') {
    const problems = [reached.problem];
    return { kind: 'cancelled', results: booked.map(({ n }) => ({ n, kind: 'refused', problems, unsent: true })) };
  }
  const { account } = reached;
  if (!account.carrier.cancel) return { kind: 'cancelled', results: booked.map(notPossible) };
  try {
    return await account.bulkhead.run(consignment.id, async (call) => {
      const booked = bookedIn(await intend());
      return { kind: 'cancelled', results: await Promise.all(booked.map((part) => cancelPart(account, part, call))) };
    });
  } catch (error) {
    if (!(error instanceof BulkheadRejected)) throw error;
    const { message: because, wait } = error;
    const results = bookedIn(consignment).map(({ n }) => ({ n, kind: 'unavailable' as const, because, ...wait }));
    return { kind: 'cancelled', results };
  }
}

/** While a cancellation is asked for no other booking takes the parts over, so what is read here stays true. */
async function areHandedOn({ database }: BookingContext, consignment: Consignment): Promise<boolean> {
  const { shipmentId } = consignment;
  return shipmentId !== null && isHandedOn(consignment, await siblings(database, consignment, shipmentId));
}

function bookedIn(consignment: Consignment): readonly Part[] {
  return consignment.parts.filter((part) => part.state === 'booked');
}

function later({ because, retryAfterMs }: Postponed): (part: Part) => CancelResult {
  return ({ n }) => ({ n, kind: 'unavailable', because, retryAfterMs });
}

function notPossible({ n }: Part): CancelResult {
  return { n, kind: 'not-possible' };
}

async function cancelPart(account: Account, part: Part, call: Call): Promise<CancelResult> {
  const { n, booking } = part;
  const cancel = account.carrier.cancel;
  if (!cancel || booking === null || hasUnusableNumbers(part)) return notPossible(part);
  try {
    return { n, ...(await call(() => cancel(booking))) };
  } catch (error) {
    const known = carrierError(error, 'change');
    if (known instanceof CarrierRejected) return { n, kind: 'refused', problems: known.problems };
    const { message: because } = known;
    return known instanceof CarrierUnavailable
      ? { n, kind: 'unavailable', because, retryAfterMs: known.retryAfterMs, nothingDone: true }
      : { n, kind: 'unavailable', because, retryAfterMs: null };
  }
}
