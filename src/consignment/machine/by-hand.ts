import type { Booking } from '../../../carriers/contract/model.js';
import type { Consignment, Part } from '../consignment.js';
import { failedEnd } from './endings.js';

/** What a person found out about a booking in doubt. */
export type Resolution =
  /** The carrier has it, under these numbers. */
  | {
      readonly answer: 'booked';
      readonly carrierNumber: string | null;
      readonly trackingNumbers: Readonly<Record<string, string>>;
    }
  /** The carrier does not have it: book again. */
  | { readonly answer: 'not-booked' }
  /** Neither: it ends here, and whatever is at the carrier is handled there. */
  | { readonly answer: 'give-up' };

/** Why an operator's wish cannot be met now. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible';
}

const MAY_BE_TRIED_AGAIN: readonly string[] = ['refused', 'incomplete', 'set-aside'];

/** Takes up what has failed: the shipment is read anew, what is booked stays booked. */
export function takeUpAgain(consignment: Consignment, now: Date): Consignment {
  if (consignment.waitsForPerson) {
    throw new NotPossible('it may be booked already: look at the carrier and use "resolve"');
  }
  if (consignment.dueAt !== null && !MAY_BE_TRIED_AGAIN.includes(consignment.state))
    return { ...consignment, dueAt: now };
  if (!MAY_BE_TRIED_AGAIN.includes(consignment.state)) {
    throw new NotPossible(
      `it is ${consignment.state}: only what is ${MAY_BE_TRIED_AGAIN.join(', ')} can be tried again`,
    );
  }
  return newRun(consignment, now);
}

/** Settles a doubt with what a person saw at the carrier. */
export function resolve(consignment: Consignment, resolution: Resolution, now: Date): Consignment {
  if (!consignment.waitsForPerson) throw new NotPossible('it is not in doubt');
  if (resolution.answer === 'booked') requireKnown(consignment, Object.keys(resolution.trackingNumbers));
  const settled = {
    ...consignment,
    waitsForPerson: false,
    parts: consignment.parts.map((part) => settlePart(part, resolution)),
  };
  if (resolution.answer === 'give-up') {
    return { ...settled, state: failedEnd(settled), dueAt: settled.cancelWanted === null ? null : now };
  }
  return newRun(settled, now);
}

function newRun(consignment: Consignment, now: Date): Consignment {
  return {
    ...consignment,
    state: 'received',
    outcome: null,
    claimed: false,
    compensating: false,
    shortfalls: [],
    effects: [],
    tries: 0,
    heldUntil: null,
    run: consignment.run + 1,
    runStartedAt: now,
    dueAt: now,
  };
}

/** A number under a wrong id would be lost without a word. */
function requireKnown(consignment: Consignment, ids: readonly string[]): void {
  const known = new Set(consignment.parts.flatMap((part) => part.request.parcels.map((parcel) => parcel.id)));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new NotPossible(`it has no container ${unknown.join(', ')}`);
}

function settlePart(part: Part, resolution: Resolution): Part {
  if (part.state !== 'in-doubt' && part.state !== 'sending') return part;
  // Given up is not cleared up: whoever tries it again is asked again.
  if (resolution.answer === 'give-up') return part;
  if (resolution.answer === 'not-booked') return { ...part, state: 'refused' };
  const parcels = part.request.parcels.map((parcel) => {
    const trackingNumber = resolution.trackingNumbers[parcel.id];
    if (!trackingNumber) throw new NotPossible(`container ${parcel.id} needs its tracking number`);
    return { kind: 'booked' as const, parcelId: parcel.id, trackingNumber, trackingUrl: null };
  });
  const booking: Booking = { carrierNumber: resolution.carrierNumber, parcels, labelSource: null };
  return { ...part, state: 'booked', booking, labels: 'missing' };
}
