import { NO_PENDING_WRITES, type InFlight, afterRecording, recordIntent, atMostOnce } from './steps/intent.js';
import type { Consignment } from './consignment.js';
import { DatabaseUnavailable } from '../db/database.js';
import { claim, giveBack, loadConsignment } from './ledger/consignment-rows.js';
import { whilePermitted } from '../transport/send-guard.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { redacted } from './redact.js';
import { apply } from './machine/apply.js';
import { aboutToCancel } from './machine/cancelling.js';
import type { Fact } from './machine/facts.js';
import { isBooked, storeLate } from './late-answer.js';
import { type Found, measureEnd, transitionContext, isTaken, outcomeOf, store, storeFact } from './store-outcome.js';
import { type Step, nextStep } from './machine/next-step.js';
import { aboutToSend } from './machine/sending.js';
import { type Sent, book } from './steps/book.js';
import { cancelBooked } from './steps/cancel.js';
import { findOutcome } from './steps/find-outcome.js';
import { fetchLabels } from './steps/fetch-labels.js';
import { prepare } from './steps/prepare.js';
import { write } from './steps/write.js';
import { trace } from './journal.js';
import { LeaseLost } from './ledger/save.js';
import { SequenceConflict } from './ledger/sequence.js';
import type { BookingContext } from './context.js';

/*
 * One consignment advances in rounds.
 *
 * claim    `advance` takes the lease of the row. Another worker holds it: nothing happens.
 * choose   `nextStep` names the next step by the stored state. Step `rest`: the lease is given back, the rounds end.
 * intend   A step whose request must not be repeated blindly (booking, cancelling, at-most-once writes) commits, before
 *          the request leaves, that it is about to be sent. After a crash, the next worker treats its outcome as unknown.
 * run      The step talks to the IMS or the carrier and returns a fact. It changes no state.
 * store    `apply` turns the fact into the next state, which is committed with its journal entries, its labels and the
 *          intent of the at-most-once writes that follow. The rounds end when that state is not due yet.
 *
 * Three facts take another way than `store`:
 * - one that can be found again is deferred: it is committed together with the next one (`defer`);
 * - a booking that was confirmed after the lease was lost is stored in the row of the other worker (`storeLate`);
 * - a plan that conflicts with another booking of the shipment is dropped, and prepared again (`prepareAgain`).
 */

/** More steps in a row mean a loop. */
const MAX_STEPS = 200;

/** Each conflict means that another booking of the shipment has moved on; more at the same moment are not expected. */
const MAX_CONFLICTS = 5;

/**
 * Moves one consignment as far as possible. After a crash, the next worker that claims the row continues from what is
 * stored.
 * @param prepared called when preparing has ended, or is not needed
 * @returns when the row is at rest, postponed, or leased by another worker
 */
export async function advance(
  context: BookingContext,
  id: string,
  prepared: () => void = () => undefined,
): Promise<void> {
  const now = context.clock.now();
  const until = new Date(now.getTime() + context.lease.lengthMs);
  const { owner, held } = context.lease;
  const claimed = await claim(context.database, id, { owner, now, until });
  if (!claimed) return;
  held.take(id, until);
  try {
    await whilePermitted(
      () => held.holds(id, context.clock.now()),
      () => moveFar(context, claimed, prepared),
    );
  } finally {
    held.drop(id);
    context.reserved.drop(id);
  }
}

async function moveFar(context: BookingContext, claimed: Consignment, prepared: () => void): Promise<void> {
  const { id } = claimed;
  let inFlight: InFlight | null = {
    consignment: claimed,
    intended: new Set(),
    labels: [],
    pendingWrites: NO_PENDING_WRITES,
  };
  try {
    for (let steps = 0; inFlight && steps < MAX_STEPS; steps += 1) {
      if (nextStep(inFlight.consignment).kind !== 'prepare') prepared();
      inFlight = await moveOn(context, inFlight);
    }
    if (inFlight) throw new Error(`consignment ${id} does not come to rest`);
  } catch (error) {
    if (!(error instanceof LeaseLost) && !(error instanceof DatabaseUnavailable))
      return rescheduleAfterBug(context, id, error);
    const what = error instanceof LeaseLost ? 'lease lost' : 'database away';
    context.log.warn(what, { consignment: id, error });
    // The claim may have succeeded although its answer was lost: releases it, so that the row does not wait for the
    // lease to expire.
    await retryWhileDatabaseAway(context, { consignment: id }, () =>
      giveBack(context.database, id, context.lease.owner),
    );
  }
}

/** Reschedules a row after an unforeseen error, a limited number of times. */
async function rescheduleAfterBug(context: BookingContext, id: string, error: unknown): Promise<void> {
  const stack = error instanceof Error ? error.stack : undefined;
  context.log.error('consignment broke', { consignment: id, error, stack });
  const current = await loadConsignment(context.database, id);
  const after = apply(current, { kind: 'broke' }, transitionContext(context, current));
  const entries = trace(current, { kind: 'broke' }, after);
  await store(context, after, { entries, goesOn: false, ...leavesCancelRequest(current) });
  measureEnd(context, current, after);
}

/**
 * One round.
 * @param conflicts how often the plan was dropped and prepared again
 * @returns `null` when there is nothing more to do now; the lease is released
 */
async function moveOn(context: BookingContext, inFlight: InFlight, conflicts = 0): Promise<InFlight | null> {
  const step = nextStep(inFlight.consignment);
  if (step.kind === 'rest') return rest(context, inFlight);
  const round = await runRound(context, step, inFlight);
  const deferred = defer(context, round);
  if (deferred) return deferred;
  try {
    return await storeRound(context, round);
  } catch (error) {
    if (error instanceof LeaseLost && isBooked(round.found.fact)) return storeLate(context, round.found);
    if (!mayPrepareAgain(step, error, conflicts)) throw error;
    return prepareAgain(context, { inFlight, found: round.found }, conflicts + 1);
  }
}

/** A step's fact, and the labels that it brought. */
interface Round {
  /** With the results that wait for its commit. */
  readonly found: Found;
  readonly labels: Sent['labels'];
}

async function runRound(context: BookingContext, step: ActiveStep, inFlight: InFlight): Promise<Round> {
  // A committed intent takes the pending writes along, and the fact is applied to what it stored.
  let current = inFlight.consignment;
  let pending = inFlight.pendingWrites;
  const intend = async (change: (current: Consignment) => Consignment) => {
    current = await store(context, change(current), { ...pending, goesOn: true, ...leavesCancelRequest(current) });
    pending = NO_PENDING_WRITES;
    return current;
  };
  const beganMs = context.clock.now().getTime();
  const { fact, labels } = await runStep(context, step, { ...inFlight, intend });
  context.measures?.step(step.kind, context.clock.now().getTime() - beganMs);
  const waiting = { entries: pending.entries, labels: [...pending.labels, ...labels] };
  return { found: { current, fact: redacted(fact, context.mask), ...waiting }, labels };
}

/** @returns the next round without a commit; `null`: the fact must be stored first */
function defer(context: BookingContext, { found, labels }: Round): InFlight | null {
  if (!canBeFoundAgain(found.fact)) return null;
  const { after, goesOn, entries } = outcomeOf(context, found);
  if (!goesOn) return null;
  return { consignment: after, intended: new Set(), labels, pendingWrites: { entries, labels: found.labels } };
}

/** @throws LeaseLost | SequenceConflict */
async function storeRound(context: BookingContext, { found, labels }: Round): Promise<InFlight | null> {
  const { saved, before, goesOn } = await storeFact(context, found);
  if (!goesOn || saved.leaseUntil === null) return null;
  return { ...afterRecording(saved, before), labels, pendingWrites: NO_PENDING_WRITES };
}

/** Drops a plan that was not stored; only the claim of the document is kept. */
function prepareAgain(
  context: BookingContext,
  { inFlight, found }: { readonly inFlight: InFlight; readonly found: Found },
  conflicts: number,
): Promise<InFlight | null> {
  const { consignment } = inFlight;
  const { claimed, reference } = outcomeOf(context, found).after;
  context.log.info('sequence conflict', { consignment: consignment.id, reference });
  return moveOn(context, { ...inFlight, consignment: { ...consignment, claimed } }, conflicts);
}

async function rest(context: BookingContext, { consignment, pendingWrites }: InFlight): Promise<null> {
  const storing = { ...pendingWrites, goesOn: false, ...leavesCancelRequest(consignment) };
  await store(context, { ...consignment, dueAt: null }, storing);
  return null;
}

/** For a commit that answers no cancel request: one that arrived meanwhile stays open as well. */
function leavesCancelRequest({ cancelRequest }: Consignment) {
  return { answersCancelRequest: 'stands', knownCancelRequest: cancelRequest } as const;
}

/**
 * A label file whose labels are all stored: it can be made again, so it needs no commit before the numbers are written.
 */
function canBeFoundAgain(fact: Fact): boolean {
  return fact.kind === 'labels' && fact.file.kind === 'stored' && fact.results.length === 0;
}

/** Preparing sends nothing to the carrier, so it can be repeated. */
function mayPrepareAgain(step: Step, error: unknown, conflicts: number): boolean {
  const isConflict = isTaken(error) || error instanceof SequenceConflict;
  return step.kind === 'prepare' && isConflict && conflicts < MAX_CONFLICTS;
}

type ActiveStep = Exclude<Step, { kind: 'rest' }>;

interface StepDeps extends InFlight {
  /** Commits an intent before its request is sent. */
  readonly intend: (change: (current: Consignment) => Consignment) => Promise<Consignment>;
}

async function runStep(context: BookingContext, step: ActiveStep, deps: StepDeps): Promise<Sent> {
  const { consignment } = deps;
  switch (step.kind) {
    case 'prepare':
      return only(await prepare(context, consignment));
    case 'book': {
      const intend = () => deps.intend((current) => aboutToSend(current, step.parts, context.clock.now()));
      return book(context, consignment, { numbers: step.parts, intend });
    }
    case 'find-outcome':
      return findOutcome(context, consignment, step.part);
    case 'fetch-labels':
      return fetchLabels(context, consignment, deps.labels);
    case 'cancel':
      return only(await cancelBooked(context, consignment, () => deps.intend(aboutToCancel)));
    case 'nothing-to-cancel':
      return only({ kind: 'nothing-to-cancel' });
    case 'write':
      return only(await writeWave(context, step, deps));
  }
}

/** Commits the intent of at-most-once calls before they are sent. */
async function writeWave(
  context: BookingContext,
  step: Extract<Step, { kind: 'write' }>,
  deps: StepDeps,
): Promise<Fact> {
  if (step.effects.some((effect) => atMostOnce(effect) && !deps.intended.has(effect.key)))
    await deps.intend(recordIntent);
  return write(context, deps.consignment, { effects: step.effects, labels: deps.labels });
}

function only(fact: Fact): Sent {
  return { fact, labels: [] };
}
