import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Log } from '../../log.js';
import type { RateLimit } from './rate-limit.js';

/** So many different things asked for in vain, one after the other, are not for reasons of their own. */
const TARGETS = 10;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Whether the IMS answers at all, as far as the calls of one key show. */
export interface OutagePause {
  /** Some answer came, whatever it says. */
  answered(): void;
  /** No answer, or one that the IMS itself is out of order. @param target what was asked for */
  silent(target: string, startedAtMs: number): void;
}

interface SilenceTools {
  readonly limit: Pick<RateLimit, 'pause'>;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
}

/**
 * Lets a key rest while the IMS is gone. Otherwise everything that waits asks again and again: a few hundred bookings use
 * up the requests of a whole day within an hour, and nothing could be booked when the IMS is back. What was allowed in the
 * last second goes out after each rest and finds out.
 */
export function createOutagePause({ limit, clock, random, log }: SilenceTools): OutagePause {
  const inVain = new Set<string>();
  let pauses = 0;
  let pausedUntilMs = 0;
  return {
    answered: () => {
      if (pauses > 0) log.info('ims-answers-again', { pauses });
      inVain.clear();
      pauses = 0;
    },
    silent: (target, startedAtMs) => {
      // What left before the last rest tells nothing new.
      if (startedAtMs < pausedUntilMs) return;
      inVain.add(target);
      if (inVain.size < TARGETS) return;
      inVain.clear();
      const ms = Math.round(
        Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(pauses, 16)) * (0.75 + random() / 4),
      );
      pausedUntilMs = clock.now().getTime() + ms;
      pauses += 1;
      limit.pause(ms);
      log.warn('ims-outage-pause', { pauses, ms });
    },
  };
}
