import type { BookingRequest, Goods } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/check-codes.js';
import { fit } from '../toolkit/fit.js';
import { forParcels, inWords, missingParts, noDangerousGoods, postalCodeProblems, when } from '../toolkit/preflight.js';
import { kilograms } from '../toolkit/units.js';
import { MAX_WEIGHT_KG, SERVICE } from './api.js';
import { FIELDS, declaredGoods, partyFields } from './fields.js';

/** What Pretend would refuse. */
export function checkForPretend(request: BookingRequest): readonly ValidationIssue[] {
  const { service, recipient } = request;
  const { address } = recipient;
  const { name, city } = partyFields(recipient);
  return [
    ...when(service !== null && !SERVICE.test(service), 'unknown-service', {
      service: service ?? '',
      carrier: 'Pretend',
    }),
    ...missingParts('recipient', {
      name: name.sent,
      street: fit([address.street], FIELDS.street).sent,
      'postal-code': address.postalCode,
      city: city.sent,
      country: address.countryCode,
    }),
    ...postalCodeProblems('recipient', address),
    ...customsProblems(request),
    ...noDangerousGoods(request, 'Pretend'),
    ...forParcels(request, ({ weightGrams }) => kilograms(weightGrams) > MAX_WEIGHT_KG, {
      code: 'too-heavy',
      limit: `${MAX_WEIGHT_KG}`,
    }),
  ];
}

/** Each line needs everything; a shipment without lines has nothing to declare them by. */
function customsProblems(request: BookingRequest): readonly ValidationIssue[] {
  const country = request.recipient.address.countryCode ?? '';
  const lines = declaredGoods(request);
  const unclear = (lines ?? []).flatMap((line, index) => {
    const fields = missingFields(line).join(', ');
    const text = `Goods for ${country} need a customs declaration, and "${line.description ?? `line ${index + 1}`}" has no ${fields}: add it to the product.`;
    const values = { country, line: line.description ?? `#${index + 1}` };
    return inWords(text, when(fields !== '', 'customs-data', values));
  });
  return [...when(lines?.length === 0, 'customs-no-lines', { country }), ...unclear];
}

function missingFields(goods: Goods): readonly string[] {
  const fields = {
    description: goods.description,
    value: goods.unitValue,
    currency: goods.currency,
    weight: goods.unitWeightGrams,
    'tariff number': goods.tariffNumberAtDestination,
    'country of origin': goods.countryOfOrigin,
  };
  return Object.entries(fields).flatMap(([field, value]) => (value === null ? [field] : []));
}
