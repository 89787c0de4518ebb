import { carrierError } from '../../../carriers/contract/classify.js';
import type { Booking, Label } from '../../../carriers/contract/model.js';
import { BulkheadRejected } from '../../accounts/bulkhead.js';
import type { BookingContext } from '../../consignment/context.js';
import { addToJournal } from '../../consignment/ledger/consignment-rows.js';
import { retryWhileDatabaseAway } from '../../db/retry-while-away.js';
import { LabelUnusable } from '../../labels/label-unusable.js';
import { loadReturnLabel, storeMade, storeNoLabel, storeRawLabel, storeReturnLabel } from './return-label-rows.js';
import { type ReturnTarget, reachReturnAccount } from './return-target.js';

/** A return that the carrier has confirmed. */
export interface MadeReturn {
  readonly attempt: string;
  readonly booking: Booking;
  /** The labels that are known; empty: to be fetched. */
  readonly labels: readonly Label[];
}

interface Reported extends MadeReturn {
  readonly reference: string;
  /** The operator who found it at the carrier; missing: the carrier said so. */
  readonly by?: string;
}

/**
 * Stores a return, however long the database is away, then its label as it can be printed.
 * @returns `not-open`: a person has said meanwhile that it is not there, or another request has found it; nothing is stored
 */
export async function keepMade(
  context: BookingContext,
  target: ReturnTarget,
  { reference, by, ...made }: Reported,
): Promise<'stored' | 'not-open'> {
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
      const resolved = { id, what: 'return label resolved by operator: booked', now, fields: { reference, by } };
      if (by !== undefined) await addToJournal(sql, resolved);
      await addToJournal(sql, { id, what: 'return label made', now, fields: { reference, trackingNumber } });
      return 'stored';
    });
  const kept = await retryWhileDatabaseAway(context, about, store);
  if (kept === 'not-open') {
    context.log.error('return label made, and not expected any more', about);
    return kept;
  }
  context.log.info('return label made', about);
  await keepLabel(context, target, made);
  return kept;
}

/**
 * Prepares the label of a return for printing; fetches it where it is not known. Where there is none, the row says why.
 * What the carrier gave is stored first, and stays when it cannot be prepared: the next POST tries again.
 */
export async function keepLabel(context: BookingContext, target: ReturnTarget, made: MadeReturn): Promise<void> {
  const found = await labelOf(context, target, made);
  await lasting(context, target, async () => {
    const change = { attempt: made.attempt, now: context.clock.now() };
    if (typeof found === 'string') await storeNoLabel(context.database, change, found);
    else await storeReturnLabel(context.database, change, found);
  });
}

/** @returns the reason, where there is none */
async function labelOf(context: BookingContext, target: ReturnTarget, made: MadeReturn): Promise<Uint8Array | string> {
  try {
    const all = made.labels.length > 0 ? made.labels : await givenAgain(context, target, made);
    if (all.length === 0) return `${target.carrier} gives it only once`;
    return (await context.assemble(all, null)).bytes;
  } catch (error) {
    if (error instanceof LabelUnusable || error instanceof BulkheadRejected) return context.mask(error.message);
    return context.mask(carrierError(error, 'read').message);
  }
}

/** The labels from the carrier, else as they were stored when the carrier gave them. */
async function givenAgain(
  context: BookingContext,
  target: ReturnTarget,
  { attempt, booking }: MadeReturn,
): Promise<readonly Label[]> {
  const raw = await loadReturnLabel(context.database, attempt, 'raw');
  const kept = raw === null ? [] : [{ format: 'pdf', bytes: raw } as const];
  const all = await fetched(context, target, booking).catch((error: unknown) => {
    if (raw === null) throw error;
    return kept;
  });
  const [first] = all;
  if (first === undefined) return kept;
  const store = () => storeRawLabel(context.database, { attempt, now: context.clock.now() }, first.bytes);
  if (raw === null) await lasting(context, target, store);
  return all;
}

function lasting(context: BookingContext, { consignment }: ReturnTarget, work: () => Promise<void>): Promise<void> {
  return retryWhileDatabaseAway(context, { consignment: consignment.id }, work);
}

async function fetched(context: BookingContext, target: ReturnTarget, booking: Booking): Promise<readonly Label[]> {
  const account = await reachReturnAccount(context, target);
  const fetch = account.carrier.fetchLabels;
  if (!fetch) return [];
  return account.bulkhead.run(target.consignment.id, (call) => call(() => fetch(booking)));
}
