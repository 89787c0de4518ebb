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
import { transitionContext, isTaken, outcomeOf, store, storeFact } from './store-outcome.js';
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

/** More steps in a row mean a loop. */
const MAX_STEPS = 200;

/**
 * Moves one consignment as far as possible: claim, step, fact, save, and again. Only this changes states. After a
 * crash, the next worker that claims the row continues from what is stored.
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
      inFlight = await moveOn(context, inFlight, 0);
    }
    if (inFlight) throw new Error(`consignment ${id} does not come to rest`);
  } catch (error) {
    if (!(error instanceof LeaseLost) && !(error instanceof DatabaseUnavailable))
      return comeToTerms(context, id, error);
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
async function comeToTerms(context: BookingContext, id: string, error: unknown): Promise<void> {
  const stack = error instanceof Error ? error.stack : undefined;
  context.log.error('consignment broke', { consignment: id, error, stack });
  const current = await loadConsignment(context.database, id);
  const after = apply(current, { kind: 'broke' }, transitionContext(context, current));
  const { cancelRequest: knownCancelRequest } = current;
  const entries = trace(current, { kind: 'broke' }, after);
  await store(context, after, { entries, goesOn: false, answersCancelRequest: 'stands', knownCancelRequest });
}

/**
 * One step.
 * @param prepared how often preparing was repeated, because another consignment took the reference or sequence number
 * @returns `null` when there is nothing more to do now; the lease is released
 */
async function moveOn(context: BookingContext, inFlight: InFlight, prepared: number): Promise<InFlight | null> {
  const { consignment } = inFlight;
  const step = nextStep(consignment);
  let { pendingWrites } = inFlight;
  if (step.kind === 'rest') return rest(context, inFlight);
  let current = consignment;
  const intend = async (change: (current: Consignment) => Consignment) => {
    const { cancelRequest: knownCancelRequest } = current;
    current = await store(context, change(current), {
      ...pendingWrites,
      goesOn: true,
      answersCancelRequest: 'stands',
      knownCancelRequest,
    });
    pendingWrites = NO_PENDING_WRITES;
    return current;
  };
  const taken = await take(context, step, { ...inFlight, intend });
  const fact = redacted(taken.fact, context.mask);
  const found = { current, fact, entries: pendingWrites.entries, labels: [...pendingWrites.labels, ...taken.labels] };
  const { after, goesOn, entries } = outcomeOf(context, found);
  if (goesOn && isFoundAgain(fact))
    return {
      consignment: after,
      intended: new Set(),
      labels: taken.labels,
      pendingWrites: { entries, labels: found.labels },
    };
  try {
    const { saved, before, onward } = await storeFact(context, found);
    if (!onward || saved.leaseUntil === null) return null;
    return { ...afterRecording(saved, before), labels: taken.labels, pendingWrites: NO_PENDING_WRITES };
  } catch (error) {
    if (error instanceof LeaseLost && isBooked(fact)) return storeLate(context, found);
    if (!mayPrepareAgain(step, error, prepared)) throw error;
    context.log.info('sequence conflict', { consignment: consignment.id, reference: after.reference });
    // Nothing of this plan is stored; only the claim of the document is kept.
    return moveOn(context, { ...inFlight, consignment: { ...consignment, claimed: after.claimed } }, prepared + 1);
  }
}

async function rest(context: BookingContext, { consignment, pendingWrites }: InFlight): Promise<null> {
  const { cancelRequest: knownCancelRequest } = consignment;
  await store(
    context,
    { ...consignment, dueAt: null },
    { ...pendingWrites, goesOn: false, answersCancelRequest: 'stands', knownCancelRequest },
  );
  return null;
}

/**
 * A label file whose labels are all stored: it can be made again, so it needs no commit before the numbers are written.
 */
function isFoundAgain(fact: Fact): boolean {
  return fact.kind === 'labels' && fact.file.kind === 'stored' && fact.results.length === 0;
}

/** Each conflict means that another booking of the shipment has moved on; more at the same moment are not expected. */
const MAX_PREPARED_IN_VAIN = 5;

/** Preparing sends nothing to the carrier, so it can be repeated. */
function mayPrepareAgain(step: Step, error: unknown, prepared: number): boolean {
  return (
    step.kind === 'prepare' && (isTaken(error) || error instanceof SequenceConflict) && prepared < MAX_PREPARED_IN_VAIN
  );
}

interface Hand extends InFlight {
  /** Commits an intent before something leaves. */
  readonly intend: (change: (current: Consignment) => Consignment) => Promise<Consignment>;
}

async function take(context: BookingContext, step: Exclude<Step, { kind: 'rest' }>, hand: Hand): Promise<Sent> {
  const { consignment } = hand;
  switch (step.kind) {
    case 'prepare':
      return only(await prepare(context, consignment));
    case 'book': {
      const intend = () => hand.intend((current) => aboutToSend(current, step.parts, context.clock.now()));
      return book(context, consignment, { numbers: step.parts, intend });
    }
    case 'clear-doubt':
      return only(await findOutcome(context, consignment, step.part));
    case 'fetch-labels':
      return fetchLabels(context, consignment, hand.labels);
    case 'cancel':
      return only(await cancelBooked(context, consignment, () => hand.intend(aboutToCancel)));
    case 'nothing-to-cancel':
      return only({ kind: 'nothing-to-cancel' });
    case 'write':
      return only(await writeWave(context, step, hand));
  }
}

/** Commits the intent of at-most-once calls before they are sent. */
async function writeWave(context: BookingContext, step: Extract<Step, { kind: 'write' }>, hand: Hand): Promise<Fact> {
  if (step.effects.some((effect) => atMostOnce(effect) && !hand.intended.has(effect.key)))
    await hand.intend(recordIntent);
  return write(context, hand.consignment, { effects: step.effects, labels: hand.labels });
}

function only(fact: Fact): Sent {
  return { fact, labels: [] };
}
