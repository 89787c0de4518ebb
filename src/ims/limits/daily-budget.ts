import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Log } from '../../log.js';
import { ImsUnavailable } from '../errors.js';
import type { Priority } from '../operations.js';

/** Where the number of requests of a key and a day is added up, over restarts and instances. Handed in. */
export interface UsageStore {
  /**
   * @param keyId short hash of the key, never the key
   * @param day `YYYY-MM-DD`, UTC
   * @param calls to be added; below 0 gives back, 0 only asks
   * @returns all of that day, of all instances, afterwards
   */
  add(keyId: string, day: string, calls: number): Promise<number>;
  /** @returns `yes` once for each key, day and percentage, whoever asks first */
  firstToTell(keyId: string, day: string, percent: number): Promise<'yes' | 'no'>;
}

/** What a request is for: what workers are told has the last ones of the day. */
export type Purpose = Priority | 'message';

/** The daily limit of one `x-api-key`, shared by all instances. */
export interface DailyBudget {
  /**
   * Knows afterwards what is left; waits for the database a moment at most.
   * @throws ImsUnavailable the day's requests are used up for this purpose; `newDayAt` says until when
   */
  admit(purpose: Purpose): Promise<void>;
  /** Counts one request that leaves now. @throws ImsUnavailable as `admit` */
  spend(purpose: Purpose): void;
  /** What was counted last has not left after all. */
  unspend(): void;
  /** As far as is known now. */
  left(): 'everything' | 'bookings' | 'nothing';
  /** Gives back what was taken and not used. */
  close(): Promise<void>;
}

/** The interface promises 100,000 requests a day for each key. */
const REQUESTS_PER_DAY = 100_000;
/** At 95 % everything that nobody waits for waits; the last 500 are for telling workers that bookings wait too. */
const LIMITS: Readonly<Record<Purpose, number>> = { background: 95_000, booking: 99_500, message: REQUESTS_PER_DAY };
/** Said once a day; from the first on somebody should look why. */
const TOLD = [
  { percent: 80, from: 80_000, effect: 'none yet' },
  { percent: 95, from: LIMITS.background, effect: 'only bookings run' },
  { percent: 100, from: LIMITS.booking, effect: 'bookings wait too' },
] as const;
/** Taken from the day at once, before they are used: a process that dies loses some, and never uses uncounted ones. */
const BATCH = 100;
/** With fewer left the next batch is fetched, behind the calls. */
const LOW = 50;
/** What others used shows after this, also in an instance that sends little. */
const FRESH_FOR_MS = 10_000;
/** A database that does not answer stops nobody: better a request too many than a label too late. */
const WAITS_FOR_STORE_MS = 500;
const STORE_PAUSE_MS = 5_000;
const DAY_MS = 24 * 3_600_000;

/** The count of one day. */
interface Day {
  readonly name: string;
  /** Of all instances, with what we took and have not used; `null`: not known yet. */
  total: number | null;
  taken: number;
  spent: number;
  /** When the store was asked last, and whether it answered. */
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
    // A day that has just begun owes nothing for the last one.
    unspend: () => void (today().spent = Math.max(0, today().spent - 1)),
    left: () => {
      const calls = callsOf(today());
      if (calls >= LIMITS.booking) return 'nothing';
      return calls >= LIMITS.background ? 'bookings' : 'everything';
    },
    close: () => tally.settle(day),
  };
}

/** What is said to the store about a day, and what it answers. */
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

  /** One question at a time; it also pays what was used while the database was gone. */
  function fetchBatch(of: Day): Promise<void> {
    const ahead = callsOf(of) >= LIMITS.message ? 0 : BATCH;
    of.asking ??= ask(of, Math.max(0, of.spent + ahead - of.taken)).finally(() => (of.asking = null));
    return of.asking;
  }

  return {
    /** Knows afterwards what is left, or has waited long enough. */
    refresh: async (of: Day): Promise<void> => {
      const ageMs = clock.now().getTime() - of.askedAtMs;
      if (of.failed && ageMs < STORE_PAUSE_MS) return;
      const isEmpty = of.taken <= of.spent && callsOf(of) < LIMITS.message;
      if (of.total === null || isEmpty) return inTime(fetchBatch(of));
      if (of.taken - of.spent < LOW || ageMs > FRESH_FOR_MS) void fetchBatch(of);
    },
    /** Afterwards the store has what was really used. */
    settle: async (of: Day): Promise<void> => {
      await of.asking;
      if (of.spent !== of.taken) await ask(of, of.spent - of.taken);
    },
  };
}

function newDay(name: string): Day {
  return { name, total: null, taken: 0, spent: 0, askedAtMs: 0, failed: false, asking: null, told: 0 };
}

/** What was used by everybody, as far as we know; what others took counts as used. */
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
