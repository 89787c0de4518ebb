import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierRejected, CarrierUnavailable } from '../../../carriers/contract/errors.js';
import type { TrackingEvent } from '../../../carriers/contract/tracking.js';
import { BulkheadRejected } from '../../accounts/bulkhead.js';
import { type Reached, accountOfSeller } from '../../consignment/steps/reach-account.js';
import type { Account } from '../../accounts/account.js';
import { areaOf } from '../../areas/area.js';
import type { BookingContext } from '../../consignment/context.js';
import { applyEvents, lockTracking } from '../events/apply-events.js';
import { logUnrecognised } from '../callbacks/apply-callbacks.js';
import {
  type Poll,
  type NextPoll,
  countCall,
  isPollDue,
  notePolled,
  schedulePolls,
  takeDuePolls,
} from './poll-rows.js';
import { isLoginRefused, noteLoginAccepted, noteLoginRefused } from './refused-logins.js';
import { pollAgainAt, callsAllowedBy, nextPollAt, nextCheckAt } from './schedule.js';
import type { NewTrackingEvent } from '../events/tracking-event-rows.js';
import type { TrackingContext } from '../context.js';
import { isDataError } from '../../db/data-error.js';

/** Polls take so many of an account's sixteen places: bookings go first. */
const CONCURRENCY = 4;
/** The limit of parcels in one call. */
const MAX_AT_ONCE = 200;
/** Longer than a call and its wait in the bulkhead: after a crash the parcels become due again. */
const TAKEN_FOR_MS = 10 * 60_000;
/** An ended parcel is polled once more for the details of its end; it is given up after so many failures. */
const MAX_FAILURES_AFTER_END = 8;

/** The result of a round. */
export interface Polled {
  readonly parcels: number;
  readonly calls: number;
  /** Calls that the carrier answered. */
  readonly answered: number;
  /** `false`: the carrier cannot be reached, or its daily calls are used up for now. */
  readonly answers: boolean;
}

/** Polls the due parcels of an account, until none is due or the carrier does not answer. */
export async function pollDue(tracking: TrackingContext, account: Account, isStopped: () => boolean): Promise<Polled> {
  const { database, clock } = tracking.booking;
  if (!(await isPollDue(database, account.name, clock.now())))
    return { parcels: 0, calls: 0, answered: 0, answers: true };
  const startLimiters = Array.from({ length: CONCURRENCY }, () => startLimiter(tracking, account, isStopped));
  const rounds = await Promise.all(startLimiters);
  const sum = (of: (round: Polled) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const answered = sum((round) => round.answered);
  if (answered > 0) {
    await notePolled(database, account.name, clock.now());
    // An answer to one seller's login says nothing about another's.
    if (!account.settle) await noteLoginAccepted(database, account.name);
  }
  return {
    parcels: sum((round) => round.parcels),
    calls: sum((round) => round.calls),
    answered,
    answers: rounds.every((round) => round.answers),
  };
}

async function startLimiter(tracking: TrackingContext, account: Account, isStopped: () => boolean): Promise<Polled> {
  const limit = Math.min(account.adapter.traits.trackAtOnce ?? 1, MAX_AT_ONCE);
  let parcels = 0;
  let calls = 0;
  let answered = 0;
  // Pauses while the account's circuit is open.
  while (!isStopped() && account.bulkhead.circuitState() !== 'open') {
    const round = await takeRound(tracking, account, limit);
    if (round === null) return { parcels, calls, answered, answers: false };
    if (round.due.length === 0) return { parcels, calls, answered, answers: true };
    parcels += round.due.length;
    calls += 1;
    const went = await pollNumbers(tracking, account, round);
    if (went === 'not-answered' || went === 'refused') return { parcels, calls, answered, answers: false };
    if (went === 'answered') answered += 1;
  }
  return { parcels, calls, answered, answers: isStopped() };
}

/** Parcels for one call. */
interface Round {
  readonly due: readonly Poll[];
  readonly until: Date;
  /** The seller whose settings are used; `null`: none is known, or settings do not differ by seller. */
  readonly seller: string | null;
}

/** Rolls the claim back. */
class DaySpent extends Error {}

/**
 * Claims due parcels and counts the call in one transaction, if there will be one.
 * @returns `null`: the carrier takes no more calls now
 */
async function takeRound(
  { booking: context, callsPerDay }: TrackingContext,
  asked: Account,
  limit: number,
): Promise<Round | null> {
  const { name: account, settle } = asked;
  const now = context.clock.now();
  const until = new Date(now.getTime() + TAKEN_FOR_MS);
  const most = callsPerDay.get(account) ?? null;
  const taking = context.database.transaction(async (sql) => {
    const taken = await takeDuePolls(sql, account, { now, until, limit });
    const ofCarrier = taken.filter(({ carrierId }) => carrierId === taken[0]?.carrierId);
    const due = settle ? ofOneSeller(ofCarrier) : ofCarrier;
    const others = taken.filter((poll) => !due.includes(poll));
    await schedulePolls(
      sql,
      others.map(({ id, pollsFailed }) => ({ id, at: now, pollsFailed })),
      until,
    );
    const isCall = due[0] !== undefined && whyNotPolled(context, asked, due[0]) === null;
    const spent =
      isCall && most !== null && !(await countCall(sql, account, { now, allowed: callsAllowedBy(now, most) }));
    if (spent) throw new DaySpent();
    return { due, until, seller: settle ? (due[0]?.sellerId ?? null) : null };
  });
  return taking.catch((error: unknown) => {
    if (error instanceof DaySpent) return null;
    throw error;
  });
}

/** Takes parcels of one seller for one call, where settings differ by seller. All are of one carrier. */
function ofOneSeller([first, ...others]: readonly Poll[]): readonly Poll[] {
  if (first === undefined || first.sellerId === undefined) return first ? [first] : [];
  return [first, ...others.filter(({ area, sellerId }) => area === first.area && sellerId === first.sellerId)];
}

function isRefusalOfSeveral(error: unknown, { due }: Round): boolean {
  return error instanceof CarrierRejected && error.because === 'data' && due.length > 1;
}

/** A carrier refuses a whole call for one of its numbers: each is asked for alone, so that the others are answered. */
async function pollOneByOne(
  tracking: TrackingContext,
  account: Account,
  round: Round,
): Promise<'answered' | 'not-answered'> {
  const { booking: context, callsPerDay } = tracking;
  const most = callsPerDay.get(account.name) ?? null;
  let went: 'answered' | 'not-answered' = 'not-answered';
  for (const [place, poll] of round.due.entries()) {
    const now = context.clock.now();
    const isAllowed =
      most === null || (await countCall(context.database, account.name, { now, allowed: callsAllowedBy(now, most) }));
    const one = isAllowed ? await pollNumbers(tracking, account, { ...round, due: [poll] }) : 'not-answered';
    if (one === 'answered') went = 'answered';
    if (one === 'answered' || one === 'refused') continue;
    const rest = round.due.slice(isAllowed ? place + 1 : place);
    await schedulePolls(
      context.database,
      rest.map(({ id, pollsFailed }) => ({ id, at: now, pollsFailed })),
      round.until,
    );
    return 'not-answered';
  }
  return went;
}

/** @returns `refused`: the carrier refuses the only number; `not-asked`: parcels of another seller or carrier may be polled; `not-answered`: none may be now */
async function pollNumbers(
  tracking: TrackingContext,
  unsettled: Account,
  round: Round,
): Promise<'answered' | 'not-asked' | 'not-answered' | 'refused'> {
  const reached = await settingsFor(tracking, unsettled, round);
  if (reached.kind === 'not-now' || reached.kind === 'gone') {
    const why = reached.kind === 'gone' ? reached.problem.text : reached.postponed.because;
    await postpone(tracking, { account: unsettled, round, error: new CarrierUnavailable(why) });
    return reached.kind === 'gone' ? 'not-asked' : 'not-answered';
  }
  const { account } = reached;
  let events: readonly TrackingEvent[];
  try {
    events = await pollCarrier(account, round.due);
  } catch (error) {
    if (isRefusalOfSeveral(error, round)) return pollOneByOne(tracking, unsettled, round);
    await postpone(tracking, { account, round, error });
    return error instanceof CarrierRejected && error.because === 'data' ? 'refused' : 'not-answered';
  }
  const fresh = await keepWhatCan(tracking, { account, round, events });
  logUnrecognised({ booking: tracking.booking, fresh });
  return 'answered';
}

async function settingsFor({ booking: context }: TrackingContext, account: Account, { due }: Round): Promise<Reached> {
  const [first] = due;
  const text = first ? whyNotPolled(context, account, first) : null;
  if (text !== null) return { kind: 'gone', problem: { code: null, text, parcelId: null } };
  if (!account.settle || !first) return { kind: 'reached', account, customer: null };
  // The number names the parcel, so it is asked about also where the seller is another customer of the carrier by now.
  return accountOfSeller(account, areaOf(context, first.area).imsBackground, first);
}

/** @returns why the carrier is not asked about the parcel, as the configuration is now; `null`: it is asked */
function whyNotPolled({ areas }: BookingContext, { name, adapter, settle }: Account, poll: Poll): string | null {
  if (poll.carrierId !== undefined && poll.carrierId !== adapter.id)
    return `account "${name}" is one of ${adapter.name} by now, and carrier ${poll.carrierId} has these parcels`;
  if (settle && !areas.has(poll.area))
    return `area ${poll.area} is not configured, and account "${name}" takes its login from the warehouse system of the area`;
  return null;
}

/**
 * One call in the bulkhead. It does not use `call`, because many carriers have separate servers for tracking, whose
 * failures must not open the circuit for bookings.
 */
function pollCarrier({ name, carrier, bulkhead }: Account, due: readonly Poll[]): Promise<readonly TrackingEvent[]> {
  const numbers = due.map((poll) => poll.trackingNumber);
  const known = due.flatMap((poll) => (poll.carrierNumber === null ? [] : [[poll.trackingNumber, poll.carrierNumber]]));
  const carrierNumbers = Object.fromEntries(known) as Readonly<Record<string, string>>;
  const track = async () => (await carrier.track?.(numbers, carrierNumbers)) ?? [];
  // The trial of a half-open circuit is a booking; polling does not wait for one.
  return bulkhead.circuitState() === 'half-open' ? track() : bulkhead.run(`tracking:${name}`, track);
}

interface Answer {
  readonly account: Account;
  readonly round: Round;
  readonly events: readonly TrackingEvent[];
}

/**
 * Stores each parcel by itself after a failure, so that one parcel's events do not block the others; the failed one is
 * polled more and more rarely.
 */
async function keepWhatCan(tracking: TrackingContext, answer: Answer): Promise<readonly NewTrackingEvent[]> {
  try {
    return await keepAnswer(tracking, answer);
  } catch (error) {
    if (!isDataError(error)) throw error;
    const { account, round, events } = answer;
    const [first, ...others] = round.due;
    if (first === undefined) throw error;
    if (others.length === 0) {
      const { trackingNumber } = first;
      tracking.booking.log.error('tracking answer not kept', { account: account.name, trackingNumber, error });
      await schedulePolls(tracking.booking.database, [afterFailure(tracking, first, null)], round.until);
      return [];
    }
    const fresh: NewTrackingEvent[] = [];
    for (const poll of round.due) {
      const own = events.filter((event) => event.trackingNumber === poll.trackingNumber);
      fresh.push(...(await keepWhatCan(tracking, { account, round: { ...round, due: [poll] }, events: own })));
    }
    return fresh;
  }
}

/** Stores the events and the next poll in one transaction. */
async function keepAnswer(
  { booking: context, options, callbacks }: TrackingContext,
  { account, round, events }: Answer,
): Promise<readonly NewTrackingEvent[]> {
  const now = context.clock.now();
  const next = callbacks.has(account.name) ? nextCheckAt : nextPollAt;
  return context.database.transaction(async (sql) => {
    await lockTracking(sql);
    const polls = round.due.map(({ id, registeredAt, ended }) => ({
      id,
      at: ended ? null : next(registeredAt, now, context.random()),
      pollsFailed: 0,
    }));
    await schedulePolls(sql, polls, round.until);
    const known = events.map((event) => ({ account: account.name, event }));
    return applyEvents(sql, known, { options, now });
  });
}

interface Failed {
  readonly account: Account;
  readonly round: Round;
  readonly error: unknown;
}

async function postpone(tracking: TrackingContext, { account, round, error }: Failed): Promise<void> {
  const { booking: context } = tracking;
  const isRejected = error instanceof BulkheadRejected;
  const known = isRejected ? error : carrierError(error, 'read');
  const retryAfterMs = known instanceof CarrierUnavailable ? known.retryAfterMs : null;
  const polls = round.due.map((poll) =>
    isRejected ? afterRejection(tracking, poll) : afterFailure(tracking, poll, retryAfterMs),
  );
  await schedulePolls(context.database, polls, round.until);
  const fields = { account: account.name, seller: round.seller, parcels: round.due.length, error: known };
  if (isLoginRefused(known)) return noteLoginRefused(context, fields);
  context.log[isRejected ? 'info' : 'warn']('tracking not answered', fields);
}

function afterRejection({ booking: context }: TrackingContext, { id, pollsFailed }: Poll): NextPoll {
  return { id, at: pollAgainAt({ now: context.clock.now(), random: context.random() }, 0, null), pollsFailed };
}

/** @param retryAfterMs the delay that the carrier asks for */
function afterFailure(
  { booking: context }: TrackingContext,
  { id, pollsFailed, ended }: Poll,
  retryAfterMs: number | null,
): NextPoll {
  const failed = pollsFailed + 1;
  if (ended && failed >= MAX_FAILURES_AFTER_END) return { id, at: null, pollsFailed: failed };
  const at = pollAgainAt({ now: context.clock.now(), random: context.random() }, pollsFailed, retryAfterMs);
  return { id, at, pollsFailed: failed };
}
