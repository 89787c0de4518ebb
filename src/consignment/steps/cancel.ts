import type { Booking } from '../../../carriers/contract/model.js';
import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierRejected, CarrierUnavailable } from '../../../carriers/contract/errors.js';
import { type Call, BulkheadRejected } from '../../accounts/bulkhead.js';
import { type Consignment, type Part, hasUnusableNumbers, partsIn } from '../consignment.js';
import type { CancelResult, Fact } from '../machine/facts.js';
import type { BookingContext } from '../context.js';
import { siblings } from '../ledger/consignment-rows.js';
import { partsHandedOn } from '../ledger/sequence.js';
import type { Account } from '../../accounts/account.js';
import { reachAccount } from './reach-account.js';

/**
 * Cancels the booked parts at the carrier that no later booking of the shipment has taken over. While a cancellation is
 * asked for no other booking takes parts over, so what is read here stays true.
 * @param intend commits that cancellations of these parts are about to be sent
 */
export async function cancelOwn(context: BookingContext, consignment: Consignment, intend: Intend): Promise<Fact> {
  const { shipmentId } = consignment;
  const others = shipmentId === null ? [] : await siblings(context.database, consignment, shipmentId);
  const elsewhere = partsHandedOn(consignment, others);
  const isOwn = ({ request }: Part) => !elsewhere.has(request.reference);
  const booked = partsIn(consignment, 'booked');
  const handedOn = booked.filter((part) => !isOwn(part));
  if (others.some((other) => waitsFor(consignment, other)))
    return { kind: 'cancelled', results: booked.map(unavailable('waits for a later booking of the shipment')) };
  const results = handedOn.map(({ n, request }): CancelResult => {
    const there = elsewhere.get(request.reference);
    if (there?.state === 'cancelled') return { n, kind: 'cancelled' };
    return { n, kind: 'handed-on', leftToPerson: there?.leftToPerson ?? false };
  });
  if (handedOn.length === booked.length) return { kind: 'cancelled', results };
  const ofOwn = await cancelBooked(context, consignment, { isOwn, intend });
  return { kind: 'cancelled', results: [...results, ...ofOwn] };
}

/** One event may ask for the cancellation of both, and the later one's answer decides about what it has taken over. */
function waitsFor(consignment: Consignment, other: Consignment): boolean {
  const isBeingCancelled = other.cancelRequest !== null && other.dueAt !== null;
  return isBeingCancelled && partsHandedOn(consignment, [other]).size > 0;
}

type Intend = (isSent: (part: Part) => boolean) => Promise<Consignment>;

interface Cancelling {
  readonly isOwn: (part: Part) => boolean;
  readonly intend: Intend;
}

/**
 * The intent is committed before anything is sent: a carrier may refuse a second cancellation because the first one
 * succeeded.
 */
export async function cancelBooked(
  context: BookingContext,
  consignment: Consignment,
  { isOwn, intend }: Cancelling,
): Promise<readonly CancelResult[]> {
  const ownIn = (current: Consignment) => partsIn(current, 'booked').filter(isOwn);
  const booked = ownIn(consignment);
  const reached = await reachAccount(context, consignment);
  if (reached.kind === 'not-now')
    return booked.map(unavailable(reached.postponed.because, reached.postponed.retryAfterMs));
  if (reached.kind === 'gone') {
    const problems = [reached.problem];
    return booked.map(({ n }) => ({ n, kind: 'refused', problems, unsent: true }));
  }
  const { account } = reached;
  if (!account.carrier.cancel) return booked.map(notPossible);
  try {
    return await account.bulkhead.run(consignment.id, async (call) => {
      const parts = ownIn(await intend((part) => isOwn(part) && canSend(part)));
      return Promise.all(parts.map((part) => cancelPart(account, part, call)));
    });
  } catch (error) {
    if (!(error instanceof BulkheadRejected)) throw error;
    const { message: because, wait } = error;
    return booked.map(({ n }) => ({ n, kind: 'unavailable' as const, because, ...wait }));
  }
}

/** Nothing is sent now. */
function unavailable(because: string, retryAfterMs: number | null = null): (part: Part) => CancelResult {
  return ({ n }) => ({ n, kind: 'unavailable', because, retryAfterMs });
}

function notPossible({ n }: Part): CancelResult {
  return { n, kind: 'not-possible' };
}

/** A number that was not believed may name a parcel of somebody else. */
function canSend(part: Part): part is Part & { readonly booking: Booking } {
  return part.booking !== null && !hasUnusableNumbers(part);
}

async function cancelPart(account: Account, part: Part, call: Call): Promise<CancelResult> {
  const { n } = part;
  const cancel = account.carrier.cancel;
  if (!cancel || !canSend(part)) return notPossible(part);
  try {
    return { n, ...(await call(() => cancel(part.booking))) };
  } catch (error) {
    const known = carrierError(error, 'change');
    if (known instanceof CarrierRejected) return { n, kind: 'refused', problems: known.problems };
    const { message: because } = known;
    return known instanceof CarrierUnavailable
      ? { n, kind: 'unavailable', because, retryAfterMs: known.retryAfterMs, nothingDone: true }
      : { n, kind: 'unavailable', because, retryAfterMs: null };
  }
}
