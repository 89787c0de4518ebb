import type { BookingRequest, CarrierService, Problem } from '../contract/index.js';
import type { ContactNeeds, FieldTable } from '../toolkit/index.js';
import { CURRENCY, SUM, anyOf, codesOf, contactProblems, listAt, neededContact } from '../toolkit/index.js';
import { paperProblems, partyProblems, ruleCheck, said, sentContact, textAt, thatHold } from '../toolkit/index.js';
import { optionValue, toPlace, toldContact, unannouncedGoods, when, wholeGroupOf } from '../toolkit/index.js';
import type { PostnordConfig } from './config.js';

export const [HOME, BUSINESS, COLLECT, RETURN] = ['17', '18', '19', '24'];
const OF_SWEDEN = ['30', '11', '86', '34', 'UX'];
/** Letters, which have a CN 22 where parcels have an invoice. */
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

/** Additional services that need nothing but the contact of the recipient. */
const ADDITIONAL = 'A2 A3 A4 A6 A8 A9 B8 C4 C7 D1 D2 D6 D7 D9 E1 E4 E5 F1 F6 Q1 38'.split(' ');
/** The additional service of each `typeOfInsurance`. */
export const INSURANCES: Readonly<Record<string, string>> = { DOMESTICDK: '62', EUROPE: 'A5', RESTOFTHEWORLD: '61' };
export const PACKAGES = ['PC', 'BX', 'EN', 'PE', 'AF', 'OA', 'OF', 'CW'];

const INSURANCE = { typeOfInsurance: anyOf(Object.keys(INSURANCES)), amount: SUM, currency: CURRENCY };

export const checkRule = ruleCheck({
  carrier: 'PostNord',
  services: SERVICES,
  options: {
    additionalServices: codesOf(ADDITIONAL),
    notification: anyOf(['automatic', 'none']),
    packageTypeCode: anyOf(PACKAGES),
    ...wholeGroupOf('insurance', INSURANCE, '{ typeOfInsurance: DOMESTICDK, amount: 5000, currency: DKK }'),
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

/** The additional services that the rule names, and those that follow from the shipment and the account. */
export function additionalServicesOf(request: BookingRequest, { flexChange }: PostnordConfig) {
  const named = listAt(request.options, 'additionalServices').map(String);
  const is = (...services: readonly string[]) => services.includes(serviceOf(request));
  const { email, mobile } = is(HOME, COLLECT) ? toldContact(request, FIELDS) : {};
  const isLeft = request.unattendedDelivery && is(HOME, BUSINESS);
  const isFixed = isLeft || ['A6', 'F1'].some((code) => named.includes(code));
  const insured = INSURANCES[textAt(request.options, 'insurance', 'typeOfInsurance') ?? ''];
  const isFlexible = flexChange && is(HOME) && !isFixed;
  const following = { A7: pointOf(request), A3: mobile, A4: email, A6: isLeft, C7: isFlexible };
  return [...new Set([...named, ...thatHold(following), ...said(insured)])];
}

/** PostNord's text fields. No source states limits of letters, nor the length of a street. */
export const FIELDS = {
  name: { means: 'name', longest: 60 },
  careOfName: { means: 'care-of', longest: 60 },
  'streets.0': { means: 'street' },
  'streets.1': { means: 'second-line' },
  city: { means: 'city', longest: 35 },
  contactName: { means: 'contact', longest: 50 },
  emailAddress: { means: 'email', longest: 70 },
  phoneNo: { means: 'phone', longest: 50 },
  smsNo: { means: 'mobile', longest: 50 },
  freeText: { means: 'notes', longest: 1000 },
  referenceNo: { means: 'reference', longest: 35 },
} as const satisfies FieldTable;

const carrier = 'PostNord';
const NEAR = ['', 'DK', 'SE', 'NO', 'FI'];
/** A service as `NEEDS` has it outside the Nordic countries. */
export const abroad = (service: string, country: string) => (NEAR.includes(country) ? [] : [`${service} abroad`]);
const INSURED_ABROAD = { given: 'DOMESTICDK', allowed: 'EUROPE (SE), RESTOFTHEWORLD' };
const [COMPANY_ABROAD, CALLS] = [`${BUSINESS} abroad`, ['A9', 'B8']];

/** By services and additional services. */
export const NEEDS: ContactNeeds = [
  [[HOME], 'smsNo', 'emailAddress'],
  [['A3', 'C7', RETURN], 'smsNo'],
  [['A4', RETURN], 'emailAddress'],
  [[...CALLS, COMPANY_ABROAD], 'phoneNo', 'smsNo'],
  [[COMPANY_ABROAD], 'contactName'],
];
export const NEEDED = { carrier, fields: FIELDS, needs: NEEDS };

/** What PostNord would refuse. */
export function checkForPostnord(request: BookingRequest, config: PostnordConfig): readonly Problem[] {
  const { recipient } = request;
  const { mobile = '' } = sentContact(recipient, FIELDS);
  const country = toPlace(recipient.address).countryCode ?? '';
  const codes = [serviceOf(request), ...additionalServicesOf(request, config)];
  const has = (...some: readonly string[]) => some.some((code) => codes.includes(code));
  return [
    ...checkRule(request),
    ...partyProblems(request, { fields: FIELDS, parts: ['name', 'postal-code', 'city', 'country'] }),
    ...when(has(COLLECT) && !has('A7') && !['DK', 'SE'].includes(country), 'pick-up-point-missing'),
    ...when(has(COLLECT) && !has('A2', 'A3', 'A4'), 'recipient-contact'),
    ...neededContact(recipient, [...codes, ...abroad(serviceOf(request), country)], NEEDED),
    ...contactProblems(request, { carrier, fields: FIELDS }),
    ...when(country === 'DK' && !/^(\+45\d{8})?$/.test(mobile), 'mobile-not-danish', { carrier, given: mobile }),
    ...optionValue(has('62') && !['', 'DK'].includes(country), 'insurance.typeOfInsurance', INSURED_ABROAD),
    ...unannouncedGoods(request, carrier, has('A8')),
    ...paperProblems(request),
  ];
}
