import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Log } from '../../log.js';
import { withTimeout } from '../../worker/with-timeout.js';
import { ImsUnavailable } from '../errors.js';
import type { Priority } from '../operations.js';

/** Counts the requests of a key and a day, across restarts and instances. Handed in. */
export interface UsageStore {
  /**
   * @param keyId short hash of the key, never the key
   * @param day `YYYY-MM-DD`, UTC
   * @param calls to add; negative to return, 0 to read
   * @returns the count of all instances afterwards
   */
  add(keyId: string, day: string, calls: number): Promise<number>;
  /** @returns `yes` for the first caller of each key, day and percentage */
  firstToTell(keyId: string, day: string, percent: number): Promise<'yes' | 'no'>;
}

/** The purpose of a request: messages to workers may use the last requests of the day. */
export type Purpose = Priority | 'message';

/** The daily limit of one `x-api-key`, shared by all instances. */
export interface DailyBudget {
  /**
   * Reads the rest of the day's requests; waits a limited time for the database.
   * @throws ImsUnavailable the day's requests are used up for this purpose; `newDayAt` is the end of the wait
   */
  admit(purpose: Purpose): Promise<void>;
  /** Counts one request before it is sent. @throws ImsUnavailable as `admit` */
  spend(purpose: Purpose): void;
  /** Uncounts the last request, which was not sent. */
  unspend(): void;
  /** The requests that the rest of the day allows, as far as known. */
  left(): 'everything' | 'bookings' | 'nothing';
  /** Requests that this instance has reserved and not used today; negative: used beyond what it has reserved. */
  reserved(): number;
  /** Returns reserved requests that were not used. */
  close(): Promise<void>;
}

/** The interface promises 100,000 requests a day for each key. */
export const REQUESTS_PER_DAY = 100_000;
/** At 95 % only bookings continue; the last 500 requests tell workers that bookings wait too. */
const LIMITS: Readonly<Record<Purpose, number>> = { background: 95_000, booking: 99_500, message: REQUESTS_PER_DAY };
/** Thresholds that are logged once a day. */
const THRESHOLDS = [
  { percent: 80, from: 80_000, effect: 'none yet' },
  { percent: 95, from: LIMITS.background, effect: 'only bookings run' },
  { percent: 100, from: LIMITS.booking, effect: 'bookings wait too' },
] as const;
/*
 * The count of a day is kept in the database, where instances reserve requests before they use them: a process that dies
 * wastes some, and never sends uncounted ones.
 *
 * stored       all reservations of all instances, as the last query answered
 * reserved     ours among them
 * used         the requests that we sent; more than `reserved` while the database is away, and added by the next query
 *
 * The limits count `stored - reserved + used` (`callsOf`): what other instances have reserved counts as used. The next
 * reservation is made when ours is nearly used up, or when `stored` is old. At the end of the day and of the process, the rest of ours is returned
 * (`settle`).
 */

/** Requests that are reserved at once. */
const RESERVATION = 100;
/** With fewer unused requests than this the next reservation is made in the background. */
const LOW = 50;
/** The count of the other instances is read again after this time, also by an instance that sends little. */
const FRESH_FOR_MS = 10_000;
/** The limit of the wait for the database; then the request is sent: one too many is better than a label too late. */
const WAITS_FOR_STORE_MS = 500;
const STORE_PAUSE_MS = 5_000;
const DAY_MS = 24 * 3_600_000;

/** The count of one day. */
interface Day {
  readonly name: string;
  /** `null`: not known yet. */
  stored: number | null;
  reserved: number;
  used: number;
  /** The time of the last query, and whether it failed. */
  askedAtMs: number;
  failed: boolean;
  reserving: Promise<void> | null;
  /** The highest threshold that was logged, in percent. */
  loggedPercent: number;
}

interface BudgetTools {
  readonly usage: UsageStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Areas that use the key, for the log. */
  readonly areas: () => readonly string[];
}

export function createDailyBudget(keyId: string, tools: BudgetTools): DailyBudget {
  const { clock } = tools;
  const tally = createTally(keyId, tools);
  let day = newDay('');

  function today(): Day {
    const name = clock.now().toISOString().slice(0, 10);
    if (name === day.name) return day;
    const yesterday = day;
    day = newDay(name);
    if (yesterday.name !== '') void tally.settle(yesterday);
    return day;
  }

  function requireLeft(current: Day, purpose: Purpose): void {
    if (callsOf(current) >= LIMITS[purpose]) throw usedUp(purpose, clock.now());
  }

  return {
    admit: async (purpose) => {
      const current = today();
      await tally.refresh(current);
      requireLeft(current, purpose);
    },
    spend: (purpose) => {
      const current = today();
      requireLeft(current, purpose);
      current.used += 1;
    },
    // At the beginning of a day there may be nothing to uncount.
    unspend: () => void (today().used = Math.max(0, today().used - 1)),
    left: () => {
      const calls = callsOf(today());
      if (calls >= LIMITS.booking) return 'nothing';
      return calls >= LIMITS.background ? 'bookings' : 'everything';
    },
    reserved: () => today().reserved - today().used,
    close: () => tally.settle(day),
  };
}

/** The queries for one key. */
function createTally(keyId: string, { usage, clock, log, areas }: BudgetTools) {
  /** @param calls to reserve; negative: to return */
  async function store(day: Day, calls: number): Promise<void> {
    day.askedAtMs = clock.now().getTime();
    try {
      day.stored = await usage.add(keyId, day.name, calls);
      day.reserved += calls;
      day.failed = false;
      await logThresholds(day);
    } catch (error) {
      if (!day.failed) log.warn('IMS usage not counted', { key: keyId, day: day.name, error });
      day.failed = true;
    }
  }

  async function logThresholds(day: Day): Promise<void> {
    for (const { percent, from, effect } of THRESHOLDS) {
      const calls = callsOf(day);
      if (calls < from || day.loggedPercent >= percent) continue;
      const first = await usage.firstToTell(keyId, day.name, percent);
      day.loggedPercent = percent;
      const about = { areas: areas(), key: keyId, day: day.name, calls, limit: REQUESTS_PER_DAY, percent, effect };
      if (first === 'yes') log.warn('IMS daily budget', about);
    }
  }

  /** Runs one at a time. Also counts the requests that were used while the database was away. */
  function reserve(day: Day): Promise<void> {
    const ahead = isUsedUp(day) ? 0 : RESERVATION;
    day.reserving ??= store(day, Math.max(0, day.used + ahead - day.reserved)).finally(() => (day.reserving = null));
    return day.reserving;
  }

  return {
    /** Makes a reservation where one is due. Waits for it, for a moment, only when nothing is left or known. */
    refresh: async (day: Day): Promise<void> => {
      const ageMs = clock.now().getTime() - day.askedAtMs;
      if (day.failed && ageMs < STORE_PAUSE_MS) return;
      const unused = day.reserved - day.used;
      if (day.stored === null || (unused <= 0 && !isUsedUp(day))) {
        await withTimeout(reserve(day), WAITS_FOR_STORE_MS, () => undefined);
        return;
      }
      if (unused < LOW || ageMs > FRESH_FOR_MS) void reserve(day);
    },
    /** Returns unused requests to the day. */
    settle: async (day: Day): Promise<void> => {
      await day.reserving;
      if (day.used !== day.reserved) await store(day, day.used - day.reserved);
    },
  };
}

function newDay(name: string): Day {
  return { name, stored: null, reserved: 0, used: 0, askedAtMs: 0, failed: false, reserving: null, loggedPercent: 0 };
}

/** The requests used by all instances, as far as known; reserved ones of others count as used. */
function callsOf(day: Day): number {
  return (day.stored ?? 0) - day.reserved + day.used;
}

/** For every purpose. */
function isUsedUp(day: Day): boolean {
  return callsOf(day) >= LIMITS.message;
}

function usedUp(purpose: Purpose, now: Date): ImsUnavailable {
  const leftMs = DAY_MS - (now.getTime() % DAY_MS);
  const newDayAt = new Date(now.getTime() + leftMs);
  const of = purpose === 'background' ? 'What is left is for bookings' : 'They are used up';
  return new ImsUnavailable(
    `The IMS allows this area ${REQUESTS_PER_DAY} requests a day. ${of} until midnight UTC.`,
    'none',
    { retryAfterMs: leftMs, newDayAt },
  );
}
