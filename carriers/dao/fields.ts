import type { BookingRequest, Loss } from '../contract/index.js';
import type { FieldLimit, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit, lossesIn, withoutField } from '../toolkit/fit.js';
import { careOfLine, said } from '../toolkit/text.js';
import { serviceOf } from './service.js';

/** DAO names neither a length nor letters: this is an assumption, see this folder's README. */
const LINE: FieldLimit = { longest: 255, letters: LATIN_1 };

/** What DAO takes in the fields that hold texts of ours. */
export const FIELDS = { navn: LINE, adresse: LINE, by: LINE } as const satisfies Readonly<Record<string, FieldLimit>>;

/** The texts of the recipient. Inside Denmark DAO finds the city by the postal code, and has no field for it. */
export function recipientFields(request: BookingRequest): Readonly<Record<'navn' | 'adresse' | 'by', Fit>> {
  const { address, contact } = request.recipient;
  const { street, floorBlockOrSuite, district, stateOrProvince } = address;
  return {
    navn: fit([said(address.name, contact.name)[0] ?? null, careOfLine(address.careOf)], FIELDS.navn),
    adresse: fit([street, floorBlockOrSuite, district, stateOrProvince], FIELDS.adresse),
    by: serviceOf(request) === 'abroad' ? fit([address.city], FIELDS.by) : withoutField(address.city, 'meaning-kept'),
  };
}

/** What DAO gets shortened, in other letters or not at all. The sender is known to it from the account. */
export function lossesAtDao(request: BookingRequest): readonly Loss[] {
  const notes = withoutField(request.notesOnDelivery, 'meaning-lost');
  return [...lossesIn('recipient', recipientFields(request)), ...lossesIn('shipment', { notesOnDelivery: notes })];
}
