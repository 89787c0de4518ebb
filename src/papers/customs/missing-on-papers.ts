import type { Traits } from '../../../carriers/contract/adapter.js';
import type { BookingRequest, CustomsNumbers, Problem } from '../../../carriers/contract/model.js';
import { customsArea } from '../../../carriers/toolkit/customs.js';
import { warnWhen } from '../../../carriers/toolkit/preflight.js';
import { papersFor } from './which-papers.js';

/** Customs areas whose exporters have an EORI number. */
const WITH_EORI = ['EU', 'GB'];

/**
 * What the papers of a shipment lack besides its lines: terms of delivery, and the exporter's number. They can be written
 * on the papers by hand, so these are warnings. `paperProblems` finds what a line lacks.
 */
export function missingOnPapers(
  traits: Pick<Traits, 'customsPapers'>,
  numbers: CustomsNumbers,
  requests: readonly BookingRequest[],
): readonly Problem[] {
  const [first] = requests;
  const papers = papersFor(traits, requests);
  if (first === undefined || papers.length === 0) return [];
  const { sender, recipient, incoterms } = first;
  const country = recipient.address.countryCode ?? '';
  const hasInvoice = papers.includes('commercial-invoice');
  const wantsEori = WITH_EORI.includes(customsArea(sender.address) ?? '');
  return [
    ...warnWhen(hasInvoice && incoterms === null, 'customs-incoterms', { country }),
    ...warnWhen(wantsEori && numbers.eori === undefined, 'customs-eori', { country }),
  ];
}
