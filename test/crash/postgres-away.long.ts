import { describeAway } from './postgres-away.js';

describeAway(60_000);
