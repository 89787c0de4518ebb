import {
  type Consignment,
  type EndState,
  type MessageDraft,
  bookedParcels,
  missingContainers,
  partsIn,
  say,
} from '../consignment.js';
import type { Circumstances } from './fact.js';
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

/** Nothing is booked, or nothing any more; the worker is told why. */
export function refuse(consignment: Consignment, messages: readonly MessageDraft[], now: Date): Consignment {
  return endWith(consignment, 'refused', { messages, status: 'FAILED', now });
}

/** A person has to look at the carrier's side before anything is sent again. */
export function askPerson(consignment: Consignment, now: Date): Consignment {
  const message = say('person-needed', { ...subject(consignment), reference: doubtfulReference(consignment) });
  return {
    ...consignment,
    state: 'in-doubt',
    waitsForPerson: true,
    effects: [
      ...consignment.effects,
      ...tell(consignment, MESSAGES_WAVE, [message]),
      ...workStatus(consignment, STATUS_WAVE, 'FAILED'),
    ],
    dueAt: now,
  };
}

function doubtfulReference(consignment: Consignment): string {
  const [part] = partsIn(consignment, 'in-doubt', 'sending');
  return part?.request.reference ?? consignment.reference ?? '-';
}

/** The state follows the outcome once every effect has ended; a consignment at rest is not due. */
export function settle(consignment: Consignment): Consignment {
  const open = consignment.effects.some((effect) => effect.state === 'open' || effect.state === 'sent');
  if (open) return consignment;
  if (consignment.outcome !== null) return { ...consignment, state: consignment.outcome, outcome: null, dueAt: null };
  return consignment.waitsForPerson ? { ...consignment, dueAt: null } : consignment;
}

/**
 * A part of the shipment will not be booked. All of it or none: what is booked is cancelled where the carrier can;
 * where not, it is written back and the worker learns which container has no label.
 */
export function allOrNone(
  consignment: Consignment,
  messages: readonly MessageDraft[],
  circumstances: Pick<Circumstances, 'now' | 'canCancel'>,
): Consignment {
  const { now, canCancel } = circumstances;
  if (bookedParcels(consignment).length === 0) return refuse(consignment, messages, now);
  if (canCancel) {
    return { ...consignment, state: 'cancelling', compensating: true, shortfalls: messages, tries: 0, dueAt: now };
  }
  return keepBooked(consignment, messages, now);
}

/** Goes on with what is booked; the rest is told at the end. */
export function keepBooked(consignment: Consignment, messages: readonly MessageDraft[], now: Date): Consignment {
  const incomplete = say('incomplete-parcels', {
    ...subject(consignment),
    booked: bookedParcels(consignment)
      .map((parcel) => containerWords(consignment, parcel.parcelId))
      .join(', '),
    missing: missingContainers(consignment)
      .map((id) => containerWords(consignment, id))
      .join(', '),
  });
  return {
    ...consignment,
    state: 'booked',
    compensating: false,
    parts: partsIn(consignment, 'booked', 'cancelled'),
    shortfalls: [...messages, incomplete],
    tries: 0,
    dueAt: now,
  };
}

/** `#2 (10000012)`: the place in the shipment and the id. */
function containerWords(consignment: Consignment, id: string): string {
  const place = (consignment.plan?.containers.indexOf(id) ?? -1) + 1;
  return place > 0 ? `#${place} (${id})` : id;
}

/** The carrier was asked for as long as a worker can wait. */
export function giveUp(consignment: Consignment, circumstances: Circumstances): Consignment {
  const minutes = String(Math.max(1, Math.round(circumstances.giveUpAfterMs / 60_000)));
  const key = bookedParcels(consignment).length === 0 ? 'gave-up' : 'gave-up-rest';
  return allOrNone(consignment, [say(key, { ...subject(consignment), minutes })], circumstances);
}

export function isGivenUp(consignment: Consignment, circumstances: Circumstances): boolean {
  return circumstances.now.getTime() - consignment.runStartedAt.getTime() > circumstances.giveUpAfterMs;
}
