import type { BookingRequest, BookingWithLabels, Parcel } from '../contract/index.js';
import { bookedByPlace, dayOfSending, kilograms, labelsInBase64, listAt, sentOf, textAt } from '../toolkit/index.js';
import type { GlsDkConfig } from './config.js';
import { parcelTexts, toGlsAddress, toSenderAddress, toShipper } from './fields.js';
import { cashOnDelivery, toGlsServices } from './services.js';

type Context = Readonly<{ config: GlsDkConfig; now: Date }>;

/**
 * The body of `CreateShipment`, in GLS's spelling: see Sources in this folder's README. What is `undefined` is not sent.
 * @throws CarrierRejected GLS would take it in another sense than ours
 */
export function toGlsShipment(request: BookingRequest, context: Context) {
  const { sender, recipient, parcels } = request;
  return {
    ...shipmentFields(request, context),
    Addresses: { Delivery: toGlsAddress(recipient), AlternativeShipper: toShipper(sender) },
    Parcels: parcels.map((parcel) => ({ ...toGlsParcel(parcel), Cashservice: cashOnDelivery(request) })),
    Services: toGlsServices(request, context.config),
  };
}

/** A shipment for a parcel that the customer hands in at a parcel shop. */
export function toGlsReturn(request: BookingRequest, context: Context) {
  const { sender, recipient, parcels } = request;
  return {
    ...shipmentFields(request, context),
    Addresses: { Delivery: toSenderAddress(recipient), Pickup: toSenderAddress(sender) },
    Parcels: parcels.map(toGlsParcel),
    Services: { ShopReturn: 'Y' },
  };
}

function shipmentFields(request: BookingRequest, { config, now }: Context) {
  const { userName, password, customerId, contactId } = config;
  return {
    ...{ UserName: userName, Password: password, Customerid: customerId, Contactid: contactId },
    ShipmentDate: dayOfSending(request, now).replaceAll('-', ''),
    Reference: request.reference,
  };
}

function toGlsParcel(parcel: Parcel) {
  return { ...sentOf(parcelTexts(parcel)), Weight: kilograms(parcel.weightGrams) };
}

/** GLS's page for recipients, in Danish; in production with another vendor's integration. */
const PAGE = 'https://gls-group.eu/DK/da/find-pakke?txtAction=71000&match=';

/** GLS sends nothing of ours back. @throws Error as `bookedByPlace` */
export function fromGlsAnswer(request: BookingRequest, json: unknown): BookingWithLabels {
  const carrierNumber = textAt(json, 'ConsignmentId');
  const trackingNumbers = listAt(json, 'Parcels').map((parcel) => textAt(parcel, 'ParcelNumber'));
  const pageOf = (number: string) => PAGE + encodeURIComponent(number);
  const booking = bookedByPlace(request, { carrierNumber, trackingNumbers, pageOf });
  // Whatever came is handed on: GLS prints nothing twice, and even a PDF with a page too few holds labels.
  return { booking, labels: labelsInBase64(textAt(json, 'PDF')) };
}
