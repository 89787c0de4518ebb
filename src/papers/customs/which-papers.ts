import type { CustomsPapers, Traits } from '../../../carriers/contract/adapter.js';
import type { BookingRequest } from '../../../carriers/contract/model.js';
import { fitsCn22 } from '../../../carriers/toolkit/checks/cn22.js';
import { needsPapers } from '../../../carriers/toolkit/customs.js';
import type { PaperKind } from './customs-paper.js';

/** The lines of goods that a CN 22 has room for. */
export const CN22_LINES = 4;

/**
 * The papers that have to travel with a shipment; none where it stays in the customs area, where the carrier takes the
 * data itself, or where the rule says that papers are made elsewhere (`customs: papers`).
 * @param requests of all parts of the shipment; each has the goods of the whole
 */
export function papersFor(
  { customsPapers }: Pick<Traits, 'customsPapers'>,
  requests: readonly BookingRequest[],
): readonly PaperKind[] {
  const [first] = requests;
  if (customsPapers === undefined || first === undefined || !needsPapers(first, customsPapers.from)) return [];
  if (customsPapers.declares?.(first)) return [];
  if (!isPostal(customsPapers, first)) return ['commercial-invoice'];
  const isAlone = requests.length === 1;
  return isAlone && fitsCn22(first, CN22_LINES) ? ['cn22'] : ['cn23', 'commercial-invoice'];
}

function isPostal({ form, postalServices = [] }: CustomsPapers, { service }: BookingRequest): boolean {
  return form === 'postal' || postalServices.includes(service ?? '');
}
