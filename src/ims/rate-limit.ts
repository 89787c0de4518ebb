import Bottleneck from 'bottleneck';
import type { Clock } from '../../carriers/contract/adapter.js';
import { ImsUnavailable } from './errors.js';
import type { Priority } from './operations.js';

export type Sleep = (ms: number) => Promise<void>;

/** Permission for one request. */
export interface Slot {
  /** To be called when the exchange is over: from then on the request has certainly arrived. */
  exchanged(): void;
}

export interface Turn {
  readonly priority: Priority;
  /** After this moment nothing may leave any more. */
  readonly deadlineMs: number;
}

/** The rate limit of one `x-api-key`. */
export interface RateLimit {
  /**
   * Waits for permission to send one request.
   * @throws ImsUnavailable it would come too late; nothing was sent
   */
  take(turn: Turn): Promise<Slot>;
  /** Nobody sends for this long, bounded to fifteen minutes: the IMS asked for it. */
  pause(ms: number): void;
  /** Whoever still waits is turned away. */
  close(): void;
}

/** The interface promises 50 requests a second for each key. */
const REQUESTS_PER_WINDOW = 50;
/** A second and a bit, because timers and clocks are not exact. */
const WINDOW_MS = 1_020;
/** A request whose answer takes longer than this has arrived all the same. */
const ARRIVED_AFTER_MS = 1_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

const PRIORITIES: Readonly<Record<Priority, number>> = { booking: 3, background: 7 };

/**
 * At most 50 requests arrive in any sliding second, without spacing them: each takes one of 50 slots and gives it back
 * a bit over a second after it arrived. Counting from the departure would not do, because the first requests open
 * connections and arrive later than those that follow them.
 */
export function createRateLimit(tools: { readonly clock: Clock; readonly sleep: Sleep }): RateLimit {
  const limiter = new Bottleneck({ maxConcurrent: REQUESTS_PER_WINDOW });
  const waiting: Record<Priority, number> = { booking: 0, background: 0 };
  let pausedUntilMs = 0;

  function requireTime(turn: Turn, waitMs: number): void {
    if (tools.clock.now().getTime() + waitMs >= turn.deadlineMs)
      throw new ImsUnavailable('The IMS takes no more requests of this area for now.', 'none', {
        retryAfterMs: Math.ceil(waitMs),
      });
  }

  function pauseLeftMs(): number {
    return Math.max(0, pausedUntilMs - tools.clock.now().getTime());
  }

  /** Counted here, because the library counts a job only some ticks after it was handed in. */
  function queueMs(turn: Turn): number {
    const before = waiting.booking + (turn.priority === 'background' ? waiting.background : 0);
    return Math.floor(before / REQUESTS_PER_WINDOW) * WINDOW_MS;
  }

  /** Runs while the slot is held; the request leaves when `resolve` is called. */
  async function occupy(turn: Turn, resolve: (slot: Slot) => void): Promise<void> {
    const waitMs = pauseLeftMs();
    requireTime(turn, waitMs);
    if (waitMs > 0) await tools.sleep(waitMs);
    await new Promise<void>((exchanged) => {
      resolve({ exchanged });
      void tools.sleep(ARRIVED_AFTER_MS).then(exchanged);
    });
    await tools.sleep(WINDOW_MS);
  }

  async function queue(turn: Turn): Promise<Slot> {
    waiting[turn.priority] += 1;
    return new Promise<Slot>((resolve, reject) => {
      const job = () => occupy(turn, resolve);
      limiter.schedule({ priority: PRIORITIES[turn.priority] }, job).catch((cause) => reject(turnedAway(cause)));
    }).finally(() => (waiting[turn.priority] -= 1));
  }

  return {
    take: async (turn) => {
      requireTime(turn, Math.max(pauseLeftMs(), queueMs(turn)));
      return queue(turn);
    },
    pause: (ms) => {
      const untilMs = tools.clock.now().getTime() + Math.min(ms, LONGEST_PAUSE_MS);
      pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    },
    // A second stop is an error to the library; to us it is nothing new.
    close: () => void limiter.stop({ dropWaitingJobs: true }).catch(() => undefined),
  };
}

function turnedAway(cause: unknown): ImsUnavailable {
  if (cause instanceof ImsUnavailable) return cause;
  return new ImsUnavailable('The service stops; nothing more is sent to the IMS.', 'none', { cause });
}
