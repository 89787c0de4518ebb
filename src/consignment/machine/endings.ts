import {
  type Consignment,
  END_STATES,
  type EndState,
  bookedParcels,
  containerWords,
  missingContainers,
  partsIn,
  shipmentName,
} from '../consignment.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { MOST_TRIES_AFTERWARDS } from './retry-policy.js';
import { doubtfulReferences, doubts } from './doubts.js';
import type { TransitionContext, Postponed } from './facts.js';
import { subject, tell, workStatus } from './words.js';

const MESSAGES_WAVE = 8;
const STATUS_WAVE = 9;

/** Decides the end: messages first, then the document's status; the state follows when they are out. */
export function endWith(
  consignment: Consignment,
  outcome: EndState,
  ending: { readonly messages: readonly MessageDraft[]; readonly status: 'DONE' | 'FAILED' | null; readonly now: Date },
): Consignment {
  const status = ending.status === null ? [] : workStatus(consignment, STATUS_WAVE, ending.status);
  return settle({
    ...consignment,
    outcome,
    effects: [...consignment.effects, ...tell(consignment, MESSAGES_WAVE, ending.messages), ...status],
    shortfalls: [],
    compensating: false,
    tries: 0,
    dueAt: ending.now,
  });
}

/** It will not be booked; the worker is told why. What an earlier run has booked stays ours to cancel. */
export function refuse(consignment: Consignment, messages: readonly MessageDraft[], now: Date): Consignment {
  return endWith(consignment, failedEnd(consignment), { messages, status: 'FAILED', now });
}

/** How what failed is called: never `refused` while something is at the carrier. */
export function failedEnd(consignment: Consignment): 'refused' | 'incomplete' {
  return partsIn(consignment, 'booked').length > 0 ? 'incomplete' : 'refused';
}

/** A person has to look at the carrier's side before anything is sent again. */
export function askPerson(consignment: Consignment, now: Date): Consignment {
  const doubtful = doubts(consignment);
  const message = say('person-needed', { ...subject(consignment), reference: doubtfulReferences(consignment) });
  return {
    ...consignment,
    state: 'in-doubt',
    waitsForPerson: true,
    parts: consignment.parts.map((part) => (doubtful.includes(part) ? { ...part, state: 'in-doubt' } : part)),
    effects: [
      ...consignment.effects,
      ...tell(consignment, MESSAGES_WAVE, [message]),
      ...workStatus(consignment, STATUS_WAVE, 'FAILED'),
    ],
    dueAt: now,
  };
}

/**
 * The state follows the outcome once every effect has ended; a consignment at rest is not due. It stays due for a wish that
 * came while the end was being written.
 */
export function settle(consignment: Consignment): Consignment {
  const open = consignment.effects.some((effect) => effect.state === 'open' || effect.state === 'sent');
  if (open) return consignment;
  const dueAt = consignment.cancelWanted === null ? null : consignment.dueAt;
  if (consignment.outcome !== null) return { ...consignment, state: consignment.outcome, outcome: null, dueAt };
  return consignment.waitsForPerson ? { ...consignment, dueAt: null } : consignment;
}

/**
 * A part of the shipment will not be booked. All of it or none: what is booked is cancelled where the carrier can;
 * where not, it is written back and the worker learns which container has no label.
 */
export function allOrNone(
  consignment: Consignment,
  messages: readonly MessageDraft[],
  circumstances: Pick<TransitionContext, 'now' | 'canCancel'>,
): Consignment {
  const { now, canCancel } = circumstances;
  // Parts, not parcels: what was found at the carrier without its parcels' numbers is booked as well.
  if (partsIn(consignment, 'booked').length === 0) return refuse(consignment, messages, now);
  if (canCancel) {
    return { ...consignment, state: 'cancelling', compensating: true, shortfalls: messages, tries: 0, dueAt: now };
  }
  return keepBooked(consignment, messages, now);
}

/** Goes on with what is booked; the rest is told at the end. */
export function keepBooked(consignment: Consignment, messages: readonly MessageDraft[], now: Date): Consignment {
  return {
    ...consignment,
    state: 'booked',
    compensating: false,
    parts: partsIn(consignment, 'booked', 'cancelled'),
    shortfalls: [...messages, incompleteParcels(consignment)],
    tries: 0,
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

/** Containers that are not at the carrier; those booked under a number we cannot tell apart are there. */
export function unbookedContainers(consignment: Consignment): readonly string[] {
  const there = bookedWithoutNumber(consignment.parts);
  return missingContainers(consignment).filter((id) => !there.has(id));
}

/** Containers that are booked without a number that can be used: it is not known whose it is, or it cannot be right. */
export function bookedWithoutNumber(parts: Consignment['parts']): ReadonlySet<string> {
  const booked = parts.filter((part) => part.state === 'booked');
  const unmatched = booked.filter((part) => part.unmatched.length > 0);
  const unusable = booked.flatMap((part) => part.unusable ?? []);
  return new Set([
    ...unmatched.flatMap((part) => part.request.parcels.map((parcel) => parcel.id)),
    ...unusable.flatMap(({ parcelId }) => parcelId ?? []),
  ]);
}

/** It was waited for as long as a worker can wait; the message says for what. */
export function giveUp(
  consignment: Consignment,
  circumstances: TransitionContext,
  waitedFor: Postponed['waitingFor'],
): Consignment {
  // "Nothing is booked" must not be said of what may be booked.
  if (doubts(consignment).length > 0) return askPerson(consignment, circumstances.now);
  const minutes = String(Math.max(1, Math.round(circumstances.giveUpAfterMs / 60_000)));
  if (waitedFor === 'ims' || waitedFor === 'sibling') {
    const key = waitedFor === 'ims' ? 'gave-up-ims' : 'gave-up-sibling';
    const message = say(key, { shipmentNumber: shipmentName(consignment), minutes });
    // A document that we never could claim may be somebody else's.
    const status = consignment.claimed ? 'FAILED' : null;
    return endWith(consignment, failedEnd(consignment), { messages: [message], status, now: circumstances.now });
  }
  const { none, some } = GAVE_UP[waitedFor];
  const key = partsIn(consignment, 'booked').length === 0 ? none : some;
  return allOrNone(consignment, [say(key, { ...subject(consignment), minutes })], circumstances);
}

/** What is told when none of the parcels is booked, and when some are. */
const GAVE_UP = {
  carrier: { none: 'gave-up', some: 'gave-up-rest' },
  limit: { none: 'gave-up-limit', some: 'gave-up-limit-rest' },
} as const;

/** Whether it has been tried long enough; the age of a run that has ended says nothing about what came afterwards. */
export function isGivenUp(consignment: Consignment, circumstances: TransitionContext): boolean {
  if (END_STATES.includes(consignment.state)) return consignment.tries >= MOST_TRIES_AFTERWARDS;
  return circumstances.now.getTime() - consignment.runStartedAt.getTime() > circumstances.giveUpAfterMs;
}
