import { leavesNothingOpen } from './left-open.js';

leavesNothingOpen(100, 180_000);
