import type { Booking } from '../../../carriers/contract/model.js';
import { type Area, documentOfBooking } from '../../areas/area.js';
import {
  type Consignment,
  type Part,
  type UnusableNumber,
  carrierName,
  hasUnusableNumbers,
  isOfRun,
  partsIn,
} from '../consignment.js';
import { say } from '../../messages/message.js';
import { toldNumbers } from './beside.js';
import { certainFrom, doubtfulReferences, unanswered } from './doubts.js';
import { failedEnd, stillBookedNotice } from './endings.js';
import { withoutUnusable } from './numbers.js';
import { subject, tell } from './booking-messages.js';
import { statesThat } from '../states.js';

/** The numbers of a booking as a person read them at the carrier. */
export interface FoundNumbers {
  readonly carrierNumber: string | null;
  /** The tracking numbers, by the id of the container. */
  readonly trackingNumbers: Readonly<Record<string, string>>;
}

/** What a person found out about one of several references. */
export type PartAnswer = { readonly reference: string } & (
  ({ readonly outcome: 'booked' } & FoundNumbers) | { readonly outcome: 'not-booked' }
);

/** A request as the person saw it who answers about it. */
export interface LookedUpRequest {
  /** `null`: all that are in doubt. */
  readonly reference: string | null;
  /** `null`: not by us. */
  readonly sentAt: Date | null;
}

/** What a person found out about a booking in doubt. */
export type Resolution = Found & {
  /** Missing: the person does not say which requests it is about, and it is about those of now. */
  readonly seen?: readonly LookedUpRequest[];
};

type Found =
  /** The carrier has it, under these numbers. */
  | ({ readonly answer: 'booked' } & FoundNumbers)
  /** The carrier does not have it: book again. */
  | { readonly answer: 'not-booked' }
  /** Several are in doubt: each has its own answer. */
  | { readonly answer: 'parts'; readonly parts: readonly PartAnswer[] }
  /** Ends the consignment here; a person handles what is at the carrier. */
  | { readonly answer: 'give-up' };

/** The action is not possible now; the message is the reason. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible';
}

/** The numbers cannot belong to these parcels. */
export class NumbersNotPossible extends Error {
  override readonly name = 'NumbersNotPossible';
}

const MESSAGE_WAVE = 1;
const MAY_BE_TRIED_AGAIN = statesThat(({ newRun }) => newRun !== 'never');

/** Facts for the text of the error, where the consignment cannot be resumed. */
interface Resuming {
  /** The actions that are possible on a booking that has not failed. */
  readonly instead?: readonly string[];
  /** The consignment's; missing: it is not configured any more. */
  readonly area?: Pick<Area, 'bookOn'> | undefined;
}

/** Begins a new run of a failed consignment: the shipment is read again, booked parts stay booked. */
export function resume(consignment: Consignment, now: Date, resuming: Resuming = {}): Consignment {
  if (consignment.needsOperator) {
    throw new NotPossible('it may be booked already: look at the carrier and use "resolve"');
  }
  if (consignment.dueAt !== null && !MAY_BE_TRIED_AGAIN.includes(consignment.state))
    return { ...consignment, dueAt: now };
  if (!MAY_BE_TRIED_AGAIN.includes(consignment.state)) {
    throw new NotPossible(whyNotAgain(consignment, resuming));
  }
  return newRun(consignment, now);
}

function whyNotAgain({ state, bookedOn }: Consignment, { instead = [], area }: Resuming): string {
  const document = documentOfBooking(bookedOn, area).replace('-', ' ');
  if (state === 'closed') return ['it is closed: all parcels are booked', ...instead].join('; ');
  if (state === 'cancelled') return `it is cancelled: a new ${document} in the IMS books the shipment again`;
  return `it is ${state}: only what is ${MAY_BE_TRIED_AGAIN.join(', ')} can be tried again`;
}

/**
 * Resolves parts in doubt with what a person saw at the carrier, or gives booked parcels the numbers that the carrier's
 * answer lacked. `requireUsable` compares the numbers afterwards.
 */
export function applyResolution(consignment: Consignment, resolution: Resolution, now: Date): Consignment {
  const open = openParts(consignment);
  if (open.length === 0) throw new NotPossible('it is not in doubt: it does not wait for an answer');
  const since = open.map(seenNow).find((request) => isSentSince(request, resolution));
  if (since) throw new NotPossible(`${since.reference} ${SENT_SINCE}`);
  if (resolution.answer === 'give-up') return giveUpByHand(consignment, now);
  const answers = answersByReference(open, resolution);
  const parts = consignment.parts.map((part) => {
    const answer = open.includes(part) ? answers.get(part.request.reference) : undefined;
    return answer ? settlePart(part, answer) : part;
  });
  return newRun({ ...consignment, needsOperator: false, parts }, now);
}

/** What is wrong with an answer about a request that was sent since. */
export const SENT_SINCE =
  'was sent again since it was listed: open the list or export the table again, and look it up once more';

/** Whether the answer is about an earlier request of this reference. */
export function isSentSince(
  { reference, sentAt }: { readonly reference: string; readonly sentAt: Date | null },
  { seen = [] }: Resolution,
): boolean {
  return seen.some((one) => (one.reference ?? reference) === reference && one.sentAt?.getTime() !== sentAt?.getTime());
}

function seenNow({ request, sentAt }: Part) {
  return { reference: request.reference, sentAt: sentAt === null ? null : new Date(sentAt) };
}

/**
 * Parts that a person can resolve: parts in doubt, or, once all parts have ended, booked parts with a parcel without a
 * believed number.
 */
function openParts(consignment: Consignment): readonly Part[] {
  if (consignment.needsOperator) return consignment.parts.filter(isDoubtful);
  if (consignment.state !== 'incomplete' || consignment.dueAt !== null) return [];
  return partsIn(consignment, 'booked').filter((part) => hasUnusableNumbers(part) || part.unmatched.length > 0);
}

/**
 * Compares numbers that a person entered in the same way as a carrier's answer.
 * @param pattern the form of the carrier's tracking numbers; `null`: not documented
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
 * A carrier that may still book a request must not get it a second time.
 * @param visibleAfterMs how long after its work the carrier shows a booking
 * @throws NotPossible
 */
export function requireAbsence(
  before: Consignment,
  after: Consignment,
  { now, visibleAfterMs }: { readonly now: Date; readonly visibleAfterMs: number },
): void {
  const answered = new Set(partsIn(after, 'refused').map(({ n }) => n));
  for (const part of unanswered(before)) {
    const from = certainFrom(part, visibleAfterMs);
    if (!answered.has(part.n) || from === null || from <= now) continue;
    const happened = `${part.request.reference} may still appear at ${carrierName(before)}`;
    throw new NotPossible(`${happened} until ${from.toISOString()}: look again then`);
  }
}

/**
 * Ends a consignment in doubt on a person's request; the message says that it may be at the carrier. The parts stay in
 * doubt, so a later run asks the carrier again. Booked parts are still cancelled where that was asked for.
 */
function giveUpByHand(consignment: Consignment, now: Date): Consignment {
  if (!consignment.needsOperator) throw new NotPossible('it has ended: there is nothing to give up');
  const settled = { ...consignment, needsOperator: false };
  const { cancelRequest, addressee } = settled;
  const message = say('ended-by-hand', { ...subject(settled), reference: doubtfulReferences(settled) });
  const told = tell({ ...settled, addressee: cancelRequest ?? addressee }, MESSAGE_WAVE, [message]);
  const state = failedEnd(settled);
  const notice = state === 'refused' && cancelRequest === null ? stillBookedNotice(settled) : [];
  return {
    ...settled,
    state,
    cancelRequest: state === 'refused' ? null : cancelRequest,
    effects: [...settled.effects, ...told, ...notice],
    attempts: 0,
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

/** Takes an answer for one reference only: of several, some may be booked and some not. */
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

/** Begins a new run: the shipment is read again, booked parts stay booked. */
export function newRun(consignment: Consignment, now: Date): Consignment {
  return {
    ...consignment,
    state: 'received',
    outcome: null,
    claimed: false,
    compensating: false,
    shortfalls: [],
    effects: standingMessages(consignment),
    attempts: 0,
    parkedUntil: null,
    areaMissingSince: null,
    waitingFor: null,
    run: consignment.run + 1,
    runStartedAt: now,
    dueAt: now,
  };
}

/**
 * The messages that the worker got last, or will get: they are not repeated while they stay true. Those about numbers
 * that stay booked beside this booking are kept of each run: the numbers are not handed out again.
 */
function standingMessages({ effects, run }: Consignment): Consignment['effects'] {
  return effects.filter((effect) => {
    const { key, call, state } = effect;
    const isOfLast = call.kind === 'message' && (state === 'done' || state === 'open') && isOfRun(key, run);
    return isOfLast || toldNumbers(effect) !== null;
  });
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
    const parcel = believed.get(id);
    if (parcel) return parcel;
    throw new NotPossible(`container ${id} needs its tracking number`);
  });
  const known = isOfAnother(part) ? null : part.booking;
  const carrierNumber = answer.carrierNumber ?? known?.carrierNumber ?? null;
  const booking: Booking = { carrierNumber, parcels, labelSource: known?.labelSource ?? null };
  // The labels that came with wrong numbers show those numbers, so they are fetched again.
  return { ...part, state: 'booked', booking, labels: 'missing', unmatched: [], unusable: [] };
}

/**
 * Whether the carrier's answer was about another booking: by its number that one's label would be fetched, and that one
 * cancelled.
 */
function isOfAnother({ booking, unusable = [] }: Part): boolean {
  const isBelieved = booking?.parcels.some(({ kind }) => kind === 'booked') ?? false;
  return !isBelieved && unusable.some(({ because }) => because === 'other-request' || because === 'taken');
}

/** Refuses an unknown container id, because its number would be lost silently. */
function requireKnown(part: Part, ids: readonly string[]): void {
  const known = new Set(part.request.parcels.map((parcel) => parcel.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new NotPossible(`${part.request.reference} has no container ${unknown.join(', ')}`);
}
