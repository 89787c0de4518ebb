import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierUnavailable } from '../../../carriers/contract/errors.js';
import type { Booking, FoundBooking } from '../../../carriers/contract/model.js';
import { BulkheadRejected } from '../../accounts/bulkhead.js';
import type { Consignment, Part } from '../consignment.js';
import type { Fact, LookUpResult } from '../machine/facts.js';
import { bookingEndsWithinMs } from '../machine/retry-policy.js';
import type { BookingContext } from '../context.js';
import type { Account } from '../../accounts/account.js';
import { reachAccount } from './reach-account.js';
import { postponedByQueue } from './bulkhead-rejected.js';

/**
 * Finds the outcome of a request whose answer was lost, in the safest way that the carrier allows. What stays uncertain
 * is left to a person; nothing is guessed.
 */
export async function findOutcome(context: BookingContext, consignment: Consignment, n: number): Promise<Fact> {
  const reached = await reachAccount(context, consignment);
  if (reached.kind === 'not-now') return reached.postponed;
  // The settings now belong to another customer, who does not see the booking: "not there" would prove nothing.
  if (reached.kind === 'gone') return { kind: 'looked-up', n, result: { kind: 'person' } };
  const { account } = reached;
  const part = consignment.parts.find((candidate) => candidate.n === n);
  if (!part) throw new Error(`consignment ${consignment.id} has no part ${n}`);
  if (account.carrier.findByReference) return ask(context, consignment, { account, part });
  // A carrier that refuses a repetition tells it from a new booking; one that returns the first makes it harmless.
  const harmless = account.adapter.traits.repeatedBooking !== 'books-again';
  return { kind: 'looked-up', n, result: harmless ? { kind: 'send-again' } : { kind: 'person' } };
}

async function ask(
  context: BookingContext,
  consignment: Consignment,
  { account, part }: { readonly account: Account; readonly part: Part },
): Promise<Fact> {
  const { n } = part;
  // The time of the question: a slow "not there" describes the moment when the carrier was asked.
  let askedAt = context.clock.now();
  try {
    const found = await account.bulkhead.run(consignment.id, (call) =>
      call(async () => {
        askedAt = context.clock.now();
        return account.carrier.findByReference?.(part.request) ?? null;
      }),
    );
    if (!found) {
      return { kind: 'looked-up', n, result: absent(account, part, askedAt) };
    }
    return { kind: 'looked-up', n, result: { kind: 'found', ...matched(part, found) } };
  } catch (error) {
    if (error instanceof BulkheadRejected) return postponedByQueue(error);
    const known = carrierError(error, 'read');
    const retryAfterMs = known instanceof CarrierUnavailable ? known.retryAfterMs : null;
    return { kind: 'postponed', waitingFor: 'carrier', because: known.message, retryAfterMs, claimed: false };
  }
}

/**
 * "Not there" means "never booked" once the carrier has ended its work and its lookup shows new bookings. When the
 * sender died or lost the row, the time of sending is unknown; but none leaves after this process took the row, so the
 * time counts from our first lookup.
 */
function absent(account: Account, part: Part, askedAt: Date): LookUpResult {
  const { traits } = account.adapter;
  const quietFrom =
    part.quietFrom === null ? askedAt.getTime() + bookingEndsWithinMs(traits) : Date.parse(part.quietFrom);
  const conclusiveAt = new Date(quietFrom + traits.bookingVisibleAfterMs);
  return { kind: 'absent', askedAt, quietFrom: new Date(quietFrom), conclusiveAt };
}

/** Numbers without a parcel are matched only if there is one number and one parcel. */
function matched(
  part: Part,
  found: FoundBooking,
): { readonly booking: Booking; readonly unmatched: readonly string[] } {
  const [onlyParcel, ...moreParcels] = part.request.parcels;
  const sole = onlyParcel && moreParcels.length === 0 && found.parcels.length === 1 ? onlyParcel.id : null;
  const known = new Set(part.request.parcels.map((parcel) => parcel.id));
  const parcels = found.parcels.flatMap((parcel) => {
    const parcelId = parcel.parcelId ?? sole;
    return parcelId !== null && known.has(parcelId) ? [{ ...parcel, kind: 'booked' as const, parcelId }] : [];
  });
  const numbers = new Set(parcels.map((parcel) => parcel.trackingNumber));
  return {
    booking: { carrierNumber: found.carrierNumber, parcels, labelSource: found.labelSource },
    unmatched: found.parcels.map((parcel) => parcel.trackingNumber).filter((number) => !numbers.has(number)),
  };
}
