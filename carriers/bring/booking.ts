import type { BookingRequest, BookingWithLabels, Parcel, Party, TextChange } from '../contract/index.js';
import { bookedParcels, kilograms, listAt, localDateTime, neededAt, readParcels, sentOf } from '../toolkit/index.js';
import { sidesInCentimetres, textAt, textChangesIn, valueAt, withoutField } from '../toolkit/index.js';
import type { BringConfig } from './config.js';
import { bringTexts, notesIn, packageTexts } from './fields.js';
import { type NotificationSettings, UNATTENDED, additionalServices, incotermsOf } from './services.js';
import { namedMembers, productOf } from './services.js';

export const MAX_PACKAGES = 50;
/** Keeps "now" from lying in the past by the time the request is read. */
const MARGIN_MS = 60_000;

/** What a booking needs besides the request. */
export type BringContext = Readonly<{ config: BringConfig; now: Date }>;

/** Booking API, version 1 of the schema: exactly one consignment. What is `undefined` is not sent. */
export function toBringBooking(request: BookingRequest, { config, now }: BringContext) {
  const { reference, sender, recipient, customersReference, parcels } = request;
  const info = productOf(request).is('address-info') ? request.notesOnDelivery : null;
  return {
    ...{ schemaVersion: 1, testIndicator: config.testIndicator, clientUrl: config.clientUrl },
    consignments: [
      {
        correlationId: reference,
        shippingDateTime: shippingDateTime(request, now),
        parties: {
          sender: toBringParty(sender, reference),
          recipient: toBringParty(recipient, customersReference, info),
          pickupPoint: toBringPickUpPoint(request),
        },
        product: {
          ...namedMembers(request),
          ...{ id: productOf(request).id, customerNumber: config.customerNumber },
          additionalServices: additionalServices(request, config),
          incotermRule: incotermsOf(request),
        },
        packages: parcels.map(toBringPackage),
      },
    ] as const,
  };
}

/** The morning of the shipping day, or right now when that has come or gone, in the sender's local time: the past is refused. */
export function shippingDateTime({ shipDate, sender }: BookingRequest, now: Date): string {
  const soon = localDateTime(new Date(now.getTime() + MARGIN_MS), timeZoneOf(sender.address.countryCode));
  const planned = `${shipDate}T08:00:00`;
  return planned > soon ? planned : soon;
}

/** Of one of the four countries that Bring collects in. */
export function timeZoneOf(countryCode: string | null): string {
  return countryCode === 'FI' ? 'Europe/Helsinki' : 'Europe/Oslo';
}

function toBringPickUpPoint(request: BookingRequest) {
  const { countryCode } = request.recipient.address;
  const wanted = request.deliverToPickUpPoint || productOf(request).is('pick-up');
  if (!wanted || request.pickUpPointId === null || countryCode === null) return undefined;
  return { id: request.pickUpPointId, countryCode };
}

/** @param info for the driver */
function toBringParty(party: Party, reference: string | null, info: string | null = null) {
  const { postalCode, countryCode } = party.address;
  const { contactName: name, phoneNumber, email, ...texts } = sentOf(bringTexts(party, reference));
  return {
    ...texts,
    additionalAddressInfo: notesIn('additionalAddressInfo', info).sent || undefined,
    ...{ postalCode: postalCode ?? '', countryCode: countryCode ?? '' },
    contact: { name, email, phoneNumber },
  };
}

function toBringPackage(parcel: Parcel) {
  const sides = sidesInCentimetres(parcel);
  return {
    correlationId: parcel.id,
    weightInKg: kilograms(parcel.weightGrams),
    dimensions: sides && { lengthInCm: sides.length, widthInCm: sides.width, heightInCm: sides.height },
    volumeInDm3: sides || parcel.volumeMl === null ? undefined : Math.max(1, parcel.volumeMl) / 1000,
    ...sentOf(packageTexts(parcel)),
  };
}

/** What Bring gets shortened, in other letters or not at all. */
export function textChangesAtBring(request: BookingRequest, settings: NotificationSettings): readonly TextChange[] {
  return [
    ...textChangesIn('sender', bringTexts(request.sender, request.reference)),
    ...textChangesIn('recipient', bringTexts(request.recipient, request.customersReference)),
    ...textChangesIn('shipment', { notesOnDelivery: notesSent(request, settings) }),
    ...request.parcels.flatMap((parcel) => textChangesIn(`parcel ${parcel.id}`, packageTexts(parcel))),
  ];
}

/** As the message of unattended delivery, unless the rule names another one, or beside the address: the longer one counts. */
function notesSent(request: BookingRequest, settings: NotificationSettings) {
  const { notesOnDelivery: notes } = request;
  const message = notesIn('message', notes);
  const unattended = additionalServices(request, settings).filter(({ id }) => id === UNATTENDED);
  if (unattended.some((service) => service.message === message.sent)) return message;
  const hasInfo = productOf(request).is('address-info');
  return hasInfo ? notesIn('additionalAddressInfo', notes) : withoutField(notes, 'meaning-lost');
}

/** @throws Error the answer is not a confirmation of all parcels */
export function fromBringBooking(request: BookingRequest, json: unknown): BookingWithLabels {
  const answered = valueAt(json, 'consignments', 0);
  const confirmation = valueAt(answered, 'confirmation');
  const fields = { id: 'correlationId', number: 'packageNumber' };
  const pageOf = () => textAt(confirmation, 'links', 'tracking');
  const booking = {
    carrierNumber: neededAt(json, 'consignments', 0, 'confirmation', 'consignmentNumber'),
    parcels: bookedParcels(request, readParcels(listAt(confirmation, 'packages'), fields, pageOf)),
    labelSource: textAt(confirmation, 'links', 'labels'),
  };
  return { booking, labels: [], answersReference: textAt(answered, 'correlationId') };
}
