import { beforeEach, describe, expect, it } from '@jest/globals';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/errors.js';
import type { PickupPoint } from '../../carriers/contract/model.js';
import type { Account } from '../../src/accounts/account.js';
import { type Bulkhead, createBulkhead } from '../../src/accounts/bulkhead.js';
import { silentLog } from '../../src/log.js';
import { pickupPointSearch } from '../../src/operator/pickup-points.js';
import { until } from '../support/until.js';
import { HandClock } from '../tracking/tracking-stage.js';

const MINUTE_MS = 60_000;
const QUERY = { countryCode: 'DK', postalCode: '8000', street: null } as never;
type Answer = () => Promise<readonly PickupPoint[]>;

let clock: HandClock;
/** Of an account without a probe. */
let bulkhead: Bulkhead;

beforeEach(() => {
  clock = new HandClock();
  bulkhead = createBulkhead({ account: 'main', clock, random: () => 0.5, log: silentLog });
});

function accountWith(carrier: { readonly pickupPoints?: Answer }): Account {
  return { name: 'main', adapter: { name: 'Main' }, bulkhead, carrier } as unknown as Account;
}

/** @param settled the account with the settings that are in the IMS; `null`: none can be used */
function searchAt(account: Account, settled: Account | null = account) {
  const accounts = new Map([['main', account]]);
  return pickupPointSearch({ accounts, log: silentLog, withSettings: async () => settled })('main', QUERY);
}

const book = (who: string, booking: () => Promise<string>) =>
  bulkhead.run(who, (call) => call(booking), 'booking').catch(() => 'not booked');

describe('a search for pick-up points', () => {
  it('keeps no booking from the carrier, however often it fails', async () => {
    const account = accountWith({ pickupPoints: () => Promise.reject(new CarrierUnavailable('the search is down')) });
    for (let n = 0; n < 10; n += 1)
      expect(await searchAt(account)).toMatchObject({ kind: 'no-answer', because: 'the search is down' });
    expect(await book('c-1', async () => 'booked')).toBe('booked');
  });

  it('tells a refused login from a refused question', async () => {
    const refusedFor = (because: 'credentials' | 'data') => {
      const refusal = new CarrierRejected([{ code: '401', text: 'who are you?', parcelId: null }], because);
      return searchAt(accountWith({ pickupPoints: () => Promise.reject(refusal) }));
    };
    expect(await refusedFor('credentials')).toMatchObject({ kind: 'login-refused', because: 'who are you?' });
    expect(await refusedFor('data')).toMatchObject({ kind: 'refused', because: 'who are you?' });
  });

  it('asks what the account can do with its settings, where they are in the IMS', async () => {
    const able = accountWith({ pickupPoints: async () => [] });
    const unable = accountWith({});
    expect(await searchAt(unable, able)).toEqual({ kind: 'found', pickupPoints: [] });
    expect(await searchAt(able, unable)).toEqual({ kind: 'cannot', carrier: 'Main' });
  });

  it('is not made where the IMS has no settings of the account that can be used', async () => {
    const because = expect.stringContaining('no settings of main');
    const asked = accountWith({ pickupPoints: () => Promise.reject(new Error('it is asked')) });
    expect(await searchAt(asked, null)).toMatchObject({ kind: 'no-answer', because });
  });
});

describe('a search for pick-up points at a carrier that did not answer', () => {
  let asked: number;

  beforeEach(async () => {
    asked = 0;
    for (let n = 0; n < 6; n += 1) await book(`c-${n}`, () => Promise.reject(new OutcomeUnknown('no answer')));
  });

  function search(answer: Answer) {
    const pickupPoints = () => {
      asked += 1;
      return answer();
    };
    return searchAt(accountWith({ pickupPoints }));
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
    expect(await book('c-8', async () => 'booked')).toBe('booked');
    answer([]);
    expect(await found).toEqual({ kind: 'found', pickupPoints: [] });
  });
});
