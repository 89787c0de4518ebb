import type { BookingRequest } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/index.js';
import { addressProblems, heavierThan, longerThan, noDangerousGoods, noEmailAddress } from '../toolkit/index.js';
import { paperProblems, uncutProblems, untoldAtShop } from '../toolkit/index.js';
import { countryNumber } from './booking.js';
import { FIELDS, MAX_CHARACTERS } from './fields.js';
import type { ServiceSettings } from './services.js';
import { servicesOf, unsendable } from './services.js';

export const HEAVIEST_GRAMS = 50_000;

/** What GLS would refuse, and what it would take in another sense than ours. */
export function check(request: BookingRequest, settings: ServiceSettings): readonly ValidationIssue[] {
  const { recipient, options, pickUpPointId } = request;
  const { address, contact } = recipient;
  const services = servicesOf(request, settings);
  const instead = { country: countryNumber(address.countryCode) };
  return [
    ...unsendable(request, settings),
    ...addressProblems('recipient', recipient, { fields: FIELDS, instead }),
    ...(services.has('shop-delivery') || services.has('direct-shop') ? untoldAtShop(request) : []),
    ...(options.notification === 'email' ? noEmailAddress(contact.email, 'GLS') : []),
    ...uncutProblems(recipient, FIELDS),
    ...longerThan(MAX_CHARACTERS.postalCode, [address.postalCode], { code: 'recipient-postal-code-too-long' }),
    ...longerThan(MAX_CHARACTERS.shop, [pickUpPointId], { code: 'pick-up-point-too-long' }),
    ...paperProblems(request, 'DK'),
    ...noDangerousGoods(request, 'GLS'),
    ...heavierThan(HEAVIEST_GRAMS, request, 'parcel-too-heavy'),
  ];
}
