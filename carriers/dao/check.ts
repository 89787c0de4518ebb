import type { BookingRequest } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/check-codes.js';
import { addressProblems } from '../toolkit/checks/address-problems.js';
import { paperProblems } from '../toolkit/customs.js';
import { inWords, missingParts, noDangerousGoods, untoldAtShop, when } from '../toolkit/preflight.js';
import { FIELDS, recipientFields } from './fields.js';
import { checkRule, isDanish, serviceOf } from './services.js';

/** What DAO would refuse, and what it could not deliver. */
export function check(request: BookingRequest): readonly ValidationIssue[] {
  const { address, contact } = request.recipient;
  const recipient = { contact, address: { ...address, countryCode: address.countryCode ?? 'DK' } };
  return [
    ...checkRule(request),
    ...addressProblems('recipient', recipient, {
      fields: FIELDS,
      parts: ['name', 'street', 'postal-code'],
      instead: { name: recipientFields(request).navn.sent },
    }),
    ...forService(request),
    ...paperProblems(request, 'DK'),
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
