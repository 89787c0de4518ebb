import type { Switches } from './switches.js';

const SECOND_MS = 1000;

interface Use {
  /** Of the requests of the last second, oldest first. */
  readonly times: readonly number[];
  readonly day: string;
  readonly today: number;
}

/** How often each area key was used: so many times in any sliding second, so many in a day. */
export class KeyLimits {
  private readonly uses = new Map<string, Use>();

  /** @returns whether the request may pass; one that may not is not counted */
  admit(apiKey: string, now: Date, limits: Pick<Switches, 'requestsPerSecond' | 'requestsPerDay'>): boolean {
    const day = now.toISOString().slice(0, 'yyyy-MM-dd'.length);
    const before = this.uses.get(apiKey);
    const times = (before?.times ?? []).filter((time) => time > now.getTime() - SECOND_MS);
    const today = before?.day === day ? before.today : 0;
    if (times.length >= (limits.requestsPerSecond ?? Infinity)) return false;
    if (today >= (limits.requestsPerDay ?? Infinity)) return false;
    this.uses.set(apiKey, { times: [...times, now.getTime()], day, today: today + 1 });
    return true;
  }
}
