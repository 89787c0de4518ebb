import type { BookingRequest, BookingWithLabels, Parcel, Party, TextChange } from '../contract/index.js';
import { bookedParcels, fitAll, kilograms, listAt, neededAt, partyTexts, plainPostalCode } from '../toolkit/index.js';
import { readParcels, said, sentOf, sidesInCentimetres, textAt, textChangesIn } from '../toolkit/index.js';
import { timeOfSending, valueAt } from '../toolkit/index.js';
import type { BringConfig } from './config.js';
import { declaredAtBring, toCustoms } from './customs.js';
import { type AccountSettings, FIELDS, askedOf, packageTexts } from './services.js';

export const MAX_PACKAGES = 50;

/** What a booking needs besides the request. */
export type BringContext = Readonly<{ config: BringConfig; now: Date }>;

/** Booking API, version 1 of the schema: exactly one consignment. What is `undefined` is not sent. */
export function toBringBooking(request: BookingRequest, { config, now }: BringContext) {
  const { reference, sender, recipient, returnTo, customersReference, parcels, pickUpPointId } = request;
  const { id, isForPoint, country: countryCode, members, sent, additionalServices, info } = askedOf(request, config);
  const traders = [sender, recipient].map((party) => toBringParty(party, null));
  const customs = toCustoms(request, config.customsForm, traders);
  return {
    ...{ schemaVersion: 1, testIndicator: config.testIndicator, clientUrl: config.clientUrl },
    consignments: [
      {
        correlationId: reference,
        shippingDateTime: timeOfSending(request, now),
        parties: {
          sender: toBringParty(sender, reference),
          recipient: { ...toBringParty(recipient, customersReference), ...sentOf({ additionalAddressInfo: info }) },
          pickupPoint: isForPoint ? { id: pickUpPointId, countryCode } : undefined,
          returnTo: returnTo && toBringParty(returnTo, null),
          ...customs.parties,
        },
        product: { ...members, id, ...sent, additionalServices, ...customs.inProduct },
        ...customs.beside,
        packages: parcels.map(toBringPackage),
      },
    ] as const,
  };
}

/** A party without a contact person is one itself. */
function bringTexts(party: Party, reference: string | null) {
  const [contactName = null] = said(party.contact.name, party.address.name);
  return { ...partyTexts(party, FIELDS), ...fitAll({ contactName, reference }, FIELDS) };
}

function toBringParty(party: Party, reference: string | null) {
  const { contactName: name, phoneNumber, email, ...texts } = sentOf(bringTexts(party, reference));
  const place = { postalCode: plainPostalCode(party.address), countryCode: party.address.countryCode };
  return { ...texts, ...place, contact: { name, email, phoneNumber } };
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
export function textChangesAtBring(request: BookingRequest, settings: AccountSettings): readonly TextChange[] {
  return [
    ...textChangesIn('sender', bringTexts(request.sender, request.reference)),
    ...textChangesIn('recipient', bringTexts(request.recipient, request.customersReference)),
    ...textChangesIn('shipment', { notesOnDelivery: askedOf(request, settings).notes }),
    ...(declaredAtBring(request)?.goods ?? []).flatMap((one) => textChangesIn('shipment', packageTexts(one))),
    ...request.parcels.flatMap((parcel) => textChangesIn(`parcel ${parcel.id}`, packageTexts(parcel))),
  ];
}

/** @throws Error the answer is not a confirmation of all parcels */
export function fromBringBooking(request: BookingRequest, json: unknown): BookingWithLabels {
  const answered = valueAt(json, 'consignments', 0);
  const linkTo = (what: string) => textAt(answered, 'confirmation', 'links', what);
  const fields = { id: 'correlationId', number: 'packageNumber' };
  const packages = readParcels(listAt(answered, 'confirmation', 'packages'), fields, () => linkTo('tracking'));
  const carrierNumber = neededAt(json, 'consignments', 0, 'confirmation', 'consignmentNumber');
  const booking = { carrierNumber, parcels: bookedParcels(request, packages), labelSource: linkTo('labels') };
  return { booking, labels: [], answersReference: textAt(answered, 'correlationId') };
}
