import type { BookingRequest, Problem } from '../contract/index.js';
import { contactProblems } from '../toolkit/checks/contact-problems.js';
import { partyProblems } from '../toolkit/checks/party-problems.js';
import { declarationProblems } from '../toolkit/customs.js';
import type { FieldTable } from '../toolkit/fit.js';
import { partyTexts, sentOf } from '../toolkit/party-texts.js';
import { forParcels, noDangerousGoods, when } from '../toolkit/preflight.js';
import type { ShipmondoConfig } from './config.js';
import { EMAIL, HEAVIEST, SMS, checkRule, isToShop, productOf, serviceCodesOf } from './services.js';

const carrier = 'Shipmondo';

/** The text fields of a party. No limits are published: the carrier behind Shipmondo sets them. */
export const PARTY = {
  name: { means: 'name' },
  attention: { means: 'contact' },
  address1: { means: 'street' },
  address2: { means: 'second-line' },
  city: { means: 'city' },
  email: { means: 'email' },
  phone: { means: 'phone' },
} as const satisfies FieldTable;

/** With the notes, which are sent where the rule says that the product takes them. */
export const FIELDS = { ...PARTY, instruction: { means: 'notes' } } as const satisfies FieldTable;

export const takesNotes = ({ options }: BookingRequest): boolean => options.notes === 'delivery_details';

/** What Shipmondo would refuse. */
export function checkForShipmondo(request: BookingRequest, config: ShipmondoConfig): readonly Problem[] {
  const product = productOf(request, config);
  const contact = sentOf(partyTexts(request.recipient, PARTY));
  const codes = serviceCodesOf(request, contact, config);
  const needs = { email: codes.includes(EMAIL), mobile: codes.includes(SMS) };
  const heaviest = HEAVIEST[product ?? ''] ?? Infinity;
  return [
    ...checkRule(request),
    ...when(product === null, 'unknown-service', { service: '', carrier }),
    ...partyProblems(request, { fields: PARTY, parts: ['name', 'street', 'postal-code', 'city', 'country'] }),
    ...when(isToShop(request, config) && !needs.email && !needs.mobile, 'recipient-contact'),
    ...contactProblems({ email: contact.email ?? '', mobile: contact.phone ?? '' }, { carrier, needs }),
    ...forParcels(request, (each) => each.weightGrams > 1000 * heaviest, { code: 'too-heavy', limit: `${heaviest}` }),
    ...(request.options.customs === 'papers' ? [] : declarationProblems(request)),
    ...noDangerousGoods(request, carrier),
  ];
}
