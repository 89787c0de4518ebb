import type { BookingRequest, Goods } from '../contract/index.js';
import type { Complaint } from '../toolkit/check-codes.js';
import { fit } from '../toolkit/fit.js';
import { forParcels, noDangerousGoods, postalCodeProblems, when } from '../toolkit/preflight.js';
import { kilograms } from '../toolkit/units.js';
import { FIELDS, isDeclared, partyFields } from './fields.js';
import { MAX_WEIGHT_KG, SERVICE } from './wire.js';

/** What Pretend would refuse. */
export function checkForPretend(request: BookingRequest): readonly Complaint[] {
  return [
    ...when(request.service !== null && !SERVICE.test(request.service), 'unknown-service', {
      text: `Pretend has no service "${request.service}": mend the rule in the settings.`,
      values: { service: request.service ?? '', carrier: 'Pretend' },
    }),
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

function missing({ recipient }: BookingRequest): readonly Complaint[] {
  const { name, city } = partyFields(recipient);
  const { address } = recipient;
  const text = (field: string) => `The delivery address has no ${field}: add it to the shipment.`;
  return [
    ...when(name.sent === '', 'recipient-name-missing', text('recipient name')),
    ...when(fit([address.street], FIELDS.street).sent === '', 'recipient-street-missing', text('street')),
    ...when(!address.postalCode?.trim(), 'recipient-postal-code-missing', text('postal code')),
    ...when(city.sent === '', 'recipient-city-missing', text('city')),
    ...when(!address.countryCode, 'recipient-country-missing', text('country')),
  ];
}

/** Each line needs everything; a shipment without lines has nothing to declare them by. */
function customsProblems(request: BookingRequest): readonly Complaint[] {
  const { recipient, goods = [] } = request;
  if (!isDeclared(request)) return [];
  const country = recipient.address.countryCode ?? '';
  const none = `Goods for ${country} need a customs declaration, and the shipment has no lines to declare: add them.`;
  const unclear = goods.flatMap((line, index) => {
    const fields = missingFields(line).join(', ');
    const text = `Goods for ${country} need a customs declaration, and "${line.description ?? `line ${index + 1}`}" has no ${fields}: add it to the product.`;
    const name = line.description ?? `#${index + 1}`;
    return when(fields !== '', 'customs-data', { text, values: { country, line: name } });
  });
  return [...when(goods.length === 0, 'customs-no-lines', { text: none, values: { country } }), ...unclear];
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
