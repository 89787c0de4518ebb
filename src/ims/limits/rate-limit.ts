import type { Clock } from '../../../carriers/contract/adapter.js';
import { ImsUnavailable } from '../errors.js';
import type { Priority } from '../operations.js';
import type { SlotSource } from './slots.js';
import { REQUESTS_PER_WINDOW, type Wanted, WINDOW_MS } from './window.js';

export type Sleep = (ms: number) => Promise<void>;

/** Permission for one request. */
export interface Slot {
  /** To be called when the request is sent; one second later it counts as arrived, also without an answer. */
  leaves(): void;
  /** To be called after the exchange: the request has certainly arrived. */
  exchanged(): void;
}

export interface SlotRequest {
  readonly priority: Priority;
  /** The request must be sent before this time. */
  readonly deadlineMs: number;
}

/** The rate limit of one `x-api-key`. */
export interface RateLimit {
  /**
   * Waits for permission to send one request.
   * @throws ImsUnavailable it would come too late; nothing was sent
   */
  take(turn: SlotRequest): Promise<Slot>;
  /** Stops all requests for this time, at most fifteen minutes: the IMS asked for it. */
  pause(ms: number): void;
  /** Rejects all waiting requests. */
  close(): void;
}

export interface RateLimitTools {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly slots: SlotSource;
}

const MAX_PAUSE_MS = 15 * 60_000;

/**
 * Hands out slots, bookings first, without spacing requests. All requests of one turn of the event loop are taken from
 * the source together. What the source lacks is asked for again at the time it names, or when a slot is freed.
 */
export function createRateLimit({ clock, sleep, slots }: RateLimitTools): RateLimit {
  const pause = createPause({ clock, sleep, over: nudge });
  const queue = createQueue(clock, pause.leftMs);
  const asked: Record<Priority, number> = { booking: 0, background: 0 };
  let nudged = false;
  let retry: NodeJS.Timeout | null = null;

  /** Once for all requests of one turn of the event loop. */
  function nudge(): void {
    if (nudged) return;
    nudged = true;
    queueMicrotask(() => {
      nudged = false;
      ask();
    });
  }

  function ask(): void {
    queue.dropLate();
    if (retry !== null || queue.length() === 0 || pause.holds()) return;
    const unasked = (priority: Priority) => Math.max(0, queue.length(priority) - asked[priority]);
    const wanted = { booking: unasked('booking'), background: unasked('background') };
    if (wanted.booking + wanted.background > 0) void askFor(wanted);
  }

  async function askFor(wanted: Wanted): Promise<void> {
    asked.booking += wanted.booking;
    asked.background += wanted.background;
    const { permits, retryMs } = await slots.take(wanted);
    asked.booking -= wanted.booking;
    asked.background -= wanted.background;
    queue.dropLate();
    for (const permit of permits) {
      const next = pause.leftMs() > 0 ? undefined : queue.shift();
      (next ? () => next.resolve(permit) : permit.unused)();
    }
    if (permits.length < wanted.booking + wanted.background && queue.length() > 0)
      retry ??= setTimeout(askAgain, retryMs).unref();
    nudge();
  }

  function askAgain(): void {
    clearTimeout(retry ?? undefined);
    retry = null;
    nudge();
  }

  slots.onFreed(askAgain);
  const take = async (turn: SlotRequest) => {
    const before = turn.priority === 'booking' ? queue.length('booking') : queue.length();
    // While the source gives nothing the wait is unknown; it is rarely more than some seconds.
    const queueMs = Math.floor(before / (slots.perSecond() || REQUESTS_PER_WINDOW)) * WINDOW_MS;
    nudge();
    return queue.push(turn, Math.max(pause.leftMs(), queueMs));
  };
  return { take, pause: pause.begin, close: queue.close };
}

interface Waiting extends SlotRequest {
  readonly resolve: (slot: Slot) => void;
  readonly reject: (error: ImsUnavailable) => void;
}

/** The waiting requests, bookings first; a request that would be too late is rejected. */
function createQueue(clock: Clock, pauseLeftMs: () => number) {
  const waiting: Record<Priority, Waiting[]> = { booking: [], background: [] };
  let closed = false;
  const isLate = (turn: SlotRequest, waitMs: number) => clock.now().getTime() + waitMs >= turn.deadlineMs;
  return {
    length: (priority?: Priority) =>
      priority === undefined ? waiting.booking.length + waiting.background.length : waiting[priority].length,
    /** @param waitMs the least wait; @throws ImsUnavailable */
    push: async (turn: SlotRequest, waitMs: number) => {
      if (closed) throw stopped();
      if (isLate(turn, waitMs)) throw tooLate(waitMs);
      return new Promise<Slot>((resolve, reject) => void waiting[turn.priority].push({ ...turn, resolve, reject }));
    },
    shift: () => waiting.booking.shift() ?? waiting.background.shift(),
    dropLate: () => {
      const waitMs = pauseLeftMs();
      for (const priority of ['booking', 'background'] as const) {
        const late = waiting[priority].filter((turn) => isLate(turn, waitMs));
        if (late.length === 0) continue;
        waiting[priority] = waiting[priority].filter((turn) => !late.includes(turn));
        for (const turn of late) turn.reject(tooLate(waitMs));
      }
    },
    close: () => {
      closed = true;
      for (const turn of [...waiting.booking.splice(0), ...waiting.background.splice(0)]) turn.reject(stopped());
    },
  };
}

/** @param tools.over called when a pause has ended */
function createPause({ clock, sleep, over }: Pick<RateLimitTools, 'clock' | 'sleep'> & { readonly over: () => void }) {
  let untilMs = 0;
  let sleepsUntilMs = 0;
  const leftMs = () => Math.max(0, untilMs - clock.now().getTime());
  const wake = (sleptUntilMs: number) => {
    if (untilMs === sleptUntilMs) untilMs = 0;
    over();
  };
  return {
    leftMs,
    begin: (ms: number) => {
      untilMs = Math.max(untilMs, clock.now().getTime() + Math.min(ms, MAX_PAUSE_MS));
    },
    /** Whether a pause holds; continues the queue when it ends. */
    holds: () => {
      if (leftMs() === 0) return false;
      if (sleepsUntilMs < untilMs) {
        sleepsUntilMs = untilMs;
        void sleep(leftMs()).then(wake.bind(null, untilMs));
      }
      return true;
    },
  };
}

function tooLate(waitMs: number): ImsUnavailable {
  return new ImsUnavailable('The IMS takes no more requests of this area for now.', 'none', {
    retryAfterMs: Math.ceil(waitMs),
  });
}

function stopped(): ImsUnavailable {
  return new ImsUnavailable('The service stops; nothing more is sent to the IMS.', 'none');
}
