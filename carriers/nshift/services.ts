import type { BookingRequest, CarrierService, Problem, RuleProduct } from '../contract/index.js';
import type { FieldTable, OptionRule } from '../toolkit/index.js';
import { FLAG, NUMBER, anyOf, anyText, codesOf, each, groupOf, inWords, listAt, nearestTo } from '../toolkit/index.js';
import { rowsOf, ruleCheck, textAt, thatHold, toldContact, when } from '../toolkit/index.js';
import type { NshiftConfig } from './config.js';

const carrier = 'nShift';
export const COLLECT = 'P19DK';
export const LETTER = 'PDKBREVI';
/** Lines of goods in a CN 22, as PostNord itself takes them. */
export const CN22_LINES = 13;
/** The add-on of a pick-up point that the booking names. */
export const CHOSEN_POINT = 'PUPOPT';
export const DANGEROUS = 'DNG';

/** Other carriers have services by the code lists of the account. */
export const SERVICES: readonly CarrierService[] = [
  { code: 'PDKEP', name: 'PostNord Denmark: parcel to companies' },
  { code: COLLECT, name: 'PostNord Denmark: MyPack Collect, to a pick-up point' },
  { code: 'PDK17', name: 'PostNord Denmark: MyPack Home' },
  { code: LETTER, name: 'PostNord Denmark: letter abroad, with the bulkId of the account' },
  { code: '<partner>|<service>', name: 'any that the account has, e.g. POSTI|PO2103' },
];
const POSTNORD = SERVICES.map(({ code }) => code).filter((code) => !code.includes('|'));
const OF_PARTNER = /^[A-Z\d]+\|[A-Z\d]+$/i;

/** The text fields. Only that of the instruction has a known length. */
export const FIELDS = {
  name: { means: 'name' },
  address1: { means: 'street' },
  address2: { means: 'second-line' },
  city: { means: 'city' },
  contact: { means: 'contact' },
  phone: { means: 'phone' },
  mobile: { means: 'mobile' },
  email: { means: 'email' },
  deliveryInstruction: { means: 'notes', longest: 30 },
} as const satisfies FieldTable;

const ADDONS = [CHOSEN_POINT, 'NOTEMAIL', 'NOTSMS', 'NOT', 'COD', 'RPAY', DANGEROUS, 'INSU'];
const ADDON_FIELDS =
  `amount account accountType currencyCode reference referenceType custNo misc tempMin tempMax declarant
  text1 text2 text3 text4 text5 text6 text7 text8 text9 text10`.split(/\s+/);
const PRINTED = 'proforma proformaplabedi plabedi edoc cn22 cn23 proformaups upsedi fedexp fedexe'.split(' ');

export const isPostnordAddon = (id: string): boolean => ADDONS.includes(id) || /^DLV[A-Z\d]*$/.test(id);

const TEXT = anyText('a text');
const TIME: OptionRule = { allowed: 'a time, e.g. "14:30"', isFine: (value) => /^\d\d:\d\d$/.test(String(value)) };

/** By nShift's own names. */
const checkWith = (isId: (id: string) => boolean) =>
  ruleCheck({
    carrier,
    options: {
      ...{ addons: rowsOf(ADDONS, isId, ADDON_FIELDS), notification: anyOf(['automatic', 'none']) },
      ...each(TEXT, 'packageCode termsLocation'),
      ...groupOf('service', {
        ...{ nonDeliveryType: anyOf(['return', 'abandon']), pickupBooking: FLAG },
        ...{ ...each(TIME, 'pickupTimeFrom pickupTimeTo'), ...each(TEXT, 'valueAmount valueCurrencyCode') },
      }),
      ...groupOf('preNotification', {
        ...{ ...each(TEXT, 'from cc bcc errorTo message'), languageCode: anyOf(['se', 'en', 'dk', 'fi']) },
      }),
      ...groupOf('dangerousGoods', {
        ...each(TEXT, 'hazardCode packageCode description adrClass trCode'),
        ...{ ...each(NUMBER, 'netWeight quantity'), limitedQuantities: FLAG },
      }),
      ...groupOf('customsDeclaration', {
        printSet: codesOf(PRINTED),
        invoiceType: anyOf(['STANDARD', 'PROFORMA', 'standard', 'proforma']),
        importExportType: anyOf(['temporary', 'gift', 'documents', 'sample', 'return', 'permanent', 'other']),
        ...each(TEXT, 'invoiceNo explanation termLocation declarant declarantCity'),
        ...each(TEXT, 'generalNote1 generalNote2 generalNote3 generalNote4'),
        ...each(NUMBER, 'freightCharges insuranceCharges otherCharges discount'),
      }),
    },
  });

const [checkPostnord, checkOther] = [checkWith(isPostnordAddon), checkWith((id) => /^[A-Z\d]+$/.test(id))];

export function checkRule(product: RuleProduct): readonly Problem[] {
  const { service } = product;
  if (service !== null && OF_PARTNER.test(service)) return checkOther(product);
  const isKnown = service === null || POSTNORD.includes(service);
  const text = `nShift has no service of this name: ${nearestTo(service ?? '', POSTNORD)}, or write partner|service. Mend the rule in the settings.`;
  const values = { service: service ?? '', carrier };
  return [...inWords(text, when(!isKnown, 'unknown-service', values)), ...checkPostnord(product)];
}

/** What the vendor's app takes from PostNord. */
function usualService({ deliverToPickUpPoint, privateDelivery, recipient }: BookingRequest): string {
  const toAddress = recipient.address.countryCode === 'DK' ? 'PDK17' : LETTER;
  return deliverToPickUpPoint ? COLLECT : privateDelivery === false ? 'PDKEP' : toAddress;
}

/** The product as a rule writes it; with a partner, the carrier behind it is named too. */
export function productOf(request: BookingRequest, config: NshiftConfig) {
  const [first = '', second] = (request.service ?? usualService(request)).split('|');
  const isPostnord = second === undefined;
  const goesToPoint = isPostnord ? first === COLLECT : request.deliverToPickUpPoint;
  const point = (goesToPoint && request.pickUpPointId) || null;
  return { id: second ?? first, partner: isPostnord ? config.partner : first, isPostnord, goesToPoint, point };
}

/** Whether nShift is asked for the nearest point. Of another carrier those of the account may be the wrong ones. */
export function isFound(request: BookingRequest, config: NshiftConfig): boolean {
  const { isPostnord, goesToPoint, point } = productOf(request, config);
  return isPostnord && goesToPoint && point === null && config.agentType === 'POSTNORD';
}

/** The add-ons that the rule names, and with PostNord those that follow. */
export function addonsOf(request: BookingRequest, config: NshiftConfig): readonly Addon[] {
  const named = listAt(request.options, 'addons').filter((addon): addon is Addon => textAt(addon, 'id') !== null);
  const { isPostnord, point } = productOf(request, config);
  const { email, mobile } = toldContact(request, FIELDS);
  const ofPostnord = { [CHOSEN_POINT]: point !== null, NOTEMAIL: email, NOTSMS: mobile };
  const following = thatHold({ ...(isPostnord && ofPostnord), [DANGEROUS]: declaresDangerous(request) });
  const added = following.filter((id) => named.every((addon) => addon.id !== id));
  return [...added.map((id) => ({ id })), ...named];
}

type Addon = Readonly<{ id: string }>;

/** The rule says what nShift wants to know of the goods besides their number. */
export function declaresDangerous({ options, goods = [] }: BookingRequest): boolean {
  return options.dangerousGoods !== undefined && goods.some(({ unNumbers }) => unNumbers.length > 0);
}
