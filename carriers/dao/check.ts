import type { BookingRequest } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/check-codes.js';
import { customsByPaperOnly } from '../toolkit/customs.js';
import { fit } from '../toolkit/fit.js';
import {
  inWords,
  missingParts,
  noDangerousGoods,
  optionValue,
  postalCodeProblems,
  unknownService,
  untoldAtShop,
  when,
} from '../toolkit/preflight.js';
import { FIELDS, recipientFields } from './fields.js';
import { CODES, isDanish, serviceOf } from './services.js';

/** What DAO would refuse, and what it could not deliver. */
export function check(request: BookingRequest): readonly ValidationIssue[] {
  const { address } = request.recipient;
  const { idkrav } = request.options;
  return [
    ...unknownService(request.service, { carrier: 'DAO', known: CODES }),
    ...missingParts('recipient', {
      name: recipientFields(request).navn.sent,
      street: fit([address.street], FIELDS.adresse).sent,
      'postal-code': address.postalCode,
    }),
    ...postalCodeProblems('recipient', { ...address, countryCode: address.countryCode ?? 'DK' }),
    ...forService(request),
    // An option of the rule that is not understood would let a parcel out without what was to be shown for it.
    ...optionValue(idkrav !== undefined && typeof idkrav !== 'string', 'idkrav', {
      given: idkrav,
      allowed: 'Udleveringskode, none',
    }),
    ...customsByPaperOnly(request, 'DAO', 'DK'),
    ...noDangerousGoods(request, 'DAO'),
  ];
}

function forService(request: BookingRequest): readonly ValidationIssue[] {
  const { deliverToPickUpPoint, pickUpPointId, recipient } = request;
  const country = recipient.address.countryCode;
  const outsideDenmark = when(!isDanish(request), 'not-in-denmark', { country: country ?? '' });
  switch (serviceOf(request)) {
    case null:
      return [];
    case 'home':
      return outsideDenmark;
    case 'pickup-point':
      return [...outsideDenmark, ...untoldAtShop(request)];
    case 'abroad':
      return [
        ...missingParts('recipient', { city: recipientFields(request).by.sent, country }),
        ...inWords(
          'DAO chooses no pick-up point abroad: add the number of one to the shipment.',
          when(deliverToPickUpPoint && !pickUpPointId, 'pick-up-point-missing'),
        ),
        ...(deliverToPickUpPoint ? untoldAtShop(request) : []),
      ];
  }
}
