import type { Booking, Label, Problem, Tools } from '../../contract/index.js';
import { CarrierRejected, accepted } from '../../contract/index.js';
import { problemOf } from '../problem.js';
import { pdfLabel } from './pdf-answer.js';

const LIMITS = { timeoutMs: 20_000, maxBytes: 10_000_000 };

/**
 * The label at a link that an answer named. The link itself is the key to it, so that a 401 or 403 says nothing of the account.
 * @throws CarrierRejected the link does not work, or not any more
 */
export async function labelAt(link: string, { http }: Pick<Tools, 'http'>): Promise<Label> {
  const answer = await http.fetchLink(link, LIMITS);
  const { status } = answer;
  if (status !== 401 && status !== 403)
    return pdfLabel(accepted(answer, { operation: 'read', problemsFrom: () => [] }));
  const text = `the link to the label does not work any more (status ${status})`;
  const problem: Problem = { code: String(status), text, parcelId: null };
  throw new CarrierRejected([problem]);
}

/**
 * The link to the labels of a booking, for a carrier that tells it in the answer to the booking and nowhere else.
 * @param portal where people print them otherwise, e.g. `Mybring`
 * @throws CarrierRejected `label-link-lost`: the answer was lost
 */
export function labelLinkOf({ labelSource, carrierNumber }: Booking, portal: string): string {
  if (labelSource !== null) return labelSource;
  const text = `the answer with the link to the label was lost; print the label of shipment ${carrierNumber} in ${portal}`;
  throw new CarrierRejected([problemOf('label-link-lost', text)]);
}
