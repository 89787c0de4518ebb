import type { Party } from '../../contract/index.js';
import type { ValidationIssue } from '../check-codes.js';
import type { FieldTable } from '../fit.js';
import { fit, fitStreet } from '../fit.js';
import { limitsIn } from '../party-texts.js';
import type { AddressPart, PartyRole } from '../preflight.js';
import { longerThan, missingParts, postalCodeProblems } from '../preflight.js';
import { internationalPhone, said } from '../text.js';

interface NeededAddress {
  readonly fields: FieldTable;
  /** The parts that the carrier needs; all five when not given. */
  readonly parts?: readonly AddressPart[];
  /** Texts that the carrier gets in another form than its table of fields says; blank: missing. */
  readonly instead?: Partial<Readonly<Record<AddressPart, string>>>;
}

const ALL_PARTS: readonly AddressPart[] = ['name', 'street', 'postal-code', 'city', 'country'];

/** `…-missing` for each part of an address that is blank in the carrier's letters, and `postal-code-format`. */
export function addressProblems(
  who: PartyRole,
  { address, contact }: Party,
  { fields, parts = ALL_PARTS, instead }: NeededAddress,
): readonly ValidationIssue[] {
  const limitOf = limitsIn(fields);
  const texts: Readonly<Record<AddressPart, string | null>> = {
    name: fit(said(address.name, contact.name).slice(0, 1), limitOf('name')).sent,
    street: fit([address.street], limitOf('street')).sent,
    'postal-code': address.postalCode,
    city: fit([address.city], limitOf('city')).sent,
    country: address.countryCode,
    ...instead,
  };
  const needed = Object.fromEntries(parts.map((part) => [part, texts[part]]));
  return [...missingParts(who, needed), ...postalCodeProblems(who, address)];
}

/** `…-too-long` of the recipient's texts that are not cut: a street that does not fit into two lines, e-mail address and telephone. */
export function uncutProblems({ address, contact }: Party, fields: FieldTable): readonly ValidationIssue[] {
  const limitOf = limitsIn(fields);
  const [street, below] = [limitOf('street'), limitOf('second-line').longest];
  const phones = [contact.phone, contact.mobile].map((phone) => internationalPhone(phone ?? '', address.countryCode));
  return [
    ...longerThan(below, [fitStreet(address.street, street).rest], {
      code: 'recipient-street-too-long',
      limit: street.longest + below,
    }),
    ...longerThan(limitOf('email').longest, [contact.email?.trim()], { code: 'recipient-email-too-long' }),
    ...longerThan(limitOf('phone').longest, phones, { code: 'recipient-phone-too-long' }),
  ];
}
