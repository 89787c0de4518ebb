import {
  type Consignment,
  type Effect,
  bookedParcels,
  containerWords,
  isEarlier,
  isOfIms,
  missingContainers,
  partsIn,
  shipmentName,
} from '../consignment.js';
import { END_STATES, type EndState } from '../states.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { MAX_ATTEMPTS_AFTERWARDS } from './retry-policy.js';
import { doubts, personNeeded } from './doubts.js';
import type { TransitionContext, Postponed } from './facts.js';
import { subject, tell, workStatus } from './booking-messages.js';

export const MESSAGES_WAVE = 8;
export const STATUS_WAVE = 9;
/**
 * The notice has a wave to itself: where it has nothing to tell, it is done without a request, and says nothing about whether the
 * IMS takes other writes.
 */
const NOTICE_WAVE = 10;

/**
 * Sets the outcome. Messages go out first, then the document's status; the state becomes the outcome when both are
 * sent.
 */
export function endWith(
  consignment: Consignment,
  outcome: EndState,
  ending: { readonly messages: readonly MessageDraft[]; readonly status: 'DONE' | 'FAILED' | null; readonly now: Date },
): Consignment {
  const told = tell(consignment, MESSAGES_WAVE, ending.messages);
  const status = ending.status === null ? [] : workStatus(consignment, STATUS_WAVE, ending.status);
  const notice = outcome === 'refused' && told.length > 0 ? stillBookedNotice(consignment) : [];
  return settle({
    ...consignment,
    outcome,
    effects: [...consignment.effects, ...told, ...notice, ...status],
    shortfalls: [],
    compensating: false,
    attempts: 0,
    dueAt: ending.now,
  });
}

/** Tells the worker which other bookings of the shipment are booked: "nothing booked" speaks of this booking only. */
export function stillBookedNotice({ run, addressee, shipmentId }: Consignment): readonly Effect[] {
  if (shipmentId === null) return [];
  const call = { kind: 'still-booked-notice', to: addressee } as const;
  return [{ key: `message:${run}:still-booked`, wave: NOTICE_WAVE, call, state: 'open', note: null }];
}

/** Ends without a booking and tells the worker why. A booking of an earlier run can still be cancelled. */
export function refuse(consignment: Consignment, messages: readonly MessageDraft[], now: Date): Consignment {
  return endWith(consignment, failedEnd(consignment), { messages, status: 'FAILED', now });
}

/** The end state of a failure: never `refused` while a part is at the carrier. */
export function failedEnd(consignment: Consignment): 'refused' | 'incomplete' {
  return partsIn(consignment, 'booked').length > 0 ? 'incomplete' : 'refused';
}

/**
 * Waits for a person to look at the carrier before anything is sent again.
 * @param more told beside the question
 */
export function askPerson(consignment: Consignment, now: Date, more: readonly MessageDraft[] = []): Consignment {
  const doubtful = doubts(consignment);
  return {
    ...consignment,
    state: 'in-doubt',
    needsOperator: true,
    parts: consignment.parts.map((part) => (doubtful.includes(part) ? { ...part, state: 'in-doubt' } : part)),
    effects: [
      ...consignment.effects,
      ...tell(consignment, MESSAGES_WAVE, [personNeeded(consignment), ...more]),
      ...workStatus(consignment, STATUS_WAVE, 'FAILED'),
    ],
    dueAt: now,
  };
}

/**
 * Sets the state to the outcome once every effect has ended. A consignment at rest is not due, unless a cancellation
 * was asked for while the end was being written.
 */
export function settle(consignment: Consignment): Consignment {
  const open = consignment.effects.some((effect) => effect.state === 'open' || effect.state === 'sent');
  if (open) return consignment;
  const dueAt = consignment.cancelRequest === null ? null : consignment.dueAt;
  if (consignment.outcome !== null) return { ...consignment, state: consignment.outcome, outcome: null, dueAt };
  return consignment.needsOperator ? { ...consignment, dueAt: null } : consignment;
}

/**
 * Handles a refused part: all or none. Booked parts are cancelled where the carrier can; otherwise they are written to
 * the IMS, and the worker learns which container has no label. Labels of parts that were booked earlier may be on their
 * parcels, so then all booked parts are kept.
 */
export function allOrNone(
  consignment: Consignment,
  messages: readonly MessageDraft[],
  transitionContext: Pick<TransitionContext, 'now' | 'canCancel'>,
): Consignment {
  const { now, canCancel } = transitionContext;
  // Counts parts, not parcels: a part that was found at the carrier without its parcels' numbers is booked as well.
  const booked = partsIn(consignment, 'booked');
  if (booked.length === 0) return refuse(consignment, messages, now);
  if (canCancel && !booked.some((part) => isEarlier(part, consignment))) {
    return { ...consignment, state: 'cancelling', compensating: true, shortfalls: messages, attempts: 0, dueAt: now };
  }
  return keepBooked(consignment, messages, now);
}

/** Continues with the booked parts; the messages about the rest go out at the end. */
export function keepBooked(consignment: Consignment, messages: readonly MessageDraft[], now: Date): Consignment {
  return {
    ...consignment,
    state: 'booked',
    compensating: false,
    parts: partsIn(consignment, 'booked', 'cancelled'),
    shortfalls: [...messages, incompleteParcels(consignment)],
    attempts: 0,
    dueAt: now,
  };
}

/** Which containers have a number and which are not booked. */
export function incompleteParcels(consignment: Consignment): MessageDraft {
  const words = (ids: readonly string[]) => ids.map((id) => containerWords(consignment, id)).join(', ') || '-';
  const booked = words(bookedParcels(consignment).map((parcel) => parcel.parcelId));
  return say('incomplete-parcels', {
    ...subject(consignment),
    booked,
    missing: words(unbookedContainers(consignment)),
  });
}

/** Containers that are not at the carrier. A booked container whose number is unknown is at the carrier. */
export function unbookedContainers(consignment: Consignment): readonly string[] {
  const there = bookedWithoutNumber(consignment.parts);
  return missingContainers(consignment).filter((id) => !there.has(id));
}

/** Booked containers without a usable number: the carrier did not say whose it is, or it cannot be right. */
export function bookedWithoutNumber(parts: Consignment['parts']): ReadonlySet<string> {
  const booked = parts.filter((part) => part.state === 'booked');
  const unmatched = booked.filter((part) => part.unmatched.length > 0);
  const unusable = booked.flatMap((part) => part.unusable ?? []);
  return new Set([
    ...unmatched.flatMap((part) => part.request.parcels.map((parcel) => parcel.id)),
    ...unusable.flatMap(({ parcelId }) => parcelId ?? []),
  ]);
}

/** Gives up after the longest time that a worker waits; the message names what was waited for. */
export function giveUp(
  consignment: Consignment,
  transitionContext: TransitionContext,
  waitedFor: Exclude<Postponed['waitingFor'], 'account'>,
): Consignment {
  // A part in doubt may be booked, so the message must not say "nothing is booked".
  if (doubts(consignment).length > 0) return askPerson(consignment, transitionContext.now);
  const minutes = String(Math.max(1, Math.round(transitionContext.giveUpAfterMs / 60_000)));
  if (waitedFor === 'sibling' || isOfIms(waitedFor)) {
    const key = waitedFor === 'sibling' ? 'gave-up-sibling' : 'gave-up-ims';
    const message = say(key, { shipmentNumber: shipmentName(consignment), minutes });
    // A document that we did not claim may belong to another program.
    const status = consignment.claimed ? 'FAILED' : null;
    return endWith(consignment, failedEnd(consignment), { messages: [message], status, now: transitionContext.now });
  }
  const { none, some } = GAVE_UP[waitedFor];
  const key = partsIn(consignment, 'booked').length === 0 ? none : some;
  return allOrNone(consignment, [say(key, { ...subject(consignment), minutes })], transitionContext);
}

/** The message when no parcel is booked, and the one when some are. */
const GAVE_UP = {
  carrier: { none: 'gave-up', some: 'gave-up-rest' },
  limit: { none: 'gave-up-limit', some: 'gave-up-limit-rest' },
} as const;

/**
 * Whether the waiting time is over. After a run has ended, its age says nothing about cancellations that came later.
 */
export function isGivenUp(
  consignment: Consignment,
  { now, giveUpAfterMs }: Pick<TransitionContext, 'now' | 'giveUpAfterMs'>,
): boolean {
  if (giveUpAfterMs === Infinity) return false;
  if (END_STATES.includes(consignment.state)) return consignment.attempts >= MAX_ATTEMPTS_AFTERWARDS;
  return now.getTime() - consignment.runStartedAt.getTime() > giveUpAfterMs;
}
