import type { BookingRequest, TextChange } from '../contract/index.js';
import type { FieldTable, Fit } from '../toolkit/index.js';
import { LATIN_1, anyPhone, careOfLine, fit, fitPhone, said } from '../toolkit/index.js';
import { textChangesIn, tidy, withoutField } from '../toolkit/index.js';
import { serviceOf } from './services.js';

/** DAO names neither a length nor letters: this is an assumption, see this folder's README. */
const LINE = { longest: 255, letters: LATIN_1 };

/** What DAO takes in the fields that hold texts of ours. */
export const FIELDS = {
  navn: { means: 'name', ...LINE },
  adresse: { means: 'street', ...LINE },
  by: { means: 'city', ...LINE },
  mobil: { means: 'mobile' },
  phone: { means: 'phone' },
  notesOnDelivery: { means: 'notes' },
} as const satisfies FieldTable;

/**
 * The texts of the recipient. Inside Denmark DAO finds the city by the postal code, so that it is not missed. A company
 * and the person in it share the name; an ordinary number replaces a missing mobile number.
 */
export function recipientFields(request: BookingRequest): Readonly<Record<'navn' | 'adresse' | 'by' | 'mobil', Fit>> {
  const { address, contact } = request.recipient;
  const { street, floorBlockOrSuite, district, stateOrProvince } = address;
  return {
    navn: fit([...names(request), careOfLine(address.careOf)], FIELDS.navn),
    adresse: fit([street, floorBlockOrSuite, district, stateOrProvince], FIELDS.adresse),
    by: serviceOf(request) === 'abroad' ? fit([address.city], FIELDS.by) : withoutField(address.city, 'meaning-kept'),
    mobil: fitPhone(anyPhone(contact), address.countryCode),
  };
}

function names({ recipient: { address, contact } }: BookingRequest): readonly string[] {
  const [name = '', person = ''] = said(address.name, contact.name);
  return said(name, tidy(name).toLowerCase() === tidy(person).toLowerCase() ? null : person);
}

/** What DAO gets shortened, in other letters or not at all. The sender is known to it from the account. */
export function textChangesAtDao(request: BookingRequest): readonly TextChange[] {
  const notes = withoutField(request.notesOnDelivery, 'meaning-lost');
  const { contact } = request.recipient;
  const phone = withoutField(said(contact.mobile, contact.phone).length === 2 ? contact.phone : null, 'meaning-kept');
  return [
    ...textChangesIn('recipient', { ...recipientFields(request), phone }),
    ...textChangesIn('shipment', { notesOnDelivery: notes }),
  ];
}
