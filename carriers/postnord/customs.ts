import type { BookingRequest, Goods } from '../contract/index.js';
import { cut, declaredGoods, fitsCn22, kilograms, lineTotals, numbersFor } from '../toolkit/index.js';
import { LETTERS } from './services.js';

export const CN22 = { lines: 13, characters: 1025, category: 'SALE OF GOODS' };

/** The CN 22 of a letter by its lines and the numbers of the exporter; `null`: it has none, and papers travel with it. */
function cn22Of(request: BookingRequest) {
  const { eori, voec, ioss } = numbersFor(request.customsNumbers ?? {}, request);
  const numbers = { EORIorPersonalIdNumber: eori, voec, ioss };
  const lines = LETTERS.includes(request.service ?? '') ? declaredGoods(request) : null;
  const isOfOneCurrency = new Set(lines?.map(({ currency }) => currency)).size === 1;
  const isNumbered = Object.values(numbers).some((number) => number !== undefined);
  return lines && isOfOneCurrency && isNumbered && fitsCn22(request, CN22.lines) ? { lines, numbers } : null;
}

export const hasCn22 = (request: BookingRequest): boolean => cn22Of(request) !== null;

export const toWeight = (grams: number) => ({ value: kilograms(grams), unit: 'KGM' });

export function toCn22(request: BookingRequest) {
  const { lines, numbers } = cn22Of(request) ?? {};
  if (lines === undefined) return undefined;
  const amount = lines.reduce((sum, line) => sum + lineTotals(line).value, 0);
  return {
    ...{ countryOfOrigin: request.sender.address.countryCode, categoryOfItem: { categoryType: [CN22.category] } },
    detailedDescription: lines.map(toLine),
    totalGrossWeight: toWeight(request.parcels.reduce((sum, { weightGrams }) => sum + weightGrams, 0)),
    totalValue: { amount: Number(amount.toFixed(2)), currency: lines[0]?.currency },
    ...numbers,
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
