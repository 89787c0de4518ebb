import type { BookingRequest } from '../contract/index.js';
import type { Complaint } from '../toolkit/check-codes.js';
import { customsByPaperOnly } from '../toolkit/customs.js';
import { fit } from '../toolkit/fit.js';
import {
  doubtWhen,
  looksLikeEmail,
  looksLikePhone,
  noDangerousGoods,
  optionText,
  postalCodeProblems,
  when,
} from '../toolkit/preflight.js';
import { FIELDS, recipientFields } from './fields.js';
import { isDanish, serviceOf, unknownService } from './services.js';

/** What DAO would refuse, and what it could not deliver. */
export function check(request: BookingRequest): readonly Complaint[] {
  return [
    ...unknownService(request),
    ...missingInAddress(request),
    ...postalCode(request),
    ...forService(request),
    ...demand(request),
    ...customsByPaperOnly(request, 'DAO', 'DK'),
    ...noDangerousGoods(request, 'DAO'),
  ];
}

function missingInAddress(request: BookingRequest): readonly Complaint[] {
  const { address } = request.recipient;
  const { navn } = recipientFields(request);
  return [
    ...when(navn.sent === '', 'recipient-name-missing', missingText('name')),
    ...when(fit([address.street], FIELDS.adresse).sent === '', 'recipient-street-missing', missingText('street')),
    ...when(!address.postalCode?.trim(), 'recipient-postal-code-missing', missingText('postal code')),
  ];
}

function missingText(what: string): string {
  return `The recipient's ${what} is missing: add it to the delivery address.`;
}

function postalCode(request: BookingRequest): readonly Complaint[] {
  const { address } = request.recipient;
  return postalCodeProblems('recipient', { ...address, countryCode: address.countryCode ?? 'DK' });
}

function forService(request: BookingRequest): readonly Complaint[] {
  const { address } = request.recipient;
  switch (serviceOf(request)) {
    case null:
      return [];
    case 'home':
      return outsideDenmark(request);
    case 'pickup-point':
      return [...outsideDenmark(request), ...untoldAtShop(request)];
    case 'abroad':
      return [
        ...when(recipientFields(request).by.sent === '', 'recipient-city-missing', missingText('city')),
        ...when(!address.countryCode, 'recipient-country-missing', missingText('country')),
        ...when(
          request.deliverToPickUpPoint && !request.pickUpPointId,
          'pick-up-point-missing',
          'DAO chooses no pick-up point abroad: add the number of one to the shipment.',
        ),
        ...(request.deliverToPickUpPoint ? untoldAtShop(request) : []),
      ];
  }
}

function untoldAtShop({ recipient: { contact } }: BookingRequest): readonly Complaint[] {
  return doubtWhen(
    ![contact.mobile, contact.phone].some(looksLikePhone) && !looksLikeEmail(contact.email),
    'recipient-contact-missing',
    'The recipient needs a telephone number or an e-mail address, or nobody tells them that the parcel is at the shop: add one to the contact person.',
  );
}

/** An option of the rule that is not understood would let a parcel out without what was to be shown for it. */
function demand({ options }: BookingRequest): readonly Complaint[] {
  const isText = options.idkrav === undefined || typeof options.idkrav === 'string';
  return when(!isText, 'option-value', optionText('idkrav', options.idkrav, 'Udleveringskode, none'));
}

function outsideDenmark(request: BookingRequest): readonly Complaint[] {
  const country = request.recipient.address.countryCode;
  const text = `DAO delivers like this in Denmark only, not in ${country}: choose another service or another carrier.`;
  return when(!isDanish(request), 'not-in-denmark', { text, values: { country: country ?? '' } });
}
