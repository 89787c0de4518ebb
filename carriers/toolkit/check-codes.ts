import type { Problem } from '../contract/index.js';

/**
 * The issues that checks report: each code with its English text, where `{name}` stands for a value of the shipment.
 * All carriers share the list, so that the same issue has the same text at each, and every issue has a text in the
 * other languages (`templates/ims`).
 */
const TEXTS = {
  'recipient-name-missing': "The recipient's name is missing: add it to the delivery address.",
  'recipient-street-missing': "The recipient's street is missing: add it to the delivery address.",
  'recipient-postal-code-missing': "The recipient's postal code is missing: add it to the delivery address.",
  'recipient-city-missing': "The recipient's city is missing: add it to the delivery address.",
  'recipient-country-missing': "The recipient's country is missing or not a country: correct the delivery address.",
  'recipient-contact-missing':
    'The recipient needs a telephone number or an e-mail address, or the carrier cannot tell them that the parcel is at the shop: add one to the contact person.',
  'recipient-contact':
    'The recipient has neither an e-mail address nor a telephone number that can be used, and cannot be told of the parcel: add one to the contact person.',
  'email-missing': "{carrier} needs the recipient's e-mail address: add one to the contact person.",
  'mobile-missing': "{carrier} needs the recipient's mobile number: add one to the contact person.",
  'mobile-not-danish':
    '{carrier} takes Danish mobile numbers only in Denmark, not {given}: correct it in the contact person.',
  'country-not-served': '{carrier} delivers in {served} only, not in {country}: choose another carrier.',
  'postal-code-not-served': '{carrier} does not deliver to homes in {postalCode} {country}: choose another carrier.',
  'recipient-street-too-long': "The recipient's street has more than {limit} characters: shorten it.",
  'recipient-postal-code-too-long': "The recipient's postal code has more than {limit} characters: shorten it.",
  'recipient-email-too-long': "The recipient's e-mail address has more than {limit} characters: give a shorter one.",
  'recipient-phone-too-long': "The recipient's telephone number has more than {limit} characters: correct it.",
  'sender-name-missing': "The sender's name is missing: add it to the address of the seller or of the area.",
  'sender-street-missing': "The sender's street is missing: add it to the address of the seller or of the area.",
  'sender-postal-code-missing':
    "The sender's postal code is missing: add it to the address of the seller or of the area.",
  'sender-city-missing': "The sender's city is missing: add it to the address of the seller or of the area.",
  'sender-country-missing': "The sender's country is missing: add it to the address of the seller or of the area.",
  'sender-phone':
    'The sender has no telephone number, and {carrier} asks for one: add it to the contact of the seller or of the area.',
  'sender-email':
    'The sender has no e-mail address, and {carrier} asks for one: add it to the contact of the seller or of the area.',
  'sender-email-too-long':
    "The sender's e-mail address has more than {limit} characters: give the contact of the seller or of the area a shorter one, or none.",
  'postal-code-format':
    '"{given}" is no postal code of {country}: correct the postal code or the country if it is wrong.',
  'notification-email':
    '{carrier} is to send its notice to "{given}", which is no e-mail address: correct it in the contact person.',
  'pick-up-point-missing': 'The number of the pick-up point is missing: add the pick-up point to the shipment.',
  'pick-up-point-too-long':
    'The number of the pick-up point has more than {limit} characters: choose the pick-up point again.',
  'deposit-missing': 'The notes on delivery must say where the parcel is to be left.',
  'unknown-service': '{carrier} has no service "{service}": mend the rule in the settings.',
  'service-route':
    '{carrier} has no service {service} from {origin} to {country}: choose another service or another carrier.',
  'not-in-denmark':
    '{carrier} delivers with this service in Denmark only, not in {country}: choose another service or another carrier.',
  'single-parcel':
    '{carrier} takes one parcel a booking with {service}: make a shipment of each parcel, or choose another service.',
  'in-parts':
    "This booking has only a part of the shipment's parcels, and {carrier} would get the cash on delivery, or the goods for customs, of the whole shipment with each part: divide it into smaller shipments, or choose another carrier.",
  'label-format': 'Service {service} has labels for RFID printers only: choose another service.',
  incoterms: 'Service {service} needs one of the incoterms {allowed}: add it to the shipment.',
  options: 'The rule names an additional service without its id; mend it in the settings.',
  'not-sent': 'The rule says something of {given}, which is not sent to {carrier}; mend it in the settings.',
  'sent-otherwise':
    'The rule says "{member}: {given}", but {carrier} gets "{sent}" from the settings of the account; make the two the same in the settings.',
  'incoterms-otherwise':
    'The rule says "{member}: {given}", but {carrier} gets "{sent}" from the shipment; make the two the same in the settings.',
  'unknown-option':
    'The rule has an option "{option}", which {carrier} does not know; perhaps {meant} is meant: mend it in the settings.',
  'account-setting':
    '{carrier} books service {service} with the setting "{option}" only: add it to the config of the account.',
  'option-value': 'The rule says "{option}: {given}", where {allowed} is expected; mend it in the settings.',
  'unattended-pick-up':
    'The rule names unattended delivery ({given}), which service {service} does not have; mend it in the settings.',
  'unattended-handed-over':
    'The rule names unattended delivery ({given}) together with {services}, which need a person at home; mend it in the settings.',
  customs:
    'Goods for {country} need a customs declaration, and {carrier} takes none from here: choose another carrier. Where papers travel with the parcels, the rule must say "customs: papers".',
  'customs-one-parcel':
    '{carrier} wants the goods of each parcel for customs, and they are known of a shipment with one parcel only: pack it into one, or choose another carrier. Where papers travel with the parcels, the rule must say "customs: papers".',
  'customs-no-lines':
    'Goods for {country} need a customs declaration, and the shipment has no lines to declare: add them.',
  'customs-data':
    'Goods for {country} need a customs declaration, and "{line}" does not say everything for it: add what is missing to the product.',
  'customs-description':
    'Goods for {country} need customs papers, and these lines have no description: {lines}. Add a name or an export text to the products.',
  'customs-value':
    'Goods for {country} need customs papers, and these lines have no price: {lines}. Add it to the order lines.',
  'customs-currency': 'Goods for {country} need customs papers, and the shipment has no currency: add it.',
  'customs-weight':
    'Goods for {country} need customs papers, and these products have no weight: {lines}. Add it to the products.',
  'customs-tariff-number':
    'Goods for {country} need customs papers, and these products have no tariff number (HS code): {lines}. Add it to the products.',
  'customs-origin':
    'Goods for {country} need customs papers, and these products have no country of origin: {lines}. Add it to the products.',
  'customs-incoterms':
    'Goods for {country} need a commercial invoice, and the shipment has no terms of delivery (incoterms): add them, or write them on the invoice.',
  'customs-eori':
    'Goods for {country} need customs papers, and the EORI number of the exporter is missing in the settings of the account (customs: eori): add it, or write it on the papers.',
  'dangerous-goods':
    'The shipment holds dangerous goods ({numbers}), which cannot be booked with {carrier} from here: take them out or choose another carrier.',
  'dangerous-goods-alone':
    'The shipment holds dangerous goods ({numbers}), which {carrier} gets for one parcel with one number: send them by themselves.',
  'dangerous-goods-unannounced':
    'The shipment holds dangerous goods ({numbers}), which the rule does not announce to {carrier}: take them out, or announce them in the rule.',
  'too-heavy': 'Parcel {parcel} weighs more than {limit} kg: divide it, or choose another service or carrier.',
  'parcel-too-heavy': 'Parcel {parcel} weighs more than {limit} kg: divide it or choose another carrier.',
  measures: 'Parcel {parcel} has no length, width and height: measure it or choose a container type that has them.',
} as const;

export type CheckCode = keyof typeof TEXTS;

/** The names of the values in a text. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The values of the shipment in the text of a code. */
export type ValuesOf<Code extends CheckCode> = Readonly<Record<NamesIn<(typeof TEXTS)[Code]>, string>>;

/** A code, with its values where its text has any. */
export type CodeWithValues = {
  readonly [Code in CheckCode]: [NamesIn<(typeof TEXTS)[Code]>] extends [never]
    ? readonly [code: Code]
    : readonly [code: Code, values: ValuesOf<Code>];
}[CheckCode];

/** The codes of issues of one parcel. */
export type ParcelCode = {
  readonly [Code in CheckCode]: 'parcel' extends NamesIn<(typeof TEXTS)[Code]> ? Code : never;
}[CheckCode];

const VALUE = /\{(\w+)\}/g;

/** Each code with the names of the values that its texts hold, in every language. */
export const CHECK_CODES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(TEXTS).map(([code, text]) => [
    code,
    [...new Set(Array.from(text.matchAll(VALUE), ([, name = '']) => name))],
  ]),
);

/** The text of a code, with the values of the shipment in it. */
export function textOf(code: CheckCode, values: Readonly<Record<string, string>>): string {
  return TEXTS[code].replace(VALUE, (_placeholder, name: string) => values[name] ?? '');
}

/** An issue that a check found. */
export interface ValidationIssue extends Problem {
  readonly code: CheckCode;
}
