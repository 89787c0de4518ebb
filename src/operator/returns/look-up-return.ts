import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierUnavailable } from '../../../carriers/contract/errors.js';
import type { Booking, BookingRequest, FoundBooking } from '../../../carriers/contract/model.js';
import type { Account } from '../../accounts/account.js';
import { BulkheadRejected } from '../../accounts/bulkhead.js';
import type { BookingContext } from '../../consignment/context.js';
import { addToJournal } from '../../consignment/ledger/consignment-rows.js';
import { NotPossible } from '../../consignment/machine/operator.js';
import { keepMade } from './keep-made.js';
import { type ReturnLabelRow, freeReturn } from './return-label-rows.js';
import { type ReturnTarget, isReturnNumber, reachReturnAccount, returnRequest } from './return-target.js';
import { byHand, inDoubt } from './return-view.js';

/**
 * Asks the carrier what became of a return whose answer was lost.
 * @returns `kept`: it is made, and stored; `free`: certainly nothing was made
 * @throws NotPossible it is still in doubt; the message says what to do
 */
export async function lookUpReturn(
  context: BookingContext,
  target: ReturnTarget,
  row: ReturnLabelRow,
): Promise<'kept' | 'free'> {
  const account = await reachReturnAccount(context, target);
  if (!account.carrier.findByReference) throw new NotPossible(inDoubt(target, row, 'person'));
  const request = await returnRequest(context, target, { reference: row.reference, at: row.askedAt });
  const { found, askedAt } = await search(context, target, { account, request, row });
  if (found === null) return absent(context, target, { account, row, askedAt });
  const booking = bookingIn(target, found, account);
  if (booking === null) {
    const numbers = found.parcels.map(({ trackingNumber }) => trackingNumber).join(', ') || 'no number';
    const happened = `${target.carrier} has ${numbers} under ${row.reference}, which is not one return`;
    throw new NotPossible(`${happened}. ${byHand(target.carrier, row.reference)}`);
  }
  const { attempt, reference } = row;
  await keepMade(context, target, { attempt, reference, booking, labels: found.labels ?? [] });
  return 'kept';
}

interface Search {
  readonly account: Account;
  readonly request: BookingRequest;
  readonly row: ReturnLabelRow;
}

async function search(context: BookingContext, target: ReturnTarget, { account, request, row }: Search) {
  // A slow "not there" describes the moment when the carrier was asked.
  let askedAt = context.clock.now();
  try {
    const found = await account.bulkhead.run(target.consignment.id, (call) =>
      call(async () => {
        askedAt = context.clock.now();
        return (await account.carrier.findByReference?.(request)) ?? null;
      }),
    );
    // It shows none of them yet, and is asked again.
    if (found?.parcels.length === 0) throw new CarrierUnavailable(`the search has ${row.reference} without a parcel`);
    return { found, askedAt };
  } catch (error) {
    const { message } = error instanceof BulkheadRejected ? error : carrierError(error, 'read');
    const happened = `It could not be looked up just now: ${context.mask(message)}.`;
    throw new NotPossible(`${inDoubt(target, row, 'carrier')} ${happened}`);
  }
}

interface Absent {
  readonly account: Account;
  readonly row: ReturnLabelRow;
  readonly askedAt: Date;
}

/** The time from which a return that the carrier does not show was certainly not made. */
export function absentFrom({ quietFrom }: ReturnLabelRow, { adapter }: Account): Date {
  return new Date(quietFrom.getTime() + adapter.traits.bookingVisibleAfterMs);
}

/** "Not there" means "not made" once the carrier has ended its work on the request, and shows what it made. */
async function absent(
  context: BookingContext,
  target: ReturnTarget,
  { account, row, askedAt }: Absent,
): Promise<'free'> {
  const { attempt, reference } = row;
  const conclusiveAt = absentFrom(row, account);
  if (askedAt < conclusiveAt)
    throw new NotPossible(
      `${target.carrier} does not have the return label ${reference} yet, and may still make it. ` +
        `Ask for it again after ${conclusiveAt.toISOString()}.`,
    );
  const [id, now] = [target.consignment.id, context.clock.now()];
  await context.database.transaction(async (sql) => {
    if (await freeReturn(sql, attempt))
      await addToJournal(sql, { id, what: 'return label not made', now, fields: { reference } });
  });
  return 'free';
}

/** @returns `null`: it is not one parcel with a number that can be believed */
function bookingIn(target: ReturnTarget, found: FoundBooking, account: Account): Booking | null {
  const { carrierNumber, labelSource } = found;
  const [parcel, ...more] = found.parcels;
  if (!parcel || more.length > 0 || !isReturnNumber(target, account, parcel.trackingNumber)) return null;
  return { carrierNumber, labelSource, parcels: [{ ...parcel, kind: 'booked', parcelId: target.key.parcelId }] };
}
