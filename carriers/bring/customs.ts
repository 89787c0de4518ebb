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

/** The account's settings of declarations. */
export type CustomsSettings = Readonly<{ customsForm: keyof typeof FORMS; voec?: string; vatNumber?: string }>;

/** What is declared: out of Norway always; into Norway for a seller with a VOEC number, unless the rule says `customs: papers`. */
export function declaredAtBring(request: BookingRequest, settings: Pick<CustomsSettings, 'voec'>) {
  const { is, origin, country } = productOf(request);
  const isAbroad = ![null, 'NO'].includes(customsArea(request.recipient.address));
  const isExport = origin === 'NO' && isAbroad && is('declared-from-Norway');
  const isImport = country === 'NO' && (origin === 'NO' ? is('mailbox') : is('voec'));
  const voec = isImport && request.options.customs !== 'papers' ? settings.voec : undefined;
  return isExport || voec !== undefined ? { goods: request.goods ?? [], voec } : null;
}

/** The old form stands in the product; the new one beside it, with two more parties. */
export function toCustoms<Party extends object>(request: BookingRequest, settings: CustomsSettings, parties: Party[]) {
  const { goods, voec } = declaredAtBring(request, settings) ?? {};
  if (goods === undefined) return {};
  const { customsForm, vatNumber } = settings;
  const nature = (voec === undefined && textAt(request.options, 'natureOfCargo')) || SALE;
  const toLine = (one: Goods) => declaredLine(one, packageTexts(one).goodsDescription.sent, FORMS[customsForm]);
  const lines = goods.map(toLine);
  if (customsForm === 'ediCustomsDeclarations') {
    const old = { natureOfTransaction: nature, ediCustomsDeclaration: lines, vatOnEcommerce: voec };
    return { inProduct: { ediCustomsDeclarations: old } };
  }
  const group = textAt(request.options, 'consolidatedShipmentId') ?? request.shipDate;
  const consolidatedShipmentId = voec === undefined || productOf(request).is('ungrouped') ? undefined : group;
  const declaration = { consent: true, natureOfCargo: { type: nature }, customsDeclarations: lines };
  const [exporter, importer] = parties;
  return {
    parties: { exporter: { ...exporter, vatNumber }, importer },
    beside: { customsInformation: { ...declaration, voec, consolidatedShipmentId } },
  };
}
