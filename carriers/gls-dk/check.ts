import type { BookingRequest } from '../contract/index.js';
import type { Complaint } from '../toolkit/check-codes.js';
import { customsByPaperOnly } from '../toolkit/customs.js';
import { fitStreet } from '../toolkit/fit.js';
import {
  doubtWhen,
  forParcels,
  looksLikeEmail,
  looksLikePhone,
  noDangerousGoods,
  postalCodeProblems,
  when,
} from '../toolkit/preflight.js';
import { internationalPhone } from '../toolkit/text.js';
import { FIELDS, addressFields } from './fields.js';
import { countryNumber } from './booking.js';
import type { ServiceSettings } from './services.js';
import { servicesOf, unsendable } from './services.js';
import { HEAVIEST_GRAMS, LONGEST } from './wire.js';

/** What GLS would refuse, and what it would take in another sense than ours. */
export function check(request: BookingRequest, settings: ServiceSettings): readonly Complaint[] {
  return [
    ...unsendable(request, settings),
    ...missing(request, settings),
    ...postalCodeProblems('recipient', request.recipient.address),
    ...tooLong(request),
    ...customsByPaperOnly(request, 'GLS', 'DK'),
    ...noDangerousGoods(request, 'GLS'),
    ...forParcels(request, ({ weightGrams }) => weightGrams > HEAVIEST_GRAMS, {
      code: 'parcel-too-heavy',
      limit: `${HEAVIEST_GRAMS / 1000}`,
      text: (label) =>
        `Parcel ${label} weighs more than ${HEAVIEST_GRAMS / 1000} kg: divide it or choose another carrier.`,
    }),
  ];
}

function missing(request: BookingRequest, settings: ServiceSettings): readonly Complaint[] {
  const { address, contact } = request.recipient;
  const { Name1, Street1, City } = addressFields(request.recipient);
  const services = servicesOf(request, settings);
  const toShop = services.has('shop-delivery') || services.has('direct-shop');
  const notified = request.options.notification === 'email' && (contact.email?.trim() ?? '') !== '';
  const told = looksLikeEmail(contact.email) || [contact.mobile, contact.phone].some(looksLikePhone);
  return [
    ...when(Name1.sent === '', 'recipient-name-missing', missingText('name')),
    ...when(Street1.sent === '', 'recipient-street-missing', missingText('street')),
    ...when(!address.postalCode?.trim(), 'recipient-postal-code-missing', missingText('postal code')),
    ...when(City.sent === '', 'recipient-city-missing', missingText('city')),
    ...when(
      countryNumber(address.countryCode) === '',
      'recipient-country-missing',
      "The recipient's country is missing or not a country: correct the delivery address.",
    ),
    ...doubtWhen(
      toShop && !told,
      'recipient-contact-missing',
      'The recipient needs an e-mail address or a telephone number, or nobody tells them that the parcel is at the shop: add one to the contact person.',
    ),
    ...doubtWhen(notified && !looksLikeEmail(contact.email), 'notification-email', {
      text: `GLS is to send its notice to "${contact.email}", which is no e-mail address: correct it in the contact person.`,
      values: { given: contact.email ?? '', carrier: 'GLS' },
    }),
  ];
}

function missingText(what: string): string {
  return `The recipient's ${what} is missing: add it to the delivery address.`;
}

function tooLong(request: BookingRequest): readonly Complaint[] {
  const { address, contact } = request.recipient;
  const phones = [contact.phone, contact.mobile].map((phone) => internationalPhone(phone ?? '', address.countryCode));
  const tooLongText = (what: string, longest: number) => ({
    text: `The recipient's ${what} has more than ${longest} characters: shorten it.`,
    values: { limit: `${longest}` },
  });
  return [
    ...when(
      fitStreet(address.street, FIELDS.Street1).rest.length > FIELDS.Name3.longest,
      'recipient-street-too-long',
      tooLongText('street', FIELDS.Street1.longest + FIELDS.Name3.longest),
    ),
    ...when(
      (address.postalCode ?? '').length > LONGEST.postalCode,
      'recipient-postal-code-too-long',
      tooLongText('postal code', LONGEST.postalCode),
    ),
    ...when(
      (contact.email?.trim() ?? '').length > LONGEST.email,
      'recipient-email-too-long',
      tooLongText('e-mail address', LONGEST.email),
    ),
    ...when(
      phones.some((phone) => phone.length > LONGEST.phone),
      'recipient-phone-too-long',
      tooLongText('telephone number', LONGEST.phone),
    ),
    ...when((request.pickUpPointId ?? '').length > LONGEST.shop, 'pick-up-point-too-long', {
      text: `The number of the parcel shop has more than ${LONGEST.shop} characters: choose the pick-up point again.`,
      values: { limit: `${LONGEST.shop}` },
    }),
  ];
}
