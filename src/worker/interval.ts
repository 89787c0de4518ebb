import type { Log } from '../log.js';

/** Calls of `soon` within this time share one run. */
const GATHER_MS = 50;

export interface Interval {
  /** Runs the work soon, once for all calls that come meanwhile. */
  readonly soon: () => void;
  /** @returns when what runs has ended */
  readonly stop: () => Promise<void>;
}

export interface IntervalPlan {
  readonly name: string;
  readonly everyMs: number;
  readonly work: () => Promise<void>;
  readonly log: Log;
}

/** Repeats some work, never twice at once; a failed run is repeated at the next interval. */
export function startInterval({ name, everyMs, work, log }: IntervalPlan): Interval {
  let running: Promise<void> | null = null;
  let again = false;
  let wanted: NodeJS.Timeout | null = null;
  let stopped = false;

  const ended = () => {
    running = null;
    if (again) run();
  };
  const run = () => {
    wanted = null;
    again = running !== null;
    if (stopped || running) return;
    running = work()
      .catch((error: unknown) => log.warn('work in the background failed', { work: name, error }))
      .finally(ended);
  };
  const timer = setInterval(run, everyMs);
  timer.unref();
  return {
    soon: () => {
      if (!stopped) wanted ??= setTimeout(run, GATHER_MS).unref();
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      clearTimeout(wanted ?? undefined);
      await running;
    },
  };
}
