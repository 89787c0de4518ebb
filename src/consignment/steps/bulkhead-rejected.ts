import { BulkheadRejected } from '../../accounts/bulkhead.js';
import type { Postponed } from '../machine/facts.js';

/** Nothing left: it waits for its turn. @throws every other error, as it is */
export function postponedByQueue(error: unknown): Postponed {
  if (!(error instanceof BulkheadRejected)) throw error;
  const { message, waitingFor, wait } = error;
  return { kind: 'postponed', waitingFor, because: message, ...wait, claimed: false };
}
