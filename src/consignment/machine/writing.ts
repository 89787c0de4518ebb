import { isDeepStrictEqual } from 'node:util';
import {
  type Consignment,
  type Effect,
  type EffectCall,
  attachmentOf,
  bookedParcels,
  shipmentName,
} from '../consignment.js';
import { END_STATES } from '../states.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { MAX_IMS_ATTEMPTS_AFTERWARDS, MAX_ATTEMPTS_AFTERWARDS, tryAgainLater, waitForNewDay } from './retry-policy.js';
import { MAX_WITH_IMS_MS } from '../../worker/backoff.js';
import { endWith, settle } from './endings.js';
import { paperMessages } from './papers/customs-papers.js';
import { withoutUnattachedSheet } from './papers/error-sheet-effects.js';
import type { TransitionContext, EffectResult, Fact } from './facts.js';
import { subject, tell } from './booking-messages.js';

const PRINT_WAVE = 9;
const AFTERWARDS_WAVE = 10;

/** Applies the IMS's answers to a wave of effects. */
export function written(
  consignment: Consignment,
  fact: Extract<Fact, { kind: 'written' }>,
  transitionContext: TransitionContext,
): Consignment {
  const tried = withResults(consignment, fact.results);
  if (fact.newDayAt) return waitForNewDay(tried, fact.newDayAt, transitionContext);
  const { after: attempted, waits } = stillOpen(tried, fact, transitionContext);
  if (waits) return tryAgainLater(attempted, [fact], transitionContext);
  const after = withoutUnattachedSheet(attempted);
  if (after.effects.some((effect) => effect.state === 'open'))
    return { ...after, attempts: 0, dueAt: transitionContext.now };
  if (after.state === 'labelled' && after.outcome === null) return writtenBack(after, transitionContext);
  // A message was sent before the end; there are no problems to collect yet.
  if (!isEnding(after)) return { ...after, dueAt: transitionContext.now };
  return settle(withAfterthoughts(after, transitionContext.now));
}

function isEnding({ state, outcome, needsOperator }: Consignment): boolean {
  return needsOperator || END_STATES.includes(outcome ?? state);
}

function withResults(consignment: Consignment, results: readonly EffectResult[]): Consignment {
  const effects = consignment.effects.map((effect): Effect => {
    const result = results.find((candidate) => candidate.key === effect.key);
    return result ? { ...effect, state: result.state, note: result.note } : effect;
  });
  return { ...consignment, effects };
}

/** Schedules open effects again, or gives them up after the time that a worker waits. */
function stillOpen(
  consignment: Consignment,
  { results, imsAnswers }: Extract<Fact, { kind: 'written' }>,
  transitionContext: TransitionContext,
): { readonly after: Consignment; readonly waits: boolean } {
  const tried = new Set(results.filter((result) => result.state === 'open').map((result) => result.key));
  if (tried.size === 0) return { after: consignment, waits: false };
  const answered = imsAnswers ?? results.some((result) => result.state !== 'open');
  if (!isLate(consignment, answered ? 'some' : 'none', transitionContext)) return { after: consignment, waits: true };
  const effects = consignment.effects.map((effect): Effect =>
    tried.has(effect.key) ? { ...effect, state: 'failed' } : effect,
  );
  return { after: { ...consignment, effects }, waits: false };
}

/**
 * @param answered whether the IMS took an effect of this wave, or answers other requests: then a failure is not a lost
 * connection
 */
function isLate(consignment: Consignment, answered: 'some' | 'none', transitionContext: TransitionContext): boolean {
  if (END_STATES.includes(consignment.state)) {
    return consignment.attempts >= (answered === 'some' ? MAX_ATTEMPTS_AFTERWARDS : MAX_IMS_ATTEMPTS_AFTERWARDS);
  }
  const elapsed = transitionContext.now.getTime() - consignment.runStartedAt.getTime();
  return elapsed > (answered === 'some' ? transitionContext.giveUpAfterMs : MAX_WITH_IMS_MS);
}

/** The first wave has ended: prints and sets DONE, or tells the worker and sets FAILED. */
function writtenBack(consignment: Consignment, transitionContext: TransitionContext): Consignment {
  const { now } = transitionContext;
  const thisRun = consignment.effects.filter((effect) => effect.key.endsWith(`:${consignment.run}`));
  const failed = thisRun.filter(({ state, call }) => state === 'failed' && call.kind !== 'return-attachment');
  const attachment = attachmentOf(consignment);
  const attached = attachment?.state === 'done';
  const unattached =
    attachment && !attached ? [notAttached(consignment, attachment, transitionContext.labelLink())] : [];
  const messages = [
    ...warningsOf(consignment),
    ...consignment.shortfalls,
    ...failed.filter((effect) => effect !== attachment).map((effect) => writeBackFailed(consignment, effect)),
    ...unattached,
    ...returnsNotAttached(consignment, thisRun),
    ...paperMessages(consignment),
  ];
  if (failed.length > 0 || consignment.shortfalls.length > 0) {
    return endWith(consignment, 'incomplete', { messages, status: 'FAILED', now });
  }
  const isToBePrinted = attachment !== undefined && canBePrinted(consignment, transitionContext.printing);
  const printing = isToBePrinted ? prints(consignment, attached ? null : attachment) : [];
  const ready = consignment.documentId === null ? [readyMessage(consignment)] : [];
  return endWith({ ...consignment, effects: [...consignment.effects, ...printing] }, 'closed', {
    messages: [...messages, ...fewPages(consignment, attachment), ...ready],
    status: 'DONE',
    now,
  });
}

/** The parcels' own labels are there, so the booking ends as if these were not asked for. */
function returnsNotAttached(consignment: Consignment, effects: readonly Effect[]): readonly MessageDraft[] {
  const lost = effects.filter(({ call, state }) => call.kind === 'return-attachment' && state !== 'done');
  const container = consignment.parts.flatMap(({ request }) => request.parcels.map(({ label }) => label)).join(', ');
  return lost.map(({ note }) =>
    say('return-label-missing', { ...subject(consignment), container, problem: note ?? 'it is not attached' }),
  );
}

function warningsOf({ plan }: Consignment): readonly MessageDraft[] {
  return plan?.warnings ?? [];
}

/** Fewer label pages than parcels: a person has to check, since the carrier may have a reason. */
function fewPages(consignment: Consignment, attachment: Effect | undefined): readonly MessageDraft[] {
  const pages = attachment?.call.kind === 'attachment' ? attachment.call.pages : null;
  const parcels = bookedParcels(consignment).length;
  return pages === null || pages >= parcels ? [] : [say('label-pages', { ...subject(consignment), pages, parcels })];
}

/**
 * One request to print for each copy, unless one request can name their number.
 * @param unattached the attachment that failed, so that nothing can be printed; `null`: it is there
 */
function prints(consignment: Consignment, unattached: Effect | null): readonly Effect[] {
  if (unattached !== null) return [notPrinted(consignment, unattached)];
  const calls = consignment.plan?.print?.calls ?? 1;
  return Array.from({ length: calls }, (_none, index) => printEffect(consignment, index + 1));
}

function printEffect({ run }: Consignment, copy: number): Effect {
  const call: EffectCall = { kind: 'print' };
  const key = copy === 1 ? `print:${run}` : `print:copy-${copy}:${run}`;
  return { key, wave: PRINT_WAVE, call, state: 'open', note: null };
}

/** @param mode `document` prints by the document, which not every booking has */
export function canBePrinted({ documentId }: Consignment, mode: TransitionContext['printing']): boolean {
  return mode === 'resource' || (mode === 'document' && documentId !== null);
}

/** Records that the label was not printed, because it was not attached. */
function notPrinted(consignment: Consignment, { note }: Effect): Effect {
  return { ...printEffect(consignment, 1), state: 'not-allowed', note };
}

function notAttached(consignment: Consignment, attachment: Effect, link: string): MessageDraft {
  const about = { shipmentNumber: shipmentName(consignment), link };
  const staysOpen = consignment.documentId !== null && !consignment.claimed;
  if (attachment.state !== 'failed') return say(staysOpen ? 'not-attached-open' : 'not-attached', about);
  return say('attach-failed', { ...about, problem: attachment.note ?? '-' });
}

function writeBackFailed(consignment: Consignment, effect: Effect): MessageDraft {
  const what =
    effect.call.kind === 'tracking'
      ? `${effect.call.trackingNumber} (${effect.call.containerId})`
      : effect.call.kind === 'carriers-number'
        ? effect.call.number
        : effect.call.kind === 'customs-paper'
          ? effect.call.fileName
          : effect.call.kind;
  return say('write-back-failed', { ...subject(consignment), what, problem: effect.note ?? '-' });
}

/** Says that labels are ready, for events without a booking document, where nothing else shows it. */
function readyMessage(consignment: Consignment): MessageDraft {
  return say('labels-ready', subject(consignment));
}

/** Adds messages about the last wave: a failed print, and missing scopes. */
function withAfterthoughts(consignment: Consignment, now: Date): Consignment {
  if (consignment.effects.some((effect) => effect.key.startsWith(afterwardsKey(consignment)))) return consignment;
  const thisRun = consignment.effects.filter((effect) => effect.key.endsWith(`:${consignment.run}`));
  const messages = tell(consignment, AFTERWARDS_WAVE, [
    ...eachOnce(thisRun.flatMap((effect) => printMessages(consignment, effect))),
    ...thisRun.flatMap((effect) => statusMessages(consignment, effect)),
  ]);
  const limited = !consignment.claimed || thisRun.some((effect) => effect.state === 'not-allowed');
  const notice: Effect = {
    key: `${afterwardsKey(consignment)}not-allowed`,
    wave: AFTERWARDS_WAVE,
    call: { kind: 'not-allowed-notice', to: consignment.addressee },
    state: limited ? 'open' : 'done',
    note: null,
  };
  return { ...consignment, effects: [...consignment.effects, ...messages, notice], dueAt: now };
}

/** Several copies that fail alike are told once. */
function eachOnce(messages: readonly MessageDraft[]): readonly MessageDraft[] {
  return messages.filter(
    (message, place) => messages.findIndex((other) => isDeepStrictEqual(other, message)) === place,
  );
}

function afterwardsKey(consignment: Consignment): string {
  return `afterwards:${consignment.run}:`;
}

function printMessages(consignment: Consignment, print: Effect): readonly MessageDraft[] {
  const about = subject(consignment);
  if (print.call.kind !== 'print') return [];
  if (print.state === 'failed') return [say('print-failed', { ...about, problem: print.note ?? '-' })];
  return print.state === 'unknown' ? [say('print-unknown', about)] : [];
}

/**
 * Tells the worker when the IMS did not take the last status, for instance because the document was cancelled
 * meanwhile.
 */
function statusMessages(consignment: Consignment, effect: Effect): readonly MessageDraft[] {
  if (effect.call.kind !== 'work-status' || effect.state !== 'failed') return [];
  const { status } = effect.call;
  return [say('status-failed', { shipmentNumber: shipmentName(consignment), status, problem: effect.note ?? '-' })];
}
