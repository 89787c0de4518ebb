import { expect, it } from '@jest/globals';
import { playOutage } from './carrier-outage.js';
import { startService } from '../support/harness.js';

const MAX_FOR_A_PERSON = 5;
const BOOKINGS = 200;
const LASTS_MS = 10 * 60_000;
const WITHIN_MS = 30 * 60_000;

it(
  'an outage of 10 minutes at a carrier that cannot be asked, with 200 bookings, leaves at most five for a person',
  async () => {
    const service = await startService();
    try {
      const fault = { kind: 'status', status: 503, body: 'down' } as const;
      const after = await playOutage(service, { fault, lastsMs: LASTS_MS, bookings: BOOKINGS, arrive: 'spread' });
      process.stdout.write(`${after.forPerson} of ${BOOKINGS} for a person\n`);
      expect(after.twice).toEqual([]);
      expect(after.forPerson).toBeLessThanOrEqual(MAX_FOR_A_PERSON);
      expect(after.done).toBe(BOOKINGS - after.forPerson);
    } finally {
      await service.stop();
    }
  },
  WITHIN_MS,
);
