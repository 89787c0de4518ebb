import type { Priority } from '../operations.js';

/** The interface promises 50 requests a second for each key. */
export const REQUESTS_PER_WINDOW = 50;
/** A second and a bit, because timers and clocks are not exact. */
export const WINDOW_MS = 1_020;
/** After this time a request counts as arrived, also without an answer. */
export const ARRIVED_AFTER_MS = 1_000;

/** Requests that wait for a slot. */
export type Wanted = Readonly<Record<Priority, number>>;
