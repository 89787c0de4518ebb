import { afterEach, describe, expect, it } from '@jest/globals';
import type { FaultKind } from '../../src/sandbox/faults.js';
import { playOutage } from './carrier-outage.js';
import { type Service, startService } from './harness.js';

const SAYS_503: FaultKind = { kind: 'status', status: 503, body: 'down' };
const RESETS: FaultKind = { kind: 'reset' };
/** Longer than the adapter waits. */
const HANGS: FaultKind = { kind: 'delay', ms: 70_000 };

const MOST_FOR_A_PERSON = 5;
const BOOKINGS = 18;
const LASTS_MS = 45_000;
const ENDS_WITHIN_MS = 360_000;

let service: Service;

afterEach(() => service.stop());

describe('an outage of 45 s at a carrier that cannot be asked, with 18 bookings', () => {
  it.each<readonly [string, FaultKind, 'at once' | 'spread']>([
    ['503, and all arrive at once', SAYS_503, 'at once'],
    ['503, while they arrive', SAYS_503, 'spread'],
    ['connections that are reset, and all arrive at once', RESETS, 'at once'],
    ['connections that are reset, while they arrive', RESETS, 'spread'],
    ['no answer in time, and all arrive at once', HANGS, 'at once'],
  ])(
    'leaves at most five for a person: %s',
    async (_case, fault, arrive) => {
      service = await startService();
      const after = await playOutage(service, { fault, lastsMs: LASTS_MS, bookings: BOOKINGS, arrive });
      expect(after.twice).toEqual([]);
      expect(after.forPerson).toBeLessThanOrEqual(MOST_FOR_A_PERSON);
      expect(after.done).toBe(BOOKINGS - after.forPerson);
    },
    ENDS_WITHIN_MS,
  );
});
