import type {
  BookingRequest,
  BookingWithLabels,
  CloseOut,
  FoundBooking,
  Goods,
  HttpAnswer,
  Party,
  Problem,
  Quote,
} from '../contract/index.js';
import { parseJson, tryParseJson } from '../contract/index.js';
import { listAt, numberAt, textAt } from '../toolkit/json.js';
import { kilograms } from '../toolkit/units.js';
import { goodsFields, isDeclared, messageField, partyFields } from './fields.js';
import type { PretendBooking, PretendBookingRequest, PretendGoods, PretendParty, PretendQuestion } from './wire.js';

const ORDINARY_SERVICE = 'standard';

export function toPretendBooking(request: BookingRequest): PretendBookingRequest {
  const message = messageField(request).sent;
  return {
    reference: request.reference,
    service: request.service ?? ORDINARY_SERVICE,
    shipDate: request.shipDate,
    sender: toPretendParty(request.sender),
    recipient: toPretendParty(request.recipient),
    ...(request.pickUpPointId === null ? {} : { pickUpPoint: request.pickUpPointId }),
    ...(message === '' ? {} : { message }),
    parcels: request.parcels.map((parcel) => ({ id: parcel.id, weightKg: kilograms(parcel.weightGrams) })),
    ...(isDeclared(request) ? { customs: (request.goods ?? []).map(toPretendGoods) } : {}),
  };
}

function toPretendParty(party: Party): PretendParty {
  const { address, contact } = party;
  const fields = partyFields(party);
  const phone = contact.mobile ?? contact.phone;
  return {
    name: fields.name.sent,
    street: fields.street.sent,
    postalCode: address.postalCode ?? '',
    city: fields.city.sent,
    country: address.countryCode ?? '',
    ...(contact.email === null ? {} : { email: contact.email }),
    ...(phone === null ? {} : { phone }),
  };
}

function toPretendGoods(goods: Goods): PretendGoods {
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

export function toPretendQuestion(request: BookingRequest): PretendQuestion {
  return {
    service: request.service ?? ORDINARY_SERVICE,
    from: request.sender.address.countryCode ?? '',
    to: request.recipient.address.countryCode ?? '',
    weightsKg: request.parcels.map((parcel) => kilograms(parcel.weightGrams)),
  };
}

/** @throws Error the answer is no price */
export function fromPretendQuote(answer: HttpAnswer): Quote {
  const json = parseJson(answer.body);
  return {
    amount: needed(textAt(json, 'amount'), 'amount'),
    currency: needed(textAt(json, 'currency'), 'currency'),
    workingDays: numberAt(json, 'workingDays'),
    estimatedDelivery: textAt(json, 'delivery'),
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
  const { reference: answersReference } = booked;
  return { booking: { carrierNumber: booked.number, parcels, labelSource: null }, labels: [], answersReference };
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

export function fromPretendManifest(answer: HttpAnswer): CloseOut {
  return { number: needed(textAt(parseJson(answer.body), 'number'), 'manifest number') };
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
