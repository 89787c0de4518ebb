import type { BookingRequest, Problem } from '../contract/index.js';
import { countryNumber, splitStreet } from './mapping.js';
import { serviceOf, unsendable } from './service.js';
import { HEAVIEST_GRAMS, LONGEST } from './wire.js';

type Finding = readonly [found: boolean, code: string, text: string];

/** What GLS would refuse, and what it would take in another sense than ours. */
export function check(request: BookingRequest): readonly Problem[] {
  return [...unsendable(request), ...missing(request), ...tooLong(request), ...tooHeavy(request)];
}

function missing(request: BookingRequest): readonly Problem[] {
  const { address, contact } = request.recipient;
  const service = serviceOf(request);
  const toShop = service === 'shop-delivery' || service === 'direct-shop';
  return problems([
    [!address.name && !contact.name, 'recipient-name-missing', "The recipient's name is missing."],
    [!address.street, 'recipient-street-missing', "The recipient's street is missing."],
    [!address.postalCode, 'recipient-postal-code-missing', "The recipient's postal code is missing."],
    [!address.city, 'recipient-city-missing', "The recipient's city is missing."],
    [
      !countryNumber(address.countryCode),
      'recipient-country-missing',
      "The recipient's country is missing or not a country.",
    ],
    [
      toShop && !contact.email && !contact.mobile,
      'recipient-contact-missing',
      'The recipient needs an e-mail address or a mobile number, or nobody tells them that the parcel is at the shop.',
    ],
  ]);
}

function tooLong(request: BookingRequest): readonly Problem[] {
  const { address, contact } = request.recipient;
  return problems([
    [
      splitStreet(address.street).rest.length > LONGEST.line,
      'recipient-street-too-long',
      tooLongText('street', 2 * LONGEST.line),
    ],
    [
      (address.postalCode ?? '').length > LONGEST.postalCode,
      'recipient-postal-code-too-long',
      tooLongText('postal code', LONGEST.postalCode),
    ],
    [
      (contact.email ?? '').length > LONGEST.email,
      'recipient-email-too-long',
      tooLongText('e-mail address', LONGEST.email),
    ],
    [
      (request.pickUpPointId ?? '').length > LONGEST.shop,
      'pick-up-point-too-long',
      `The number of the parcel shop has more than ${LONGEST.shop} characters.`,
    ],
  ]);
}

function tooLongText(what: string, longest: number): string {
  return `The recipient's ${what} has more than ${longest} characters.`;
}

function tooHeavy(request: BookingRequest): readonly Problem[] {
  return request.parcels
    .filter((parcel) => parcel.weightGrams > HEAVIEST_GRAMS)
    .map((parcel) => ({
      code: 'parcel-too-heavy',
      text: `Parcel ${parcel.label} weighs more than ${HEAVIEST_GRAMS / 1000} kg.`,
      parcelId: parcel.id,
    }));
}

function problems(findings: readonly Finding[]): readonly Problem[] {
  return findings.filter(([found]) => found).map(([, code, text]) => ({ code, text, parcelId: null }));
}
