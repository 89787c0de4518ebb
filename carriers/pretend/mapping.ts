import type { BookingRequest, BookingWithLabels, FoundBooking, HttpAnswer, Party, Problem } from '../contract/index.js';
import { parseJson, tryParseJson } from '../contract/index.js';
import { listAt, textAt } from '../toolkit/json-path.js';
import { said } from '../toolkit/text.js';
import { kilograms } from '../toolkit/units.js';
import type { PretendBooking, PretendBookingRequest, PretendParty } from './wire.js';
import { MAX_WEIGHT_KG } from './wire.js';

const ORDINARY_SERVICE = 'standard';

export function toPretendBooking(request: BookingRequest): PretendBookingRequest {
  return {
    reference: request.reference,
    service: request.service ?? ORDINARY_SERVICE,
    shipDate: request.shipDate,
    sender: toPretendParty(request.sender),
    recipient: toPretendParty(request.recipient),
    ...(request.pickUpPointId === null ? {} : { pickUpPoint: request.pickUpPointId }),
    ...(request.notesOnDelivery === null ? {} : { message: request.notesOnDelivery }),
    parcels: request.parcels.map((parcel) => ({ id: parcel.id, weightKg: kilograms(parcel.weightGrams) })),
  };
}

function toPretendParty({ address, contact }: Party): PretendParty {
  const phone = contact.mobile ?? contact.phone;
  return {
    name: said(address.name, contact.name)[0] ?? '',
    street: said(address.street, address.floorBlockOrSuite).join(', '),
    postalCode: address.postalCode ?? '',
    city: address.city ?? '',
    country: address.countryCode ?? '',
    ...(contact.email === null ? {} : { email: contact.email }),
    ...(phone === null ? {} : { phone }),
  };
}

/** @throws Error the answer is not a booking of all parcels */
export function fromPretendBooking(request: BookingRequest, answer: HttpAnswer): BookingWithLabels {
  const booked = readBooking(parseJson(answer.body));
  const parcels = request.parcels.map(({ id }) => {
    const parcel = booked.parcels.find((each) => each.id === id);
    if (!parcel) throw new Error(`Pretend booked ${booked.number} without parcel ${id}`);
    return { kind: 'booked' as const, parcelId: id, trackingNumber: parcel.number, trackingUrl: parcel.url };
  });
  return { booking: { carrierNumber: booked.number, parcels, labelSource: null }, labels: [] };
}

/** The first booking under this reference that is not cancelled. */
export function fromPretendSearch(request: BookingRequest, answer: HttpAnswer): FoundBooking | null {
  const json = parseJson(answer.body);
  if (textAt(json, 'reference') !== request.reference) throw new Error('Pretend answered another search');
  const [booked] = listAt(json, 'bookings')
    .filter((booking) => textAt(booking, 'state') === 'booked')
    .map(readBooking);
  if (!booked) return null;
  const parcels = booked.parcels.map((parcel) => ({
    parcelId: parcel.id,
    trackingNumber: parcel.number,
    trackingUrl: parcel.url,
  }));
  return { carrierNumber: booked.number, parcels, labelSource: null };
}

function readBooking(json: unknown): PretendBooking {
  return {
    number: needed(textAt(json, 'number'), 'number'),
    reference: needed(textAt(json, 'reference'), 'reference'),
    parcels: listAt(json, 'parcels').map((parcel) => ({
      id: needed(textAt(parcel, 'id'), 'parcel id'),
      number: needed(textAt(parcel, 'number'), 'parcel number'),
      url: needed(textAt(parcel, 'url'), 'parcel url'),
    })),
  };
}

function needed(text: string | null, what: string): string {
  if (text === null) throw new Error(`Pretend's answer has no ${what}`);
  return text;
}

/** `{ errors: [{ code, text, parcel? }] }`, where `parcel` is our id. */
export function problemsFrom(answer: HttpAnswer): readonly Problem[] {
  return listAt(tryParseJson(answer.body), 'errors').map((error) => ({
    code: textAt(error, 'code'),
    text: textAt(error, 'text') ?? 'no reason given',
    parcelId: textAt(error, 'parcel'),
  }));
}

/** Its documentation promises that nothing was done when it answers 503 `closed`. */
export function neverDone(answer: HttpAnswer): boolean {
  return answer.status === 503 && problemsFrom(answer).some((problem) => problem.code === 'closed');
}

export function checkForPretend(request: BookingRequest): readonly Problem[] {
  const { address } = request.recipient;
  const recipient = toPretendParty(request.recipient);
  const missing = Object.entries({
    'recipient name': recipient.name,
    street: recipient.street,
    'postal code': address.postalCode,
    city: address.city,
    country: address.countryCode,
  }).filter(([, value]) => !value);
  const heavy = request.parcels.filter((parcel) => kilograms(parcel.weightGrams) > MAX_WEIGHT_KG);
  return [
    ...missing.map(([field]) => ({
      code: 'missing',
      text: `The delivery address has no ${field}.`,
      parcelId: null,
    })),
    ...heavy.map((parcel) => ({
      code: 'too-heavy',
      text: `Parcel ${parcel.label} weighs more than ${MAX_WEIGHT_KG} kg.`,
      parcelId: parcel.id,
    })),
  ];
}
