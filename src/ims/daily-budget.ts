import type { Clock } from '../../carriers/contract/adapter.js';
import type { Log } from '../log.js';
import { ImsUnavailable } from './errors.js';
import type { Sleep } from './rate-limit.js';

/** Where the number of requests of a key and a day survives a restart. Implemented in `src/db`; handed in. */
export interface UsageStore {
  /**
   * @param keyId short hash of the key, never the key
   * @param day `YYYY-MM-DD`, UTC
   * @returns 0 when nothing was saved
   */
  load(keyId: string, day: string): Promise<number>;
  /** @param calls all of that day so far */
  save(keyId: string, day: string, calls: number): Promise<void>;
}

/** The daily limit of one `x-api-key`. */
export interface DailyBudget {
  /**
   * Counts one request.
   * @throws ImsUnavailable the day's requests are used up; nothing may be sent before the next UTC day
   */
  spend(): Promise<void>;
  /** Saves what is not saved yet. */
  close(): Promise<void>;
}

/** The interface promises 100,000 requests a day for each key. */
const REQUESTS_PER_DAY = 100_000;
const SAVED_EVERY_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

/** The count of one day: what was there before us, as soon as we know it, and what we added. */
interface Day {
  readonly name: string;
  before: number | null;
  ours: number;
  saved: number;
}

interface BudgetTools {
  readonly usage: UsageStore;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Log;
}

/**
 * Counts in memory, loads what earlier runs counted at the first use of a day, and saves behind the calls. A store that
 * cannot be reached stops nobody: better a request too many than a label too late.
 */
export function createDailyBudget(keyId: string, tools: BudgetTools): DailyBudget {
  let day: Day = { name: '', before: null, ours: 0, saved: 0 };
  let loading: Promise<void> = Promise.resolve();
  let saving = false;

  async function load(of: Day): Promise<void> {
    try {
      of.before = await tools.usage.load(keyId, of.name);
    } catch (error) {
      tools.log.warn('ims-usage-not-loaded', { key: keyId, day: of.name, error });
    }
  }

  async function save(of: Day): Promise<void> {
    if (of.ours === of.saved) return;
    if (of.before === null) await load(of);
    if (of.before === null) return;
    const ours = of.ours;
    try {
      await tools.usage.save(keyId, of.name, of.before + ours);
      of.saved = ours;
    } catch (error) {
      tools.log.warn('ims-usage-not-saved', { key: keyId, day: of.name, error });
    }
  }

  async function saveSoon(): Promise<void> {
    if (saving) return;
    saving = true;
    await tools.sleep(SAVED_EVERY_MS);
    saving = false;
    await save(day);
  }

  async function today(name: string): Promise<Day> {
    if (name !== day.name) {
      const yesterday = day;
      day = { name, before: null, ours: 0, saved: 0 };
      loading = Promise.all([save(yesterday), load(day)]).then(() => undefined);
    }
    await loading;
    return day;
  }

  return {
    spend: async () => {
      const now = tools.clock.now();
      const current = await today(now.toISOString().slice(0, 10));
      if ((current.before ?? 0) + current.ours >= REQUESTS_PER_DAY) throw usedUp(now);
      current.ours += 1;
      void saveSoon();
    },
    close: () => save(day),
  };
}

function usedUp(now: Date): ImsUnavailable {
  return new ImsUnavailable(
    `The ${REQUESTS_PER_DAY} requests a day that the IMS allows this area are used up until midnight UTC.`,
    'none',
    { retryAfterMs: DAY_MS - (now.getTime() % DAY_MS) },
  );
}
