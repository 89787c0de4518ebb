import { jest } from '@jest/globals';

/** A little longer than the upkeep of the embedded database pauses between two passes. */
const PAUSE_MS = 11_000;
/** All but intervals and the clock that they are measured by. */
const REAL = [
  ...(['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];

/** From now on the upkeep of a database that is opened pauses until `endUpkeepPause` is called. */
export function holdUpkeepPauses(): void {
  jest.useFakeTimers({ doNotFake: REAL });
}

export function endUpkeepPause(): void {
  jest.advanceTimersByTime(PAUSE_MS);
}
