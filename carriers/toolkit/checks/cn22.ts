import type { BookingRequest, CustomsNumbers } from '../../contract/index.js';
import { customsArea, declaredGoods, totalValue } from '../customs.js';

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

/** Whether a shipment may go with a CN 22: one light parcel of low value. @param mostLines that the form takes */
export function fitsCn22({ goods = [], parcels, parcelsInShipment = 1 }: BookingRequest, mostLines: number): boolean {
  const limit = CN22_LIMITS.get(goods[0]?.currency ?? '') ?? 0;
  const isAlone = parcels.length === 1 && parcelsInShipment === 1;
  return isAlone && parcels.every(isLight) && goods.length <= mostLines && totalValue(goods) <= limit;
}

const isLight = ({ weightGrams }: BookingRequest['parcels'][number]) => weightGrams <= CN22_GRAMS;

/** The numbers that hold at the destination: the schemes for consumers hold in one each. */
export function numbersFor(
  { voec, ioss, ...registered }: CustomsNumbers,
  { recipient }: BookingRequest,
): CustomsNumbers {
  const destination = customsArea(recipient.address);
  return {
    ...registered,
    ...(voec !== undefined && destination === 'NO' && { voec }),
    ...(ioss !== undefined && destination === 'EU' && { ioss }),
  };
}

/**
 * For a carrier with one field for the numbers of the exporter.
 * @param kinds those that the field takes; of those that the account has and that hold at the destination, the first is sent
 * @returns `undefined`: there is none, or nothing is declared
 */
export function exportersNumberFor(
  request: BookingRequest,
  kinds: readonly (keyof CustomsNumbers)[],
): string | undefined {
  if (declaredGoods(request) === null) return undefined;
  const numbers = numbersFor(request.customsNumbers ?? {}, request);
  return kinds.map((kind) => numbers[kind]).find((number) => number !== undefined);
}
