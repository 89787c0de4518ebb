import { leavesNothingOpen } from './left-open.js';

/** Twenty minutes are 8 bookings a second. */
leavesNothingOpen(10_000, 1_200_000);
