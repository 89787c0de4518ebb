import {
  type Consignment,
  attachmentOf,
  carrierName,
  lastCarriersNumber,
  partsIn,
} from '../consignment/consignment.js';
import type { BookingContext } from '../consignment/context.js';
import { doubtfulReferences, doubts } from '../consignment/machine/doubts.js';
import { NotPossible, resume } from '../consignment/machine/operator.js';
import { canBePrinted } from '../consignment/machine/writing.js';
import { isRefused, traitsOf } from '../consignment/states.js';

/** Why an action is not possible now; `null`: it can be tried, as far as that is known before it is stored. */
export interface Hindrances {
  readonly retry: string | null;
  readonly reprint: string | null;
  readonly cancel: string | null;
}

export function hindrancesOf(context: BookingContext, consignment: Consignment): Hindrances {
  return {
    retry: whyNotRetried(context, consignment),
    reprint: whyNotPrinted(context, consignment),
    cancel: whyNotCancelled(context, consignment),
  };
}

function whyNotRetried({ areas, clock }: BookingContext, consignment: Consignment): string | null {
  try {
    resume(consignment, clock.now(), { area: areas.get(consignment.area) });
    return null;
  } catch (error) {
    if (error instanceof NotPossible) return error.message;
    throw error;
  }
}

/** The actions that are possible on a booked consignment. */
export function whatElse(context: BookingContext, consignment: Consignment): readonly string[] {
  const hasLabel = consignment.parts.some((part) => part.labels === 'stored');
  const look = hasLabel ? [`its label is at ${labelPath(consignment)}`] : [];
  const print = whyNotPrinted(context, consignment) === null ? ['"reprint" prints the label again'] : look;
  const cancel = whyNotCancelled(context, consignment) === null ? ['"cancel" takes the booking back'] : [];
  return [...print, ...cancel];
}

function labelPath({ id }: Consignment): string {
  return `/api/v1/consignments/${id}/labels/0`;
}

/** Why it cannot be cancelled, as far as that is certain without the carrier; `null`: it can be tried. */
export function whyNotCancelled(context: BookingContext, consignment: Consignment): string | null {
  const { state, needsOperator } = consignment;
  const doubtful = doubts(consignment).length > 0;
  const traits = traitsOf(state);
  if (traits.isVoid) return 'it is cancelled already';
  if (isRefused(traits) && doubtful) return endedInDoubt(consignment);
  if (traits.booking === 'nothing-booked') return `it is ${state}: nothing is booked that could be cancelled`;
  const isOpen = doubtful || needsOperator || partsIn(consignment, 'booked').length === 0;
  return isOpen ? null : whyNotAtCarrier(context, consignment);
}

function endedInDoubt(consignment: Consignment): string {
  const carrier = carrierName(consignment);
  return `it was ended while it was in doubt: look for ${doubtfulReferences(consignment)} in the portal of ${carrier}, and cancel it there`;
}

function whyNotAtCarrier({ accounts }: BookingContext, consignment: Consignment): string | null {
  const carrier = carrierName(consignment);
  const name = consignment.plan?.account ?? '-';
  const number = lastCarriersNumber(consignment) ?? consignment.reference ?? '-';
  const there = `it is still booked as number ${number}. Call ${carrier}, or cancel it in their portal`;
  const account = accounts.get(name);
  if (!account) return `its account "${name}" is not in the configuration any more: ${there}`;
  return account.carrier.cancel ? null : `${carrier} takes no cancellations from us: ${there}`;
}

export function whyNotPrinted({ printing }: BookingContext, consignment: Consignment): string | null {
  const { isVoid, isEnd } = traitsOf(consignment.state);
  if (printing.mode === 'none') return 'printing is switched off ("printing" in the configuration)';
  if (isVoid) return 'it is cancelled: its label must not be used any more';
  if (consignment.cancelRequest !== null)
    return 'it is to be cancelled: its label must not be used unless the carrier refuses that';
  if (!canBePrinted(consignment, printing.mode))
    return 'it has no document that could be printed ("printing" in the configuration is "document")';
  const attachment = attachmentOf(consignment);
  if (attachment?.state === 'done') return null;
  if (!consignment.parts.some((part) => part.labels === 'stored')) return 'it has no label that could be printed';
  return attachment === undefined && !isEnd
    ? 'its label is not attached in the IMS yet: wait until the booking has ended'
    : `the label is not attached in the IMS, so nothing can be printed there: print ${labelPath(consignment)} yourself`;
}
