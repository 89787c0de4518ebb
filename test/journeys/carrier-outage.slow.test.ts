import { beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultKind } from '../../src/sandbox/faults/faults.js';
import { type AfterOutage, type Outage, playOutage } from './carrier-outage.js';
import { type Service, startService } from '../support/harness.js';
import { sideBySide } from '../support/side-by-side.js';

const SAYS_503: FaultKind = { kind: 'status', status: 503, body: 'down' };
const RESETS: FaultKind = { kind: 'reset' };
/** Longer than the adapter waits. */
const HANGS: FaultKind = { kind: 'delay', ms: 70_000 };

const MAX_FOR_A_PERSON = 5;
const BOOKINGS = 18;
const LASTS_MS = 45_000;

const CASES: readonly (readonly [string, Pick<Outage, 'fault' | 'arrive'>])[] = [
  ['503, and all arrive at once', { fault: SAYS_503, arrive: 'at once' }],
  ['503, while they arrive', { fault: SAYS_503, arrive: 'spread' }],
  ['connections that are reset, and all arrive at once', { fault: RESETS, arrive: 'at once' }],
  ['connections that are reset, while they arrive', { fault: RESETS, arrive: 'spread' }],
  ['no answer in time, and all arrive at once', { fault: HANGS, arrive: 'at once' }],
];

async function outage(service: Service, how: Pick<Outage, 'fault' | 'arrive'>): Promise<AfterOutage> {
  try {
    return await playOutage(service, { ...how, lastsMs: LASTS_MS, bookings: BOOKINGS });
  } finally {
    await service.stop();
  }
}

describe('an outage of 45 s at a carrier that cannot be asked, with 18 bookings', () => {
  let runs: readonly Promise<AfterOutage>[];
  beforeAll(async () => {
    // In sequence, and before the runs are left to themselves: jest loads no modules between two tests.
    const services: Service[] = [];
    while (services.length < CASES.length) services.push(await startService());
    runs = sideBySide(
      CASES.map(([, how]) => {
        const service = services.shift();
        return async () => (service ? outage(service, how) : Promise.reject(new Error('no service')));
      }),
    );
  });

  it.each(CASES.map(([what], place) => [what, place] as const))(
    'leaves at most five for a person: %s',
    async (what, place) => {
      const after = await runs[place];
      process.stdout.write(`${what}: ${after?.forPerson} of ${BOOKINGS} for a person\n`);
      expect(after?.twice).toEqual([]);
      expect(after?.forPerson).toBeLessThanOrEqual(MAX_FOR_A_PERSON);
      expect(after?.done).toBe(BOOKINGS - (after?.forPerson ?? 0));
    },
  );
});
