import { recordIntent } from './steps/intent.js';
import type { Consignment } from './consignment.js';
import { apply } from './machine/apply.js';
import type { TransitionContext, Fact, TakenNumber } from './machine/facts.js';
import { newNumbers } from './machine/numbers.js';
import { type Claim, NumbersTaken, takenNumbers } from './ledger/parcel-number-rows.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { bookingEndsWithinMs } from './machine/retry-policy.js';
import type { Sent } from './steps/book.js';
import { type JournalEntry, LeaseLost, save } from './ledger/save.js';
import { trace } from './journal.js';
import { SequenceConflict, type SiblingSnapshot } from './ledger/sequence.js';
import type { BookingContext } from './context.js';
import { areaOf } from '../areas/area.js';

export interface Storing {
  readonly entries: readonly JournalEntry[];
  readonly goesOn: boolean;
  readonly answersWish: 'answered' | 'stands';
  readonly knownWish: Consignment['cancelWanted'];
  readonly afterLease?: 'taken';
  readonly labels?: Sent['labels'];
  /** Numbers that the carrier has said. */
  readonly claim?: Claim;
  /** The shipment's other bookings, as a plan was made beside them. */
  readonly others?: SiblingSnapshot | null;
}

type Outcome = Storing & Required<Pick<Storing, 'labels' | 'others'>>;

/** What a step found out, with what is not stored yet of the steps before. */
export interface Found {
  readonly current: Consignment;
  readonly fact: Fact;
  readonly entries: readonly JournalEntry[];
  readonly labels: Sent['labels'];
}

/** What a fact makes of a consignment. */
export function outcomeOf(world: BookingContext, { current, fact, entries }: Found) {
  const after = apply(current, fact, circumstances(world, current));
  const goesOn = after.dueAt !== null && after.dueAt <= world.clock.now();
  return { after, goesOn, entries: [...entries, ...trace(current, fact, after)] };
}

/** As many times another booking may claim a number between our looking and our storing. */
const MOST_CLAIMS = 5;

/**
 * Stores what a fact makes of a consignment. Numbers that other parcels on their way have are found out by the statement
 * that stores the rest; then the same fact is stored with that knowledge.
 * @throws LeaseLost | Overtaken
 */
export async function storeFact(
  world: BookingContext,
  found: Found,
  tries = 1,
): Promise<{ readonly saved: Consignment; readonly before: Consignment; readonly onward: boolean }> {
  const { current, fact, labels } = found;
  const { after, goesOn, entries } = outcomeOf(world, found);
  const { cancelWanted: knownWish } = current;
  const answersWish = knownWish !== null && after.cancelWanted === null ? 'answered' : 'stands';
  const others = fact.kind === 'prepared' ? fact.seen : null;
  const claim = claimOf(found, after);
  const outcome = { entries, goesOn, answersWish, knownWish, labels, others, ...(claim && { claim }) } as const;
  world.unwritten.add(current.id, fact);
  try {
    const saved = await storeOutcome(world, after, outcome);
    world.unwritten.drop(current.id);
    return { saved, before: after, onward: goesOn };
  } catch (error) {
    if (!(error instanceof NumbersTaken) || claim === null) throw error;
    const taken = tries < MOST_CLAIMS ? await lookForTaken(world, current, claim) : claim.numbers.map(ofSomebody);
    return storeFact(world, { ...found, fact: knowing(fact, taken) }, tries + 1);
  }
}

/** What the carrier has said in this fact. */
function claimOf({ current, fact }: Found, after: Consignment): Claim | null {
  const account = after.plan?.account;
  if ((fact.kind !== 'sent' && fact.kind !== 'looked-up') || account === undefined) return null;
  const numbers = newNumbers(current, after);
  return numbers.length === 0 ? null : { account, numbers };
}

function lookForTaken(world: BookingContext, { id, area }: Consignment, claim: Claim): Promise<readonly TakenNumber[]> {
  const look = () => takenNumbers(world.database, area, { claim, now: world.clock.now() });
  return retryWhileDatabaseAway(world, { consignment: id }, look);
}

/** It was claimed again and again by one that was gone when we looked: nobody knows whose it is. */
function ofSomebody({ trackingNumber }: Claim['numbers'][number]): TakenNumber {
  return { trackingNumber, containerId: '', shipmentNumber: '-' };
}

function knowing(fact: Fact, taken: readonly TakenNumber[]): Fact {
  if (fact.kind !== 'sent' && fact.kind !== 'looked-up') return fact;
  return { ...fact, taken: [...(fact.taken ?? []), ...taken] };
}

export function circumstances(world: BookingContext, consignment: Consignment): TransitionContext {
  const account = consignment.plan ? world.accounts.get(consignment.plan.account) : undefined;
  return {
    now: world.clock.now(),
    random: world.random(),
    giveUpAfterMs: areaOf(world, consignment.area).giveUpAfterMs,
    printing: world.printing.mode,
    numberPattern: account?.adapter.traits.trackingNumberPattern ?? null,
    bookingEndsWithinMs: bookingEndsWithinMs(account?.adapter.traits),
    canCancel: account?.carrier.cancel !== undefined,
    labelLink: world.labelLink(consignment.id),
  };
}

const OUTCOME_TRIES = 8;
const OUTCOME_PAUSE_MS = 500;

/** Another consignment took the reference or the turn meanwhile (unique_violation). */
export function isTaken(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505';
}

/**
 * Writes what was found out, with the labels that came with it: both or none. It may be the only copy of a booking, so a
 * database that is away is waited for, beyond the lease if need be, and one that stumbles is asked again.
 * @throws LeaseLost | Overtaken | NumbersTaken
 */
async function storeOutcome(world: BookingContext, consignment: Consignment, outcome: Outcome): Promise<Consignment> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await retryWhileDatabaseAway(world, { consignment: consignment.id }, () =>
        storeFound(world, consignment, outcome),
      );
    } catch (error) {
      const isAnswer = error instanceof LeaseLost || error instanceof SequenceConflict || error instanceof NumbersTaken;
      if (isAnswer || isTaken(error)) throw error;
      if (tries === OUTCOME_TRIES) throw error;
      world.log.warn('outcome not stored yet', { consignment: consignment.id, tries, error });
      await new Promise((done) => setTimeout(done, OUTCOME_PAUSE_MS));
    }
  }
}

function storeFound(world: BookingContext, consignment: Consignment, outcome: Outcome): Promise<Consignment> {
  // Nothing leaves after the lease: then nothing may be announced.
  const holds = world.lease.held.holds(consignment.id, world.clock.now());
  const stored = outcome.goesOn && holds ? recordIntent(consignment) : consignment;
  return store(world, stored, { ...outcome, afterLease: 'taken' });
}

export async function store(world: BookingContext, consignment: Consignment, storing: Storing): Promise<Consignment> {
  const { entries, goesOn, answersWish, knownWish, ...rest } = storing;
  const saved = await save(world.database, consignment, {
    owner: world.lease.owner,
    now: world.clock.now(),
    entries,
    keepLease: goesOn ? 'keep' : 'give-back',
    answersWish,
    knownWish,
    ...rest,
  });
  if (saved.leaseUntil !== null) world.lease.held.take(consignment.id, saved.leaseUntil);
  const log = world.log.child({ consignment: consignment.id, area: consignment.area });
  for (const { what, level, fields } of storing.entries) log[level ?? 'info'](what, fields);
  return saved;
}
