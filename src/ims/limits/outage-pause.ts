import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Log } from '../../log.js';
import { type Doubling, doublingMs } from '../../worker/backoff.js';
import type { RateLimit } from './rate-limit.js';

/** After so many different failed targets, the cause is the IMS and not one of the targets. */
const TARGETS = 10;
const PAUSES: Doubling = { firstMs: 1_000, maxMs: 15_000, atLeast: 0.75 };

/** Watches whether the IMS answers, by the calls of one key. */
export interface OutagePause {
  /** An answer came. */
  answered(): void;
  /** No answer came, or one that says that the IMS is out of order. @param target the address of the call */
  unanswered(target: string, startedAtMs: number): void;
}

interface OutagePauseTools {
  readonly limit: Pick<RateLimit, 'pause'>;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
}

/**
 * Pauses a key while the IMS does not answer. Otherwise all waiting work would keep sending: a few hundred bookings
 * would use up the day's requests within an hour. After each pause the requests of one second are sent as a test.
 */
export function createOutagePause({ limit, clock, random, log }: OutagePauseTools): OutagePause {
  const inVain = new Set<string>();
  let pauses = 0;
  let pausedUntilMs = 0;
  return {
    answered: () => {
      if (pauses > 0) log.info('IMS answers again', { pauses });
      inVain.clear();
      pauses = 0;
    },
    unanswered: (target, startedAtMs) => {
      // Requests from before the last pause prove nothing.
      if (startedAtMs < pausedUntilMs) return;
      inVain.add(target);
      if (inVain.size < TARGETS) return;
      inVain.clear();
      const ms = Math.round(doublingMs(PAUSES, pauses, random()));
      pausedUntilMs = clock.now().getTime() + ms;
      pauses += 1;
      limit.pause(ms);
      log.warn('IMS outage pause', { pauses, ms });
    },
  };
}
