import type { Quote } from '../../carriers/contract/model.js';

/** The offer of one account. */
export interface OfferedQuote extends Quote {
  readonly account: string;
}

/**
 * The best of the quotes that came in time; pure. Equal ones are told apart by the other measure, then by their order.
 * Prices are only compared in the currency of the first; what says no time comes after what says one.
 * @param quotes the preferred account first
 * @returns `null` when there is none that can be read
 */
export function pickQuote<T extends OfferedQuote>(by: 'cheapest' | 'fastest', quotes: readonly T[]): T | null {
  const readable = quotes.filter(({ amount }) => /^\d{1,12}(\.\d{1,6})?$/.test(amount));
  const [best] = by === 'cheapest' ? fastest(cheapest(readable)) : cheapest(fastest(readable));
  return best ?? null;
}

function cheapest<T extends OfferedQuote>(quotes: readonly T[]): readonly T[] {
  const [first] = quotes;
  const comparable = quotes.filter(({ currency }) => currency === first?.currency);
  return least(comparable, ({ amount }) => Number(amount));
}

/** Compares delivery days when all quotes have one, otherwise working days. */
function fastest<T extends OfferedQuote>(quotes: readonly T[]): readonly T[] {
  const days = quotes.map(({ estimatedDelivery }) =>
    estimatedDelivery === null ? NaN : Date.parse(estimatedDelivery),
  );
  if (!days.some(Number.isNaN)) return least(quotes, ({ estimatedDelivery }) => Date.parse(estimatedDelivery ?? ''));
  return least(quotes, ({ workingDays }) => workingDays ?? Infinity);
}

/** All quotes with the smallest measure, in their order. */
function least<T>(quotes: readonly T[], measure: (quote: T) => number): readonly T[] {
  const smallest = Math.min(...quotes.map(measure));
  return quotes.filter((quote) => measure(quote) === smallest);
}
