import type { BookingRequest, Goods } from '../contract/index.js';
import { cut, declaredGoods, fitsCn22, kilograms, lineTotals, numbersFor } from '../toolkit/index.js';
import { LETTERS } from './services.js';

export const CN22 = { lines: 13, characters: 1025, category: 'SALE OF GOODS' };

export const toWeight = (grams: number) => ({ value: kilograms(grams), unit: 'KGM' });

/** The CN 22 of a letter, by its lines and the numbers of the exporter; `undefined`: it has none, and papers travel with it. */
export function toCn22(request: BookingRequest) {
  const { eori, voec, ioss } = numbersFor(request.customsNumbers ?? {}, request);
  const isNumbered = [eori, voec, ioss].some((number) => number !== undefined);
  const lines = LETTERS.some((each) => each === request.service) ? declaredGoods(request) : null;
  if (!lines?.length || !isNumbered || !fitsCn22(request, CN22.lines)) return undefined;
  const amount = lines.reduce((sum, line) => sum + lineTotals(line).value, 0);
  return {
    ...{ countryOfOrigin: request.sender.address.countryCode, categoryOfItem: { categoryType: [CN22.category] } },
    detailedDescription: lines.map(toLine),
    totalGrossWeight: toWeight(request.parcels.reduce((sum, { weightGrams }) => sum + weightGrams, 0)),
    totalValue: { amount: Number(amount.toFixed(2)), currency: lines[0]?.currency },
    ...{ EORIorPersonalIdNumber: eori, voec, ioss },
  };
}

function toLine(goods: Goods, place: number) {
  const { value: amount, weightGrams } = lineTotals(goods);
  return {
    ...{ content: cut(goods.description ?? '', CN22.characters), quantity: { value: goods.quantity } },
    ...{ grossWeight: toWeight(weightGrams), value: { amount, currency: goods.currency } },
    hsTariffNumber: goods.tariffNumberAtDestination?.replace(/\D/g, ''),
    ...{ countryCode: goods.countryOfOrigin, rowNo: place + 1 },
  };
}
