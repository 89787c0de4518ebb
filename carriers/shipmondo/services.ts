import type { BookingRequest, CarrierService, Problem, RuleProduct } from '../contract/index.js';
import { nearestWord } from '../contract/index.js';
import type { OptionRule } from '../toolkit/checks/rule-check.js';
import { COUNT, FLAG, anyOf, anyText, groupOf, listOf, ruleCheck } from '../toolkit/checks/rule-check.js';
import { listAt } from '../toolkit/json.js';
import { inWords, when } from '../toolkit/preflight.js';
import { CODE, type ShipmondoConfig } from './config.js';

const carrier = 'Shipmondo';
export const [EMAIL, SMS, CASH, RETURN] = ['EMAIL_NT', 'SMS_NT', 'COD', 'DAO_R'];
/** Products that go to a pick-up point, and tell the recipient of it. */
export const TO_SHOPS = ['GLSDK_SD', 'DAO_STS'];
/** Products that go to an address, whatever the shipment says. */
const TO_HOMES = ['DAO_STH', 'DAO_H'];
/** In kilograms a parcel. */
export const HEAVIEST: Readonly<Record<string, number>> = { DAO_STS: 15, DAO_STH: 5 };

/** Those whose codes are known. An account may have many more: `GET /products` lists them. */
export const SERVICES: readonly CarrierService[] = [
  { code: 'GLSDK_SD', name: 'GLS, to a shop' },
  { code: 'DAO_STS', name: 'dao, from shop to shop' },
  { code: 'DAO_STH', name: 'dao, from shop to home' },
  { code: 'DAO_P', name: 'dao, fetched at the sender' },
  { code: 'DAO_H', name: 'dao, fetched at the sender, to home' },
  { code: RETURN, name: 'dao, return' },
  { code: '<product code>', name: 'any that the account has' },
];
export const PRODUCTS = SERVICES.map(({ code }) => code).filter((code) => CODE.test(code));

const isCode = (value: unknown) => typeof value === 'string' && CODE.test(value);
const AMOUNT: OptionRule = { allowed: 'an amount', isFine: (value) => typeof value === 'number' && value > 0 };
const TIME: OptionRule = {
  allowed: 'a time, e.g. "08:00:00"',
  isFine: (value) => /^\d\d(:\d\d){1,2}$/.test(`${value}`),
};
const TEXT = anyText('a text');
const REASONS = ['sale_of_goods', 'gift', 'documents', 'commercial_samples', 'returned_goods', 'other'];

/** `notification` and `notes` are our words, all others Shipmondo's. */
const checkOptions = ruleCheck({
  carrier,
  options: {
    service_codes: listOf(isCode, `a list of codes such as ${EMAIL}, ${SMS}, ${CASH}, QR_CODE`),
    ...{ notification: anyOf(['automatic', 'none']), notes: anyOf(['delivery_details']) },
    ...{ own_agreement: FLAG, customer_number: TEXT, contents: TEXT, export_reason: anyOf(REASONS) },
    ...{ packaging: anyText('the code of a package type'), stackable: FLAG },
    ...groupOf('cod', { amount: AMOUNT, currency_code: TEXT, account_number: TEXT }),
    ...groupOf('carrier_insurance', { amount: AMOUNT, currency_code: TEXT }),
    ...groupOf('pallet_exchange', { pallets1: COUNT, pallets2: COUNT, pallets4: COUNT }),
    ...groupOf('pickup_details', { from: TIME, to: TIME, instruction: TEXT }),
    ...groupOf('dfm', {
      ...{ insurance_type: anyOf([...'ABCD']), insurance_amount: AMOUNT },
      ...{ dot_type: anyOf(['DO1', 'DO2', 'DO3', 'DO4']), dot_time: TIME },
    }),
  },
});

export function checkRule({ service, options }: RuleProduct): readonly Problem[] {
  const isUnknown = service !== null && !CODE.test(service);
  const meant = nearestWord(service ?? '', PRODUCTS, 2) ?? `a code such as ${PRODUCTS.join(', ')}`;
  const text = `Shipmondo has no product "${service}"; meant is perhaps ${meant}: mend the rule in the settings.`;
  return [
    ...inWords(text, when(isUnknown, 'unknown-service', { service: service ?? '', carrier })),
    ...checkOptions({ service: null, options }),
  ];
}

/** The product that a rule names, else that of the account; `null`: there is none. */
export function productOf({ service, deliverToPickUpPoint }: BookingRequest, config: ShipmondoConfig): string | null {
  return service ?? (deliverToPickUpPoint ? config.pickUpPointProduct : config.product) ?? null;
}

/** The product of a known kind counts before what the shipment says. */
export function isToShop(request: BookingRequest, config: ShipmondoConfig): boolean {
  const product = productOf(request, config) ?? '';
  if ([...TO_SHOPS, config.pickUpPointProduct].includes(product)) return true;
  return request.deliverToPickUpPoint && !TO_HOMES.includes(product);
}

/**
 * The services that the rule names. Where it names none, and the parcel goes to a shop or the rule says so, the recipient is told.
 * @param contact as it is sent
 */
export function serviceCodesOf(request: BookingRequest, contact: Contact, config: ShipmondoConfig): readonly string[] {
  const { notification, service_codes: named, cod } = request.options;
  const isTold = named === undefined && (notification ?? (isToShop(request, config) && 'automatic')) === 'automatic';
  const notices = isTold ? [contact.email && EMAIL, contact.phone && SMS] : listAt(named).map(String);
  return [...new Set([...notices, cod ? CASH : ''])].flatMap((code) => code || []);
}

type Contact = Readonly<Partial<Record<'email' | 'phone', string | undefined>>>;
