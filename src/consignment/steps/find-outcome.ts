import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierUnavailable } from '../../../carriers/contract/errors.js';
import type { Booking, FoundBooking, Label } from '../../../carriers/contract/model.js';
import { BulkheadRejected } from '../../accounts/bulkhead.js';
import type { Consignment, Part } from '../consignment.js';
import type { LookUpResult } from '../machine/facts.js';
import { bookingEndsWithinMs } from '../machine/retry-policy.js';
import type { BookingContext } from '../context.js';
import type { Account } from '../../accounts/account.js';
import { siblings } from '../ledger/consignment-rows.js';
import { isReplaced } from './earlier-bookings.js';
import { reachAccount } from './reach-account.js';
import { postponedByBulkhead } from './bulkhead-rejected.js';
import { type Sent, labelsToStore } from './book.js';

/**
 * Finds the outcome of a request whose answer was lost, in the safest way that the carrier allows. What stays uncertain
 * is left to a person; nothing is guessed.
 */
export async function findOutcome(context: BookingContext, consignment: Consignment, n: number): Promise<Sent> {
  const reached = await reachAccount(context, consignment);
  if (reached.kind === 'not-now') return { fact: reached.postponed, labels: [] };
  // The settings now belong to another customer, who does not see the booking: "not there" would prove nothing.
  if (reached.kind === 'gone') return lookedUp(n, { kind: 'person', problem: reached.problem });
  const { account } = reached;
  const part = consignment.parts.find((candidate) => candidate.n === n);
  if (!part) throw new Error(`consignment ${consignment.id} has no part ${n}`);
  if (account.carrier.findByReference) return ask(context, consignment, { account, part });
  // A carrier that refuses a repetition tells it from a new booking; one that returns the first makes it harmless. But
  // the first may never have arrived, and then the repetition books beside what another document has booked.
  const harmless =
    account.adapter.traits.repeatedBooking !== 'books-again' && !(await isReplacedNow(context, consignment));
  return lookedUp(n, { kind: harmless ? 'send-again' : 'person' });
}

async function isReplacedNow({ database }: BookingContext, consignment: Consignment): Promise<boolean> {
  const { run, shipmentId } = consignment;
  return run > 1 && shipmentId !== null && isReplaced(consignment, await siblings(database, consignment, shipmentId));
}

async function ask(
  context: BookingContext,
  consignment: Consignment,
  { account, part }: { readonly account: Account; readonly part: Part },
): Promise<Sent> {
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
    const ifAbsent = absent(account, part, askedAt);
    if (!found) return lookedUp(n, ifAbsent);
    requireParcels(found, part, askedAt < ifAbsent.conclusiveAt ? 'may-lag' : 'settled');
    const { booking, unmatched } = matched(part, found);
    const labels = labelsOf(found, { booking, part });
    const result = {
      kind: 'found',
      booking,
      unmatched,
      ...(labels.length > 0 && { labels: 'stored' as const }),
    } as const;
    return lookedUp(n, result, labels);
  } catch (error) {
    if (error instanceof BulkheadRejected) return { fact: postponedByBulkhead(error), labels: [] };
    const known = carrierError(error, 'read');
    const retryAfterMs = known instanceof CarrierUnavailable ? known.retryAfterMs : null;
    const waits = {
      kind: 'postponed',
      waitingFor: 'carrier',
      because: known.message,
      retryAfterMs,
      claimed: false,
    } as const;
    return { fact: waits, labels: [] };
  }
}

/**
 * Containers without a parcel would count as not booked, and be booked again, although they left in the same request.
 * @param search `settled`: it shows everything that was booked; without any parcel it is not believed even then
 * @throws CarrierUnavailable it has none of them, or not all of them yet
 */
function requireParcels(
  { carrierNumber, parcels }: FoundBooking,
  { request }: Part,
  search: 'may-lag' | 'settled',
): void {
  if (parcels.length >= (search === 'may-lag' ? request.parcels.length : 1)) return;
  throw new CarrierUnavailable(
    `the search has ${request.reference} as ${carrierNumber ?? 'a booking'}, with ${parcels.length} of ${request.parcels.length} parcels`,
  );
}

function lookedUp(n: number, result: LookUpResult, labels: readonly Label[] = []): Sent {
  return { fact: { kind: 'looked-up', n, result }, labels: labelsToStore(n, labels) };
}

/** The labels that came with the search; none where not every parcel was told apart: a label could be of another. */
function labelsOf(
  { labels = [], parcels }: FoundBooking,
  { booking, part }: { readonly booking: Booking; readonly part: Part },
): readonly Label[] {
  const isWhole = booking.parcels.length === part.request.parcels.length && parcels.length === booking.parcels.length;
  return isWhole ? labels : [];
}

/**
 * "Not there" means "never booked" once the carrier has ended its work and its lookup shows new bookings. When the
 * sender died or lost the row, the time of sending is unknown; but none leaves after this process took the row, so the
 * time counts from our first lookup.
 */
function absent(account: Account, part: Part, askedAt: Date): Extract<LookUpResult, { readonly kind: 'absent' }> {
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
