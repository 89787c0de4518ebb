import type { BookingRequest, Problem } from '../contract/index.js';
import { type FieldTable, contactProblems, inWords, paperProblems, partyProblems } from '../toolkit/index.js';
import { partyTexts, sentOf, unNumbers, when } from '../toolkit/index.js';
import type { PostnordConfig } from './config.js';
import { BUSINESS, COLLECT, HOME, additionalServicesOf, checkRule, pointOf, serviceOf } from './services.js';

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

/** What PostNord would refuse. */
export function checkForPostnord(request: BookingRequest, config: PostnordConfig): readonly Problem[] {
  const { smsNo = '', emailAddress: email = '' } = sentOf(partyTexts(request.recipient, FIELDS));
  const codes = additionalServicesOf(request, { smsNo, emailAddress: email }, config);
  const country = request.recipient.address.countryCode ?? '';
  const isChosen = serviceOf(request) !== COLLECT || pointOf(request) !== null;
  const numbers = unNumbers(request).join(', ');
  const needs = { email: codes.has('A4'), mobile: codes.has('A3') || codes.has('C7') };
  return [
    ...checkRule(request),
    ...partyProblems(request, { fields: FIELDS, parts: ['name', 'postal-code', 'city', 'country'] }),
    ...when(!isChosen && !['DK', 'SE'].includes(country), 'pick-up-point-missing'),
    ...when(isUntold(request, codes), 'recipient-contact'),
    ...contactProblems({ email, mobile: smsNo }, { carrier, needs }),
    ...inWords(
      `PostNord takes Danish mobile numbers only in Denmark, not ${smsNo}: correct it in the contact person.`,
      when(country === 'DK' && !/^(\+45\d{8})?$/.test(smsNo), 'mobile-missing', { carrier }),
    ),
    ...when(numbers !== '' && !codes.has('A8'), 'dangerous-goods-unannounced', { numbers, carrier }),
    ...paperProblems(request),
  ];
}

function isUntold(request: BookingRequest, codes: ReadonlySet<string>): boolean {
  const { smsNo, emailAddress, phoneNo = smsNo, contactName } = sentOf(partyTexts(request.recipient, FIELDS));
  const isNear = ['', 'DK', 'SE', 'NO', 'FI'].includes(request.recipient.address.countryCode ?? '');
  const untold: Readonly<Record<string, boolean>> = {
    [HOME]: !smsNo && !emailAddress,
    [BUSINESS]: !isNear && !(contactName && phoneNo),
    [COLLECT]: !['A2', 'A3', 'A4'].some((code) => codes.has(code)),
  };
  return untold[serviceOf(request)] ?? false;
}

/** PostNord tells the customer of the return by both. */
export function returnProblems({ sender }: BookingRequest): readonly Problem[] {
  const { emailAddress, smsNo } = sentOf(partyTexts(sender, FIELDS));
  const text = 'PostNord needs an e-mail address and a mobile number of the customer for a return: add them.';
  return inWords(text, when(!emailAddress || !smsNo, 'recipient-contact'));
}
