import type { BookingRequest, Problem, TextChange } from '../contract/index.js';
import { addressProblems } from '../toolkit/checks/address-problems.js';
import { contactProblems } from '../toolkit/checks/contact-problems.js';
import { paperProblems } from '../toolkit/customs.js';
import type { FieldTable } from '../toolkit/fit.js';
import { textChangesIn } from '../toolkit/fit.js';
import { partyTexts } from '../toolkit/party-texts.js';
import { noDangerousGoods, when } from '../toolkit/preflight.js';
import { checkRule } from './services.js';

export const COUNTRIES = ['SE', 'DK', 'FI', 'NL'];

/** Budbee's text fields below `delivery`. No source states limits of length or letters. */
export const FIELDS = {
  name: { means: 'name' },
  referencePerson: { means: 'contact' },
  street: { means: 'street' },
  street2: { means: 'second-line' },
  city: { means: 'city' },
  telephoneNumber: { means: 'phone' },
  email: { means: 'email' },
} as const satisfies FieldTable;

/** What Budbee would refuse. The sender is not sent: `collectionId` says where the parcels are. */
export function checkForBudbee(request: BookingRequest): readonly Problem[] {
  return [
    ...checkRule(request),
    ...recipientProblems(request),
    ...paperProblems(request),
    ...noDangerousGoods(request, 'Budbee'),
  ];
}

/** Box deliveries need the recipient's own address too. */
function recipientProblems(request: BookingRequest): readonly Problem[] {
  const { recipient } = request;
  const country = recipient.address.countryCode ?? '';
  const isServed = country === '' || COUNTRIES.includes(country);
  return [
    ...when(!isServed, 'country-not-served', { country, served: COUNTRIES.join(', '), carrier: 'Budbee' }),
    ...addressProblems('recipient', recipient, { fields: FIELDS }),
    ...contactProblems(request, { carrier: 'Budbee', fields: FIELDS, needs: { email: true, mobile: true } }),
  ];
}

/** Nothing is shortened: Budbee gets every text of the recipient as it is. */
export function textChangesAtBudbee({ recipient }: BookingRequest): readonly TextChange[] {
  return textChangesIn('recipient', partyTexts(recipient, FIELDS));
}
