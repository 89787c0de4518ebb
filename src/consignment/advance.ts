import { NOTHING_UNSTORED, type InFlight, afterAnnouncing, recordIntent, atMostOnce } from './steps/intent.js';
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
import { circumstances, isTaken, outcomeOf, store, storeFact } from './store-outcome.js';
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
const MOST_STEPS = 200;

/**
 * Moves one consignment as far as possible: claim, step, fact, save, and again. Only this changes states. After a
 * crash, the next worker that claims the row continues from what is stored.
 * @param prepared called when preparing has ended, or is not needed
 * @returns when the row is at rest, postponed, or leased by another worker
 */
export async function advance(
  world: BookingContext,
  id: string,
  prepared: () => void = () => undefined,
): Promise<void> {
  const now = world.clock.now();
  const until = new Date(now.getTime() + world.lease.lengthMs);
  const { owner, held } = world.lease;
  const claimed = await claim(world.database, id, { owner, now, until });
  if (!claimed) return;
  held.take(id, until);
  try {
    await whilePermitted(
      () => held.holds(id, world.clock.now()),
      () => moveFar(world, claimed, prepared),
    );
  } finally {
    held.drop(id);
    world.reserved.drop(id);
  }
}

async function moveFar(world: BookingContext, claimed: Consignment, prepared: () => void): Promise<void> {
  const { id } = claimed;
  let onItsWay: InFlight | null = {
    consignment: claimed,
    announced: new Set(),
    labels: [],
    unstored: NOTHING_UNSTORED,
  };
  try {
    for (let steps = 0; onItsWay && steps < MOST_STEPS; steps += 1) {
      if (nextStep(onItsWay.consignment).kind !== 'prepare') prepared();
      onItsWay = await moveOn(world, onItsWay, 0);
    }
    if (onItsWay) throw new Error(`consignment ${id} does not come to rest`);
  } catch (error) {
    if (!(error instanceof LeaseLost) && !(error instanceof DatabaseUnavailable)) return comeToTerms(world, id, error);
    const what = error instanceof LeaseLost ? 'lease lost' : 'database away';
    world.log.warn(what, { consignment: id, error });
    // The claim may have succeeded although its answer was lost: releases it, so that the row does not wait for the
    // lease to expire.
    await retryWhileDatabaseAway(world, { consignment: id }, () => giveBack(world.database, id, world.lease.owner));
  }
}

/** Reschedules a row after an unforeseen error, a limited number of times. */
async function comeToTerms(world: BookingContext, id: string, error: unknown): Promise<void> {
  const stack = error instanceof Error ? error.stack : undefined;
  world.log.error('consignment broke', { consignment: id, error, stack });
  const current = await loadConsignment(world.database, id);
  const after = apply(current, { kind: 'broke' }, circumstances(world, current));
  const { cancelWanted: knownWish } = current;
  const entries = trace(current, { kind: 'broke' }, after);
  await store(world, after, { entries, goesOn: false, answersWish: 'stands', knownWish });
}

/**
 * One step.
 * @param prepared how often preparing was repeated, because another consignment took the reference or sequence number
 * @returns `null` when there is nothing more to do now; the lease is released
 */
async function moveOn(world: BookingContext, onItsWay: InFlight, prepared: number): Promise<InFlight | null> {
  const { consignment } = onItsWay;
  const step = nextStep(consignment);
  let { unstored } = onItsWay;
  if (step.kind === 'rest') return rest(world, onItsWay);
  let current = consignment;
  const intend = async (change: (current: Consignment) => Consignment) => {
    const { cancelWanted: knownWish } = current;
    current = await store(world, change(current), { ...unstored, goesOn: true, answersWish: 'stands', knownWish });
    unstored = NOTHING_UNSTORED;
    return current;
  };
  const taken = await take(world, step, { ...onItsWay, intend });
  const fact = redacted(taken.fact, world.mask);
  const found = { current, fact, entries: unstored.entries, labels: [...unstored.labels, ...taken.labels] };
  const { after, goesOn, entries } = outcomeOf(world, found);
  if (goesOn && isFoundAgain(fact))
    return {
      consignment: after,
      announced: new Set(),
      labels: taken.labels,
      unstored: { entries, labels: found.labels },
    };
  try {
    const { saved, before, onward } = await storeFact(world, found);
    if (!onward || saved.leaseUntil === null) return null;
    return { ...afterAnnouncing(saved, before), labels: taken.labels, unstored: NOTHING_UNSTORED };
  } catch (error) {
    if (error instanceof LeaseLost && isBooked(fact)) return storeLate(world, found);
    if (!mayPrepareAgain(step, error, prepared)) throw error;
    world.log.info('sequence conflict', { consignment: consignment.id, reference: after.reference });
    // Nothing of this plan is stored; only the claim of the document is kept.
    return moveOn(world, { ...onItsWay, consignment: { ...consignment, claimed: after.claimed } }, prepared + 1);
  }
}

async function rest(world: BookingContext, { consignment, unstored }: InFlight): Promise<null> {
  const { cancelWanted: knownWish } = consignment;
  await store(world, { ...consignment, dueAt: null }, { ...unstored, goesOn: false, answersWish: 'stands', knownWish });
  return null;
}

/**
 * A label file whose labels are all stored: it can be made again, so it needs no commit before the numbers are written.
 */
function isFoundAgain(fact: Fact): boolean {
  return fact.kind === 'labels' && fact.file.kind === 'stored' && fact.results.length === 0;
}

/** Each conflict means that another booking of the shipment has moved on; more at the same moment are not expected. */
const MOST_PREPARED_IN_VAIN = 5;

/** Preparing sends nothing to the carrier, so it can be repeated. */
function mayPrepareAgain(step: Step, error: unknown, prepared: number): boolean {
  return (
    step.kind === 'prepare' && (isTaken(error) || error instanceof SequenceConflict) && prepared < MOST_PREPARED_IN_VAIN
  );
}

interface Hand extends InFlight {
  /** Commits an intent before something leaves. */
  readonly intend: (change: (current: Consignment) => Consignment) => Promise<Consignment>;
}

async function take(world: BookingContext, step: Exclude<Step, { kind: 'rest' }>, hand: Hand): Promise<Sent> {
  const { consignment } = hand;
  switch (step.kind) {
    case 'prepare':
      return only(await prepare(world, consignment));
    case 'book': {
      const intend = () => hand.intend((current) => aboutToSend(current, step.parts, world.clock.now()));
      return book(world, consignment, { numbers: step.parts, intend });
    }
    case 'clear-doubt':
      return only(await findOutcome(world, consignment, step.part));
    case 'fetch-labels':
      return fetchLabels(world, consignment, hand.labels);
    case 'cancel':
      return only(await cancelBooked(world, consignment, () => hand.intend(aboutToCancel)));
    case 'nothing-to-cancel':
      return only({ kind: 'nothing-to-cancel' });
    case 'write':
      return only(await writeWave(world, step, hand));
  }
}

/** Commits the intent of at-most-once calls before they are sent. */
async function writeWave(world: BookingContext, step: Extract<Step, { kind: 'write' }>, hand: Hand): Promise<Fact> {
  if (step.effects.some((effect) => atMostOnce(effect) && !hand.announced.has(effect.key)))
    await hand.intend(recordIntent);
  return write(world, hand.consignment, { effects: step.effects, labels: hand.labels });
}

function only(fact: Fact): Sent {
  return { fact, labels: [] };
}
