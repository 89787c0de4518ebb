import { leavesNothingOpen } from './left-open.js';

/** At 5 bookings a second, on a slow machine. */
leavesNothingOpen(10_000, 2_000_000);
