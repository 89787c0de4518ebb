import type { Switches } from '../control/switches.js';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
/** The times that are over are cut off only when there are so many: moving the others for each would cost more. */
const MAX_PAST = 1_000;

interface Use {
  /** When requests were let through, oldest first; those before `first` are over. */
  times: number[];
  first: number;
  /** Since 1970, in UTC. */
  day: number;
  today: number;
}

/** How often each area key was used: so many times in any sliding second, so many in a day. */
export class KeyLimits {
  private readonly uses = new Map<string, Use>();

  /** @returns whether the request may pass; one that may not is not counted, nor is any while there is no limit */
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

  /** The key's use, without what is over by now. */
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
