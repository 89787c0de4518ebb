import { createHash } from 'node:crypto';
import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierRejected, CarrierUnavailable } from '../../../carriers/contract/errors.js';
import type { Label, Problem } from '../../../carriers/contract/model.js';
import type { RecordedCall } from '../../accounts/bulkhead.js';
import { type Consignment, type Part, targetOf } from '../consignment.js';
import { type StoredLabel, asLabel } from '../ledger/label-rows.js';
import type { Fact, SendResult } from '../machine/facts.js';
import type { BookingContext } from '../context.js';
import type { Account } from '../../accounts/account.js';
import { reachAccount } from './reach-account.js';
import { postponedByBulkhead } from './bulkhead-rejected.js';

/** Labels that came with the answer, stored in the same statement as the fact. */
export interface Sent {
  readonly fact: Fact;
  readonly labels: readonly StoredLabel[];
}

/**
 * Sends the frozen requests of some parts: takes a place in the account's bulkhead, commits the intent, then sends.
 * @param intend commits that these parts are about to be sent; throws where the lease has ended meanwhile
 */
export async function book(
  context: BookingContext,
  consignment: Consignment,
  { numbers, intend }: { readonly numbers: readonly number[]; readonly intend: () => Promise<Consignment> },
): Promise<Sent> {
  const reached = await reachAccount(context, consignment);
  if (reached.kind === 'not-now') return { fact: reached.postponed, labels: [] };
  if (reached.kind === 'gone') return { fact: refusedUnsent(numbers, reached.problem), labels: [] };
  const { account } = reached;
  try {
    return await account.bulkhead.run(
      consignment.id,
      async (call) => {
        const intended = await intend();
        const parts = intended.parts.filter((part) => numbers.includes(part.n));
        const outcomes = await Promise.all(parts.map((part) => send(account, part, call)));
        const labels = outcomes.flatMap((outcome) => outcome.labels);
        // Of several parts each answer brings labels of its own: their order is known when all have come.
        if (intended.parts.length === 1) context.beginAssembly(labels.map(asLabel), targetOf(intended));
        return { fact: { kind: 'sent', results: outcomes.map((outcome) => outcome.result) }, labels };
      },
      'booking',
    );
  } catch (error) {
    return { fact: postponedByBulkhead(error), labels: [] };
  }
}

/** A refusal before anything was sent. */
function refusedUnsent(numbers: readonly number[], problem: Problem): Fact {
  const results = numbers.map((n) => ({ n, kind: 'rejected', problems: [problem], because: 'account' }) as const);
  return { kind: 'sent', results };
}

async function send(
  account: Account,
  { n, request }: Part,
  call: RecordedCall,
): Promise<{ readonly result: SendResult; readonly labels: readonly StoredLabel[] }> {
  try {
    const { booking, labels, answersReference } = await call(() => account.carrier.book(request));
    const answered = { n, kind: 'booked', booking, labels: labels.length > 0 ? 'stored' : 'missing' } as const;
    const result = typeof answersReference === 'string' ? { ...answered, answersReference } : answered;
    return { result, labels: labelsToStore(n, labels) };
  } catch (error) {
    return { result: { n, ...failure(error) }, labels: [] };
  }
}

function failure(error: unknown) {
  const known = carrierError(error, 'change');
  if (known instanceof CarrierRejected) {
    return { kind: 'rejected', problems: known.problems, because: known.because } as const;
  }
  if (known instanceof CarrierUnavailable) {
    return { kind: 'unavailable', because: known.message, retryAfterMs: known.retryAfterMs } as const;
  }
  return { kind: 'unknown', because: known.message, work: known.work } as const;
}

export function labelsToStore(n: number, labels: readonly Label[]): readonly StoredLabel[] {
  return labels.map((label, k) => ({
    n,
    k,
    bytes: label.bytes,
    sha256: createHash('sha256').update(label.bytes).digest('hex'),
    pages: null,
  }));
}
