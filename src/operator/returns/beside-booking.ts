import { type Consignment, bookedParcels, carrierName, partsIn } from '../../consignment/consignment.js';
import type { BookingContext } from '../../consignment/context.js';
import { NotPossible } from '../../consignment/machine/operator.js';
import type { ReturnBeside, ReturnsBeside } from '../../consignment/return-beside.js';
import { DatabaseUnavailable } from '../../db/database.js';
import { isImsError } from '../../consignment/steps/ims-failure.js';
import { withTimeout } from '../../worker/with-timeout.js';
import { readyReturn } from './return-label-rows.js';
import { makeReturn, shownReturn } from './return-labels.js';
import { ReturnNotMade } from './return-not-made.js';
import { type ReturnTarget, requireBooked } from './return-target.js';

/** A packer waits for the parcel's own label. No request leaves later than this, and one that has left is not waited for longer. */
const BESIDE_WITHIN_MS = 5_000;

/** Return labels together with a booking, by the same rows as those that an operator asks for: one for each parcel. */
export function returnsBeside(context: BookingContext): ReturnsBeside {
  return (consignment) =>
    Promise.all(bookedParcels(consignment).map(({ parcelId }) => besideOf(context, consignment, parcelId)));
}

async function besideOf(context: BookingContext, consignment: Consignment, parcelId: string): Promise<ReturnBeside> {
  const target = targetIn(consignment, parcelId);
  const without = (problem: string): ReturnBeside => ({ parcelId, label: null, problem });
  if (target === null) return without('it is not booked');
  try {
    requireBooked(target);
    const making = makeReturn(context, target, BESIDE_WITHIN_MS);
    const { whatToDo } = await withTimeout(making, BESIDE_WITHIN_MS, () => shownReturn(context, target));
    const label = await readyReturn(context.database, target.key);
    return label === null ? without(whatToDo ?? 'it has no label yet') : { parcelId, label, problem: null };
  } catch (error) {
    if (error instanceof DatabaseUnavailable || !(error instanceof Error)) throw error;
    // A bug here holds no parcel's own label up either.
    const level = isTold(error) ? 'warn' : 'error';
    context.log[level]('no return label beside the booking', { consignment: consignment.id, parcel: parcelId, error });
    return without(context.mask(error.message));
  }
}

function targetIn(consignment: Consignment, parcelId: string): ReturnTarget | null {
  const { plan } = consignment;
  const part = partsIn(consignment, 'booked').find(({ booking }) =>
    booking?.parcels.some((parcel) => parcel.parcelId === parcelId),
  );
  if (plan === null || part === undefined) return null;
  const key = { account: plan.account, bookedReference: part.request.reference, parcelId };
  return { consignment, part, key, carrier: carrierName(consignment) };
}

/** The carrier, the IMS or the settings are why. */
function isTold(error: Error): boolean {
  return error instanceof ReturnNotMade || error instanceof NotPossible || isImsError(error);
}
