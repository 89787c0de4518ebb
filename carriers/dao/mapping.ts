import type { Booking, BookingRequest, Parcel, Problem } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { internationalPhone, said } from '../toolkit/text.js';
import { centimetres } from '../toolkit/units.js';
import type { DaoOrder, DaoQuery, DaoService } from './wire.js';
import { NEAREST_SHOP, ORDER_PATHS, SERVICES } from './wire.js';

/**
 * The product a request asks for: by its code, else by the wishes and the country of the shipment.
 * @returns `null`: DAO has no product of that code
 */
export function serviceOf(request: BookingRequest): DaoService | null {
  if (request.service !== null) return SERVICES.find((service) => service === request.service) ?? null;
  if (request.deliverToPickUpPoint || request.pickUpPointId) return 'pickup-point';
  return isDanish(request) ? 'home' : 'abroad';
}

/** An address without a country is taken for one in DAO's own. */
export function isDanish(request: BookingRequest): boolean {
  const country = request.recipient.address.countryCode;
  return country === null || country === 'DK';
}

/** @throws CarrierRejected DAO has no such service */
export function toDaoOrder(request: BookingRequest, parcel: Parcel): DaoOrder {
  const service = serviceOf(request);
  if (service === null) throw new CarrierRejected([unknownService(request)]);
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

export function unknownService(request: BookingRequest): Problem {
  const text = `DAO has no service "${request.service}"; it has ${SERVICES.join(', ')}.`;
  return { code: 'unknown-service', text, parcelId: null };
}

function toRecipient(request: BookingRequest): DaoQuery {
  const { address, contact } = request.recipient;
  const careOf = address.careOf ? `c/o ${address.careOf}` : null;
  return {
    navn: said(address.name ?? contact.name, careOf).join(', '),
    adresse: said(address.street, address.floorBlockOrSuite).join(', '),
    postnr: address.postalCode ?? '',
    mobil: toDaoMobile(contact.mobile, address.countryCode),
    email: contact.email ?? '',
  };
}

/** Danish numbers are written without `+45`. */
function toDaoMobile(mobile: string | null, countryCode: string | null): string {
  return internationalPhone(mobile ?? '', countryCode).replace(/^\+45/, '');
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
      return { by: address.city ?? '', land: address.countryCode ?? '', reference: request.reference };
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
