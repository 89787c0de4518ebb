import { BulkheadRejected } from '../../accounts/bulkhead.js';
import type { Postponed } from '../machine/facts.js';

/** Nothing was sent: parks the consignment. @throws every other error unchanged */
export function postponedByBulkhead(error: unknown): Postponed {
  if (!(error instanceof BulkheadRejected)) throw error;
  const { message, waitingFor, wait } = error;
  return { kind: 'postponed', waitingFor, because: message, ...wait, claimed: false };
}
