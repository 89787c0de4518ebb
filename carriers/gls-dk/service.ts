import type { BookingRequest } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import type { Complaint } from '../toolkit/check-codes.js';
import { when } from '../toolkit/preflight.js';
import { depositField } from './fields.js';
import type { GlsService, GlsServices } from './wire.js';
import { SERVICES } from './wire.js';

/**
 * The product a request asks for: by its code, else by the wishes of the shipment.
 * @returns `null`: GLS has no product of that code
 */
export function serviceOf(request: BookingRequest): GlsService | null {
  if (request.service === null) return wishedService(request);
  return SERVICES.find((service) => service === request.service) ?? null;
}

/** A text for the driver together with "nobody need be at home" says where to leave the parcel. */
function wishedService(request: BookingRequest): GlsService {
  if (request.deliverToPickUpPoint) return request.pickUpPointId ? 'shop-delivery' : 'direct-shop';
  if (request.unattendedDelivery) return request.notesOnDelivery ? 'deposit' : 'flex-delivery';
  return request.privateDelivery ? 'private-delivery' : 'business';
}

/**
 * What must not be sent at all: GLS ignores a service that it does not understand, and would carry the parcels by
 * another product than the one asked for.
 */
export function unsendable(request: BookingRequest): readonly Complaint[] {
  const service = serviceOf(request);
  return [
    ...when(service === null, 'unknown-service', {
      text: `GLS has no service "${request.service}"; it has ${SERVICES.join(', ')}.`,
      values: { service: request.service ?? '', carrier: 'GLS' },
    }),
    ...when(
      service === 'shop-delivery' && !request.pickUpPointId,
      'pick-up-point-missing',
      'The number of the parcel shop is missing: add the pick-up point to the shipment.',
    ),
    ...when(
      service === 'deposit' && depositField(request).sent === '',
      'deposit-missing',
      'The notes on delivery must say where the parcel is to be left.',
    ),
  ];
}

/** @throws CarrierRejected see `unsendable` */
export function toGlsServices(request: BookingRequest): GlsServices {
  const problems = unsendable(request);
  const service = serviceOf(request);
  if (service === null || problems.length > 0) throw new CarrierRejected(problems);
  return { ...toService(request, service), ...toNotification(request) };
}

function toService(request: BookingRequest, service: GlsService): GlsServices {
  switch (service) {
    case 'business':
      return {};
    case 'private-delivery':
      return { PrivateDelivery: 'Y' };
    case 'shop-delivery':
      return { ShopDelivery: request.pickUpPointId ?? '' };
    case 'flex-delivery':
      return { FlexDelivery: 'Y' };
    case 'deposit':
      return { Deposit: depositField(request).sent };
    case 'direct-shop':
      return { DirectShop: 'Y' };
  }
}

function toNotification(request: BookingRequest): GlsServices {
  const email = request.recipient.contact.email?.trim();
  return request.options.notification === 'email' && email ? { NotificationEmail: email } : {};
}
