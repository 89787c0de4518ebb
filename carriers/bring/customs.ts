import type { BookingRequest, Goods } from '../contract/index.js';
import { customsArea, declaredLine, textAt } from '../toolkit/index.js';
import { packageTexts } from './fields.js';
import { productOf } from './services.js';

/** Bring's two forms of a declaration, with its names for the parts of a line (README, Customs and Assumptions). */
export const FORMS = {
  customsInformation: {
    ...{ quantity: 'quantity', description: 'goodsDescription', tariffNumber: 'customsArticleNumber' },
    ...{ kilograms: 'grossWeight', value: 'amount', currency: 'currency', origin: 'countryCodeOrigin' },
  },
  ediCustomsDeclarations: {
    ...{ quantity: 'quantity', description: 'goodsDescription', tariffNumber: 'customsArticleNumber' },
    ...{ kilograms: 'itemNetWeightInKg', value: 'tarriffLineAmount', currency: 'currency', origin: 'countryOfOrigin' },
  },
};
export const SALE = 'SALE_OF_GOODS';
export const NATURES = [SALE, 'RETURNED_GOODS', 'GIFT', 'COMMERCIAL_SAMPLE', 'DOCUMENTS', 'OTHER'];

/** Goods out of Norway, which are declared whatever the rule says of papers. */
function isExport(request: BookingRequest): boolean {
  const { is, origin } = productOf(request);
  const isAbroad = ![null, 'NO'].includes(customsArea(request.recipient.address));
  return origin === 'NO' && isAbroad && is('declared-from-Norway');
}

/** With which goods into Norway are declared. */
function voecOf(request: BookingRequest): string | undefined {
  const { is, origin, country } = productOf(request);
  const isImport = country === 'NO' && (origin === 'NO' ? is('mailbox') : is('voec'));
  return isImport && request.options.customs !== 'papers' ? request.customsNumbers?.voec : undefined;
}

/** What is declared; `null`: nothing. */
export function declaredAtBring(request: BookingRequest) {
  const voec = voecOf(request);
  return isExport(request) || voec !== undefined ? { goods: request.goods ?? [], voec } : null;
}

/** The old form stands in the product; the new one beside it, with two more parties. */
export function toCustoms<Party extends object>(request: BookingRequest, form: keyof typeof FORMS, parties: Party[]) {
  const { goods, voec } = declaredAtBring(request) ?? {};
  if (goods === undefined) return {};
  const nature = (voec === undefined && textAt(request.options, 'natureOfCargo')) || SALE;
  const toLine = (one: Goods) => declaredLine(one, packageTexts(one).goodsDescription.sent, FORMS[form]);
  const lines = goods.map(toLine);
  if (form === 'ediCustomsDeclarations') {
    const old = { natureOfTransaction: nature, ediCustomsDeclaration: lines, vatOnEcommerce: voec };
    return { inProduct: { ediCustomsDeclarations: old } };
  }
  const group = textAt(request.options, 'consolidatedShipmentId') ?? request.shipDate;
  const consolidatedShipmentId = voec === undefined || productOf(request).is('ungrouped') ? undefined : group;
  const declaration = { consent: true, natureOfCargo: { type: nature }, customsDeclarations: lines };
  const [exporter, importer] = parties;
  return {
    parties: { exporter: { ...exporter, vatNumber: request.customsNumbers?.vat }, importer },
    beside: { customsInformation: { ...declaration, voec, consolidatedShipmentId } },
  };
}
