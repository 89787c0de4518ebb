import type { BookingRequest, BookingWithLabels, HttpAnswer, Parcel, Party } from '../contract/index.js';
import { parseJson } from '../contract/index.js';
import { listAt, textAt, valueAt } from '../toolkit/json.js';
import { said } from '../toolkit/text.js';
import { centimetres, kilograms } from '../toolkit/units.js';
import type { BringConfig } from './config.js';
import { addressInfoField, packageFields, partyFields } from './fields.js';
import { additionalServices, namedMembers, productOf, showsAddressInfo } from './services.js';
import { shippingDateTime } from './shipping-time.js';
import type { BringBookingRequest, BringPackage, BringParty, BringProduct } from './wire.js';

/** What a booking needs besides the request. */
export interface Circumstances {
  readonly config: BringConfig;
  readonly now: Date;
}

export function toBringBooking(request: BookingRequest, { config, now }: Circumstances): BringBookingRequest {
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
    ],
  };
}

function toRecipient(request: BookingRequest): BringParty {
  const party = toBringParty(request.recipient, request.customersReference);
  const info = showsAddressInfo(request) ? addressInfoField(request.notesOnDelivery).sent : '';
  return info === '' ? party : { ...party, additionalAddressInfo: info };
}

function toBringPickUpPoint(
  request: BookingRequest,
): { readonly id: string; readonly countryCode: string } | undefined {
  const { countryCode } = request.recipient.address;
  const wanted = request.deliverToPickUpPoint || productOf(request).kind === 'pick-up';
  if (!wanted || request.pickUpPointId === null || countryCode === null) return undefined;
  return { id: request.pickUpPointId, countryCode };
}

function toBringProduct(request: BookingRequest, config: BringConfig): BringProduct {
  const { id, productionCode } = productOf(request);
  return {
    ...namedMembers(request),
    id,
    customerNumber: config.customerNumber,
    additionalServices: additionalServices(request, config),
    incotermRule: productionCode === '3050' ? (request.incoterms ?? undefined) : undefined,
  };
}

export function toBringParty(party: Party, reference: string | null): BringParty {
  const { address, contact } = party;
  const fields = partyFields(party, reference);
  return {
    name: fields.name.sent,
    addressLine: fields.addressLine.sent,
    addressLine2: fields.addressLine2.sent || undefined,
    postalCode: address.postalCode ?? '',
    city: fields.city.sent,
    countryCode: address.countryCode ?? '',
    reference: fields.reference.sent || undefined,
    contact: {
      name: fields.contactName.sent || undefined,
      email: said(contact.email)[0],
      phoneNumber: fields.phoneNumber.sent || undefined,
    },
  };
}

function toBringPackage(parcel: Parcel): BringPackage {
  const dimensions = dimensionsOf(parcel);
  return {
    correlationId: parcel.id,
    weightInKg: kilograms(parcel.weightGrams),
    dimensions,
    volumeInDm3: dimensions || parcel.volumeMl === null ? undefined : Math.max(1, parcel.volumeMl) / 1000,
    goodsDescription: packageFields(parcel).goodsDescription.sent || undefined,
  };
}

function dimensionsOf({ lengthMm, widthMm, heightMm }: Parcel): BringPackage['dimensions'] {
  if (lengthMm === null || widthMm === null || heightMm === null) return undefined;
  return {
    lengthInCm: centimetres(lengthMm),
    widthInCm: centimetres(widthMm),
    heightInCm: centimetres(heightMm),
  };
}

/** @throws Error the answer is not a confirmation of all parcels */
export function fromBringBooking(request: BookingRequest, answer: HttpAnswer): BookingWithLabels {
  const answered = valueAt(parseJson(answer.body), 'consignments', 0);
  const confirmation = valueAt(answered, 'confirmation');
  const carrierNumber = textAt(confirmation, 'consignmentNumber');
  if (carrierNumber === null) throw new Error("Bring's answer confirms no shipment");
  const packages = listAt(confirmation, 'packages');
  const trackingUrl = textAt(confirmation, 'links', 'tracking');
  const parcels = request.parcels.map(({ id }) => {
    const booked = packages.find((each) => textAt(each, 'correlationId') === id);
    const trackingNumber = textAt(booked, 'packageNumber');
    if (trackingNumber === null) throw new Error(`Bring booked shipment ${carrierNumber} without parcel ${id}`);
    return { kind: 'booked' as const, parcelId: id, trackingNumber, trackingUrl };
  });
  const labelSource = textAt(confirmation, 'links', 'labels');
  const answersReference = textAt(answered, 'correlationId');
  return { booking: { carrierNumber, parcels, labelSource }, labels: [], answersReference };
}
