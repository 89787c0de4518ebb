import type { BookingRequest, LabelValues, Parcel, Party } from '../contract/index.js';
import { consignmentElement, countryAndPostalCodeElement, postalCodeElement } from '../toolkit/gs1/elements.js';
import type { TemplateWords } from '../toolkit/label-template/template-words.js';
import { partyTexts } from '../toolkit/party-texts.js';
import { FIELDS, notesField } from './check.js';

const PARTY_FIELDS = ['name', 'street', 'secondLine', 'postalCode', 'city', 'country', 'phone'] as const;

/** What a template of this carrier can name. */
export const WORDS: TemplateWords = {
  fields: [
    ...['sender', 'recipient'].flatMap((party) => PARTY_FIELDS.map((field) => `${party}.${field}`)),
    ...['shipment', 'reference', 'service', 'route', 'shipDate', 'notes', 'customersReference', 'sendersReference'],
    ...['parcel.number', 'parcel.count', 'parcel.weight', 'parcel.description', 'sscc'],
  ],
  elements: ['00', '420', '421', 'routing', '401', '402'],
  needed: '00',
};

/** The numbers of a booking. */
export interface Numbered {
  readonly companyPrefix: string;
  /** In the order of the parcels. */
  readonly ssccs: readonly string[];
  /** `null`: the template shows none. */
  readonly gsin: string | null;
}

/** A label for each parcel, in their order. */
export function labelsOf(request: BookingRequest, numbered: Numbered): readonly LabelValues[] {
  const shared = sharedFields(request);
  const { address } = request.recipient;
  const [postalCode, abroad] = [postalCodeElement(address), countryAndPostalCodeElement(address)];
  const isAbroad = address.countryCode !== request.sender.address.countryCode;
  return request.parcels.map((parcel, index) => {
    const sscc = numbered.ssccs[index] ?? '';
    const count = `${request.parcels.length}`;
    return {
      fields: new Map([
        ...shared,
        ...parcelFields(parcel),
        ['parcel.number', `${index + 1}`],
        ['parcel.count', count],
        ['sscc', sscc],
      ]),
      elements: new Map([
        ['00', `(00)${sscc}`],
        ['420', postalCode],
        ['421', abroad],
        ['routing', isAbroad ? abroad : postalCode],
        ['401', consignmentElement(numbered.companyPrefix, request.reference)],
        ['402', numbered.gsin === null ? null : `(402)${numbered.gsin}`],
      ]),
    };
  });
}

/** For the driver: the route, where the rule names one, and the place. */
export function routeOf({ options, recipient }: BookingRequest): string {
  const { postalCode, city, countryCode } = recipient.address;
  const place = [countryCode, postalCode, city].filter((part) => part !== null).join(' ');
  return [textOption(options, 'route'), place].filter((part) => part !== '').join(' · ');
}

function sharedFields(request: BookingRequest): readonly (readonly [string, string])[] {
  return [
    ...partyFields('sender', request.sender),
    ...partyFields('recipient', request.recipient),
    ['shipment', request.shipmentNumber],
    ['reference', request.reference],
    ['service', request.service ?? ''],
    ['route', textOption(request.options, 'route')],
    ['shipDate', request.shipDate],
    ['notes', notesField(request).sent],
    ['customersReference', request.customersReference ?? ''],
    ['sendersReference', request.sendersReference ?? ''],
  ];
}

function partyFields(whose: string, party: Party): readonly (readonly [string, string])[] {
  const { name, street, secondLine, city, phone } = partyTexts(party, FIELDS);
  const { postalCode, countryCode } = party.address;
  const texts = {
    name: name.sent,
    street: street.sent,
    secondLine: secondLine.sent,
    city: city.sent,
    phone: phone.sent,
  };
  const all = { ...texts, postalCode: postalCode ?? '', country: countryCode ?? '' };
  return Object.entries(all).map(([field, text]) => [`${whose}.${field}`, text]);
}

function parcelFields({ weightGrams, description }: Parcel): readonly (readonly [string, string])[] {
  return [
    ['parcel.weight', `${(Math.ceil(weightGrams / 100) / 10).toFixed(1)} kg`], // never lighter than it is
    ['parcel.description', description ?? ''],
  ];
}

function textOption(options: BookingRequest['options'], name: string): string {
  const value = options[name];
  return typeof value === 'string' ? value.trim() : '';
}
