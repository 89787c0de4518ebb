import type { BookingRequest } from '../contract/index.js';
import { customsArea, declaredLine, textAt } from '../toolkit/index.js';
import { packageTexts, productOf } from './services.js';

const LINE = {
  ...{ description: 'goodsDescription', tariffNumber: 'customsArticleNumber' },
  ...{ quantity: 'quantity', currency: 'currency' },
};

/** Bring's two forms of a declaration: where they have what, and its names for the parts of a line (README, Customs and Assumptions). */
export const FORMS = {
  customsInformation: {
    lines: 'customsInformation?.customsDeclarations',
    nature: 'customsInformation?.natureOfCargo.type',
    names: { ...LINE, kilograms: 'grossWeight', value: 'amount', origin: 'countryCodeOrigin' },
  },
  ediCustomsDeclarations: {
    lines: 'product.ediCustomsDeclarations?.ediCustomsDeclaration',
    nature: 'product.ediCustomsDeclarations?.natureOfTransaction',
    names: { ...LINE, kilograms: 'itemNetWeightInKg', value: 'tarriffLineAmount', origin: 'countryOfOrigin' },
  },
};
export const SALE = 'SALE_OF_GOODS';
export const NATURES = [SALE, 'RETURNED_GOODS', 'GIFT', 'COMMERCIAL_SAMPLE', 'DOCUMENTS', 'OTHER'];

/** With which goods into Norway are declared. */
function voecOf(request: BookingRequest): string | undefined {
  const { is, origin, country } = productOf(request);
  const isImport = country === 'NO' && is(origin === 'NO' ? 'mailbox' : 'voec');
  return isImport && request.options.customs !== 'papers' ? request.customsNumbers?.voec : undefined;
}

/** What is declared, out of Norway whatever the rule says of papers; `null`: nothing. */
export function declaredAtBring(request: BookingRequest) {
  const { is, origin } = productOf(request);
  const isAbroad = ![null, 'NO'].includes(customsArea(request.recipient.address));
  const isExport = origin === 'NO' && isAbroad && is('declared-from-Norway');
  const voec = voecOf(request);
  return isExport || voec !== undefined ? { goods: request.goods ?? [], voec } : null;
}

/** The old form stands in the product; the new one beside it, with two more parties. */
export function toCustoms<Party extends object>(request: BookingRequest, form: keyof typeof FORMS, parties: Party[]) {
  const { goods, voec } = declaredAtBring(request) ?? {};
  if (goods === undefined) return {};
  const type = (voec === undefined && textAt(request.options, 'natureOfCargo')) || SALE;
  const lines = goods.map((one) => declaredLine(one, packageTexts(one).goodsDescription.sent, FORMS[form].names));
  if (form === 'ediCustomsDeclarations') {
    const old = { natureOfTransaction: type, ediCustomsDeclaration: lines, vatOnEcommerce: voec };
    return { inProduct: { ediCustomsDeclarations: old } };
  }
  const isGrouped = voec !== undefined && !productOf(request).is('ungrouped');
  const group = isGrouped ? (textAt(request.options, 'consolidatedShipmentId') ?? request.shipDate) : undefined;
  const declaration = { consent: true, natureOfCargo: { type }, customsDeclarations: lines };
  const [exporter, importer] = parties;
  return {
    parties: { exporter: { ...exporter, vatNumber: request.customsNumbers?.vat }, importer },
    beside: { customsInformation: { ...declaration, voec, consolidatedShipmentId: group } },
  };
}
