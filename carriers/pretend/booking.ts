import type {
  BookingRequest,
  BookingWithLabels,
  FoundBooking,
  Goods,
  Party,
  Quote,
  TrackingEvent,
} from '../contract/index.js';
import { bookedParcels, boundedEvents, declaredGoods, kilograms, listAt, neededAt } from '../toolkit/index.js';
import { neededList, plainPostalCode, readPlainEvent, readQuote, textAt } from '../toolkit/index.js';
import { goodsFields, messageField, partyFields } from './fields.js';

const ORDINARY_SERVICE = 'standard';

export function toPretendBooking(request: BookingRequest) {
  return {
    reference: request.reference,
    service: request.service ?? ORDINARY_SERVICE,
    shipDate: request.shipDate,
    sender: toPretendParty(request.sender),
    recipient: toPretendParty(request.recipient),
    pickUpPoint: request.pickUpPointId ?? undefined,
    message: messageField(request).sent || undefined,
    parcels: request.parcels.map((parcel) => ({ id: parcel.id, weightKg: kilograms(parcel.weightGrams) })),
    customs: declaredGoods(request)?.map(toPretendGoods),
  };
}

function toPretendParty(party: Party) {
  const { address, contact } = party;
  const { name, street, city } = partyFields(party);
  return {
    name: name.sent,
    street: street.sent,
    postalCode: plainPostalCode(address) ?? '',
    city: city.sent,
    country: address.countryCode ?? '',
    email: contact.email ?? undefined,
    phone: contact.mobile ?? contact.phone ?? undefined,
  };
}

function toPretendGoods(goods: Goods) {
  return {
    description: goodsFields(goods).description.sent,
    quantity: goods.quantity,
    value: goods.unitValue ?? '',
    currency: goods.currency ?? '',
    weightKg: kilograms(goods.unitWeightGrams ?? 0),
    tariffNumber: goods.tariffNumberAtDestination ?? '',
    origin: goods.countryOfOrigin ?? '',
  };
}

export function toPretendQuestion({ service, sender, recipient, parcels }: BookingRequest) {
  return {
    service: service ?? ORDINARY_SERVICE,
    from: sender.address.countryCode ?? '',
    to: recipient.address.countryCode ?? '',
    weightsKg: parcels.map((parcel) => kilograms(parcel.weightGrams)),
  };
}

const QUOTE = { amount: 'amount', currency: 'currency', workingDays: 'workingDays' };

export function fromPretendQuote(json: unknown): Quote {
  return readQuote(json, { ...QUOTE, dayOf: (quote) => textAt(quote, 'delivery') });
}

/** @throws Error the answer is not a booking of all parcels */
export function fromPretendBooking(request: BookingRequest, json: unknown): BookingWithLabels {
  const { carrierNumber, parcels } = readBooking(json);
  const booking = { carrierNumber, parcels: bookedParcels(request, parcels), labelSource: null };
  return { booking, labels: [], answersReference: neededAt(json, 'reference') };
}

/** The first booking under this reference that is not cancelled. */
export function fromPretendSearch({ reference }: BookingRequest, json: unknown): FoundBooking | null {
  if (textAt(json, 'reference') !== reference) throw new Error('Pretend answered another search');
  const booked = listAt(json, 'bookings').find((booking) => textAt(booking, 'state') === 'booked');
  return booked === undefined ? null : { ...readBooking(booked), labelSource: null };
}

function readBooking(json: unknown) {
  const parcels = listAt(json, 'parcels').map((parcel) => ({
    parcelId: neededAt(parcel, 'id'),
    trackingNumber: neededAt(parcel, 'number'),
    trackingUrl: neededAt(parcel, 'url'),
  }));
  return { carrierNumber: neededAt(json, 'number'), parcels };
}

/** Pretend says what happened in plain words, in its answers as in its callbacks. */
export function fromPretendTracking(trackingNumbers: readonly string[], json: unknown): readonly TrackingEvent[] {
  const events = neededList(json, 'events')
    .map(readPlainEvent)
    .filter((event) => event !== null);
  return trackingNumbers.flatMap((number) => boundedEvents(events.filter((each) => each.trackingNumber === number)));
}
