import type { Booking } from '../../../carriers/contract/model.js';
import type { BookingContext } from '../../consignment/context.js';
import { addToJournal } from '../../consignment/ledger/consignment-rows.js';
import { NotPossible, NumbersNotPossible } from '../../consignment/machine/operator.js';
import { withTimeout } from '../../worker/with-timeout.js';
import { noteStep, whileKept } from '../../consignment/requests/request-recording.js';
import { LEAVES_WITHIN_MS, askCarrier } from './ask-carrier.js';
import { keepLabel, keepMade } from './keep-made.js';
import { absentFrom, lookUpReturn } from './look-up-return.js';
import { type ReturnLabelRow, findReturn, freeReturn, loadReturnLabel } from './return-label-rows.js';
import { returnNotAnswered } from './return-not-made.js';
import { type ReturnTarget, isReturnNumber, requireBooked, returnAccount, returnTarget } from './return-target.js';
import { type ReturnLabelView, stateAt, returnLabelView } from './return-view.js';

/** A person waits for the answer. Longer than a request waits for its turn. */
const WITHIN_MS = 20_000;

/** There is no return label of this parcel. */
export class NoReturnLabel extends Error {
  override readonly name = 'NoReturnLabel';
}

/** What a person saw at the carrier. */
export type ReturnResolution =
  | { readonly answer: 'booked'; readonly trackingNumber: string; readonly carrierNumber: string | null }
  | { readonly answer: 'not-booked' };

/** An operator's answer. */
export interface Answered {
  readonly resolution: ReturnResolution;
  readonly by: string;
}

/**
 * Return labels of booked parcels, one for each. `parcel` is a container or tracking number; `null`: the only parcel.
 * Every method throws UnknownConsignment, UnknownParcel or NotPossible.
 */
export interface ReturnLabels {
  /**
   * Asks the carrier for one, unless it was asked before: then what came of that, and of one in doubt what the carrier finds.
   * @returns within 20 s
   * @throws ReturnNotMade | ImsUnavailable | ImsCredentials | ImsProblem certainly nothing was made
   */
  make(id: string, parcel: string | null): Promise<ReturnLabelView>;
  /** @throws NoReturnLabel */
  find(id: string, parcel: string | null): Promise<ReturnLabelView>;
  /** @throws NoReturnLabel */
  label(id: string, parcel: string | null): Promise<{ readonly bytes: Uint8Array; readonly fileName: string }>;
  /**
   * Ends a doubt; `by` is the operator's name. @returns `null`: nothing was made, and it may be asked for again
   * @throws NoReturnLabel | NumbersNotPossible
   */
  resolve(id: string, parcel: string | null, answer: Answered): Promise<ReturnLabelView | null>;
}

export function returnLabels(context: BookingContext): ReturnLabels {
  const known = async (id: string, parcel: string | null) => {
    const target = await returnTarget(context, id, parcel);
    const row = await findReturn(context.database, target.key);
    if (row === null)
      throw new NoReturnLabel(`there is no return label of parcel ${target.key.parcelId}: POST makes one`);
    return { target, row };
  };
  return {
    make: async (id, parcel) => {
      const target = await returnTarget(context, id, parcel);
      requireBooked(target);
      return withTimeout(makeOnce(context, target), WITHIN_MS, () => shownReturn(context, target));
    },
    find: async (id, parcel) => {
      const { target, row } = await known(id, parcel);
      return shownRow(context, target, row);
    },
    label: async (id, parcel) => {
      const { row } = await known(id, parcel);
      const bytes = await loadReturnLabel(context.database, row.attempt, 'ready');
      if (bytes === null) throw new NoReturnLabel('the return has no label yet: GET it to see why');
      return { bytes, fileName: `RETURN_LABEL_${id}.pdf` };
    },
    resolve: async (id, parcel, answer) => {
      const { target, row } = await known(id, parcel);
      return resolveReturn(context, target, { row, ...answer });
    },
  };
}

function makeOnce(context: BookingContext, target: ReturnTarget): Promise<ReturnLabelView> {
  return whileKept(context.requests, target.consignment.id, () => {
    noteStep('return');
    return makeReturn(context, target, LEAVES_WITHIN_MS);
  });
}

/**
 * Asks the carrier for the label, unless it was asked before.
 * @param leavesWithinMs after this time no request leaves any more
 * @throws ReturnNotMade | NotPossible | ImsUnavailable | ImsCredentials | ImsProblem
 */
export async function makeReturn(
  context: BookingContext,
  target: ReturnTarget,
  leavesWithinMs: number,
): Promise<ReturnLabelView> {
  // The time also holds the search for an earlier return, so that no request leaves after the POST was answered.
  const leavesBefore = new Date(context.clock.now().getTime() + leavesWithinMs);
  const row = await findReturn(context.database, target.key);
  const done = row === null ? 'free' : await goOn(context, target, row);
  if (done === 'free') await askCarrier(context, target, leavesBefore);
  return shownReturn(context, target);
}

/** What a second request does about the first. @returns `free`: nothing was made by it */
async function goOn(context: BookingContext, target: ReturnTarget, row: ReturnLabelRow): Promise<'free' | 'kept'> {
  switch (stateAt(row, context.clock.now())) {
    case 'asking':
      return 'kept';
    case 'in-doubt':
      return lookUpReturn(context, target, row);
    case 'made':
      if (!row.hasLabel && row.booking !== null)
        await keepLabel(context, target, { attempt: row.attempt, booking: row.booking, labels: [] });
      return 'kept';
  }
}

/** What came of it so far. @throws ReturnNotMade nothing was asked */
export async function shownReturn(context: BookingContext, target: ReturnTarget): Promise<ReturnLabelView> {
  const row = await findReturn(context.database, target.key);
  if (row === null)
    throw returnNotAnswered(target.carrier, 'it was not asked in time, or has just refused another request');
  return shownRow(context, target, row);
}

function shownRow(context: BookingContext, target: ReturnTarget, row: ReturnLabelRow): ReturnLabelView {
  const finds = context.accounts.get(target.key.account)?.carrier.findByReference;
  return returnLabelView(target, row, { now: context.clock.now(), lookup: finds ? 'carrier' : 'person' });
}

const FOUND_MEANWHILE = 'another request has settled it meanwhile: GET it to see what became of it';

interface Resolving extends Answered {
  readonly row: ReturnLabelRow;
}

async function resolveReturn(
  context: BookingContext,
  target: ReturnTarget,
  { row, resolution, by }: Resolving,
): Promise<ReturnLabelView | null> {
  const now = context.clock.now();
  if (stateAt(row, now) !== 'in-doubt') throw new NotPossible('it is not in doubt: it does not wait for an answer');
  const { attempt, reference } = row;
  if (resolution.answer === 'booked') {
    const booking = bookingOf(context, target, resolution);
    const kept = await keepMade(context, target, { attempt, reference, booking, labels: [], by });
    if (kept === 'not-open') throw new NotPossible(FOUND_MEANWHILE);
    return shownReturn(context, target);
  }
  requireAbsence(context, target, row);
  const isFree = await context.database.transaction(async (sql) => {
    if (!(await freeReturn(sql, attempt))) return false;
    const what = 'return label resolved by operator: not-booked';
    await addToJournal(sql, { id: target.consignment.id, what, now, fields: { reference, by } });
    return true;
  });
  if (!isFree) throw new NotPossible(FOUND_MEANWHILE);
  return null;
}

/** @throws NotPossible the carrier may still make what a person does not see there */
function requireAbsence(
  { accounts, clock }: BookingContext,
  { key, carrier }: ReturnTarget,
  row: ReturnLabelRow,
): void {
  const account = accounts.get(key.account);
  const from = account ? absentFrom(row, account) : row.quietFrom;
  if (clock.now() >= from) return;
  throw new NotPossible(
    `${carrier} may still make the return label ${row.reference}. Look for it again after ${from.toISOString()}, and answer then.`,
  );
}

/** @throws NumbersNotPossible */
function bookingOf(
  context: BookingContext,
  target: ReturnTarget,
  { trackingNumber, carrierNumber }: Extract<ReturnResolution, { answer: 'booked' }>,
): Booking {
  if (!isReturnNumber(target, returnAccount(context, target), trackingNumber))
    throw new NumbersNotPossible(`"${trackingNumber}" cannot be the number of this return: look it up again`);
  const { parcelId } = target.key;
  return {
    carrierNumber,
    parcels: [{ kind: 'booked', parcelId, trackingNumber, trackingUrl: null }],
    labelSource: null,
  };
}
