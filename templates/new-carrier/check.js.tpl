import type { BookingRequest, FieldTable, Party, TextChange, ValidationIssue } from 'waybridge/adapter'; //? ts
import { LATIN_1, careOfLine, fit, forParcels, textChangesIn, missingParts, said, when } from 'waybridge/adapter';

// TODO the carrier's services, each with the name that people read, and its limits
export const SERVICES = [
  { code: 'standard', name: 'Standard' },
  { code: 'express', name: 'Express' },
];
export const MAX_WEIGHT_KG = 30;
export const MAX_REFERENCE_LENGTH = 30;

/** What Acme takes in the fields that hold our texts: characters at most, and which letters. TODO its own */
export const FIELDS = {
  name: { means: 'name', longest: 40, letters: LATIN_1 },
  street: { means: 'street', longest: 60, letters: LATIN_1 },
  city: { means: 'city', longest: 30, letters: LATIN_1 },
} /*ts as const satisfies FieldTable */;

export function partyFields({ address, contact } /*ts: Party */) {
  const { name, street, floorBlockOrSuite, careOf, district, city, stateOrProvince } = address;
  return {
    name: fit(said(name, contact.name).slice(0, 1), FIELDS.name),
    street: fit([street, floorBlockOrSuite, careOfLine(careOf), district, stateOrProvince], FIELDS.street),
    city: fit([city], FIELDS.city),
  };
}

/** What Acme would refuse. */
export function checkForAcme(request /*ts: BookingRequest */) /*ts: readonly ValidationIssue[] */ {
  const { service, recipient } = request;
  const { name, street, city } = partyFields(recipient);
  const isUnknown = service !== null && !SERVICES.some(({ code }) => code === service);
  return [
    ...when(isUnknown, 'unknown-service', { service: service ?? '', carrier: 'Acme' }),
    ...missingParts('recipient', {
      ...{ name: name.sent, street: street.sent, city: city.sent },
      ...{ 'postal-code': recipient.address.postalCode, country: recipient.address.countryCode },
    }),
    ...forParcels(request, ({ weightGrams }) => weightGrams > 1000 * MAX_WEIGHT_KG, {
      code: 'too-heavy',
      limit: `${MAX_WEIGHT_KG}`,
    }),
  ];
}

/** Which texts are shortened or written in other letters. */
export function textChangesAtAcme({ sender, recipient } /*ts: BookingRequest */) /*ts: readonly TextChange[] */ {
  return [...textChangesIn('sender', partyFields(sender)), ...textChangesIn('recipient', partyFields(recipient))];
}
