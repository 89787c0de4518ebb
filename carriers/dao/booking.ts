import type { Booking, BookingRequest, Parcel } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { centimetres } from '../toolkit/units.js';
import type { DaoConfig } from './config.js';
import { recipientFields } from './fields.js';
import { serviceOf, unknownService } from './services.js';
import type { DaoOrder, DaoQuery, DaoService } from './wire.js';
import { NEAREST_SHOP, NO_DEMAND, ORDER_PATHS } from './wire.js';

interface OrderContext {
  readonly parcel: Parcel;
  readonly config: Pick<DaoConfig, 'idkrav' | 'faktura'>;
}

/** @throws CarrierRejected DAO has no such service */
export function toDaoOrder(request: BookingRequest, { parcel, config }: OrderContext): DaoOrder {
  const service = serviceOf(request);
  if (service === null) throw new CarrierRejected(unknownService(request));
  return {
    path: ORDER_PATHS[service],
    query: {
      ...toRecipient(request),
      ...toSize(parcel),
      ...toDemand(request, config),
      faktura: config.faktura === 'shipment-number' ? request.shipmentNumber : request.reference,
      ...toServiceQuery(request, service),
    },
  };
}

function toRecipient(request: BookingRequest): DaoQuery {
  const { address, contact } = request.recipient;
  const { navn, adresse, mobil } = recipientFields(request);
  return {
    navn: navn.sent,
    adresse: adresse.sent,
    postnr: address.postalCode ?? '',
    mobil: mobil.sent.replace(/^\+45/, ''), // Danish numbers are written without it
    email: contact.email?.trim() ?? '',
  };
}

/** Sides are left out where nobody measured any; one among others is 0. Other clients do the same. */
function toSize(parcel: Parcel): DaoQuery {
  const { lengthMm, heightMm, widthMm } = parcel;
  const isMeasured = [lengthMm, heightMm, widthMm].some((side) => side !== null);
  const sides = { l: toDaoLength(lengthMm), h: toDaoLength(heightMm), b: toDaoLength(widthMm) };
  return { vaegt: String(Math.max(1, parcel.weightGrams)), ...(isMeasured ? sides : {}) };
}

/** What the recipient must show: the rule's word before the account's. */
function toDemand({ options }: BookingRequest, config: OrderContext['config']): DaoQuery {
  const demand = typeof options.idkrav === 'string' ? options.idkrav.trim() : config.idkrav;
  return demand === '' || demand === NO_DEMAND ? {} : { idkrav: demand };
}

function toDaoLength(mm: number | null): string {
  return mm === null ? '0' : String(centimetres(mm));
}

function toServiceQuery(request: BookingRequest, service: DaoService): DaoQuery {
  const { address } = request.recipient;
  switch (service) {
    case 'home':
      return {};
    case 'pickup-point':
      return { shopid: request.pickUpPointId ?? NEAREST_SHOP };
    case 'abroad':
      return {
        by: recipientFields(request).by.sent,
        land: address.countryCode ?? '',
        reference: request.reference,
        ...(request.deliverToPickUpPoint && request.pickUpPointId ? { shopid: request.pickUpPointId } : {}),
      };
  }
}

export function toBooking(parcel: Parcel, barcode: string): Booking {
  return {
    carrierNumber: null,
    parcels: [{ kind: 'booked', parcelId: parcel.id, trackingNumber: barcode, trackingUrl: trackingUrl(barcode) }],
    labelSource: barcode,
  };
}

/** One of several spellings in use; none is documented: see this folder's README. */
function trackingUrl(barcode: string): string {
  return `https://www.dao.as/privat/find-din-pakke?stregkode=${encodeURIComponent(barcode)}`;
}

/** The key of a parcel in every later call; a booking that a person recorded has the tracking number only. */
export function barcodeOf(booking: Booking): string {
  const [parcel] = booking.parcels;
  const barcode = booking.labelSource ?? (parcel?.kind === 'booked' ? parcel.trackingNumber : null);
  if (barcode === null) throw new Error('a booking at DAO without a barcode');
  return barcode;
}
