import { describeAway } from './postgres-away.js';

/** `npm run test:crash` has a minute of it. */
describeAway(8_000);
