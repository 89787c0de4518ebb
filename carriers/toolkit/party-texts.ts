import type { BookingRequest, Contact, FieldName, Party } from '../contract/index.js';
import type { FieldLimit, FieldTable, Fit } from './fit.js';
import { fit, fitBelowStreet, fitPhone, fitStreet } from './fit.js';
import { careOfLine, said } from './text.js';

/** The part of a party that a field holds. */
const MEANINGS = ['name', 'care-of', 'street', 'second-line', 'city', 'contact', 'email', 'phone', 'mobile'] as const;

type PartyMeaning = (typeof MEANINGS)[number];

export function isOfParty(content: FieldName): content is PartyMeaning {
  return MEANINGS.some((each) => each === content);
}

/** The names of the fields with parts of a party. */
type PartyField<Fields extends FieldTable> = {
  [Name in keyof Fields]: Fields[Name]['means'] extends PartyMeaning ? Name : never;
}[keyof Fields];

/** The fitted texts of a party, by the carrier's names of the fields. */
export type PartyTexts<Fields extends FieldTable> = Readonly<Record<PartyField<Fields>, Fit>>;

const ANYTHING: FieldLimit = { longest: Infinity, letters: /[^]/u };

/**
 * Fits the texts of a party into a carrier's fields, by the table of fields. A street that does not fit into its line,
 * with the house number at its end, continues in the second line, before the address parts without a field of their
 * own. Without a second line, all of it is in the first. E-mail addresses and telephone numbers are never cut.
 */
export function partyTexts<Fields extends FieldTable>(party: Party, fields: Fields): PartyTexts<Fields> {
  const texts = textsByMeaning(party, fields);
  const named = Object.entries(fields).filter(([, { means }]) => MEANINGS.some((each) => each === means));
  return Object.fromEntries(
    named.map(([name, { means }]) => [name, texts[means as PartyMeaning]]),
  ) as PartyTexts<Fields>;
}

function textsByMeaning({ address, contact }: Party, fields: FieldTable): Readonly<Record<PartyMeaning, Fit>> {
  const limitOf = limitsIn(fields);
  const has = (meaning: PartyMeaning) => Object.values(fields).some(({ means }) => means === meaning);
  const careOf = has('care-of') ? null : careOfLine(address.careOf);
  const more = [address.floorBlockOrSuite, careOf, address.district, address.stateOrProvince];
  const street = fitStreet(address.street, limitOf('street'));
  return {
    name: fit(said(address.name, contact.name).slice(0, 1), limitOf('name')),
    'care-of': fit([address.careOf], limitOf('care-of')),
    street: has('second-line') ? street.first : fit([address.street, ...more], limitOf('street')),
    'second-line': fitBelowStreet(street.rest, more, limitOf('second-line')),
    city: fit([address.city], limitOf('city')),
    contact: fit([contact.name], limitOf('contact')),
    email: fit([contact.email], ANYTHING),
    phone: fitPhone(has('mobile') ? contact.phone : anyPhone(contact), address.countryCode),
    mobile: fitPhone(contact.mobile, address.countryCode),
  };
}

/** The limits of the field with a content; a content without a field, and one without limits, may be anything. */
export function limitsIn(fields: FieldTable): (content: FieldName) => FieldLimit {
  const limits = new Map(Object.values(fields).map(({ means, ...limit }) => [means, { ...ANYTHING, ...limit }]));
  return (content) => limits.get(content) ?? ANYTHING;
}

/** For a carrier with one telephone field: the mobile number, which can receive messages, before the other one. */
export function anyPhone({ mobile, phone }: Contact): string | null {
  const numbers = said(mobile, phone);
  return numbers.find((number) => /\d/.test(number)) ?? numbers[0] ?? null;
}

/** How a carrier can tell people of a parcel; missing: not by this. */
export type SentContact = Readonly<Partial<Record<'email' | 'mobile', string>>>;

/** The e-mail address and the mobile number of a party as they are sent; the one telephone field of a carrier may have any number. */
export function sentContact(party: Party, fields: FieldTable): SentContact {
  const { email, phone, mobile } = textsByMeaning(party, fields);
  const hasMobile = Object.values(fields).some(({ means }) => means === 'mobile');
  const number = hasMobile ? mobile.sent : phone.sent;
  return { ...(email.sent && { email: email.sent }), ...(number && { mobile: number }) };
}

/** As `sentContact`, of the recipient; empty where the rule says `notification: none`, because then the carrier must not tell the recipient. */
export function toldContact({ recipient, options }: BookingRequest, fields: FieldTable): SentContact {
  return options.notification === 'none' ? {} : sentContact(recipient, fields);
}

/** The fitted texts as JSON members; an empty text is `undefined`, which JSON leaves out. */
export function sentOf<Name extends string>(
  texts: Readonly<Record<Name, Fit>>,
): Readonly<Record<Name, string | undefined>> {
  const sent = Object.entries<Fit>(texts).map(([name, text]) => [name, text.sent || undefined]);
  return Object.fromEntries(sent) as Record<Name, string | undefined>;
}
