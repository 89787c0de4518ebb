import { beforeEach, describe, expect, it } from '@jest/globals';
import { OutcomeUnknown } from '../../carriers/contract/errors.js';
import type { PickupPoint } from '../../carriers/contract/model.js';
import type { Account } from '../../src/accounts/account.js';
import { type Bulkhead, createBulkhead } from '../../src/accounts/bulkhead.js';
import { silentLog } from '../../src/log.js';
import { pickupPointSearch } from '../../src/operator/pickup-points.js';
import { until } from '../support/until.js';
import { HandClock } from '../tracking/tracking-stage.js';

const MINUTE_MS = 60_000;
const QUERY = { countryCode: 'DK', postalCode: '8000', street: null } as never;

describe('a search for pick-up points at a carrier that did not answer', () => {
  let clock: HandClock;
  /** Of an account without a probe. */
  let bulkhead: Bulkhead;
  let asked: number;

  beforeEach(async () => {
    clock = new HandClock();
    bulkhead = createBulkhead({ account: 'main', clock, random: () => 0.5, log: silentLog });
    asked = 0;
    const lost = () => Promise.reject(new OutcomeUnknown('no answer'));
    for (let n = 0; n < 6; n += 1) await bulkhead.run(`c-${n}`, (call) => call(lost), 'booking').catch(() => undefined);
  });

  function search(answer: () => Promise<readonly PickupPoint[]>) {
    const pickupPoints = () => {
      asked += 1;
      return answer();
    };
    const account = { name: 'main', adapter: { name: 'Main' }, bulkhead, carrier: { pickupPoints } };
    const accounts = new Map([['main', account as unknown as Account]]);
    return pickupPointSearch({ accounts, log: silentLog, withSettings: async (one) => one })('main', QUERY);
  }

  it('is not made while the circuit is open', async () => {
    expect(await search(async () => [])).toMatchObject({ kind: 'no-answer', carrier: 'Main' });
    expect(asked).toBe(0);
  });

  it('leaves the trial of a half-open circuit to a booking', async () => {
    clock.forward(MINUTE_MS);
    let answer: (points: readonly PickupPoint[]) => void = () => undefined;
    const found = search(() => new Promise((done) => (answer = done)));
    await until('the carrier is asked', () => asked === 1);
    expect(await bulkhead.run('c-8', (call) => call(async () => 'booked'), 'booking')).toBe('booked');
    answer([]);
    expect(await found).toEqual({ kind: 'found', pickupPoints: [] });
  });
});
