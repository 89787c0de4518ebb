import type { BookingRequest } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/check-codes.js';
import { addressProblems } from '../toolkit/checks/address-problems.js';
import { paperProblems } from '../toolkit/customs.js';
import { fitStreet } from '../toolkit/fit.js';
import { forParcels, longerThan, noDangerousGoods, noEmailAddress, untoldAtShop } from '../toolkit/preflight.js';
import { internationalPhone } from '../toolkit/text.js';
import { countryNumber } from './booking.js';
import { FIELDS, MAX_CHARACTERS } from './fields.js';
import type { ServiceSettings } from './services.js';
import { servicesOf, unsendable } from './services.js';

export const HEAVIEST_GRAMS = 50_000;

/** What GLS would refuse, and what it would take in another sense than ours. */
export function check(request: BookingRequest, settings: ServiceSettings): readonly ValidationIssue[] {
  const { recipient } = request;
  const services = servicesOf(request, settings);
  return [
    ...unsendable(request, settings),
    ...addressProblems('recipient', recipient, {
      fields: FIELDS,
      instead: { country: countryNumber(recipient.address.countryCode) },
    }),
    ...(services.has('shop-delivery') || services.has('direct-shop') ? untoldAtShop(request) : []),
    ...(request.options.notification === 'email' ? noEmailAddress(recipient.contact.email, 'GLS') : []),
    ...tooLong(request),
    ...paperProblems(request, 'DK'),
    ...noDangerousGoods(request, 'GLS'),
    ...forParcels(request, ({ weightGrams }) => weightGrams > HEAVIEST_GRAMS, {
      code: 'parcel-too-heavy',
      limit: `${HEAVIEST_GRAMS / 1000}`,
    }),
  ];
}

function tooLong({ recipient: { address, contact }, pickUpPointId }: BookingRequest): readonly ValidationIssue[] {
  const phones = [contact.phone, contact.mobile].map((phone) => internationalPhone(phone ?? '', address.countryCode));
  const { rest } = fitStreet(address.street, FIELDS.Street1);
  return [
    ...longerThan(FIELDS.Name3.longest, [rest], {
      code: 'recipient-street-too-long',
      limit: FIELDS.Street1.longest + FIELDS.Name3.longest,
    }),
    ...longerThan(MAX_CHARACTERS.postalCode, [address.postalCode], { code: 'recipient-postal-code-too-long' }),
    ...longerThan(FIELDS.Email.longest, [contact.email?.trim()], { code: 'recipient-email-too-long' }),
    ...longerThan(FIELDS.Phone.longest, phones, { code: 'recipient-phone-too-long' }),
    ...longerThan(MAX_CHARACTERS.shop, [pickUpPointId], { code: 'pick-up-point-too-long' }),
  ];
}
