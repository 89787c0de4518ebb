import type { Switches } from '../control/switches.js';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
/**
 * `useAt` trims the list once more than this many times in it have expired; trimming it for each request would cost
 * more.
 */
const MAX_PAST = 1_000;

interface Use {
  /**
   * Times of admitted requests, in milliseconds since 1970, oldest first. Those before index `first` are at least a
   * second old.
   */
  times: number[];
  first: number;
  /** The day that `today` counts, in whole days since 1970-01-01 UTC. */
  day: number;
  today: number;
}

/** Counts the requests of each area key: those of the last second (a sliding window) and those of the UTC day. */
export class KeyLimits {
  private readonly uses = new Map<string, Use>();

  /**
   * @returns whether the request may pass. It counts only requests that pass, and none while both limits are `null`.
   */
  admit(apiKey: string, now: Date, limits: Pick<Switches, 'requestsPerSecond' | 'requestsPerDay'>): boolean {
    const { requestsPerSecond, requestsPerDay } = limits;
    if (requestsPerSecond === null && requestsPerDay === null) return true;
    const use = this.useAt(apiKey, now.getTime());
    if (use.times.length - use.first >= (requestsPerSecond ?? Infinity)) return false;
    if (use.today >= (requestsPerDay ?? Infinity)) return false;
    use.times.push(now.getTime());
    use.today += 1;
    return true;
  }

  /** The counts of the key, with expired ones dropped. */
  private useAt(apiKey: string, nowMs: number): Use {
    const day = Math.floor(nowMs / DAY_MS);
    const use = this.uses.get(apiKey) ?? { times: [], first: 0, day, today: 0 };
    this.uses.set(apiKey, use);
    if (use.day !== day) Object.assign(use, { day, today: 0 });
    while ((use.times[use.first] ?? Infinity) <= nowMs - SECOND_MS) use.first += 1;
    if (use.first > MAX_PAST) Object.assign(use, { times: use.times.slice(use.first), first: 0 });
    return use;
  }
}
