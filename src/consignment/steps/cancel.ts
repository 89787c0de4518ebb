import type { Booking } from '../../../carriers/contract/model.js';
import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierRejected, CarrierUnavailable } from '../../../carriers/contract/errors.js';
import { type RecordedCall, BulkheadRejected } from '../../accounts/bulkhead.js';
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
  const booked = partsIn(consignment, 'booked');
  const handedOn = booked.flatMap(({ n, request }): readonly CancelResult[] => {
    const there = elsewhere.get(request.reference);
    return there === undefined ? [] : [answerOfLater(n, there, { others, now: context.clock.now() })];
  });
  const waits = handedOn.some(({ kind }) => kind === 'waits');
  // What is refused during the wait is asked for once more at its end, and told then.
  const isOwn = ({ request, leftToPerson = false }: Part) =>
    !elsewhere.has(request.reference) && !(waits && leftToPerson);
  if (!booked.some(isOwn)) return { kind: 'cancelled', results: handedOn };
  const ofOwn = await cancelBooked(context, consignment, { isOwn, intend });
  return { kind: 'cancelled', results: [...handedOn, ...ofOwn] };
}

/**
 * What a later booking's own cancellation says about a part that it has taken over. One event may ask for the
 * cancellation of both.
 * @param there the part as the later booking has it
 */
function answerOfLater(
  n: number,
  there: Part,
  { others, now }: { readonly others: readonly Consignment[]; readonly now: Date },
): CancelResult {
  if (there.state === 'cancelled') return { n, kind: 'cancelled' };
  const { cancelRequest = null, dueAt = null } = others.find(({ parts }) => parts.includes(there)) ?? {};
  if (cancelRequest === null) return { n, kind: 'handed-on', cancellation: there.leftToPerson ? 'failed' : 'none' };
  if (dueAt === null) return { n, kind: 'handed-on', cancellation: 'open' };
  return { n, kind: 'waits', retryAfterMs: Math.max(0, dueAt.getTime() - now.getTime()) };
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

/** A number that was not believed may be that of a parcel of another shipment or sender, which must not be cancelled. */
function canSend(part: Part): part is Part & { readonly booking: Booking } {
  return part.booking !== null && !hasUnusableNumbers(part);
}

async function cancelPart(account: Account, part: Part, call: RecordedCall): Promise<CancelResult> {
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
