import {
  NOTHING_IN_FLIGHT,
  NO_PENDING_WRITES,
  type InFlight,
  afterRecording,
  recordIntent,
  needsIntent,
} from './steps/intent.js';
import { accountOf } from '../accounts/account.js';
import { areaOf } from '../areas/area.js';
import type { Consignment } from './consignment.js';
import { DatabaseUnavailable } from '../db/database.js';
import { claim, giveBack, loadConsignment } from './ledger/consignment-rows.js';
import { whilePermitted } from '../transport/send-guard.js';
import type { Lease } from '../worker/lease.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { redacted } from './redact.js';
import { noteRefusal, noteStep, whileKept } from './requests/request-recording.js';
import { apply } from './machine/apply.js';
import { aboutToCancel } from './machine/cancelling.js';
import type { Fact } from './machine/facts.js';
import { confirmsBooking, storeLate } from './late-answer.js';
import {
  type StepResult,
  measureEnd,
  transitionContext,
  isTakenByAnother,
  outcomeOf,
  store,
  storeFact,
  storeIntent,
} from './store-outcome.js';
import { type NextStep, nextStep } from './machine/next-step.js';
import { withoutAbsence } from './machine/retry-policy.js';
import { aboutToSend } from './machine/sending.js';
import { type Sent, book } from './steps/book.js';
import { cancelOwn } from './steps/cancel.js';
import { findOutcome } from './steps/find-outcome.js';
import { fetchLabels } from './steps/fetch-labels.js';
import { prepare } from './steps/prepare.js';
import { write } from './steps/write.js';
import { journalEntries } from './journal.js';
import { LeaseLost } from './ledger/save.js';
import { SequenceConflict } from './ledger/sequence.js';
import type { BookingContext } from './context.js';

/*
 * One consignment advances in rounds.
 *
 * claim    `advance` takes the lease of the row, unless it was inserted with one. While another one holds it, nothing happens.
 * choose   `nextStep` names the next step by the stored state. Step `rest`: the lease is given back, the rounds end.
 * intend   A step whose request must not be repeated blindly (booking, cancelling, at-most-once writes) commits, before
 *          the request leaves, that it is about to be sent. After a crash, the next instance treats its outcome as unknown;
 *          while this process lives and has sent nothing, it takes the intent back (`storeIntent`).
 * run      The step talks to the IMS or the carrier and returns a fact. It changes no state.
 * store    `apply` turns the fact into the next state, which is committed with its journal entries, its labels and the
 *          intent of the at-most-once writes that follow. The rounds end when that state is not due yet.
 *
 * Four facts take another way than `store`:
 * - one that can be found again is deferred: it is committed together with the next one (`defer`);
 * - a plan whose first request can leave at once is committed together with the intent to send it (`deferPlan`);
 * - a booking that was confirmed after the lease was lost is stored in the row that another instance has claimed since (`storeLate`);
 * - a plan that conflicts with another booking of the shipment, or with a cancellation, is dropped, and prepared again
 *   (`prepareAgain`).
 */

/** More steps in a row mean a loop. */
const MAX_STEPS = 200;

/** Each conflict means that another booking of the shipment has moved on; more at the same moment are not expected. */
const MAX_CONFLICTS = 5;

/**
 * Moves one consignment as far as possible. After a crash, the next instance that claims the row continues from what
 * is stored.
 * @param prepared called when preparing has ended, or is not needed
 * @returns when the row is at rest, postponed, or leased already
 */
export async function advance(
  context: BookingContext,
  id: string,
  prepared: () => void = () => undefined,
): Promise<void> {
  const { held } = context.lease;
  const claimed =
    context.claimed.take(id, context.clock.now()) ?? (await claim(context.database, id, leaseFrom(context)));
  if (claimed?.leaseUntil == null) return;
  held.take(id, claimed.leaseUntil);
  try {
    await whilePermitted(
      () => held.holds(id, context.clock.now()),
      () => whileKept(context.requests, id, () => moveFar(context, claimed, prepared)),
    );
  } finally {
    held.drop(id);
    context.reserved.drop(id);
  }
}

function leaseFrom({ clock, lease: { owner, lengthMs } }: BookingContext): Lease {
  const now = clock.now();
  return { owner, now, until: new Date(now.getTime() + lengthMs) };
}

async function moveFar(context: BookingContext, claimed: Consignment, prepared: () => void): Promise<void> {
  const { id } = claimed;
  try {
    // Nothing is sent where the result could not be written: it waits until its area is configured again.
    const { giveUpAfterMs } = areaOf(context, claimed.area);
    const consignment = withoutAbsence(claimed, { now: context.clock.now(), giveUpAfterMs });
    let inFlight: InFlight | null = { ...NOTHING_IN_FLIGHT, consignment };
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
  const entries = journalEntries(current, { kind: 'broke' }, after);
  const answersCancelRequest = after.cancelRequest === null ? 'answered' : 'stands';
  await store(context, after, { entries, goesOn: false, ...leavesCancelRequest(current), answersCancelRequest });
  measureEnd(context, current, after);
}

/**
 * One round.
 * @returns `null` when there is nothing more to do now; the lease is released
 */
async function moveOn(context: BookingContext, inFlight: InFlight): Promise<InFlight | null> {
  const step = nextStep(inFlight.consignment);
  if (step.kind === 'rest') return rest(context, inFlight);
  try {
    const round = await runRound(context, step, inFlight);
    return defer(context, round) ?? deferPlan(context, round, inFlight) ?? (await storeRound(context, round));
  } catch (error) {
    if (!(error instanceof PlanConflict)) throw error;
    if (inFlight.conflicts === MAX_CONFLICTS) throw error.cause;
    return prepareAgain(context, inFlight, error.planned);
  }
}

/** A step's fact, and the labels that it brought. */
interface Round {
  /** The fact, with the results that wait for its commit. */
  readonly found: StepResult;
  readonly labels: Sent['labels'];
}

async function runRound(context: BookingContext, step: ActiveStep, inFlight: InFlight): Promise<Round> {
  const { intend, latest } = intentsOf(context, inFlight);
  const beganMs = context.clock.now().getTime();
  if (step.kind !== 'nothing-to-cancel') noteStep(step.kind);
  const { fact, labels } = await runStep(context, step, { ...inFlight, intend });
  context.measures?.step(step.kind, context.clock.now().getTime() - beganMs);
  if (fact.kind === 'sent' && fact.results.some(({ kind }) => kind !== 'booked')) noteRefusal();
  // The fact is applied to what the intents of the step have stored.
  const { consignment: current, pendingWrites, unsavedPlan } = latest();
  const waiting = { entries: pendingWrites.entries, labels: [...pendingWrites.labels, ...labels] };
  const snapshot = fact.kind === 'prepared' ? fact.snapshot : (unsavedPlan?.snapshot ?? null);
  return { found: { current, fact: redacted(fact, context.mask), ...waiting, snapshot }, labels };
}

/** @returns `intend` commits an intent; `latest` gives what is in flight after the intents so far */
function intentsOf(context: BookingContext, inFlight: InFlight) {
  let latest = inFlight;
  const intend: StepDeps['intend'] = async (change) => {
    const { consignment, pendingWrites, unsavedPlan } = latest;
    const plan = unsavedPlan === null ? {} : ({ others: unsavedPlan.snapshot, newCancelRequest: 'refused' } as const);
    const storing = { ...pendingWrites, ...plan, goesOn: true, ...leavesCancelRequest(consignment) };
    const stored = storeIntent(context, { before: consignment, change }, storing);
    const saved = await (unsavedPlan === null ? stored : storePlan(consignment, stored));
    latest = { ...inFlight, consignment: saved, pendingWrites: NO_PENDING_WRITES, unsavedPlan: null };
    return saved;
  };
  return { intend, latest: () => latest };
}

/** @returns the next round without a commit; `null`: the fact must be stored first */
function defer(context: BookingContext, { found, labels }: Round): InFlight | null {
  if (!canBeFoundAgain(found.fact)) return null;
  const { after, goesOn, entries } = outcomeOf(context, found);
  if (!goesOn) return null;
  const pendingWrites = { entries, labels: found.labels };
  return { ...NOTHING_IN_FLIGHT, consignment: after, labels, pendingWrites };
}

/** @returns the next round without a commit; `null`: the plan must be stored first, because its request may have to wait */
function deferPlan(context: BookingContext, { found, labels }: Round, { conflicts }: InFlight): InFlight | null {
  const { fact, current } = found;
  if (fact.kind !== 'prepared') return null;
  const { after, goesOn, entries } = outcomeOf(context, found);
  const leavesNow = nextStep(after).kind === 'book' && accountOf(context, fact.plan.account).bulkhead.hasFreePlace();
  if (!goesOn || !leavesNow) return null;
  const pendingWrites = { entries, labels: found.labels };
  const unsavedPlan = { before: current, snapshot: fact.snapshot };
  return { ...NOTHING_IN_FLIGHT, consignment: after, labels, pendingWrites, unsavedPlan, conflicts };
}

/** @throws LeaseLost | PlanConflict */
async function storeRound(context: BookingContext, { found, labels }: Round): Promise<InFlight | null> {
  const storing = storeFact(context, found);
  const bringsPlan = found.snapshot !== null;
  try {
    const stored = bringsPlan ? storePlan(outcomeOf(context, found).after, storing) : storing;
    const { saved, before, goesOn } = await stored;
    if (!goesOn || saved.leaseUntil === null) return null;
    return { ...NOTHING_IN_FLIGHT, ...afterRecording(saved, before), labels };
  } catch (error) {
    if (error instanceof LeaseLost && confirmsBooking(found.fact)) return storeLate(context, found);
    throw error;
  }
}

/** A plan could not be stored: another booking, or a cancellation, came first. Nothing was sent to the carrier. */
class PlanConflict extends Error {
  constructor(
    readonly planned: Consignment,
    override readonly cause: unknown,
  ) {
    super('the plan was not stored');
  }
}

/** @throws PlanConflict, and every other error unchanged */
async function storePlan<Stored>(planned: Consignment, storing: Promise<Stored>): Promise<Stored> {
  try {
    return await storing;
  } catch (error) {
    throw isTakenByAnother(error) || error instanceof SequenceConflict ? new PlanConflict(planned, error) : error;
  }
}

/** Drops a plan that was not stored; only the claim of the document is kept, and a cancellation is seen. */
async function prepareAgain(
  context: BookingContext,
  { unsavedPlan, ...inFlight }: InFlight,
  { id, claimed, reference }: Consignment,
): Promise<InFlight | null> {
  context.log.info('sequence conflict', { consignment: id, reference });
  const { cancelRequest } = await loadConsignment(context.database, id);
  const consignment = { ...(unsavedPlan?.before ?? inFlight.consignment), claimed, cancelRequest };
  return { ...inFlight, consignment, unsavedPlan: null, conflicts: inFlight.conflicts + 1 };
}

async function rest(context: BookingContext, { consignment, pendingWrites }: InFlight): Promise<null> {
  const storing = { ...pendingWrites, goesOn: false, ...leavesCancelRequest(consignment) };
  await store(context, { ...consignment, dueAt: null }, storing);
  return null;
}

/** For a commit that answers no cancellation request: one that this step knows stays open, as does one that came meanwhile. */
function leavesCancelRequest({ cancelRequest }: Consignment) {
  return { answersCancelRequest: 'stands', knownCancelRequest: cancelRequest } as const;
}

/**
 * A label file whose labels are all stored: it can be made again, so it needs no commit before the numbers are written.
 */
function canBeFoundAgain(fact: Fact): boolean {
  return (
    fact.kind === 'labels' && fact.file.kind === 'stored' && fact.results.length === 0 && fact.returns === undefined
  );
}

type ActiveStep = Exclude<NextStep, { kind: 'rest' }>;

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
      return only(
        await cancelOwn(context, consignment, (isSent) => deps.intend((current) => aboutToCancel(current, isSent))),
      );
    case 'nothing-to-cancel':
      return only({ kind: 'nothing-to-cancel' });
    case 'write':
      return only(await writeWave(context, step, deps));
  }
}

/** Commits the intent of at-most-once calls before they are sent. */
async function writeWave(
  context: BookingContext,
  step: Extract<NextStep, { kind: 'write' }>,
  deps: StepDeps,
): Promise<Fact> {
  if (step.effects.some((effect) => needsIntent(effect) && !deps.intended.has(effect.key)))
    await deps.intend(recordIntent);
  return write(context, deps.consignment, { effects: step.effects, labels: deps.labels });
}

function only(fact: Fact): Sent {
  return { fact, labels: [] };
}
