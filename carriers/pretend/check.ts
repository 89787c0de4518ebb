import type { BookingRequest, Goods, Problem } from '../contract/index.js';
import { fit } from '../toolkit/fit.js';
import { forParcels, noDangerousGoods, postalCodeProblems, when } from '../toolkit/preflight.js';
import { kilograms } from '../toolkit/units.js';
import { FIELDS, isDeclared, partyFields } from './fields.js';
import { MAX_WEIGHT_KG, SERVICE } from './wire.js';

/** What Pretend would refuse. */
export function checkForPretend(request: BookingRequest): readonly Problem[] {
  return [
    ...when(
      request.service !== null && !SERVICE.test(request.service),
      'unknown-service',
      `Pretend has no service "${request.service}": mend the rule in the settings.`,
    ),
    ...missing(request),
    ...postalCodeProblems('recipient', request.recipient.address),
    ...customsProblems(request),
    ...noDangerousGoods(request, 'Pretend'),
    ...forParcels(request, ({ weightGrams }) => kilograms(weightGrams) > MAX_WEIGHT_KG, {
      code: 'too-heavy',
      limit: `${MAX_WEIGHT_KG}`,
      text: (label) => `Parcel ${label} weighs more than ${MAX_WEIGHT_KG} kg: divide it or choose another carrier.`,
    }),
  ];
}

function missing({ recipient }: BookingRequest): readonly Problem[] {
  const { name, city } = partyFields(recipient);
  const { address } = recipient;
  return Object.entries({
    'recipient name': name.sent,
    street: fit([address.street], FIELDS.street).sent,
    'postal code': address.postalCode?.trim(),
    city: city.sent,
    country: address.countryCode,
  }).flatMap(([field, value]) =>
    when(!value, 'missing', `The delivery address has no ${field}: add it to the shipment.`),
  );
}

/** Each line needs everything; a shipment without lines has nothing to declare them by. */
function customsProblems(request: BookingRequest): readonly Problem[] {
  const { recipient, goods = [] } = request;
  if (!isDeclared(request)) return [];
  const country = recipient.address.countryCode;
  const none = `Goods for ${country} need a customs declaration, and the shipment has no lines to declare: add them.`;
  const unclear = goods.flatMap((line, index) => {
    const fields = missingFields(line).join(', ');
    const text = `Goods for ${country} need a customs declaration, and "${line.description ?? `line ${index + 1}`}" has no ${fields}: add it to the product.`;
    return when(fields !== '', 'customs-data', text);
  });
  return [...when(goods.length === 0, 'customs-data', none), ...unclear];
}

function missingFields(goods: Goods): readonly string[] {
  return Object.entries({
    description: goods.description,
    value: goods.unitValue,
    currency: goods.currency,
    weight: goods.unitWeightGrams,
    'tariff number': goods.tariffNumberAtDestination,
    'country of origin': goods.countryOfOrigin,
  })
    .filter(([, value]) => value === null)
    .map(([field]) => field);
}
