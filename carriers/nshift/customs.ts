import type { BookingRequest, Goods, Problem } from '../contract/index.js';
import { declarationProblems, declaredGoods } from '../toolkit/customs.js';
import { inWords, when } from '../toolkit/preflight.js';
import { kilograms } from '../toolkit/units.js';

/** `null`: nothing is declared, or papers are made elsewhere. */
const linesOf = (request: BookingRequest) => (request.options.customs === 'papers' ? null : declaredGoods(request));

/** What a rule says counts before what follows from the shipment; `undefined`: no declaration is needed. */
export function customsOf(request: BookingRequest) {
  const lines = linesOf(request);
  if (lines === null) return undefined;
  return {
    ...{ printSet: ['proforma'], invoiceType: 'STANDARD' }, // of two spellings, that of the examples (README, Assumptions)
    invoiceNo: request.sendersReference ?? request.shipmentNumber,
    ...{ currencyCode: lines[0]?.currency ?? undefined, termCode: request.incoterms ?? undefined },
    termLocation: request.options.termsLocation,
    ...Object(request.options.customsDeclaration),
    lines: lines.map(toLine),
  };
}

/** Values and weights of a piece. */
function toLine(goods: Goods) {
  return {
    ...{ statNo: goods.tariffNumberAtDestination, contents: goods.description, copies: goods.quantity },
    ...{ valuesPerItem: true, value: Number(goods.unitValue), netWeight: kilograms(goods.unitWeightGrams ?? 0) },
    sourceCountryCode: goods.countryOfOrigin,
  };
}

/** What the declaration lacks; it has one currency. */
export function customsProblems(request: BookingRequest): readonly Problem[] {
  const currencies = new Set(linesOf(request)?.map(({ currency }) => currency));
  const country = request.recipient.address.countryCode ?? '';
  const text = `Goods for ${country} have prices in ${[...currencies].join(' and ')}, and nShift declares one currency: correct the order lines.`;
  const mixed = inWords(text, when(currencies.size > 1, 'customs-currency', { country }));
  return linesOf(request) === null ? [] : [...declarationProblems(request), ...mixed];
}
