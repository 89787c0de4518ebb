import type { Quote } from '../../contract/index.js';
import { CarrierRejected } from '../../contract/index.js';
import type { Place } from '../json.js';
import { textIn, unexpected } from '../json.js';
import { problemOf } from '../problem.js';

/** Where a carrier's answer has the parts of a price. */
export interface QuoteFields {
  /** Without VAT. */
  readonly amount: Place;
  readonly currency: Place;
  readonly workingDays?: Place;
  /** When it arrives; what is no day `YYYY-MM-DD` is left out. */
  dayOf?(answer: unknown): string | null;
}

/**
 * The price in a carrier's answer.
 * @throws Error it has no amount that can be read, or no currency
 */
export function readQuote(answer: unknown, { amount: price, currency: money, ...time }: QuoteFields): Quote {
  const [amount, currency] = [textIn(answer, price) ?? '', textIn(answer, money)];
  if (!/^\d+(\.\d+)?$/.test(amount)) throw unexpected(answer, 'a price');
  if (currency === null) throw unexpected(answer, 'a currency');
  const days = textIn(answer, time.workingDays ?? []) ?? '';
  const day = time.dayOf?.(answer) ?? '';
  return {
    ...{ amount, currency, workingDays: /^\d+$/.test(days) ? Number(days) : null },
    estimatedDelivery: /^\d{4}-\d\d-\d\d$/.test(day) ? day : null,
  };
}

/** The error of a carrier that has no price for a service between two places. @param carrier its name */
export function notOffered(carrier: string): CarrierRejected {
  const text = `${carrier} does not offer this service between these places`;
  return new CarrierRejected([problemOf('not-offered', text)]);
}
