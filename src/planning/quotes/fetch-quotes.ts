import { withTimeout } from '../../worker/with-timeout.js';
import type { BookingRequest } from '../../../carriers/contract/model.js';
import { type OfferedQuote, pickQuote } from '../../routing/pick-quote.js';
import type { Log } from '../../log.js';
import type { Account } from '../../accounts/account.js';

/** The longest wait for a quote. */
const QUOTE_WITHIN_MS = 3_000;

export interface Candidate {
  readonly account: Account;
  readonly request: BookingRequest;
}

export interface QuoteSearch {
  readonly by: 'cheapest' | 'fastest';
  /** The id in bulkheads and logs. */
  readonly id: string;
  readonly log: Log;
}

/**
 * Asks all candidates concurrently; one that fails or is late is left out.
 * @returns `null`: no quote
 */
export async function bestQuote(candidates: readonly Candidate[], search: QuoteSearch): Promise<OfferedQuote | null> {
  const offers = await Promise.all(candidates.map((candidate) => offerOf(candidate, search)));
  return pickQuote(
    search.by,
    offers.filter((offer) => offer !== null),
  );
}

async function offerOf({ account, request }: Candidate, { id, log }: QuoteSearch): Promise<OfferedQuote | null> {
  const { name, bulkhead, carrier } = account;
  if (!carrier.quote || bulkhead.circuitState() === 'open') return null;
  let isLate = false;
  const late = (): never => {
    isLate = true;
    throw new Error(`no answer within ${QUOTE_WITHIN_MS} ms`);
  };
  const ask = async () => {
    if (isLate) throw new Error('the bulkhead had no place in time');
    return (await carrier.quote?.(request)) ?? null;
  };
  try {
    // The trial of a half-open circuit is a booking. Without a price none might be made, and the circuit would not close.
    const quote = await withTimeout(bulkhead.run(id, ask, 'aside'), QUOTE_WITHIN_MS, late);
    return quote === null ? null : { ...quote, account: name };
  } catch (error) {
    log.warn('no quote', { account: name, for: id, error });
    return null;
  }
}
