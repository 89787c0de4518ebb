import {
  type Consignment,
  type Effect,
  type Part,
  bookedParcels,
  carriersShipmentNumber,
  isMessage,
  partsIn,
  withParts,
} from '../consignment.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { MAX_ATTEMPTS_AFTERWARDS, tryAgainLater } from './retry-policy.js';
import { numbersOf } from './beside.js';
import { doubtfulReferences, doubts } from './doubts.js';
import { endWith, isGivenUp, keepBooked, refuse } from './endings.js';
import type { CancelResult, TransitionContext } from './facts.js';
import { quoteAll, subject, tell } from './booking-messages.js';
import { END_STATES } from '../states.js';

/**
 * Counts a cancellation before it is sent: when the carrier refuses one, an earlier one that got no answer may have succeeded.
 * @param isSent whether a cancellation is sent for a booked part
 */
export function aboutToCancel(consignment: Consignment, isSent: (part: Part) => boolean): Consignment {
  const parts = consignment.parts.map((part): Part =>
    part.state === 'booked' && isSent(part) ? { ...part, cancelAttempts: (part.cancelAttempts ?? 0) + 1 } : part,
  );
  return { ...consignment, parts };
}

/** The carrier refused, but an earlier attempt got no answer: the label must not be used. */
function isPerhapsCancelled(part: Part, result: CancelResult | undefined): boolean {
  return result?.kind === 'refused' && !result.unsent && (part.cancelAttempts ?? 0) > 1;
}

/** The attempts whose outcome is not known after this answer. */
function openAttempts({ cancelAttempts = 0 }: Part, result: CancelResult | undefined): number {
  // A clear "no" to the first attempt is final: a second "no" later does not mean that this one succeeded.
  if (result?.kind === 'refused' && !result.unsent) return 0;
  return result?.kind === 'unavailable' && result.nothingDone ? cancelAttempts - 1 : cancelAttempts;
}

/** The carrier's answers to cancellations of what was booked. */
export function cancelled(
  consignment: Consignment,
  results: readonly CancelResult[],
  transitionContext: TransitionContext,
): Consignment {
  const parts = consignment.parts.map((part): Part => {
    const result = results.find((candidate) => candidate.n === part.n);
    if (result?.kind === 'cancelled' || isPerhapsCancelled(part, result))
      return { ...part, state: 'cancelled', isUntold: !consignment.compensating };
    return { ...part, cancelAttempts: openAttempts(part, result) };
  });
  const uncertain = consignment.parts.filter((part) =>
    isPerhapsCancelled(
      part,
      results.find((candidate) => candidate.n === part.n),
    ),
  );
  const shortfalls =
    uncertain.length > 0 ? [...consignment.shortfalls, perhapsCancelled(consignment, results)] : consignment.shortfalls;
  const after = { ...consignment, parts, shortfalls };
  if (results.some(({ kind }) => kind === 'waits')) return waitForLater(after, results, transitionContext);
  const waiting = results.flatMap((result) => (result.kind === 'unavailable' ? [result] : []));
  if (waiting.length > 0 && !isTooLate(consignment, transitionContext))
    return tryAgainLater(after, waiting, transitionContext);
  return consignment.compensating
    ? compensated(after, transitionContext)
    : cancelRequestAnswered(consignment, after, { results, transitionContext });
}

/**
 * Waits for the answer to the cancellation of a later booking, which ends by itself. The wait counts no attempt: the
 * attempts are for what is sent. What was refused is told with that answer.
 */
function waitForLater(
  consignment: Consignment,
  results: readonly CancelResult[],
  transitionContext: TransitionContext,
): Consignment {
  const isRefused = ({ n }: Part) =>
    results.some((result) => result.n === n && (result.kind === 'refused' || result.kind === 'not-possible'));
  const parts = consignment.parts.map((part) =>
    part.state === 'booked' && isRefused(part) ? { ...part, leftToPerson: true } : part,
  );
  const waits = results.flatMap((one) => (one.kind === 'waits' || one.kind === 'unavailable' ? [one] : []));
  const waiting = tryAgainLater({ ...consignment, parts }, waits, transitionContext);
  const isSent = waits.some(({ kind }) => kind === 'unavailable');
  return isSent ? waiting : { ...waiting, attempts: consignment.attempts };
}

/** Only compensation has a worker who waits; a cancellation that was asked for is limited by its number of attempts. */
function isTooLate(consignment: Consignment, transitionContext: TransitionContext): boolean {
  return consignment.cancelRequest === null
    ? isGivenUp(consignment, transitionContext)
    : consignment.attempts >= MAX_ATTEMPTS_AFTERWARDS;
}

/**
 * Ends a compensation: some parcels were refused, so the booked ones were cancelled, or are kept where the carrier refused
 * that. One of which the carrier never answered may be cancelled: it gets no label, and a person looks.
 */
function compensated(after: Consignment, { now }: TransitionContext): Consignment {
  const left = partsIn(after, 'booked');
  if (left.length === 0) return refuse(after, after.shortfalls, now);
  if (left.every(({ cancelAttempts = 0 }) => cancelAttempts === 0)) return keepBooked(after, after.shortfalls, now);
  const messages = [...after.shortfalls, say('cancel-unanswered', number(after))];
  return endWith(toldOf(after, []), 'incomplete', { messages, status: 'FAILED', now });
}

/**
 * Ends a cancellation that a worker or operator asked for, and tells them the result: of the parts that a later booking
 * has taken over, and of its own.
 */
function cancelRequestAnswered(
  last: Consignment,
  after: Consignment,
  { results, transitionContext }: { results: readonly CancelResult[]; transitionContext: TransitionContext },
): Consignment {
  const { now } = transitionContext;
  const before = asAsked(last);
  const all = partsIn(after, 'booked').length === 0;
  const inDoubt = leftInDoubt(after);
  const answered = withAnswer(toldOf(after, results), [...answers(before, after, results), ...inDoubt]);
  if (!all) return keptAfter(before, answered, now);
  // An outcome that a person left in doubt does not allow "cancelled" as the end.
  const end = inDoubt.length > 0 ? 'refused' : 'cancelled';
  return endWith(answered, end, { messages: [], status: lastStatus(before), now });
}

/** The end of a booking that is not cancelled, or not all of it, although that was asked for. */
function keptAfter(before: Consignment, answered: Consignment, now: Date): Consignment {
  const ended = before.state === 'closed' || before.state === 'incomplete';
  return ended
    ? { ...answered, dueAt: now }
    : endWith(answered, 'incomplete', { messages: [], status: lastStatus(before), now });
}

/** The message about requests that a person ended without finding out whether the carrier booked; empty: there are none. */
function leftInDoubt(consignment: Consignment): readonly MessageDraft[] {
  if (doubts(consignment).length === 0) return [];
  return [say('ended-by-hand', { ...subject(consignment), reference: doubtfulReferences(consignment) })];
}

/** Whether its next step is to cancel booked parts, in the absence of doubts. */
export function isCancelling(consignment: Consignment): boolean {
  const { cancelRequest, compensating } = consignment;
  return (cancelRequest !== null || compensating) && partsIn(consignment, 'booked').length > 0;
}

/** Gives up a cancellation that meets an internal error at each attempt: what is booked is left to a person. */
export function cancelBroke(consignment: Consignment, { now }: TransitionContext): Consignment {
  const { id, cancelRequest, shortfalls } = consignment;
  const numbers = numbersOf(consignment).join(', ');
  const message = say('cancel-internal-error', { ...subject(consignment), numbers, reference: id });
  const left = toldOf(consignment, []);
  if (cancelRequest === null)
    return endWith(left, 'incomplete', { messages: [...shortfalls, message], status: 'FAILED', now });
  return keptAfter(consignment, withAnswer(left, [message, ...leftInDoubt(consignment)]), now);
}

/**
 * The consignment as it was when the cancellation was asked for. Earlier answers of the carrier may have cancelled some of
 * its parts already; those count as booked here, so that the message names them too.
 */
function asAsked(consignment: Consignment): Consignment {
  const parts = consignment.parts.map((part): Part =>
    part.state === 'cancelled' && part.isUntold === true ? { ...part, state: 'booked' } : part,
  );
  return { ...consignment, parts };
}

function answers(before: Consignment, after: Consignment, results: readonly CancelResult[]): readonly MessageDraft[] {
  const elsewhere = partsElsewhere(results);
  if (elsewhere.size === 0) return [answer(before, after, results)];
  const isOwn = ({ n }: Part) => !elsewhere.has(n);
  const own = withParts(before, isOwn);
  const handedOn = HANDED_ON.flatMap(([cancellation, key]) => {
    const handed = withParts(before, ({ n }) => elsewhere.get(n) === cancellation);
    return handed.parts.length === 0 ? [] : [say(key, number(handed))];
  });
  const hasOwn = partsIn(own, 'booked').length > 0;
  return hasOwn ? [...handedOn, answer(own, withParts(after, isOwn), results)] : handedOn;
}

/** The message for each state of the later booking's cancellation. */
const HANDED_ON = [
  ['none', 'cancel-handed-on'],
  ['open', 'cancel-handed-on-open'],
  ['failed', 'cancel-handed-on-refused'],
] as const;

/** The parts that a later booking has taken over, by number. */
function partsElsewhere(results: readonly CancelResult[]): ReadonlyMap<number, (typeof HANDED_ON)[number][0]> {
  return new Map(results.flatMap((one) => (one.kind === 'handed-on' ? [[one.n, one.cancellation]] : [])));
}

function answer(before: Consignment, after: Consignment, results: readonly CancelResult[]): MessageDraft {
  if (partsIn(after, 'booked').length > 0) return failure(before, after, results);
  const [problems] = after.shortfalls.flatMap((one) =>
    one.key === 'cancel-uncertain' ? [one.values['problems']] : [],
  );
  return problems === undefined
    ? say('cancelled', number(before))
    : say('cancel-uncertain', { ...number(before), problems });
}

/** `null` when the document itself was cancelled; `FAILED` when an operator cancelled while it was ON_GOING. */
function lastStatus(before: Consignment): 'FAILED' | null {
  return before.cancelRequest?.by === 'operator' && before.claimed && before.state !== 'closed' ? 'FAILED' : null;
}

/** The worker is told of every part; of what is still booked, to cancel it in the carrier's portal. */
function toldOf(consignment: Consignment, results: readonly CancelResult[]): Consignment {
  const elsewhere = partsElsewhere(results);
  const parts = consignment.parts.map((part) => {
    if (part.state === 'cancelled') return { ...part, isUntold: false };
    return part.state === 'booked' && !elsewhere.has(part.n) ? { ...part, leftToPerson: true } : part;
  });
  return { ...consignment, parts, shortfalls: [] };
}

/** Adds the answer to the person who asked for the cancellation. */
function withAnswer(consignment: Consignment, messages: readonly MessageDraft[]): Consignment {
  const to = consignment.cancelRequest ?? consignment.addressee;
  const effects = tell({ ...consignment, addressee: to }, 1, messages).map((effect) => ({
    ...effect,
    key: `${effect.key}:${to.eventId}`,
  }));
  return { ...consignment, effects: [...withoutWrites(consignment), ...effects], cancelRequest: null, attempts: 0 };
}

/** Drops open writes of the cancelled booking; keeps messages. */
function withoutWrites(consignment: Consignment): readonly Effect[] {
  return consignment.effects.map((effect): Effect => {
    if (isMessage(effect) || (effect.state !== 'open' && effect.state !== 'sent')) return effect;
    return { ...effect, state: effect.state === 'sent' ? 'unknown' : 'failed', note: 'cancelled meanwhile' };
  });
}

function failure(before: Consignment, after: Consignment, results: readonly CancelResult[]): MessageDraft {
  const { problems, isSaid } = whyRefused(results);
  const remaining = numbers(after);
  const gone = numbers(before).filter((one) => !remaining.includes(one));
  if (gone.length > 0) {
    const said = { ...subject(after), cancelled: gone.join(', '), remaining: numbersOf(after).join(', ') };
    if (problems === '') return say('cancel-partly-unknown', said);
    return say(isSaid ? 'cancel-partly' : 'cancel-partly-account-gone', { ...said, problems });
  }
  if (problems !== '') return say(isSaid ? 'cancel-refused' : 'cancel-account-gone', { ...number(after), problems });
  const unanswered = results.some((result) => result.kind === 'unavailable');
  return say(unanswered ? 'cancel-unanswered' : 'cancel-not-possible', number(after));
}

/** What the carrier says, if it says anything; else why nothing was sent. Empty: nothing was refused. */
function whyRefused(results: readonly CancelResult[]): { readonly problems: string; readonly isSaid: boolean } {
  const refused = results.flatMap((result) => (result.kind === 'refused' ? [result] : []));
  const said = refused.filter(({ unsent = false }) => !unsent);
  const isSaid = said.length > 0;
  return { problems: quoteAll((isSaid ? said : refused).flatMap(({ problems }) => problems)), isSaid };
}

function perhapsCancelled(consignment: Consignment, results: readonly CancelResult[]): MessageDraft {
  const problems = quoteAll(results.flatMap((result) => (result.kind === 'refused' ? result.problems : [])));
  return say('cancel-uncertain', { ...number(consignment), problems });
}

function numbers(consignment: Consignment): readonly string[] {
  return bookedParcels(consignment).map((parcel) => parcel.trackingNumber);
}

/** What a person looks for in the carrier's portal: of several bookings the numbers of all. */
function number(consignment: Consignment) {
  const only = carriersShipmentNumber(consignment) ?? consignment.reference ?? '-';
  const isOne = partsIn(consignment, 'booked').length <= 1;
  const carrierNumber = isOne ? only : numbersOf(consignment).join(', ');
  return { ...subject(consignment), carrierNumber };
}

/** Nothing is booked at the carrier: an open consignment ends as cancelled, an ended one keeps its state. */
export function nothingToCancel(consignment: Consignment, transitionContext: TransitionContext): Consignment {
  const { now } = transitionContext;
  if (consignment.compensating) return refuse(consignment, consignment.shortfalls, now);
  const effects = withoutWrites(consignment);
  const after = { ...consignment, effects, cancelRequest: null };
  const ended = END_STATES.includes(consignment.state);
  if (ended) return { ...after, dueAt: effects.some((effect) => effect.state === 'open') ? now : null };
  const parts = consignment.parts.filter((part) => part.state !== 'planned');
  return endWith({ ...after, parts }, 'cancelled', { messages: [], status: lastStatus(consignment), now });
}
