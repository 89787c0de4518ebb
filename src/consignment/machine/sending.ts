import type { Problem } from '../../../carriers/contract/model.js';
import { type Consignment, type Part, isEarlier, partsIn } from '../consignment.js';
import type { MessageDraft } from '../../messages/message.js';
import { LOOK_UP_AGAIN_MS, tryAgainLater } from './retry-policy.js';
import { type Wait, delayMs } from '../../worker/backoff.js';
import { doubts, toRepeat } from './doubts.js';
import { allOrNone, askPerson, giveUp, isGivenUp } from './endings.js';
import type { TransitionContext, Fact, LookUpResult, SendResult } from './facts.js';
import { ofAnotherRequest, withoutUnusable } from './numbers.js';
import { notLookedUp, refusals } from './booking-messages.js';

/** Marks these parts as sending. Once this is committed, an instance that loads them treats the outcome as unknown. */
export function aboutToSend(consignment: Consignment, numbers: readonly number[], now: Date): Consignment {
  const parts = consignment.parts.map((part): Part =>
    numbers.includes(part.n)
      ? { ...part, state: 'sending', attempt: part.attempt + 1, sentAt: now.toISOString() }
      : part,
  );
  return { ...consignment, parts, state: 'booking' };
}

/** The carrier's answers to what was sent. */
export function sent(
  consignment: Consignment,
  { results, taken = [] }: Extract<Fact, { kind: 'sent' }>,
  transitionContext: TransitionContext,
): Consignment {
  const parts = consignment.parts.map((part) => {
    const result = results.find((candidate) => candidate.n === part.n);
    if (!result) return part;
    // After several lost answers only a person can resolve the part, so it has to be in doubt.
    return leavesTheDoubt(consignment, result)
      ? { ...part, state: 'in-doubt' as const }
      : withResult(part, result, transitionContext);
  });
  const after = withoutUnusable({ ...consignment, parts }, { pattern: transitionContext.numberPattern, taken });
  if (results.some((result) => leavesTheDoubt(consignment, result)))
    return askPerson(after, transitionContext.now, notLookedUp(after, unsentBecause(results)));
  if (partsIn(after, 'in-doubt').length > 0) return inDoubt(after, transitionContext);
  const messages = after.parts.flatMap((part) => refusalsOf(after, part, results));
  if (messages.length > 0 && toRepeat(after).length === 0) return allOrNone(after, messages, transitionContext);
  const waiting = results.flatMap((result) => (result.kind === 'unavailable' ? [result] : []));
  if (waiting.length > 0) return waitForCarrier(after, waiting, transitionContext);
  return afterAnswer(after, transitionContext.now);
}

function withResult(part: Part, result: SendResult, transitionContext: TransitionContext): Part {
  switch (result.kind) {
    case 'booked': {
      const refused = result.booking.parcels.flatMap((parcel) => (parcel.kind === 'refused' ? parcel.problems : []));
      const anyBooked = result.booking.parcels.some((parcel) => parcel.kind === 'booked');
      const answered: Part = {
        ...part,
        state: anyBooked ? 'booked' : 'refused',
        booking: result.booking,
        labels: result.labels,
        problems: anyBooked ? refused : withReason(refused),
      };
      const { answersReference = part.request.reference } = result;
      return answersReference === part.request.reference ? answered : ofAnotherRequest(answered, answersReference);
    }
    case 'rejected':
      return { ...part, state: 'refused', problems: withReason(result.problems) };
    case 'unavailable':
      return { ...part, state: 'planned', attempt: part.attempt - 1, sentAt: null };
    case 'unknown':
      return { ...part, state: 'in-doubt', quietFrom: quietFrom(result, transitionContext).toISOString() };
  }
}

/**
 * The time from which the carrier certainly does not work on a request whose answer was lost. Silence proves nothing:
 * the request may wait in a queue there and be booked after our lookup.
 */
function quietFrom(
  { work }: Extract<SendResult, { kind: 'unknown' }>,
  { now, bookingEndsWithinMs }: TransitionContext,
): Date {
  return work === 'ended' ? now : new Date(now.getTime() + bookingEndsWithinMs);
}

/** Gives a refusal without a reason a text of its own. */
function withReason(problems: readonly Problem[]): readonly Problem[] {
  return problems.length > 0 ? problems : [{ code: null, text: 'no reason was given', parcelId: null }];
}

/**
 * Looks the booking up at once after the first lost answer, later after a delay: a carrier that loses every answer must
 * not be asked to book in a tight loop.
 */
function inDoubt(consignment: Consignment, { now, random }: TransitionContext): Consignment {
  const attempts = Math.max(...partsIn(consignment, 'in-doubt').map((part) => part.attempt));
  const delay = attempts > 1 ? delayMs(attempts - 2, null, random) : 0;
  return { ...consignment, state: 'in-doubt', attempts: 0, dueAt: new Date(now.getTime() + delay) };
}

/**
 * A refusal after a lost answer leaves the doubt. "Reference exists" means that the first request was booked; and a
 * carrier that is closed now may have been open before.
 */
function leavesTheDoubt(before: Consignment, result: SendResult): boolean {
  const part = before.parts.find((candidate) => candidate.n === result.n);
  if (result.kind !== 'rejected' || !part) return false;
  if (result.because === 'duplicate') return part.attempt > 1;
  return result.because !== 'data' && part.quietFrom !== null;
}

/** Why the account could not be used. */
function unsentBecause(results: readonly SendResult[]): readonly Problem[] {
  return results.flatMap((one) => (one.kind === 'rejected' && one.because === 'account' ? one.problems : []));
}

function refusalsOf(consignment: Consignment, part: Part, results: readonly SendResult[]): readonly MessageDraft[] {
  const result = results.find((candidate) => candidate.n === part.n);
  if (part.problems.length === 0) return [];
  const because = result?.kind === 'rejected' && result.because !== 'duplicate' ? result.because : 'data';
  return refusals(consignment, part, because);
}

function waitForCarrier(
  consignment: Consignment,
  waits: readonly Wait[],
  transitionContext: TransitionContext,
): Consignment {
  if (isGivenUp(consignment, transitionContext)) return giveUp(consignment, transitionContext, 'carrier');
  return tryAgainLater(consignment, waits, transitionContext);
}

function afterAnswer(consignment: Consignment, now: Date): Consignment {
  const all = partsIn(consignment, 'planned', 'sending', 'in-doubt').length === 0;
  return { ...consignment, state: all ? 'booked' : 'booking', attempts: 0, dueAt: now };
}

/** Applies the result of a lookup to a part in doubt. */
export function lookedUp(
  consignment: Consignment,
  fact: Extract<Fact, { kind: 'looked-up' }>,
  transitionContext: TransitionContext,
): Consignment {
  const { result } = fact;
  const doubtful = withPart(consignment, fact.n, (part) => inDoubtSince(part, transitionContext));
  if (result.kind === 'person') {
    const why = result.problem === undefined ? [] : [result.problem];
    return askPerson(doubtful, transitionContext.now, notLookedUp(doubtful, why));
  }
  if (result.kind === 'absent' && result.conclusiveAt > result.askedAt)
    return lookUpAgain(doubtful, { ...result, n: fact.n }, transitionContext);
  const noMoreIsSent = mustNotSendAgain(consignment, fact.n, transitionContext);
  if (noMoreIsSent && result.kind === 'send-again') return askPerson(doubtful, transitionContext.now);
  const found = withPart(consignment, fact.n, (part) => cleared(part, result));
  const after = withoutUnusable(found, { pattern: transitionContext.numberPattern, taken: fact.taken ?? [] });
  if (noMoreIsSent && result.kind === 'absent') return giveUp(after, transitionContext, 'carrier');
  return withoutThisDoubt(after, fact.n, transitionContext);
}

/** Tells whether a part of an earlier run needs no repetition to settle it. */
function isSettledEarlier(consignment: Consignment, n: number): boolean {
  const isOpen = toRepeat(consignment).some((part) => part.n === n);
  return !isOpen && consignment.parts.some((part) => part.n === n && isEarlier(part, consignment));
}

/** Another document may have booked the shipment since, or this one may be cancelled: `prepare` looks before more is sent. */
function planAnew(consignment: Consignment, n: number, now: Date): Consignment {
  const settled = withPart(consignment, n, ({ state }) =>
    state === 'planned' ? { state: 'refused' } : { isUntold: state === 'booked' },
  );
  return { ...settled, state: 'received', attempts: 0, dueAt: now };
}

/** A part that is still `sending` lost its sender; no request leaves after that, but the carrier may still work on it. */
function inDoubtSince({ state, quietFrom }: Part, { now, bookingEndsWithinMs }: TransitionContext): Partial<Part> {
  const endsAt = new Date(now.getTime() + bookingEndsWithinMs).toISOString();
  return { state: 'in-doubt', quietFrom: state === 'sending' ? endsAt : quietFrom };
}

/** Schedules the next lookup: often at first, since most bookings show within seconds. */
function lookUpAgain(
  consignment: Consignment,
  { n, quietFrom, conclusiveAt }: Extract<LookUpResult, { kind: 'absent' }> & { readonly n: number },
  { now, random }: TransitionContext,
): Consignment {
  const wait = Math.max(0, conclusiveAt.getTime() - now.getTime());
  const pause = Math.min(LOOK_UP_AGAIN_MS, delayMs(consignment.attempts, null, random), wait);
  return {
    ...withPart(consignment, n, () => ({ quietFrom: quietFrom.toISOString() })),
    state: 'in-doubt',
    attempts: consignment.attempts + 1,
    dueAt: new Date(now.getTime() + pause),
  };
}

/** Answers to several requests for the part were lost, and its worker has waited long enough. */
function mustNotSendAgain(consignment: Consignment, n: number, transitionContext: TransitionContext): boolean {
  const attempts = consignment.parts.find((part) => part.n === n)?.attempt ?? 0;
  return attempts > 1 && isGivenUp(consignment, transitionContext);
}

/** Handles refused parts once no part is in doubt, before anything more is sent. */
function withoutThisDoubt(consignment: Consignment, n: number, transitionContext: TransitionContext): Consignment {
  if (isSettledEarlier(consignment, n)) return planAnew(consignment, n, transitionContext.now);
  const messages = consignment.parts.flatMap((part) => refusalsOf(consignment, part, []));
  if (doubts(consignment).length === 0 && messages.length > 0)
    return allOrNone(consignment, messages, transitionContext);
  return afterAnswer(consignment, transitionContext.now);
}

function cleared(part: Part, result: Exclude<LookUpResult, { kind: 'person' }>): Partial<Part> {
  switch (result.kind) {
    case 'found':
      return {
        state: 'booked',
        booking: result.booking,
        unmatched: result.unmatched,
        labels: result.labels ?? 'missing',
      };
    case 'absent':
      return { state: 'planned', quietFrom: null };
    case 'send-again':
      return { state: 'planned', quietFrom: part.quietFrom ?? part.sentAt };
  }
}

function withPart(consignment: Consignment, n: number, change: (part: Part) => Partial<Part>): Consignment {
  return {
    ...consignment,
    parts: consignment.parts.map((part) => (part.n === n ? { ...part, ...change(part) } : part)),
  };
}
