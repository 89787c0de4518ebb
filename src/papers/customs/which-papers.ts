import type { Traits } from '../../../carriers/contract/adapter.js';
import type { BookingRequest, Goods } from '../../../carriers/contract/model.js';
import { needsPapers } from '../../../carriers/toolkit/customs.js';
import type { PaperKind } from './customs-paper.js';
import { ONE, times, toUnits } from './amounts.js';

/**
 * The value up to which a postal item goes with a CN 22: 300 special drawing rights (Universal Postal Convention,
 * regulations, article 08-002), as a round amount that was below it at every rate since 2020. A currency that is not
 * listed gets the CN 23, which is never wrong.
 */
const CN22_LIMITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    EUR: 340,
    DKK: 2_500,
    SEK: 3_500,
    NOK: 3_500,
    ISK: 50_000,
    GBP: 300,
    CHF: 320,
    USD: 390,
    PLN: 1_450,
  }),
);
/** The heaviest letter-post item, to which the CN 22 is stuck. */
const CN22_GRAMS = 2_000;
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
  const isPostal = customsPapers.form === 'postal' || customsPapers.postalServices?.includes(first.service ?? '');
  if (!isPostal) return ['commercial-invoice'];
  return fitsCn22(first.goods ?? [], requests) ? ['cn22'] : ['cn23', 'commercial-invoice'];
}

function fitsCn22(goods: readonly Goods[], requests: readonly BookingRequest[]): boolean {
  const parcels = requests.flatMap((request) => request.parcels);
  const limit = CN22_LIMITS.get(goods[0]?.currency ?? '') ?? 0;
  const value = goods.reduce((sum, { unitValue, quantity }) => sum + times(toUnits(unitValue ?? '0'), quantity), 0n);
  const isLight = parcels.length === 1 && parcels.every(({ weightGrams }) => weightGrams <= CN22_GRAMS);
  return isLight && goods.length <= CN22_LINES && value <= BigInt(limit) * ONE;
}
