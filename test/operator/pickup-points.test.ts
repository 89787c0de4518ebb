import { describe, expect, it } from '@jest/globals';
import type { CarrierAccount, CarrierAdapter } from '../../carriers/contract/adapter.js';
import { CarrierRejected, CarrierUnavailable } from '../../carriers/contract/errors.js';
import { bring } from '../../carriers/bring/index.js';
import type { Account } from '../../src/accounts/account.js';
import { createBulkhead } from '../../src/accounts/bulkhead.js';
import { silentLog } from '../../src/log.js';
import { pickupPointSearch } from '../../src/operator/pickup-points.js';

const FAILURES_THAT_OPEN = 5;
const QUERY = { id: '700001', countryCode: 'DK' };
const clock = { now: () => new Date('2030-03-04T08:00:00Z') };

function bringAccount(pickupPoints: NonNullable<CarrierAccount['pickupPoints']>): Account {
  return {
    name: 'bring',
    imsCarrierName: 'Bring',
    adapter: bring as CarrierAdapter,
    carrier: { book: async () => Promise.reject(new Error('nobody books here')), pickupPoints },
    bulkhead: createBulkhead({ account: 'bring', clock, random: () => 0, log: silentLog }),
    dryRun: async () => [],
    probeOnce: async () => null,
  };
}

const searchAt = (
  account: Account,
  withSettings: (account: Account) => Promise<Account | null> = async () => account,
) => pickupPointSearch({ accounts: new Map([['bring', account]]), log: silentLog, withSettings });

describe('a search for pick-up points', () => {
  it('sends nothing to a carrier that does not answer bookings', async () => {
    let asked = 0;
    const account = bringAccount(async () => {
      asked += 1;
      return [];
    });
    const down = () => Promise.reject(new CarrierUnavailable('down'));
    for (let n = 0; n < FAILURES_THAT_OPEN; n += 1)
      await account.bulkhead.run(`consignment ${n}`, (call) => call(down)).catch(() => null);
    expect(account.bulkhead.circuitState()).toBe('open');
    expect(await searchAt(account)('bring', QUERY)).toMatchObject({ kind: 'no-answer', carrier: 'Bring' });
    expect(asked).toBe(0);
  });

  it('says nothing about bookings: failed searches do not keep them from the carrier', async () => {
    const account = bringAccount(async () => Promise.reject(new CarrierUnavailable('the search is down')));
    for (let n = 0; n < 2 * FAILURES_THAT_OPEN; n += 1)
      expect(await searchAt(account)('bring', QUERY)).toMatchObject({
        kind: 'no-answer',
        because: 'the search is down',
      });
    expect(account.bulkhead.circuitState()).toBe('closed');
  });

  it('is not made without settings, where they are in the IMS', async () => {
    const account = bringAccount(async () => []);
    expect(await searchAt(account, async () => null)('bring', QUERY)).toMatchObject({ kind: 'no-answer' });
  });

  it('is judged with the settings, where they are in the IMS: they decide what the account can do', async () => {
    const able = bringAccount(async () => []);
    const { book } = able.carrier;
    const unable: Account = { ...able, carrier: { book } };
    expect(await searchAt(unable, async () => able)('bring', QUERY)).toEqual({ kind: 'found', pickupPoints: [] });
    expect(await searchAt(able, async () => unable)('bring', QUERY)).toEqual({ kind: 'cannot', carrier: 'Bring' });
    expect(await searchAt(unable, async () => null)('bring', QUERY)).toMatchObject({
      kind: 'no-answer',
      because: expect.stringContaining('no settings of bring'),
    });
  });

  it('tells a refused login from a refused question', async () => {
    const problems = [{ code: '401', text: 'who are you?', parcelId: null }];
    const answer = (because: 'credentials' | 'data') =>
      searchAt(bringAccount(async () => Promise.reject(new CarrierRejected(problems, because))))('bring', QUERY);
    expect(await answer('credentials')).toMatchObject({ kind: 'login-refused', because: 'who are you?' });
    expect(await answer('data')).toMatchObject({ kind: 'refused', because: 'who are you?' });
  });
});
