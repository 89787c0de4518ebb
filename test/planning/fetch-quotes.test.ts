import { beforeEach, describe, expect, it } from '@jest/globals';
import { OutcomeUnknown } from '../../carriers/contract/errors.js';
import type { Quote } from '../../carriers/contract/model.js';
import type { Account } from '../../src/accounts/account.js';
import { type Bulkhead, createBulkhead } from '../../src/accounts/bulkhead.js';
import { silentLog } from '../../src/log.js';
import { bestQuote } from '../../src/planning/quotes/fetch-quotes.js';
import { bookingRequest } from '../carriers/sample-request.js';
import { HandClock } from '../tracking/tracking-stage.js';

const MINUTE_MS = 60_000;
const QUOTE: Quote = { amount: '49.00', currency: 'DKK', workingDays: 1, estimatedDelivery: null };

describe('the price of a carrier that did not answer', () => {
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

  function priceOf(answer: () => Promise<Quote>) {
    const quote = () => {
      asked += 1;
      return answer();
    };
    const account = { name: 'main', bulkhead, carrier: { quote } } as unknown as Account;
    return bestQuote([{ account, request: bookingRequest() }], { by: 'cheapest', id: 'c-7', log: silentLog });
  }

  it('is not asked for while the circuit is open', async () => {
    expect(bulkhead.circuitState()).toBe('open');
    expect(await priceOf(async () => QUOTE)).toBeNull();
    expect(asked).toBe(0);
  });

  it('is asked for while the circuit is half-open, and leaves the trial to a booking', async () => {
    clock.forward(MINUTE_MS);
    expect(bulkhead.circuitState()).toBe('half-open');
    let answer: (quote: Quote) => void = () => undefined;
    const price = priceOf(() => new Promise((done) => (answer = done)));
    expect(await bulkhead.run('c-8', (call) => call(async () => 'booked'), 'booking')).toBe('booked');
    answer(QUOTE);
    // Else nothing would be booked with an account that is chosen by its price, and its circuit would stay half-open.
    expect(await price).toEqual({ ...QUOTE, account: 'main' });
  });
});
