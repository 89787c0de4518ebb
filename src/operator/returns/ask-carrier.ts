import { randomUUID } from 'node:crypto';
import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../../carriers/contract/errors.js';
import type { BookingRequest, BookingWithLabels } from '../../../carriers/contract/model.js';
import type { Account } from '../../accounts/account.js';
import { BulkheadRejected, type RecordedCall } from '../../accounts/bulkhead.js';
import type { BookingContext } from '../../consignment/context.js';
import { addToJournal } from '../../consignment/ledger/consignment-rows.js';
import { bookingEndsWithinMs } from '../../consignment/machine/retry-policy.js';
import { retryWhileDatabaseAway } from '../../db/retry-while-away.js';
import { whilePermitted } from '../../transport/send-guard.js';
import { keepMade } from './keep-made.js';
import { type NewReturn, freeReturn, insertReturn, storeDoubt } from './return-label-rows.js';
import { returnNotAnswered, refused } from './return-not-made.js';
import {
  type ReturnTarget,
  freeReturnReference,
  isReturnNumber,
  reachReturnAccount,
  returnRequest,
} from './return-target.js';
import { ASKING_ENDS_WITHIN_MS } from './return-view.js';

/** A request to the carrier leaves within this time after the POST, or never: `ASKING_ENDS_WITHIN_MS` counts on it. */
export const LEAVES_WITHIN_MS = 10_000;

interface Asking {
  readonly account: Account;
  readonly request: BookingRequest;
  readonly leavesBefore: Date;
}

/**
 * Asks the carrier for the label: commits the intent, then sends one request, then stores what came of it. Where the
 * intent of another request is stored, nothing is sent.
 * @param leavesBefore `LEAVES_WITHIN_MS` after the POST
 * @throws ReturnNotMade | NotPossible
 */
export async function askCarrier(context: BookingContext, target: ReturnTarget, leavesBefore: Date): Promise<void> {
  const account = await reachReturnAccount(context, target);
  const reference = await freeReturnReference(context, target, account);
  const request = await returnRequest(context, target, { reference, at: context.clock.now() });
  const asking = { account, request, leavesBefore };
  try {
    await account.bulkhead.run(
      target.consignment.id,
      (call) => askNow(context, target, { ...asking, call }),
      'booking',
    );
  } catch (error) {
    if (error instanceof BulkheadRejected) throw returnNotAnswered(target.carrier, error.message);
    throw error;
  }
}

async function askNow(
  context: BookingContext,
  target: ReturnTarget,
  { account, request, leavesBefore, call }: Asking & { readonly call: RecordedCall },
): Promise<void> {
  const now = context.clock.now();
  const mayLeave = () => context.clock.now() < leavesBefore;
  if (!mayLeave()) throw returnNotAnswered(target.carrier, 'its time was over before its turn came');
  const row = newRow(target, { account, reference: request.reference, now });
  if ((await insertReturn(context.database, row)) === 'no') return;
  const answer = await whilePermitted(mayLeave, () => call(async () => account.carrier.returnLabel?.(request))).catch(
    (error: unknown) => notMade(context, target, { row, account, error: carrierError(error, 'change') }),
  );
  if (answer) await made(context, target, { row, account, answer });
}

function newRow(
  { consignment, key }: ReturnTarget,
  { account, reference, now }: { readonly account: Account; readonly reference: string; readonly now: Date },
): NewReturn {
  const endsWithinMs = ASKING_ENDS_WITHIN_MS + bookingEndsWithinMs(account.adapter.traits);
  const quietFrom = new Date(now.getTime() + endsWithinMs);
  return { ...key, attempt: randomUUID(), consignmentId: consignment.id, reference, askedAt: now, quietFrom };
}

interface Failed {
  readonly row: NewReturn;
  readonly account: Account;
  readonly error: CarrierRejected | CarrierUnavailable | OutcomeUnknown;
}

/** @throws ReturnNotMade unless the return may have been made */
async function notMade(context: BookingContext, target: ReturnTarget, failed: Failed): Promise<null> {
  const { row, error } = failed;
  // "I have this reference already" is no "no".
  if (error instanceof OutcomeUnknown || (error instanceof CarrierRejected && error.because === 'duplicate')) {
    await inDoubt(context, failed, error.message);
    return null;
  }
  context.log.warn('no return label', { consignment: row.consignmentId, reference: row.reference, error });
  await lasting(context, row, () => freeReturn(context.database, row.attempt));
  if (error instanceof CarrierUnavailable) throw returnNotAnswered(target.carrier, error.message);
  throw refused(target.carrier, target.key.account, error);
}

async function inDoubt(context: BookingContext, { row, account, error }: Failed, note: string): Promise<void> {
  const now = context.clock.now();
  const isAtWork = !('work' in error) || error.work !== 'ended';
  const quietFrom = isAtWork ? new Date(now.getTime() + bookingEndsWithinMs(account.adapter.traits)) : now;
  const { attempt, reference } = row;
  context.log.error('return label in doubt', { consignment: row.consignmentId, reference, error });
  await lasting(context, row, () =>
    context.database.transaction(async (sql) => {
      await storeDoubt(sql, { attempt, now }, { note: context.mask(note), quietFrom });
      await addToJournal(sql, { id: row.consignmentId, what: 'return label in doubt', now, fields: { reference } });
    }),
  );
}

interface Made {
  readonly row: NewReturn;
  readonly account: Account;
  readonly answer: BookingWithLabels;
}

/** Stores what the carrier has confirmed; an answer whose number cannot be believed leaves the return in doubt. */
async function made(context: BookingContext, target: ReturnTarget, { row, account, answer }: Made): Promise<void> {
  const { booking, labels, answersReference = row.reference } = answer;
  const [parcel] = booking.parcels;
  const isBelieved = parcel?.kind === 'booked' && isReturnNumber(target, account, parcel.trackingNumber);
  if (!isBelieved || (answersReference ?? row.reference) !== row.reference) {
    const named = parcel?.kind === 'booked' ? parcel.trackingNumber : 'no number';
    const error = carrierError(new Error(`the answer has ${named}, for ${answersReference}`), 'change');
    return void (await notMade(context, target, { row, account, error }));
  }
  await keepMade(context, target, { attempt: row.attempt, reference: row.reference, booking, labels });
}

/** What only this process knows must be stored, however long the database is away. */
function lasting<Result>(context: BookingContext, row: NewReturn, work: () => Promise<Result>): Promise<Result> {
  return retryWhileDatabaseAway(context, { return: row.reference }, work);
}
