import { recordIntent } from './steps/intent.js';
import { chooseProfile } from '../printing/choose-profile.js';
import { type Consignment, chosenCarrier } from './consignment.js';
import { apply } from './machine/apply.js';
import type { ErrorSheets, TransitionContext, Fact, TakenNumber } from './machine/facts.js';
import { newNumbers } from './machine/numbers.js';
import { type NumberClaim, NumbersTaken, takenNumbers } from './ledger/parcel-number-rows.js';
import { DatabaseUnavailable } from '../db/database.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { bookingEndsWithinMs } from './machine/retry-policy.js';
import type { Sent } from './steps/book.js';
import { type JournalEntry, LeaseLost, save, storedBefore } from './ledger/save.js';
import { journalEntries } from './journal.js';
import { SequenceConflict, type SiblingSnapshot } from './ledger/sequence.js';
import type { BookingContext } from './context.js';
import { END_STATES } from './states.js';

export interface Storing {
  readonly entries: readonly JournalEntry[];
  readonly goesOn: boolean;
  readonly answersCancelRequest: 'answered' | 'stands';
  readonly knownCancelRequest: Consignment['cancelRequest'];
  readonly afterLease?: 'taken';
  readonly labels?: Sent['labels'];
  /** Numbers to claim for the parcels. */
  readonly claim?: NumberClaim;
  /** The siblings that the plan was made beside. */
  readonly others?: SiblingSnapshot | null;
  readonly newCancelRequest?: 'refused';
}

type Outcome = Storing & Required<Pick<Storing, 'labels' | 'others'>>;

/** A step's fact, with unstored results of the steps before. */
export interface StepResult {
  readonly current: Consignment;
  readonly fact: Fact;
  readonly entries: readonly JournalEntry[];
  readonly labels: Sent['labels'];
  /** The siblings beside which a plan was made that is stored with this fact; `null`: it brings no plan. */
  readonly snapshot: SiblingSnapshot | null;
  /** What happens next, stored with the fact; missing: nothing more. */
  readonly then?: (after: Consignment) => Consignment;
}

const unchanged = (after: Consignment): Consignment => after;

/** Applies a fact and collects what has to be stored with it. */
export function outcomeOf(context: BookingContext, { current, fact, entries, then = unchanged }: StepResult) {
  const applied = apply(current, fact, transitionContext(context, withChosen(current, fact)));
  const after = then(applied);
  const goesOn = after.dueAt !== null && after.dueAt <= context.clock.now();
  return { after, goesOn, entries: [...entries, ...journalEntries(current, fact, applied)] };
}

/** A booking that cannot be planned names its carrier with the fact, and its error sheet has that carrier's profile. */
function withChosen(current: Consignment, fact: Fact): Consignment {
  return fact.kind === 'unusable' && fact.chosen !== undefined ? { ...current, chosen: fact.chosen } : current;
}

/** How often another booking may claim a number between our check and our write. */
const MAX_CLAIMS = 5;

/**
 * Stores the result of a fact. The statement itself finds numbers that other parcels in transit have; then the fact is
 * stored again with that knowledge.
 * @throws LeaseLost | SequenceConflict
 */
export async function storeFact(
  context: BookingContext,
  found: StepResult,
  attempts = 1,
): Promise<{ readonly saved: Consignment; readonly before: Consignment; readonly goesOn: boolean }> {
  const { current, fact, labels, snapshot: others } = found;
  const { after, goesOn, entries } = outcomeOf(context, found);
  const { cancelRequest: knownCancelRequest } = current;
  const answersCancelRequest = knownCancelRequest !== null && after.cancelRequest === null ? 'answered' : 'stands';
  const claim = claimOf(found, after);
  const outcome = {
    entries,
    goesOn,
    answersCancelRequest,
    knownCancelRequest,
    labels,
    others,
    ...(claim && { claim }),
  } as const;
  context.unwritten.add(current.id, fact);
  try {
    const saved = await storeOutcome(context, after, outcome);
    context.unwritten.drop(current.id);
    measureEnd(context, current, saved);
    return { saved, before: after, goesOn };
  } catch (error) {
    if (!(error instanceof NumbersTaken) || claim === null) throw error;
    const taken =
      attempts < MAX_CLAIMS ? await lookForTaken(context, current, claim) : claim.numbers.map(ofUnknownOwner);
    return storeFact(context, { ...found, fact: knowing(fact, taken) }, attempts + 1);
  }
}

/** Counts a booking that has come to rest, with an outcome or with a question for a person. */
export function measureEnd({ measures, clock }: BookingContext, before: Consignment, after: Consignment): void {
  const ended = END_STATES.includes(after.state) && !END_STATES.includes(before.state);
  const stuck = after.needsOperator && !before.needsOperator;
  if (!ended && !stuck) return;
  const { area, plan, state, runStartedAt } = after;
  const { carrierId: carrier = null, account = null } = plan ?? {};
  const tookMs = clock.now().getTime() - runStartedAt.getTime();
  measures?.ended({ area, carrier, account, outcome: ended ? state : 'needs-operator', tookMs });
}

/** The numbers that the carrier confirms in this fact. */
function claimOf({ current, fact }: StepResult, after: Consignment): NumberClaim | null {
  const account = after.plan?.account;
  if ((fact.kind !== 'sent' && fact.kind !== 'looked-up') || account === undefined) return null;
  const numbers = newNumbers(current, after);
  return numbers.length === 0 ? null : { account, numbers };
}

function lookForTaken(
  context: BookingContext,
  { id, area }: Consignment,
  claim: NumberClaim,
): Promise<readonly TakenNumber[]> {
  const look = () => takenNumbers(context.database, area, { claim, now: context.clock.now() });
  return retryWhileDatabaseAway(context, { consignment: id }, look);
}

/** The owner of a number where it is unknown: each parcel that claimed it was gone when we looked. */
function ofUnknownOwner({ trackingNumber }: NumberClaim['numbers'][number]): TakenNumber {
  return { trackingNumber, containerId: '', shipmentNumber: '-' };
}

function knowing(fact: Fact, taken: readonly TakenNumber[]): Fact {
  if (fact.kind !== 'sent' && fact.kind !== 'looked-up') return fact;
  return { ...fact, taken: [...(fact.taken ?? []), ...taken] };
}

export function transitionContext(context: BookingContext, consignment: Consignment): TransitionContext {
  const account = consignment.plan ? context.accounts.get(consignment.plan.account) : undefined;
  return {
    now: context.clock.now(),
    random: context.random(),
    giveUpAfterMs: context.areas.get(consignment.area)?.giveUpAfterMs ?? Infinity,
    printing: context.printing.mode,
    numberPattern: account?.adapter.traits.trackingNumberPattern ?? null,
    bookingEndsWithinMs: bookingEndsWithinMs(account?.adapter.traits),
    canCancel: account?.carrier.cancel !== undefined,
    ...(context.drawErrorSheet && { errorSheets: sheetsFor(context, consignment) }),
    labelLink: () => context.labelLink(consignment.id),
  };
}

/** Chooses the sheet by the booking's profile; before it has one, by the area, the device, the user and the carrier. */
function sheetsFor({ profiles }: BookingContext, consignment: Consignment): ErrorSheets {
  const { plan, area, addressee } = consignment;
  if (plan !== null || profiles === undefined) return plan?.print ?? NO_PROFILE;
  const carrier = chosenCarrier(consignment)?.carrierId ?? '';
  return chooseProfile(profiles, { area, carrier, service: null, country: null, event: addressee }) ?? NO_PROFILE;
}

const NO_PROFILE: ErrorSheets = { target: null, template: null };

const MAX_OUTCOME_ATTEMPTS = 8;
const OUTCOME_PAUSE_MS = 500;

/** Another consignment has taken the reference or the sequence number (unique_violation). */
export function isTakenByAnother(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505';
}

/**
 * Stores the result with its labels, both or none. It may be the only copy of a booking, so this waits for a database
 * that is away, beyond the lease if need be, and repeats on errors.
 * @throws LeaseLost | SequenceConflict | NumbersTaken
 */
async function storeOutcome(context: BookingContext, consignment: Consignment, outcome: Outcome): Promise<Consignment> {
  const storing = () => storeOnce(context, consignment, outcome);
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await retryWhileDatabaseAway(context, { consignment: consignment.id }, storing);
    } catch (error) {
      const isAnswer = error instanceof LeaseLost || error instanceof SequenceConflict || error instanceof NumbersTaken;
      if (isAnswer || isTakenByAnother(error)) throw error;
      if (attempts === MAX_OUTCOME_ATTEMPTS) throw error;
      context.log.warn('outcome not stored yet', { consignment: consignment.id, attempts, error });
      await new Promise((done) => setTimeout(done, OUTCOME_PAUSE_MS));
    }
  }
}

/**
 * Stores the result, unless an attempt whose answer was lost has stored it. Where it has, and the lease has ended since, nothing is sent:
 * the intents that are recorded with the result are taken back.
 */
async function storeOnce(context: BookingContext, consignment: Consignment, outcome: Outcome): Promise<Consignment> {
  try {
    return await storeFound(context, consignment, outcome);
  } catch (error) {
    const stored =
      error instanceof LeaseLost ? await storedBefore(context.database, consignment, context.lease.owner) : null;
    if (stored === null) throw error;
    const saved = isLeased(context, stored) ? stored : await replace(context, stored, consignment);
    return noted(context, saved, outcome.entries);
  }
}

function isLeased({ clock }: BookingContext, { leaseUntil }: Consignment): boolean {
  return leaseUntil !== null && leaseUntil > clock.now();
}

/** Stores this in place of what this process has stored, and gives the row back. */
function replace(context: BookingContext, { version }: Consignment, by: Consignment): Promise<Consignment> {
  const storing = { entries: [], goesOn: false, answersCancelRequest: 'stands', afterLease: 'taken' } as const;
  return store(context, { ...by, version }, { ...storing, knownCancelRequest: by.cancelRequest });
}

function storeFound(context: BookingContext, consignment: Consignment, outcome: Outcome): Promise<Consignment> {
  // After the lease nothing is sent, so no intent may be stored.
  const holds = context.lease.held.holds(consignment.id, context.clock.now());
  const stored = outcome.goesOn && holds ? recordIntent(consignment) : consignment;
  return store(context, stored, { ...outcome, afterLease: 'taken' });
}

/**
 * Stores an intent, after which its request may leave. Where the commit is not answered, or ends after the lease, nothing leaves:
 * the intent is taken back, because it would say that the request may have been sent.
 * @param change what the intent changes
 * @throws LeaseLost | DatabaseUnavailable, and every other error of `store`
 */
export async function storeIntent(
  context: BookingContext,
  { before, change }: { readonly before: Consignment; readonly change: (current: Consignment) => Consignment },
  storing: Storing,
): Promise<Consignment> {
  const intended = change(before);
  try {
    const saved = await store(context, intended, storing);
    if (isLeased(context, saved)) return saved;
    throw new IntentTooLate(`the lease of consignment ${before.id} ended before the request left`);
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof IntentTooLate)
      await takeBack(context, before, intended);
    throw error;
  }
}

class IntentTooLate extends LeaseLost {}

/** Restores what was before, where the row is as the intent has left it: nobody has claimed it since. */
async function takeBack(context: BookingContext, before: Consignment, intended: Consignment): Promise<void> {
  try {
    await retryWhileDatabaseAway(context, { consignment: before.id }, async () => {
      const stored = await storedBefore(context.database, intended, context.lease.owner);
      if (stored !== null) await replace(context, stored, before);
    });
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
}

export async function store(context: BookingContext, consignment: Consignment, storing: Storing): Promise<Consignment> {
  const { entries, goesOn, answersCancelRequest, knownCancelRequest, ...rest } = storing;
  const saved = await save(context.database, consignment, {
    owner: context.lease.owner,
    now: context.clock.now(),
    entries,
    keepLease: goesOn ? 'keep' : 'give-back',
    answersCancelRequest,
    knownCancelRequest,
    ...rest,
  });
  return noted(context, saved, entries);
}

/** What follows a commit in this process. */
function noted(context: BookingContext, saved: Consignment, entries: Storing['entries']): Consignment {
  if (saved.leaseUntil !== null) context.lease.held.take(saved.id, saved.leaseUntil);
  const log = context.log.child({ consignment: saved.id, area: saved.area });
  for (const { what, level, fields } of entries) log[level ?? 'info'](what, fields);
  return saved;
}
