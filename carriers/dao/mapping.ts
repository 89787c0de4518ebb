import type { Booking, BookingRequest, Parcel } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { centimetres } from '../toolkit/units.js';
import { recipientFields } from './fields.js';
import { serviceOf, unknownService } from './service.js';
import type { DaoOrder, DaoQuery, DaoService } from './wire.js';
import { NEAREST_SHOP, ORDER_PATHS } from './wire.js';

/** @throws CarrierRejected DAO has no such service */
export function toDaoOrder(request: BookingRequest, parcel: Parcel): DaoOrder {
  const service = serviceOf(request);
  if (service === null) throw new CarrierRejected(unknownService(request));
  return {
    path: ORDER_PATHS[service],
    query: {
      ...toRecipient(request),
      ...toSize(parcel),
      faktura: request.reference,
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

/** DAO wants all four; of a side that nobody measured it is told 0, which says so. */
function toSize(parcel: Parcel): DaoQuery {
  return {
    vaegt: String(Math.max(1, parcel.weightGrams)),
    l: toDaoLength(parcel.lengthMm),
    h: toDaoLength(parcel.heightMm),
    b: toDaoLength(parcel.widthMm),
  };
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
      return { by: recipientFields(request).by.sent, land: address.countryCode ?? '', reference: request.reference };
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
