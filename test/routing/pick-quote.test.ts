import { expect, it } from '@jest/globals';
import { type OfferedQuote, pickQuote } from '../../src/routing/pick-quote.js';

const quote = (account: string, amount: string, changes: Partial<OfferedQuote> = {}): OfferedQuote => ({
  account,
  amount,
  currency: 'DKK',
  workingDays: null,
  estimatedDelivery: null,
  ...changes,
});
const days = (workingDays: number) => ({ workingDays });
const day = (estimatedDelivery: string) => ({ estimatedDelivery });

it.each<[string, 'cheapest' | 'fastest', readonly OfferedQuote[], string | null]>([
  ['the lowest price', 'cheapest', [quote('a', '50'), quote('b', '49.50'), quote('c', '100')], 'b'],
  ['the faster of two equal prices', 'cheapest', [quote('a', '50', days(3)), quote('b', '50.00', days(1))], 'b'],
  ['the preferred of two equal quotes', 'cheapest', [quote('a', '50', days(1)), quote('b', '50', days(1))], 'a'],
  ['the one that says its time, of equal prices', 'cheapest', [quote('a', '5'), quote('b', '5', days(9))], 'b'],
  [
    'the lowest price in the currency of the first',
    'cheapest',
    [quote('a', '50'), quote('b', '6', { currency: 'EUR' })],
    'a',
  ],
  ['the fewest working days', 'fastest', [quote('a', '5', days(2)), quote('b', '50', days(1))], 'b'],
  ['the cheaper of two equally fast ones', 'fastest', [quote('a', '50', days(1)), quote('b', '5', days(1))], 'b'],
  [
    'the first of equally fast ones in other currencies',
    'fastest',
    [quote('a', '50', days(1)), quote('b', '5', { ...days(1), currency: 'EUR' })],
    'a',
  ],
  ['what says its time before what does not', 'fastest', [quote('a', '5'), quote('b', '50', days(4))], 'b'],
  ['the cheapest where nobody says a time', 'fastest', [quote('a', '50'), quote('b', '5')], 'b'],
  [
    'the first day where all say it',
    'fastest',
    [quote('a', '5', { ...day('2026-03-06'), ...days(1) }), quote('b', '5', day('2026-03-05'))],
    'b',
  ],
  [
    'by working days where one says no day',
    'fastest',
    [quote('a', '5', { ...day('2026-03-05'), ...days(2) }), quote('b', '5', days(1))],
    'b',
  ],
  ['no price that cannot be read', 'cheapest', [quote('a', '1e-9'), quote('b', '-4'), quote('c', '5')], 'c'],
  ['nothing of nothing', 'cheapest', [], null],
  ['nothing of what cannot be read', 'fastest', [quote('a', 'free')], null],
])('takes %s', (...[, by, quotes, account]) => {
  expect(pickQuote(by, quotes)?.account ?? null).toBe(account);
});
