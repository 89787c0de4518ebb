import type { Clock } from '../../../carriers/contract/adapter.js';
import { ImsUnavailable } from '../errors.js';
import type { Priority } from '../operations.js';
import type { SlotPermit, SlotSource } from './slots.js';
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
  take(request: SlotRequest): Promise<Slot>;
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
 * Hands out slots, bookings first, without spacing requests.
 *
 * 1. `take` queues a request and schedules a dispatch; all requests of one turn of the event loop share it.
 * 2. `dispatch` rejects requests that would be sent too late, and fetches slots for the requests that no running fetch
 *    counts. It does nothing while a pause holds (the end of the pause schedules the next dispatch), or while the retry
 *    timer runs.
 * 3. `fetchSlots` asks the source once, and gives each permit to the first request in the queue. A source that has too
 *    few names the time of the retry.
 * 4. `retryNow` schedules a dispatch at this time, or as soon as a slot of this instance is freed.
 */
export function createRateLimit({ clock, sleep, slots }: RateLimitTools): RateLimit {
  const pause = createPause({ clock, sleep, onEnd: scheduleDispatch });
  const queue = createQueue(clock, pause.leftMs);
  /** Requests that running fetches count. */
  const fetching: Record<Priority, number> = { booking: 0, background: 0 };
  let isScheduled = false;
  let retryTimer: NodeJS.Timeout | null = null;

  function scheduleDispatch(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      dispatch();
    });
  }

  function dispatch(): void {
    queue.rejectLate();
    if (retryTimer !== null || queue.length() === 0 || pause.holds()) return;
    const uncounted = (priority: Priority) => Math.max(0, queue.length(priority) - fetching[priority]);
    const wanted = { booking: uncounted('booking'), background: uncounted('background') };
    if (wanted.booking + wanted.background > 0) void fetchSlots(wanted);
  }

  async function fetchSlots(wanted: Wanted): Promise<void> {
    fetching.booking += wanted.booking;
    fetching.background += wanted.background;
    const { permits, retryMs } = await slots.take(wanted);
    fetching.booking -= wanted.booking;
    fetching.background -= wanted.background;
    queue.rejectLate();
    permits.forEach(grant);
    const hasTooFew = permits.length < wanted.booking + wanted.background;
    if (hasTooFew && queue.length() > 0) retryTimer ??= setTimeout(retryNow, retryMs).unref();
    scheduleDispatch();
  }

  /** Returns a permit that no request may use now: the queue is empty, or a pause has begun meanwhile. */
  function grant(permit: SlotPermit): void {
    const request = pause.leftMs() > 0 ? undefined : queue.shift();
    return request ? request.resolve(permit) : permit.unused();
  }

  function retryNow(): void {
    clearTimeout(retryTimer ?? undefined);
    retryTimer = null;
    scheduleDispatch();
  }

  async function take(request: SlotRequest): Promise<Slot> {
    const ahead = request.priority === 'booking' ? queue.length('booking') : queue.length();
    scheduleDispatch();
    return queue.push(request, Math.max(pause.leftMs(), queueTimeMs(ahead, slots.perSecond())));
  }

  slots.onFreed(retryNow);
  return { take, pause: pause.begin, close: queue.close };
}

/** While the source gives nothing the wait is unknown; it is rarely more than some seconds. */
function queueTimeMs(ahead: number, perSecond: number): number {
  return Math.floor(ahead / (perSecond || REQUESTS_PER_WINDOW)) * WINDOW_MS;
}

interface Waiting extends SlotRequest {
  readonly resolve: (slot: Slot) => void;
  readonly reject: (error: ImsUnavailable) => void;
}

/** The waiting requests, bookings first; a request that would be too late is rejected. */
function createQueue(clock: Clock, pauseLeftMs: () => number) {
  const waiting: Record<Priority, Waiting[]> = { booking: [], background: [] };
  let closed = false;
  const isLate = (request: SlotRequest, waitMs: number) => clock.now().getTime() + waitMs >= request.deadlineMs;
  return {
    length: (priority?: Priority) =>
      priority === undefined ? waiting.booking.length + waiting.background.length : waiting[priority].length,
    /** @param waitMs the least wait; @throws ImsUnavailable */
    push: async (request: SlotRequest, waitMs: number) => {
      if (closed) throw stopped();
      if (isLate(request, waitMs)) throw tooLate(waitMs);
      return new Promise<Slot>(
        (resolve, reject) => void waiting[request.priority].push({ ...request, resolve, reject }),
      );
    },
    shift: () => waiting.booking.shift() ?? waiting.background.shift(),
    rejectLate: () => {
      const waitMs = pauseLeftMs();
      for (const priority of ['booking', 'background'] as const) {
        const late = waiting[priority].filter((request) => isLate(request, waitMs));
        if (late.length === 0) continue;
        waiting[priority] = waiting[priority].filter((request) => !late.includes(request));
        for (const request of late) request.reject(tooLate(waitMs));
      }
    },
    close: () => {
      closed = true;
      for (const request of [...waiting.booking.splice(0), ...waiting.background.splice(0)]) request.reject(stopped());
    },
  };
}

/** @param tools.onEnd called when a pause has ended */
function createPause({
  clock,
  sleep,
  onEnd,
}: Pick<RateLimitTools, 'clock' | 'sleep'> & { readonly onEnd: () => void }) {
  let untilMs = 0;
  /** The latest end of a pause at which `onEnd` will be called. */
  let calledForMs = 0;
  const leftMs = () => Math.max(0, untilMs - clock.now().getTime());
  async function callAtEnd(endMs: number): Promise<void> {
    calledForMs = endMs;
    await sleep(leftMs());
    // The pause is over although the clock may say otherwise, unless it was prolonged.
    if (untilMs === endMs) untilMs = 0;
    onEnd();
  }
  return {
    leftMs,
    begin: (ms: number) => {
      untilMs = Math.max(untilMs, clock.now().getTime() + Math.min(ms, MAX_PAUSE_MS));
    },
    /** Whether a pause holds. If so, `onEnd` will be called, once for each end. */
    holds: () => {
      if (leftMs() === 0) return false;
      if (calledForMs < untilMs) void callAtEnd(untilMs);
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
