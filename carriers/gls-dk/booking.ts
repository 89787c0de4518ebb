import countries from 'i18n-iso-countries/index.js';
import type { Address, BookingRequest, BookingWithLabels, Parcel, Party } from '../contract/index.js';
import { kilograms, labelsInBase64, listAt, localDateTime, parcelsByPlace } from '../toolkit/index.js';
import { said, sentOf, textAt } from '../toolkit/index.js';
import type { GlsDkConfig } from './config.js';
import type { AddressTexts } from './fields.js';
import { MAX_CHARACTERS, addressTexts, parcelTexts, senderTexts } from './fields.js';
import { cashOnDelivery, toGlsServices } from './services.js';

interface ShipmentContext {
  readonly config: GlsDkConfig;
  readonly now: Date;
}

/**
 * The body of `CreateShipment`, in GLS's spelling: see Sources in this folder's README. What is `undefined` is not sent.
 * @throws CarrierRejected GLS would take it in another sense than ours
 */
export function toGlsShipment(request: BookingRequest, context: ShipmentContext) {
  return {
    ...shipmentFields(request, context),
    Addresses: {
      Delivery: toGlsAddress(addressTexts(request.recipient), request.recipient.address),
      AlternativeShipper: toShipper(request.sender),
    },
    Parcels: request.parcels.map((parcel) => ({ ...toGlsParcel(parcel), Cashservice: cashOnDelivery(request) })),
    Services: toGlsServices(request, context.config),
  };
}

/** The body of `CreateShipment` for a parcel that the customer hands in at a parcel shop. */
export function toGlsReturn(request: BookingRequest, context: ShipmentContext) {
  const { sender, recipient, parcels } = request;
  return {
    ...shipmentFields(request, context),
    Addresses: {
      Delivery: toGlsAddress(senderTexts(recipient), recipient.address),
      Pickup: toGlsAddress(senderTexts(sender), sender.address),
    },
    Parcels: parcels.map(toGlsParcel),
    Services: { ShopReturn: 'Y' },
  };
}

function shipmentFields({ reference, shipDate }: BookingRequest, { config, now }: ShipmentContext) {
  const today = localDateTime(now, 'Europe/Copenhagen').slice(0, 10);
  return {
    ...{ UserName: config.userName, Password: config.password },
    ...{ Customerid: config.customerId, Contactid: config.contactId },
    // A request that had to wait over midnight is sent with the day on which it goes.
    ShipmentDate: (shipDate > today ? shipDate : today).replaceAll('-', ''),
    Reference: reference,
  };
}

function toGlsParcel(parcel: Parcel) {
  return { ...sentOf(parcelTexts(parcel)), Weight: kilograms(parcel.weightGrams) };
}

function toGlsAddress(texts: AddressTexts, { postalCode, countryCode }: Address) {
  return { ...sentOf(texts), CountryNum: countryNumber(countryCode), ZipCode: postalCode ?? '' };
}

/** @returns ISO 3166-1 numeric as three digits, e.g. `040`; `''` for what is no country */
export function countryNumber(countryCode: string | null): string {
  return countries.alpha2ToNumeric(countryCode ?? '') ?? '';
}

/**
 * Half a sender would be refused; without one GLS prints the account's own.
 * @returns `undefined`: not all of it is known
 */
export function toShipper(sender: Party): ReturnType<typeof toGlsAddress> | undefined {
  const shipper = toGlsAddress(senderTexts(sender), sender.address);
  const { Name1, Street1, CountryNum, ZipCode, City } = shipper;
  const isWhole = said(Name1, Street1, CountryNum, ZipCode, City).length === 5;
  return isWhole && ZipCode.length <= MAX_CHARACTERS.postalCode ? shipper : undefined;
}

/** GLS's page for recipients, in Danish; in production with another vendor's integration. */
const PAGE = 'https://gls-group.eu/DK/da/find-pakke?txtAction=71000&match=';

/** GLS sends nothing of ours back. @throws Error as `parcelsByPlace` */
export function fromGlsAnswer(request: BookingRequest, json: unknown): BookingWithLabels {
  const carrierNumber = textAt(json, 'ConsignmentId');
  const parcels = parcelsByPlace(request, {
    carrierNumber,
    trackingNumbers: listAt(json, 'Parcels').map((parcel) => textAt(parcel, 'ParcelNumber')),
    pageOf: (number) => PAGE + encodeURIComponent(number),
  });
  // Whatever came is handed on: GLS prints nothing twice, and even a PDF with a page too few holds labels.
  return { booking: { carrierNumber, parcels, labelSource: null }, labels: labelsInBase64(textAt(json, 'PDF')) };
}
