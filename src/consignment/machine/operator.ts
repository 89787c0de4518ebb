import type { Booking } from '../../../carriers/contract/model.js';
import {
  type Consignment,
  type Part,
  type UnusableNumber,
  hasUnusableNumbers,
  isOfRun,
  partsIn,
} from '../consignment.js';
import { say } from '../../messages/message.js';
import { doubtfulReferences } from './doubts.js';
import { failedEnd } from './endings.js';
import { withoutUnusable } from './numbers.js';
import { subject, tell } from './words.js';

/** What the carrier has, under its numbers. */
export interface FoundNumbers {
  readonly carrierNumber: string | null;
  /** By the id of the container. */
  readonly trackingNumbers: Readonly<Record<string, string>>;
}

/** What a person found out about one of several references. */
export type PartAnswer = { readonly reference: string } & (
  ({ readonly outcome: 'booked' } & FoundNumbers) | { readonly outcome: 'not-booked' }
);

/** What a person found out about a booking in doubt. */
export type Resolution =
  /** The carrier has it, under these numbers. */
  | ({ readonly answer: 'booked' } & FoundNumbers)
  /** The carrier does not have it: book again. */
  | { readonly answer: 'not-booked' }
  /** Several are in doubt: each has its own answer. */
  | { readonly answer: 'parts'; readonly parts: readonly PartAnswer[] }
  /** Neither: it ends here, and whatever is at the carrier is handled there. */
  | { readonly answer: 'give-up' };

/** Why an operator's wish cannot be met now. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible';
}

/** Numbers that cannot be those of these parcels. */
export class NumbersNotPossible extends Error {
  override readonly name = 'NumbersNotPossible';
}

const MESSAGE_WAVE = 1;
const MAY_BE_TRIED_AGAIN: readonly string[] = ['refused', 'incomplete', 'set-aside'];

/**
 * Takes up what has failed: the shipment is read anew, what is booked stays booked.
 * @param instead what can be done with a booking that has not failed; a refusal names it
 */
export function takeUpAgain(consignment: Consignment, now: Date, instead: readonly string[] = []): Consignment {
  if (consignment.waitsForPerson) {
    throw new NotPossible('it may be booked already: look at the carrier and use "resolve"');
  }
  if (consignment.dueAt !== null && !MAY_BE_TRIED_AGAIN.includes(consignment.state))
    return { ...consignment, dueAt: now };
  if (!MAY_BE_TRIED_AGAIN.includes(consignment.state)) {
    throw new NotPossible(whyNotAgain(consignment.state, instead));
  }
  return newRun(consignment, now);
}

function whyNotAgain(state: Consignment['state'], instead: readonly string[]): string {
  if (state === 'closed') return ['it is closed: all parcels are booked', ...instead].join('; ');
  if (state === 'cancelled') return 'it is cancelled: a new transport booking in the IMS books the shipment again';
  return `it is ${state}: only what is ${MAY_BE_TRIED_AGAIN.join(', ')} can be tried again`;
}

/**
 * Settles a doubt with what a person saw at the carrier, or gives booked parcels the numbers that their carrier's answer did
 * not give them. Numbers are compared afterwards: see `requireUsable`.
 */
export function resolve(consignment: Consignment, resolution: Resolution, now: Date): Consignment {
  const open = openParts(consignment);
  if (open.length === 0) throw new NotPossible('it is not in doubt: it does not wait for an answer');
  if (resolution.answer === 'give-up') return giveUpByHand(consignment, now);
  const answers = answersByReference(open, resolution);
  const parts = consignment.parts.map((part) => {
    const answer = open.includes(part) ? answers.get(part.request.reference) : undefined;
    return answer ? settlePart(part, answer) : part;
  });
  return newRun({ ...consignment, waitsForPerson: false, parts }, now);
}

/** What a person can settle: requests in doubt, or, once all has ended, booked parcels without a number to be believed. */
function openParts(consignment: Consignment): readonly Part[] {
  if (consignment.waitsForPerson) return consignment.parts.filter(isDoubtful);
  if (consignment.state !== 'incomplete' || consignment.dueAt !== null) return [];
  return partsIn(consignment, 'booked').filter((part) => hasUnusableNumbers(part) || part.unmatched.length > 0);
}

/**
 * Compares what a person has typed as a carrier's answer is compared.
 * @param pattern the form of the carrier's tracking numbers; `null`: nothing documents it
 * @throws NumbersNotPossible
 */
export function requireUsable(before: Consignment, after: Consignment, pattern: RegExp | null): void {
  const known = new Set(before.parts.flatMap(({ unusable = [] }) => unusable));
  const judged = withoutUnusable(after, { pattern, taken: [] }).parts.flatMap(({ unusable = [] }) => unusable);
  const wrong = judged.filter((one) => !known.has(one)).map(whyUnusable);
  if (wrong.length > 0) throw new NumbersNotPossible([...new Set(wrong)].join('; '));
}

function whyUnusable({ given, because }: UnusableNumber): string {
  return because === 'twice'
    ? `several parcels have ${given}: each has a tracking number of its own`
    : `"${given}" cannot be a number of this carrier: look it up again`;
}

/**
 * Ended by a person, who did not find out: whoever waits for it is told that it may be at the carrier. Given up is not
 * cleared up: whoever tries it again is asked again. What is certainly booked is still cancelled where somebody wants that.
 */
function giveUpByHand(consignment: Consignment, now: Date): Consignment {
  if (!consignment.waitsForPerson) throw new NotPossible('it has ended: there is nothing to give up');
  const settled = { ...consignment, waitsForPerson: false };
  const { cancelWanted, addressee } = settled;
  const message = say('ended-by-hand', { ...subject(settled), reference: doubtfulReferences(settled) });
  const told = tell({ ...settled, addressee: cancelWanted ?? addressee }, MESSAGE_WAVE, [message]);
  return {
    ...settled,
    state: failedEnd(settled),
    cancelWanted: partsIn(settled, 'booked').length > 0 ? cancelWanted : null,
    effects: [...settled.effects, ...told],
    tries: 0,
    dueAt: now,
  };
}

/** @throws NotPossible unless every reference in doubt has one answer, and no other has one */
function answersByReference(
  open: readonly Part[],
  resolution: Exclude<Resolution, { answer: 'give-up' }>,
): ReadonlyMap<string, PartAnswer> {
  const wanted = open.map((part) => part.request.reference);
  const given = resolution.answer === 'parts' ? resolution.parts : forTheOnly(wanted, resolution);
  const answers = new Map(given.map((answer) => [answer.reference, answer]));
  if (answers.size < given.length) throw new NotPossible('each reference is answered once');
  const strange = [...answers.keys()].filter((reference) => !wanted.includes(reference));
  if (strange.length > 0)
    throw new NotPossible(`${strange.join(', ')} is not in doubt; in doubt: ${wanted.join(', ') || 'nothing'}`);
  const missing = wanted.filter((reference) => !answers.has(reference));
  if (missing.length > 0) throw new NotPossible(`an answer is missing for ${missing.join(', ')}`);
  return answers;
}

/** One answer is for one reference: of several, some may be booked and some not. */
function forTheOnly(
  wanted: readonly string[],
  resolution: Extract<Resolution, { answer: 'booked' | 'not-booked' }>,
): readonly PartAnswer[] {
  if (wanted.length > 1) throw new NotPossible(`${wanted.join(', ')} are in doubt: answer for each of them in "parts"`);
  return wanted.map((reference) => {
    if (resolution.answer === 'not-booked') return { reference, outcome: 'not-booked' };
    const { carrierNumber, trackingNumbers } = resolution;
    return { reference, outcome: 'booked', carrierNumber, trackingNumbers };
  });
}

function isDoubtful(part: Part): boolean {
  return part.state === 'in-doubt' || part.state === 'sending';
}

/** Begins anew with the parts as they are: the shipment is read again, what is booked stays booked. */
export function newRun(consignment: Consignment, now: Date): Consignment {
  return {
    ...consignment,
    state: 'received',
    outcome: null,
    claimed: false,
    compensating: false,
    shortfalls: [],
    effects: standingMessages(consignment),
    tries: 0,
    heldUntil: null,
    waitingFor: null,
    run: consignment.run + 1,
    runStartedAt: now,
    dueAt: now,
  };
}

/** What the worker was told last, or is about to be told: it is not said again while it stays true. */
function standingMessages({ effects, run }: Consignment): Consignment['effects'] {
  return effects.filter(
    ({ key, call, state }) => call.kind === 'message' && (state === 'done' || state === 'open') && isOfRun(key, run),
  );
}

function settlePart(part: Part, answer: PartAnswer): Part {
  const { reference, parcels: wanted } = part.request;
  if (answer.outcome === 'not-booked') {
    if (part.state !== 'booked') return { ...part, state: 'refused' };
    throw new NotPossible(`${reference}: it is booked, so only its numbers can be given`);
  }
  const { trackingNumbers } = answer;
  requireKnown(part, Object.keys(trackingNumbers));
  const believed = new Map(part.booking?.parcels.map((parcel) => [parcel.parcelId, parcel]));
  const parcels = wanted.map(({ id }) => {
    const trackingNumber = trackingNumbers[id];
    if (trackingNumber) return { kind: 'booked' as const, parcelId: id, trackingNumber, trackingUrl: null };
    const known = believed.get(id);
    if (known) return known;
    throw new NotPossible(`container ${id} needs its tracking number`);
  });
  const carrierNumber = answer.carrierNumber ?? part.booking?.carrierNumber ?? null;
  const booking: Booking = { carrierNumber, parcels, labelSource: part.booking?.labelSource ?? null };
  // Its label is fetched anew where that can be done: what came with wrong numbers shows them.
  return { ...part, state: 'booked', booking, labels: 'missing', unmatched: [], unusable: [] };
}

/** A number under a wrong id would be lost without a word. */
function requireKnown(part: Part, ids: readonly string[]): void {
  const known = new Set(part.request.parcels.map((parcel) => parcel.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new NotPossible(`${part.request.reference} has no container ${unknown.join(', ')}`);
}
