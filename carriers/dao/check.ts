import type { BookingRequest } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/index.js';
import { addressProblems, inWords, missingParts, noDangerousGoods } from '../toolkit/index.js';
import { paperProblems, untoldAtShop, when } from '../toolkit/index.js';
import { FIELDS, recipientFields } from './fields.js';
import { checkRule, isDanish, serviceOf } from './services.js';

const carrier = 'DAO';

/** What DAO would refuse, and what it could not deliver. */
export function check(request: BookingRequest): readonly ValidationIssue[] {
  const { address, contact } = request.recipient;
  const country = address.countryCode;
  const recipient = { contact, address: { ...address, countryCode: country ?? 'DK' } };
  const { navn, by } = recipientFields(request);
  const service = serviceOf(request);
  const isAbroad = service === 'abroad';
  const toShopAbroad = isAbroad && request.deliverToPickUpPoint;
  const parts = ['name', 'street', 'postal-code'] as const;
  return [
    ...checkRule(request),
    ...addressProblems('recipient', recipient, { fields: FIELDS, parts, instead: { name: navn.sent } }),
    ...when(service !== null && !isAbroad && !isDanish(request), 'not-in-denmark', { country: country ?? '', carrier }),
    ...(isAbroad ? missingParts('recipient', { city: by.sent, country }) : []),
    ...inWords(
      'DAO chooses no pick-up point abroad: add the number of one to the shipment.',
      when(toShopAbroad && !request.pickUpPointId, 'pick-up-point-missing'),
    ),
    ...(service === 'pickup-point' || toShopAbroad ? untoldAtShop(request) : []),
    ...paperProblems(request, 'DK'),
    ...noDangerousGoods(request, carrier),
  ];
}
