import { describe, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import { accountOf } from '../../src/accounts/account.js';
import type { Area } from '../../src/areas/area.js';
import type { BookingContext } from '../../src/consignment/context.js';
import { reachAccount } from '../../src/consignment/steps/reach-account.js';
import { NOON, consignment, plan, bookingContext } from '../support/consignments.js';

const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(NOON.getTime() + minutes * MINUTE_MS);
const unused = () => Promise.reject(new Error('it is not asked'));
const carrier = { book: unused, fetchLabels: unused } as unknown as CarrierAccount;

/** An instance that read its configuration at noon. */
function instance(minutes: number): BookingContext {
  return { ...bookingContext(carrier, {}, { now: () => at(minutes) }), configuredAt: NOON };
}

/** A booking for customer 7, whose run started a minute before or after noon. */
const begun = (minutes: number) =>
  consignment({ plan: { ...plan(['box-1']), configuredCustomer: '7' }, runStartedAt: at(minutes) });

/** The configuration in place of one with the account of customer 7. */
const OTHERS: readonly (readonly [string, (world: BookingContext) => BookingContext['accounts'], string])[] = [
  ['lacks its account', () => new Map(), 'is not in the configuration any more'],
  [
    'has another customer of the carrier in it',
    (world) => new Map([['main', { ...accountOf(world, 'main'), customer: '6' }]]),
    'another customer',
  ],
  [
    'has another carrier in it',
    (world) => {
      const main = accountOf(world, 'main');
      return new Map([['main', { ...main, adapter: { ...main.adapter, id: 'nord' } }]]);
    },
    'by now',
  ],
];

describe.each(OTHERS)('an instance whose configuration %s', (_what, accountsOf, words) => {
  const reach = (minutes: number, started: number) => {
    const world = instance(minutes);
    return reachAccount({ ...world, accounts: accountsOf(world) }, begun(started));
  };

  it('leaves a younger booking to an instance with a newer configuration, for five minutes', async () => {
    const reached = await reach(2, 1);
    expect(reached).toMatchObject({
      kind: 'not-now',
      postponed: { waitingFor: 'account', because: expect.stringContaining(words) },
    });
    expect(await reach(6, 1)).toMatchObject({ kind: 'gone', problem: { text: expect.stringContaining(words) } });
  });

  it('tells the worker of the account when the worker waits no longer than that', async () => {
    const world = instance(2);
    const areas = new Map([['1', { giveUpAfterMs: MINUTE_MS } as Area]]);
    const context = { ...world, accounts: accountsOf(world), areas };
    expect(await reachAccount(context, begun(1.5))).toMatchObject({ kind: 'not-now' });
    expect(await reachAccount(context, begun(0.9))).toMatchObject({ kind: 'gone' });
  });

  it('ends a booking at once that is older than its configuration', async () => {
    expect(await reach(2, -1)).toMatchObject({ kind: 'gone', problem: { text: expect.stringContaining(words) } });
  });
});

it('a booking reaches its account while that belongs to the same customer, or nothing identifies the customer', async () => {
  for (const customer of ['7', null]) {
    const world = instance(2);
    const accounts = new Map([['main', { ...accountOf(world, 'main'), customer }]]);
    expect(await reachAccount({ ...world, accounts }, begun(1))).toMatchObject({ kind: 'reached' });
  }
});
