import type { BookingRequest, BookingWithLabels, Parcel, Party } from '../contract/index.js';
import { bookedParcels, kilograms, listAt, localDateTime, neededAt, sentOf } from '../toolkit/index.js';
import { sidesInCentimetres, textAt, valueAt } from '../toolkit/index.js';
import type { BringConfig } from './config.js';
import { bringTexts, notesIn, packageTexts } from './fields.js';
import { additionalServices, namedMembers, productOf, showsAddressInfo } from './services.js';

export const MAX_PACKAGES = 50;
/** Keeps "now" from lying in the past by the time the request is read. */
const MARGIN_MS = 60_000;

/** What a booking needs besides the request. */
export interface BringContext {
  readonly config: BringConfig;
  readonly now: Date;
}

/** Booking API, version 1 of the schema: exactly one consignment. What is `undefined` is not sent. */
export function toBringBooking(request: BookingRequest, { config, now }: BringContext) {
  return {
    schemaVersion: 1,
    testIndicator: config.testIndicator,
    clientUrl: config.clientUrl,
    consignments: [
      {
        correlationId: request.reference,
        shippingDateTime: shippingDateTime(request, now),
        parties: {
          sender: toBringParty(request.sender, request.reference),
          recipient: toRecipient(request),
          pickupPoint: toBringPickUpPoint(request),
        },
        product: toBringProduct(request, config),
        packages: request.parcels.map(toBringPackage),
      },
    ] as const,
  };
}

/**
 * When the goods are ready: the morning of the shipping day, or right now when that has come or gone; a time in the
 * past is refused.
 * @returns `YYYY-MM-DDThh:mm:ss`, in the sender's local time
 */
export function shippingDateTime({ shipDate, sender }: BookingRequest, now: Date): string {
  const soon = localDateTime(new Date(now.getTime() + MARGIN_MS), timeZoneOf(sender.address.countryCode));
  const planned = `${shipDate}T08:00:00`;
  return planned > soon ? planned : soon;
}

/** Of one of the four countries that Bring collects in. */
export function timeZoneOf(countryCode: string | null): string {
  return countryCode === 'FI' ? 'Europe/Helsinki' : 'Europe/Oslo';
}

function toRecipient(request: BookingRequest) {
  const info = showsAddressInfo(request) ? notesIn('additionalAddressInfo', request.notesOnDelivery).sent : '';
  return { ...toBringParty(request.recipient, request.customersReference), additionalAddressInfo: info || undefined };
}

function toBringPickUpPoint(request: BookingRequest) {
  const { countryCode } = request.recipient.address;
  const wanted = request.deliverToPickUpPoint || productOf(request).kind === 'pick-up';
  if (!wanted || request.pickUpPointId === null || countryCode === null) return undefined;
  return { id: request.pickUpPointId, countryCode };
}

function toBringProduct(request: BookingRequest, config: BringConfig) {
  const { id, productionCode } = productOf(request);
  return {
    ...namedMembers(request),
    id,
    customerNumber: config.customerNumber,
    additionalServices: additionalServices(request, config),
    incotermRule: productionCode === '3050' ? (request.incoterms ?? undefined) : undefined,
  };
}

export function toBringParty(party: Party, reference: string | null) {
  const { address } = party;
  const { contactName: name, phoneNumber, email, ...texts } = sentOf(bringTexts(party, reference));
  return {
    ...texts,
    /** For the driver; printed for a few services only. */
    additionalAddressInfo: undefined as string | undefined,
    postalCode: address.postalCode ?? '',
    countryCode: address.countryCode ?? '',
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

/** @throws Error the answer is not a confirmation of all parcels */
export function fromBringBooking(request: BookingRequest, json: unknown): BookingWithLabels {
  const answered = valueAt(json, 'consignments', 0);
  const confirmation = valueAt(answered, 'confirmation');
  const trackingUrl = textAt(confirmation, 'links', 'tracking');
  const packages = listAt(confirmation, 'packages').map((each) => ({
    parcelId: textAt(each, 'correlationId'),
    trackingNumber: neededAt(each, 'packageNumber'),
    trackingUrl,
  }));
  const booking = {
    carrierNumber: neededAt(json, 'consignments', 0, 'confirmation', 'consignmentNumber'),
    parcels: bookedParcels(request, packages),
    labelSource: textAt(confirmation, 'links', 'labels'),
  };
  return { booking, labels: [], answersReference: textAt(answered, 'correlationId') };
}
