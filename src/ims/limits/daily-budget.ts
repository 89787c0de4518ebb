import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Log } from '../../log.js';
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
   * Reads what is left of the day; waits for the database for a moment at most.
   * @throws ImsUnavailable the day's requests are used up for this purpose; `newDayAt` is the end of the wait
   */
  admit(purpose: Purpose): Promise<void>;
  /** Counts one request before it is sent. @throws ImsUnavailable as `admit` */
  spend(purpose: Purpose): void;
  /** Uncounts the last request, which was not sent. */
  unspend(): void;
  /** The requests that the rest of the day allows, as far as known. */
  left(): 'everything' | 'bookings' | 'nothing';
  /** Returns reserved requests that were not used. */
  close(): Promise<void>;
}

/** The interface promises 100,000 requests a day for each key. */
const REQUESTS_PER_DAY = 100_000;
/** At 95 % only bookings continue; the last 500 requests tell workers that bookings wait too. */
const LIMITS: Readonly<Record<Purpose, number>> = { background: 95_000, booking: 99_500, message: REQUESTS_PER_DAY };
/** Thresholds that are logged once a day. */
const TOLD = [
  { percent: 80, from: 80_000, effect: 'none yet' },
  { percent: 95, from: LIMITS.background, effect: 'only bookings run' },
  { percent: 100, from: LIMITS.booking, effect: 'bookings wait too' },
] as const;
/**
 * Requests that are reserved at once, before they are used: a process that dies wastes some, and never uses uncounted
 * ones.
 */
const BATCH = 100;
/** Below this the next batch is fetched in the background. */
const LOW = 50;
/** The count of the other instances is read again after this time, also by an instance that sends little. */
const FRESH_FOR_MS = 10_000;
/** Without an answer of the database the request is sent: one too many is better than a label too late. */
const WAITS_FOR_STORE_MS = 500;
const STORE_PAUSE_MS = 5_000;
const DAY_MS = 24 * 3_600_000;

/** The count of one day. */
interface Day {
  readonly name: string;
  /** The count of all instances, including our reserved requests; `null`: not known yet. */
  total: number | null;
  taken: number;
  spent: number;
  /** The time of the last query, and whether it was answered. */
  askedAtMs: number;
  failed: boolean;
  asking: Promise<void> | null;
  told: number;
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

  function requireLeft(of: Day, purpose: Purpose): void {
    if (callsOf(of) >= LIMITS[purpose]) throw usedUp(purpose, clock.now());
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
      current.spent += 1;
    },
    // At the beginning of a day there may be nothing to uncount.
    unspend: () => void (today().spent = Math.max(0, today().spent - 1)),
    left: () => {
      const calls = callsOf(today());
      if (calls >= LIMITS.booking) return 'nothing';
      return calls >= LIMITS.background ? 'bookings' : 'everything';
    },
    close: () => tally.settle(day),
  };
}

/** The queries for one key, at most one at a time. */
function createTally(keyId: string, { usage, clock, log, areas }: BudgetTools) {
  async function ask(of: Day, calls: number): Promise<void> {
    of.askedAtMs = clock.now().getTime();
    try {
      of.total = await usage.add(keyId, of.name, calls);
      of.taken += calls;
      of.failed = false;
      await tell(of);
    } catch (error) {
      if (!of.failed) log.warn('ims-usage-not-counted', { key: keyId, day: of.name, error });
      of.failed = true;
    }
  }

  async function tell(of: Day): Promise<void> {
    for (const { percent, from, effect } of TOLD) {
      const calls = callsOf(of);
      if (calls < from || of.told >= percent) continue;
      const first = await usage.firstToTell(keyId, of.name, percent);
      of.told = percent;
      const about = { areas: areas(), key: keyId, day: of.name, calls, limit: REQUESTS_PER_DAY, percent, effect };
      if (first === 'yes') log.warn('ims-daily-budget', about);
    }
  }

  /** Fetches a batch, one query at a time; it also counts what was used while the database was away. */
  function fetchBatch(of: Day): Promise<void> {
    const ahead = callsOf(of) >= LIMITS.message ? 0 : BATCH;
    of.asking ??= ask(of, Math.max(0, of.spent + ahead - of.taken)).finally(() => (of.asking = null));
    return of.asking;
  }

  return {
    /** Reads what is left, or stops waiting after a moment. */
    refresh: async (of: Day): Promise<void> => {
      const ageMs = clock.now().getTime() - of.askedAtMs;
      if (of.failed && ageMs < STORE_PAUSE_MS) return;
      const isEmpty = of.taken <= of.spent && callsOf(of) < LIMITS.message;
      if (of.total === null || isEmpty) return inTime(fetchBatch(of));
      if (of.taken - of.spent < LOW || ageMs > FRESH_FOR_MS) void fetchBatch(of);
    },
    /** Stores what was really used. */
    settle: async (of: Day): Promise<void> => {
      await of.asking;
      if (of.spent !== of.taken) await ask(of, of.spent - of.taken);
    },
  };
}

function newDay(name: string): Day {
  return { name, total: null, taken: 0, spent: 0, askedAtMs: 0, failed: false, asking: null, told: 0 };
}

/** The requests used by all instances, as far as known; reserved ones of others count as used. */
function callsOf(day: Day): number {
  return (day.total ?? 0) - day.taken + day.spent;
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((done) => (timer = setTimeout(done, WAITS_FOR_STORE_MS).unref()));
  await Promise.race([work, patience]);
  clearTimeout(timer);
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
