import type { Contact, Party } from '../contract/index.js';
import type { FieldLimit, FieldTable, Fit } from './fit.js';
import { fit, fitBelowStreet, fitPhone, fitStreet } from './fit.js';
import { careOfLine, said } from './text.js';

/** What a carrier's fields hold of a party. */
const MEANINGS = ['name', 'care-of', 'street', 'second-line', 'city', 'contact', 'email', 'phone', 'mobile'] as const;

type PartyMeaning = (typeof MEANINGS)[number];

/** The names of the fields that hold something of a party. */
type PartyField<Fields extends FieldTable> = {
  [Name in keyof Fields]: Fields[Name]['means'] extends PartyMeaning ? Name : never;
}[keyof Fields];

/** The texts of a party as they go to a carrier, by its own names of the fields. */
export type PartyTexts<Fields extends FieldTable> = Readonly<Record<PartyField<Fields>, Fit>>;

const ANYTHING: FieldLimit = { longest: Infinity, letters: /[^]/u };

/**
 * The texts of a party in a carrier's fields, as the table says what each holds and takes. The house number stands at the end
 * of the street: what does not fit into its line goes on in the second, in front of all that has no line of its own; without
 * a second line, everything stands in the first. E-mail addresses and telephone numbers are never cut.
 */
export function partyTexts<Fields extends FieldTable>(party: Party, fields: Fields): PartyTexts<Fields> {
  const texts = textsByMeaning(party, fields);
  const named = Object.entries(fields).filter(([, { means }]) => MEANINGS.some((each) => each === means));
  return Object.fromEntries(
    named.map(([name, { means }]) => [name, texts[means as PartyMeaning]]),
  ) as PartyTexts<Fields>;
}

function textsByMeaning({ address, contact }: Party, fields: FieldTable): Readonly<Record<PartyMeaning, Fit>> {
  const limits = new Map(Object.values(fields).map(({ means, ...limit }) => [means, { ...ANYTHING, ...limit }]));
  const limitOf = (meaning: PartyMeaning): FieldLimit => limits.get(meaning) ?? ANYTHING;
  const careOf = limits.has('care-of') ? null : careOfLine(address.careOf);
  const more = [address.floorBlockOrSuite, careOf, address.district, address.stateOrProvince];
  const street = fitStreet(address.street, limitOf('street'));
  return {
    name: fit(said(address.name, contact.name).slice(0, 1), limitOf('name')),
    'care-of': fit([address.careOf], limitOf('care-of')),
    street: limits.has('second-line') ? street.first : fit([address.street, ...more], limitOf('street')),
    'second-line': fitBelowStreet(street.rest, more, limitOf('second-line')),
    city: fit([address.city], limitOf('city')),
    contact: fit([contact.name], limitOf('contact')),
    email: fit([contact.email], ANYTHING),
    phone: fitPhone(limits.has('mobile') ? contact.phone : anyPhone(contact), address.countryCode),
    mobile: fitPhone(contact.mobile, address.countryCode),
  };
}

/** For a carrier with one field: a mobile number can be sent messages. */
export function anyPhone({ mobile, phone }: Contact): string | null {
  const numbers = said(mobile, phone);
  return numbers.find((number) => /\d/.test(number)) ?? numbers[0] ?? null;
}

/** What is sent of some texts; an empty one is `undefined`, which JSON leaves out. */
export function sentOf<Name extends string>(
  texts: Readonly<Record<Name, Fit>>,
): Readonly<Record<Name, string | undefined>> {
  const sent = Object.entries<Fit>(texts).map(([name, text]) => [name, text.sent || undefined]);
  return Object.fromEntries(sent) as Record<Name, string | undefined>;
}
