import type { BookingRequest, CarrierService, Problem, RuleProduct } from '../contract/index.js';
import { nearestWord } from '../contract/index.js';
import type { FieldTable, OptionRule } from '../toolkit/index.js';
import { COUNT, FLAG, SUM, anyOf, anyText, contactProblems, declarationProblems } from '../toolkit/index.js';
import { forParcels, groupOf, inWords, listAt, listOf, noDangerousGoods, partyProblems } from '../toolkit/index.js';
import { declaredGoods, ruleCheck, sentContact, thatHold, when } from '../toolkit/index.js';
import { CODE, type ShipmondoConfig } from './config.js';

const carrier = 'Shipmondo';
export const [EMAIL, SMS, CASH, RETURN] = ['EMAIL_NT', 'SMS_NT', 'COD', 'DAO_R'];
/** Products of a known kind, whatever the shipment says. Those to shops tell the recipient. */
export const TO_SHOPS = ['GLSDK_SD', 'DAO_STS'];
const TO_HOMES = ['DAO_STH'];
/** In kilograms a parcel. */
export const HEAVIEST: Readonly<Record<string, number>> = { DAO_STS: 15, DAO_STH: 5 };

/** Those whose codes are known. An account may have many more: `GET /products` lists them. */
export const SERVICES: readonly CarrierService[] = [
  { code: 'GLSDK_SD', name: 'GLS, to a shop' },
  { code: 'DAO_STS', name: 'dao, from shop to shop' },
  { code: 'DAO_STH', name: 'dao, from shop to home' },
  ...['DAO_P', 'DAO_H'].map((code) => ({ code, name: 'dao, fetched at the sender' })),
  { code: RETURN, name: 'dao, return' },
  { code: '<product code>', name: 'any that the account has' },
];
export const PRODUCTS = SERVICES.map(({ code }) => code).filter((code) => CODE.test(code));

/** The text fields of a party. No limits are published: the carrier behind Shipmondo sets them. */
export const PARTY = {
  name: { means: 'name' },
  attention: { means: 'contact' },
  address1: { means: 'street' },
  address2: { means: 'second-line' },
  city: { means: 'city' },
  email: { means: 'email' },
  phone: { means: 'phone' },
} as const satisfies FieldTable;
/** The fields of a booking: the notes are sent where the rule says that the product takes them. */
export const FIELDS = { ...PARTY, instruction: { means: 'notes' } } as const satisfies FieldTable;

const isCode = (value: unknown) => typeof value === 'string' && CODE.test(value);
const timeLike = (form: RegExp, example: string): OptionRule => ({
  allowed: `a time, e.g. "${example}"`,
  isFine: (value) => typeof value === 'string' && form.test(value),
});
const TIME = timeLike(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, '08:00:00');
const MINUTE = timeLike(/^([01]\d|2[0-3]):[0-5]\d$/, '12:00');
const TEXT = anyText('a text');
export const REASONS = ['sale_of_goods', 'gift', 'documents', 'commercial_samples', 'returned_goods', 'other'];

/** `notification` and `notes` are our words, all others Shipmondo's. */
const checkOptions = ruleCheck({
  carrier,
  options: {
    service_codes: listOf(isCode, `a list of codes such as ${EMAIL}, ${SMS}, ${CASH}, QR_CODE`),
    ...{ notification: anyOf(['automatic', 'none']), notes: anyOf(['delivery_details']) },
    ...{ own_agreement: FLAG, customer_number: TEXT, contents: TEXT, export_reason: anyOf(REASONS) },
    ...{ packaging: anyText('the code of a package type'), stackable: FLAG, running_metre: SUM },
    ...groupOf('cod', { amount: SUM, currency_code: TEXT, account_number: TEXT }),
    ...groupOf('carrier_insurance', { amount: SUM, currency_code: TEXT }),
    ...groupOf('declared_value', { amount: SUM, currency_code: TEXT }),
    ...groupOf('pallet_exchange', { pallets1: COUNT, pallets2: COUNT, pallets4: COUNT }),
    ...groupOf('pickup_details', { from: TIME, to: TIME, instruction: TEXT }),
    ...groupOf('dfm', {
      ...{ insurance_type: anyOf([...'ABCD']), insurance_amount: SUM },
      ...{ dot_type: anyOf(['DO1', 'DO2', 'DO3', 'DO4']), dot_time: MINUTE },
    }),
  },
});

export function checkRule({ service, options }: RuleProduct): readonly Problem[] {
  const isUnknown = service !== null && !CODE.test(service);
  const meant = nearestWord(service ?? '', PRODUCTS, 2) ?? `a code such as ${PRODUCTS.join(', ')}`;
  const text = `Shipmondo has no product "${service}"; perhaps ${meant} is meant: mend the rule in the settings.`;
  return [
    ...inWords(text, when(isUnknown, 'unknown-service', { service: service ?? '', carrier })),
    ...checkOptions({ service: null, options }),
  ];
}

/** The product that a rule names, else that of the account; `null`: there is none. */
export function productOf({ service, deliverToPickUpPoint }: BookingRequest, config: ShipmondoConfig): string | null {
  return service ?? (deliverToPickUpPoint ? config.pickUpPointProduct : config.product) ?? null;
}

const tellsAtShop = (request: BookingRequest, config: ShipmondoConfig) =>
  TO_SHOPS.includes(productOf(request, config) ?? '');

/** The product of a known kind counts before what the shipment says. */
export function isToShop(request: BookingRequest, config: ShipmondoConfig): boolean {
  const product = productOf(request, config) ?? '';
  if ([...TO_SHOPS, config.pickUpPointProduct].includes(product)) return true;
  return request.deliverToPickUpPoint && !TO_HOMES.includes(product);
}

/** The services that the rule names; if none, notices to the recipient where the product or the rule asks for them. */
export function serviceCodesOf(request: BookingRequest, config: ShipmondoConfig): readonly string[] {
  const { notification, service_codes: named, cod } = request.options;
  const isTold = named === undefined && (notification ?? (tellsAtShop(request, config) && 'automatic')) === 'automatic';
  const { email, mobile } = sentContact(request.recipient, PARTY);
  const notices = isTold ? thatHold({ [EMAIL]: email, [SMS]: mobile }) : listAt(named).map(String);
  return [...new Set([...notices, cod ? CASH : ''])].flatMap((code) => code || []);
}

export const takesNotes = ({ options }: BookingRequest): boolean => options.notes === 'delivery_details';

/** What Shipmondo would refuse. */
export function checkForShipmondo(request: BookingRequest, config: ShipmondoConfig): readonly Problem[] {
  const product = productOf(request, config);
  const codes = serviceCodesOf(request, config);
  const needs = { email: codes.includes(EMAIL), mobile: codes.includes(SMS) };
  const heaviest = HEAVIEST[product ?? ''] ?? Infinity;
  const isPart = request.parcels.length < (request.parcelsInShipment ?? 0);
  return [
    ...checkRule(request),
    ...when(product === null, 'unknown-service', { service: '', carrier }),
    ...partyProblems(request, { fields: PARTY, parts: ['name', 'street', 'postal-code', 'city', 'country'] }),
    ...when(tellsAtShop(request, config) && !needs.email && !needs.mobile, 'recipient-contact'),
    ...contactProblems(request, { carrier, fields: PARTY, needs }),
    ...forParcels(request, (each) => each.weightGrams > 1000 * heaviest, { code: 'too-heavy', limit: `${heaviest}` }),
    ...declarationProblems(request),
    ...when(isPart && (Boolean(request.options.cod) || declaredGoods(request) !== null), 'in-parts', { carrier }),
    ...noDangerousGoods(request, carrier),
  ];
}
