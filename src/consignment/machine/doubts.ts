import type { MessageKey } from '../../messages/keys.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { type Consignment, type Part, carrierName, isOfIms, partsIn, shipmentName } from '../consignment.js';

/** Requests whose outcome is unknown. */
export function unanswered(consignment: Consignment): readonly Part[] {
  return partsIn(consignment, 'sending', 'in-doubt');
}

/**
 * Planned requests that may already be at the carrier and whose outcome only a repetition tells. They keep `quietFrom`
 * until an answer comes.
 */
export function toRepeat(consignment: Consignment): readonly Part[] {
  return partsIn(consignment, 'planned').filter((part) => part.quietFrom !== null);
}

/** All parts that the carrier may have booked without our knowing. */
export function doubts(consignment: Consignment): readonly Part[] {
  return [...unanswered(consignment), ...toRepeat(consignment)];
}

/**
 * The time from which the carrier certainly shows a booking that this request made: "not there" means "not booked" then.
 * `null`: it did so before, as far as our records go.
 */
export function certainFrom({ quietFrom }: Pick<Part, 'quietFrom'>, visibleAfterMs: number): Date | null {
  return quietFrom === null ? null : new Date(Date.parse(quietFrom) + visibleAfterMs);
}

/**
 * The message about a wait for the outcome of a request. A consignment that is retried waits for it in the state `received`,
 * before it is planned anew.
 * @returns `null`: it does not wait for an outcome, or waits for the IMS first
 */
export function waitingInDoubt(consignment: Consignment): (MessageKey & `waiting-${string}`) | null {
  const { state, waitingFor } = consignment;
  const isInDoubt = state === 'in-doubt' || (state === 'received' && doubts(consignment).length > 0);
  if (!isInDoubt || (waitingFor !== null && isOfIms(waitingFor))) return null;
  return waitingFor === 'carrier' ? 'waiting-carrier-in-doubt' : 'waiting-in-doubt';
}

/** The references that a person has to look for at the carrier. */
export function doubtfulReferences(consignment: Consignment): string {
  const references = doubts(consignment).map((part) => part.request.reference);
  return references.join(', ') || (consignment.reference ?? '-');
}

/** What a worker hears when only a person can find out whether it is booked. */
export function personNeeded(consignment: Consignment): MessageDraft {
  const about = { shipmentNumber: shipmentName(consignment), carrier: carrierName(consignment) };
  const reference = doubtfulReferences(consignment);
  return reference === about.shipmentNumber
    ? say('person-needed-by-number', about)
    : say('person-needed', { ...about, reference });
}
