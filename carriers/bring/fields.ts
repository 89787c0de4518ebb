import type { BookingRequest, Loss, Parcel, Party } from '../contract/index.js';
import type { FieldLimit, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit, fitStreet, lossesIn, withoutField } from '../toolkit/fit.js';
import { careOfLine, said } from '../toolkit/text.js';
import { UNATTENDED, additionalServices } from './product.js';
import { MAX_TEXT_LENGTH } from './wire.js';

/** The letters are an assumption: see this folder's README. */
const LINE: FieldLimit = { longest: MAX_TEXT_LENGTH, letters: LATIN_1 };

/** What Bring takes in the fields that hold texts of ours. */
export const FIELDS = {
  name: LINE,
  addressLine: LINE,
  addressLine2: LINE,
  city: LINE,
  reference: LINE,
  contactName: LINE,
  goodsDescription: LINE,
} as const satisfies Readonly<Record<string, FieldLimit>>;

type PartyField = 'name' | 'addressLine' | 'addressLine2' | 'city' | 'reference' | 'contactName';

/**
 * The texts of a party. The house number stands at the end of the street: what does not fit into the first line goes on
 * in the second, in front of all that Bring has no line for.
 */
export function partyFields({ address, contact }: Party, reference: string | null): Readonly<Record<PartyField, Fit>> {
  const street = fitStreet(address.street, FIELDS.addressLine);
  const careOf = careOfLine(address.careOf);
  const more = [street.rest, address.floorBlockOrSuite, careOf, address.district, address.stateOrProvince];
  return {
    name: fit(said(address.name, contact.name).slice(0, 1), FIELDS.name),
    addressLine: street.first,
    addressLine2: fit(more, FIELDS.addressLine2),
    city: fit([address.city], FIELDS.city),
    reference: fit([reference], FIELDS.reference),
    contactName: fit(said(contact.name, address.name).slice(0, 1), FIELDS.contactName),
  };
}

export function packageFields(parcel: Parcel): Readonly<Record<'goodsDescription', Fit>> {
  return { goodsDescription: fit([parcel.description], FIELDS.goodsDescription) };
}

/** Notes on delivery are sent as the message of unattended delivery and nowhere else. */
function notesField(request: BookingRequest): Readonly<Record<string, Fit>> {
  const isSent = additionalServices(request).some(({ id, message }) => id === UNATTENDED && message !== undefined);
  return isSent ? {} : { notesOnDelivery: withoutField(request.notesOnDelivery, 'meaning-lost') };
}

/** What Bring gets shortened, in other letters or not at all. */
export function lossesAtBring(request: BookingRequest): readonly Loss[] {
  return [
    ...lossesIn('sender', partyFields(request.sender, request.reference)),
    ...lossesIn('recipient', partyFields(request.recipient, request.customersReference)),
    ...lossesIn('shipment', notesField(request)),
    ...request.parcels.flatMap((parcel) => lossesIn(`parcel ${parcel.id}`, packageFields(parcel))),
  ];
}
