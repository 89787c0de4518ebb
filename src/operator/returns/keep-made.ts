import { carrierError } from '../../../carriers/contract/classify.js';
import type { Booking, Label } from '../../../carriers/contract/model.js';
import { BulkheadRejected } from '../../accounts/bulkhead.js';
import type { BookingContext } from '../../consignment/context.js';
import { addToJournal } from '../../consignment/ledger/consignment-rows.js';
import { retryWhileDatabaseAway } from '../../db/retry-while-away.js';
import { LabelUnusable } from '../../labels/label-unusable.js';
import { storeMade, storeReturnLabel } from './return-label-rows.js';
import { type ReturnTarget, reachReturnAccount } from './return-target.js';

/** A return that the carrier has confirmed. */
export interface MadeReturn {
  readonly attempt: string;
  readonly booking: Booking;
  /** As far as they are known; empty: to be fetched. */
  readonly labels: readonly Label[];
}

/** Stores a return, however long the database is away, then its label as it can be printed. */
export async function keepMade(
  context: BookingContext,
  target: ReturnTarget,
  { reference, ...made }: MadeReturn & { readonly reference: string },
): Promise<void> {
  const { attempt, booking } = made;
  const [parcel] = booking.parcels;
  const label = made.labels[0]?.bytes ?? null;
  const trackingNumber = parcel?.kind === 'booked' ? parcel.trackingNumber : null;
  const { id } = target.consignment;
  const about = { consignment: id, reference, trackingNumber: trackingNumber ?? '-' };
  const store = () =>
    context.database.transaction(async (sql) => {
      const now = context.clock.now();
      if (!(await storeMade(sql, { attempt, now }, { booking, label }))) return 'not-open';
      await addToJournal(sql, { id, what: 'return label made', now, fields: { reference, trackingNumber } });
      return 'stored';
    });
  const kept = await retryWhileDatabaseAway(context, about, store);
  // A person has said meanwhile that it is not there, or another request has found it.
  if (kept === 'not-open') return context.log.error('return label made, and not expected any more', about);
  context.log.info('return label made', about);
  await keepLabel(context, target, made);
}

/** Stores the label of a return; fetches it where it is not known. Where there is none, the row says why. */
export async function keepLabel(context: BookingContext, target: ReturnTarget, made: MadeReturn): Promise<void> {
  const found = await labelOf(context, target, made);
  await retryWhileDatabaseAway(context, { consignment: target.consignment.id }, () =>
    storeReturnLabel(context.database, { attempt: made.attempt, now: context.clock.now() }, found),
  );
}

async function labelOf(context: BookingContext, target: ReturnTarget, { booking, labels }: MadeReturn) {
  try {
    const all = labels.length > 0 ? labels : await fetched(context, target, booking);
    if (all.length === 0) return { label: null, note: `${target.carrier} gives it only once` };
    return { label: (await context.assemble(all)).bytes, note: null };
  } catch (error) {
    if (error instanceof LabelUnusable || error instanceof BulkheadRejected)
      return { label: null, note: context.mask(error.message) };
    return { label: null, note: context.mask(carrierError(error, 'read').message) };
  }
}

async function fetched(context: BookingContext, target: ReturnTarget, booking: Booking): Promise<readonly Label[]> {
  const account = await reachReturnAccount(context, target);
  const fetch = account.carrier.fetchLabels;
  if (!fetch) return [];
  return account.bulkhead.run(target.consignment.id, (call) => call(() => fetch(booking)));
}
