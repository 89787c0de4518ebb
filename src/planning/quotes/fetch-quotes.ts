import type { BookingRequest } from '../../../carriers/contract/model.js';
import { type OfferedQuote, pickQuote } from '../../routing/pick-quote.js';
import type { Log } from '../../log.js';
import type { Account } from '../../accounts/account.js';

/** A choice waits this long for a price, whoever is late. */
const QUOTE_WITHIN_MS = 3_000;

export interface Candidate {
  readonly account: Account;
  readonly request: BookingRequest;
}

export interface Bidding {
  readonly by: 'cheapest' | 'fastest';
  /** For whom it is asked, in queues and logs. */
  readonly id: string;
  readonly log: Log;
}

/**
 * Asks all candidates beside each other; who fails, or does not answer in time, is left out.
 * @returns `null`: nobody has made an offer
 */
export async function bestQuote(candidates: readonly Candidate[], bidding: Bidding): Promise<OfferedQuote | null> {
  const offers = await Promise.all(candidates.map((candidate) => offerOf(candidate, bidding)));
  return pickQuote(
    bidding.by,
    offers.filter((offer) => offer !== null),
  );
}

async function offerOf({ account, request }: Candidate, { id, log }: Bidding): Promise<OfferedQuote | null> {
  const { name, bulkhead: queue, carrier } = account;
  // Of a carrier that does not answer at the moment one booking finds out when it does again; a price is not worth that.
  if (!carrier.quote || queue.admits() === 'nobody') return null;
  const deadline = AbortSignal.timeout(QUOTE_WITHIN_MS);
  const ask = async () => {
    if (deadline.aborted) throw new Error('its turn came too late');
    // Not through the call that is handed in: who sells and who books are two servers, and one says nothing of the other.
    return (await carrier.quote?.(request)) ?? null;
  };
  try {
    const quote = await Promise.race([queue.run(id, ask), late(deadline)]);
    return quote === null ? null : { ...quote, account: name };
  } catch (error) {
    log.warn('no quote', { account: name, for: id, error });
    return null;
  }
}

function late(deadline: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    deadline.addEventListener('abort', () => fail(new Error(`no answer within ${QUOTE_WITHIN_MS} ms`)), { once: true });
  });
}
