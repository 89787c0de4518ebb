import { setTimeout as pause } from 'node:timers/promises';
import type { Consignment, Part } from './consignment.js';
import { END_STATES } from './states.js';
import { giveBack, loadConsignment, seize } from './ledger/consignment-rows.js';
import { newRun } from './machine/operator.js';
import type { Fact } from './machine/facts.js';
import { numbersIn, unknownNumbers, withLateNumbers } from './machine/late-numbers.js';
import { type StepResult, store, storeFact } from './store-outcome.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { LeaseLost } from './ledger/save.js';
import type { BookingContext } from './context.js';

const PAUSE_MS = 1_000;
/** About ten minutes, as long as other instances leave the row to us: see `isOfLivingInstance`. */
const MAX_ATTEMPTS = 600;

/** Whether the fact confirms a booking; losing it would cost a person a look into the portal. */
export function confirmsBooking(fact: Fact): boolean {
  return fact.kind === 'sent' && fact.results.some(({ kind }) => kind === 'booked');
}

/**
 * Stores a carrier's answer in a row that another instance has claimed, because this one could not write during its
 * lease. The answer ends the doubt there, also one that needs an operator, unless the other instance has stored an outcome.
 */
export async function storeLate(context: BookingContext, found: StepResult): Promise<null> {
  const { id } = found.current;
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    const outcome = await retryWhileDatabaseAway(context, { consignment: id }, () => tryOnce(context, found)).catch(
      (error: unknown) => {
        if (error instanceof LeaseLost) return 'held';
        throw error;
      },
    );
    if (outcome !== 'held') {
      context.unwritten.drop(id);
      const level = outcome === 'other numbers are known' ? 'error' : 'warn';
      context.log[level]('late answer of a carrier', {
        consignment: id,
        outcome,
        trackingNumbers: numbersIn(found.fact),
      });
      return null;
    }
    await pause(PAUSE_MS);
  }
  const trackingNumbers = numbersIn(found.fact);
  context.log.error('late answer of a carrier', { consignment: id, outcome: 'not written', trackingNumbers });
  return null;
}

type Outcome = 'held' | 'written' | 'known already' | 'other numbers are known';

async function tryOnce(context: BookingContext, found: StepResult): Promise<Outcome> {
  const { id } = found.current;
  const known = await loadConsignment(context.database, id);
  if (!isOpen(known, found) && unknownNumbers(known, found.fact).length === 0) return 'known already';
  const { owner, lengthMs, held } = context.lease;
  const now = context.clock.now();
  const until = new Date(now.getTime() + lengthMs);
  const row = await seize(context.database, id, { owner, now, until });
  if (row === null) return 'held';
  held.take(id, until);
  if (!isOpen(row, found)) {
    // The message is sent now, not as an effect: a message that waited for the row to come to rest would be lost with
    // this process.
    const told = withLateNumbers(row, found.fact);
    const after = told === row ? row : { ...told, dueAt: now };
    await store(context, after, { ...NOTHING_NEW, knownCancelRequest: row.cancelRequest });
    return unknownNumbers(row, found.fact).length === 0 ? 'known already' : 'other numbers are known';
  }
  // The document has FAILED, and the worker was told to wait for a person or that it has ended: a new run begins with what
  // is booked, unless another document has booked the shipment since.
  const hasFailed = row.needsOperator || END_STATES.includes(row.state);
  const begun = (after: Consignment) => newRun(notTold(after, found.fact), now);
  const current = { ...row, needsOperator: false, outcome: null };
  await storeFact(context, { ...found, current, ...(hasFailed && { then: begun }) });
  await giveBack(context.database, id, owner);
  return 'written';
}

/** Marks the parts that the answer confirms: a run that does not hand them out tells the worker about them. */
function notTold(consignment: Consignment, fact: Fact): Consignment {
  const answered = fact.kind === 'sent' ? fact.results.map(({ n }) => n) : [];
  const parts = consignment.parts.map((part) =>
    answered.includes(part.n) && part.state === 'booked' ? { ...part, isUntold: true } : part,
  );
  return { ...consignment, parts };
}

const NOTHING_NEW = { entries: [], goesOn: false, answersCancelRequest: 'stands', afterLease: 'taken' } as const;

/** The outcome of the answered request is still unknown, and the request was not sent again. */
function isOpen(row: Consignment, { current, fact }: StepResult): boolean {
  if (fact.kind !== 'sent') return false;
  return fact.results.every(({ n }) => {
    const [theirs, ours] = [row, current].map(({ parts }) => parts.find((part) => part.n === n));
    return theirs !== undefined && ours !== undefined && isSameRequest(theirs, ours) && isUnsettled(row, theirs);
  });
}

/** The time tells requests of different runs apart: each run counts its attempts from 1. */
function isSameRequest(theirs: Part, ours: Part): boolean {
  const isSameTime = theirs.attempt === ours.attempt && theirs.sentAt === ours.sentAt;
  return isSameTime && theirs.request.reference === ours.request.reference;
}

/** Planned again after a lookup that came too early, and not sent since. */
function isUnsettled({ state, outcome, needsOperator }: Consignment, part: Part): boolean {
  if (part.state === 'sending' || part.state === 'in-doubt') return true;
  return part.state === 'planned' && !needsOperator && !END_STATES.includes(outcome ?? state);
}
