import type { BookingRequest, Problem } from '../contract/index.js';
import { isDanish, serviceOf, unknownService } from './mapping.js';

type Finding = readonly [found: boolean, code: string, text: string];

/** What DAO would refuse, and what it could not deliver. */
export function check(request: BookingRequest): readonly Problem[] {
  const unknown = serviceOf(request) === null ? [unknownService(request)] : [];
  const findings = [...missingInAddress(request), ...forService(request)];
  const found = findings.filter(([isFound]) => isFound);
  return [...unknown, ...found.map(([, code, text]) => ({ code, text, parcelId: null }))];
}

function missingInAddress(request: BookingRequest): readonly Finding[] {
  const { address, contact } = request.recipient;
  return [
    [!address.name && !contact.name, 'recipient-name-missing', "The recipient's name is missing."],
    [!address.street, 'recipient-street-missing', "The recipient's street is missing."],
    [!address.postalCode, 'recipient-postal-code-missing', "The recipient's postal code is missing."],
  ];
}

function forService(request: BookingRequest): readonly Finding[] {
  const { address, contact } = request.recipient;
  switch (serviceOf(request)) {
    case null:
      return [];
    case 'home':
      return [outsideDenmark(request)];
    case 'pickup-point':
      return [
        outsideDenmark(request),
        [
          !contact.mobile && !contact.email,
          'recipient-contact-missing',
          'The recipient needs a mobile number or an e-mail address, or nobody tells them that the parcel is at the shop.',
        ],
      ];
    case 'abroad':
      return [
        [!address.city, 'recipient-city-missing', "The recipient's city is missing."],
        [!address.countryCode, 'recipient-country-missing', "The recipient's country is missing."],
      ];
  }
}

function outsideDenmark(request: BookingRequest): Finding {
  const country = request.recipient.address.countryCode;
  return [!isDanish(request), 'not-in-denmark', `DAO delivers like this in Denmark only, not in ${country}.`];
}
