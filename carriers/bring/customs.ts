import type { BookingRequest } from '../contract/index.js';
import { customsArea, declaredLine, textAt } from '../toolkit/index.js';
import { packageTexts, productOf } from './services.js';

const LINE = {
  ...{ description: 'goodsDescription', tariffNumber: 'customsArticleNumber' },
  ...{ quantity: 'quantity', currency: 'currency' },
};

/** The form since March 2025. @param place within the consignment */
const informationAt = (place: string) => ({
  lines: `${place}?.customsDeclarations`,
  nature: `${place}?.natureOfCargo.type`,
  names: { ...LINE, kilograms: 'grossWeight', value: 'amount', origin: 'countryCodeOrigin' },
});

/** Bring's forms of a declaration: where they have what, and their names for the parts of a line (README, Customs and Assumptions). */
export const FORMS = {
  customsInformation: informationAt('customsInformation'),
  'product.customsInformation': informationAt('product.customsInformation'),
  ediCustomsDeclarations: {
    lines: 'product.ediCustomsDeclarations?.ediCustomsDeclaration',
    nature: 'product.ediCustomsDeclarations?.natureOfTransaction',
    names: { ...LINE, kilograms: 'itemNetWeightInKg', value: 'tarriffLineAmount', origin: 'countryOfOrigin' },
  },
};
export const SALE = 'SALE_OF_GOODS';
export const NATURES = [SALE, 'RETURNED_GOODS', 'GIFT', 'COMMERCIAL_SAMPLE', 'DOCUMENTS', 'OTHER'];

/** The VOEC number that declares goods into Norway. */
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

/** The shipments that cross the border together. */
function groupOf(request: BookingRequest): string | undefined {
  if (productOf(request).is('ungrouped')) return undefined;
  return textAt(request.options, 'consolidatedShipmentId') ?? request.shipDate;
}

/** The members of the parties, of the product and beside it: the old form stands in the product, the new one has two more parties. */
export function toCustoms<Party extends object>(request: BookingRequest, form: keyof typeof FORMS, parties: Party[]) {
  const { goods, voec } = declaredAtBring(request) ?? {};
  if (goods === undefined) return {};
  const type = (voec === undefined && textAt(request.options, 'natureOfCargo')) || SALE;
  const lines = goods.map((one) => declaredLine(one, packageTexts(one).goodsDescription.sent, FORMS[form].names));
  if (form === 'ediCustomsDeclarations') {
    const old = { natureOfTransaction: type, ediCustomsDeclaration: lines, vatOnEcommerce: voec };
    return { inProduct: { ediCustomsDeclarations: old } };
  }
  const scheme = { consent: true, voec, consolidatedShipmentId: voec && groupOf(request) };
  const member = { customsInformation: { natureOfCargo: { type }, customsDeclarations: lines, ...scheme } };
  const traders = { exporter: { ...parties[0], vatNumber: request.customsNumbers?.vat }, importer: parties[1] };
  if (form === 'product.customsInformation') return { parties: traders, inProduct: member };
  return { parties: traders, beside: member };
}
