import type { BookingRequest, CarrierService } from '../contract/index.js';
import { anyObject, anyOf, anyText, codesOf, ruleCheck } from '../toolkit/checks/rule-check.js';
import { listAt, numberAt, textAt } from '../toolkit/json.js';
import type { PostnordConfig } from './config.js';

export const HOME = '17';
export const BUSINESS = '18';
export const COLLECT = '19';
export const RETURN = '24';

const OF_SWEDEN = ['30', '11', '86', '34', 'UX'];
/** They have a CN 22 where parcels have an invoice. */
export const LETTERS = ['4', '91', ...OF_SWEDEN];

/** README, Services: what cannot be booked from here is missing. */
export const SERVICES: readonly CarrierService[] = [
  { code: HOME, name: 'MyPack Home' },
  { code: BUSINESS, name: 'PostNord Parcel, to companies' },
  { code: COLLECT, name: 'MyPack Collect: to a service point or a parcel locker' },
  { code: '52', name: 'Pallet' },
  { code: '48', name: 'InNight (Denmark)' },
  { code: '4', name: 'Tracked letter (Denmark)' },
  { code: '91', name: 'EMS (Denmark), export (Sweden)' },
  ...OF_SWEDEN.map((code) => ({ code, name: 'Swedish letter, home small or export product' })),
];

/** Those that need nothing but the contact of the recipient. */
const ADDITIONAL = 'A2 A3 A4 A6 A8 A9 B8 C4 C7 D1 D2 D6 D7 D9 E1 E4 E5 F1 F6 Q1 38'.split(' ');
/** The additional service of each `typeOfInsurance`. */
const INSURANCES: Readonly<Record<string, string>> = { DOMESTICDK: '62', EUROPE: 'A5', RESTOFTHEWORLD: '61' };

export const checkRule = ruleCheck({
  carrier: 'PostNord',
  services: SERVICES,
  options: {
    additionalServices: codesOf(ADDITIONAL),
    notification: anyOf(['automatic', 'none']),
    packageTypeCode: anyOf(['PC', 'BX', 'EN', 'PE', 'AF', 'OA', 'OF', 'CW']),
    insurance: anyObject('{ typeOfInsurance: DOMESTICDK, amount: 5000, currency: DKK }'),
    'insurance.typeOfInsurance': anyOf(Object.keys(INSURANCES)),
    'insurance.amount': { allowed: 'an amount', isFine: (value) => typeof value === 'number' && value > 0 },
    'insurance.currency': anyText('a currency, e.g. DKK'),
  },
});

/** The service that a rule names counts before what the shipment says. */
export function serviceOf({ service, deliverToPickUpPoint, privateDelivery }: BookingRequest): string {
  return service ?? (deliverToPickUpPoint ? COLLECT : privateDelivery === true ? HOME : BUSINESS);
}

/** The service point that the booking names; `null`: where it goes to one, PostNord takes the nearest. */
export function pointOf(request: BookingRequest): string | null {
  return serviceOf(request) === COLLECT ? request.pickUpPointId || null : null;
}

/** As PostNord takes it; `undefined`: the rule names none. */
export function insuranceOf({ options: { insurance } }: BookingRequest) {
  const insuranceAmount = { amount: numberAt(insurance, 'amount'), currency: textAt(insurance, 'currency') };
  const typeOfInsurance = textAt(insurance, 'typeOfInsurance');
  return typeOfInsurance === null ? undefined : { typeOfInsurance, insuranceAmount };
}

/**
 * The additional services that the rule names, and those that follow from the shipment and the account.
 * @param contact of the recipient, as it is sent
 */
export function additionalServicesOf(request: BookingRequest, contact: Contact, { flexChange }: PostnordConfig) {
  const named = listAt(request.options, 'additionalServices').map(String);
  const service = serviceOf(request);
  const told = request.options.notification !== 'none' && [HOME, COLLECT].includes(service) ? contact : {};
  const isLeft = request.unattendedDelivery && [HOME, BUSINESS].includes(service);
  const isFixed = isLeft || ['A6', 'F1'].some((code) => named.includes(code));
  const insurance = insuranceOf(request);
  const added: readonly (readonly [unknown, string])[] = [
    ...([
      [pointOf(request), 'A7'],
      [told.smsNo, 'A3'],
      [told.emailAddress, 'A4'],
      [isLeft, 'A6'],
    ] as const),
    [flexChange && service === HOME && !isFixed, 'C7'],
    ...Object.entries(INSURANCES).map(([type, code]) => [insurance?.typeOfInsurance === type, code] as const),
  ];
  return new Set([...named, ...added.flatMap(([isAdded, code]) => (isAdded ? [code] : []))]);
}

type Contact = Readonly<Partial<Record<'smsNo' | 'emailAddress', string | undefined>>>;
