import type { BookingRequest } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import type { Complaint } from '../toolkit/check-codes.js';
import { optionText, when } from '../toolkit/preflight.js';
import { listAt } from '../toolkit/json.js';
import type { GlsDkConfig } from './config.js';
import { depositField } from './fields.js';
import type { GlsService, GlsServices } from './wire.js';
import { SERVICES } from './wire.js';

/** What of the account's settings decides services. */
export type ServiceSettings = Pick<GlsDkConfig, 'pickUpPoint' | 'servicesFromShipment'>;

/** A service, or a word of a rule that is none. */
type Named = GlsService | (string & {});

/** What GLS is asked for: the service of the rule, else what the shipment wishes; and what the rule adds to either. */
export function servicesOf(request: BookingRequest, settings: ServiceSettings): ReadonlySet<Named> {
  const { service } = request;
  return new Set([...(service === null ? wishedServices(request, settings) : [service]), ...addedServices(request)]);
}

/** A text for the driver together with "nobody need be at home" says where to leave the parcel. */
function wishedServices(request: BookingRequest, settings: ServiceSettings): readonly GlsService[] {
  const isNamed = Boolean(request.pickUpPointId);
  const toShop = request.deliverToPickUpPoint || (isNamed && settings.pickUpPoint === 'id');
  if (toShop && isNamed) return ['shop-delivery'];
  if (settings.servicesFromShipment === 'pick-up-point') return [];
  if (toShop) return ['direct-shop'];
  const left: GlsService = request.notesOnDelivery ? 'deposit' : 'flex-delivery';
  const wishes: readonly (readonly [boolean, GlsService])[] = [
    [request.unattendedDelivery, left],
    [request.privateDelivery === true, 'private-delivery'],
  ];
  return wishes.flatMap(([isWished, service]) => (isWished ? [service] : []));
}

function addedServices({ options }: BookingRequest): readonly string[] {
  return listAt(options, 'services').filter((each) => typeof each === 'string');
}

/**
 * What must not be sent at all: GLS ignores a service that it does not understand, and would carry the parcels by
 * another product than the one asked for.
 */
export function unsendable(request: BookingRequest, settings: ServiceSettings): readonly Complaint[] {
  const services = servicesOf(request, settings);
  const unknown = [...services].filter((service) => !SERVICES.some((each) => each === service));
  return [
    ...unknown.flatMap((service) =>
      when(true, 'unknown-service', {
        text: `GLS has no service "${service}"; it has ${SERVICES.join(', ')}.`,
        values: { service, carrier: 'GLS' },
      }),
    ),
    ...when(
      services.has('shop-delivery') && !request.pickUpPointId,
      'pick-up-point-missing',
      'The number of the parcel shop is missing: add the pick-up point to the shipment.',
    ),
    ...when(
      services.has('deposit') && depositField(request).sent === '',
      'deposit-missing',
      'The notes on delivery must say where the parcel is to be left.',
    ),
    ...unreadableOptions(request),
  ];
}

function unreadableOptions({ options, parcels }: BookingRequest): readonly Complaint[] {
  const { services, cashOnDelivery } = options;
  const isList = Array.isArray(services) && services.every((each) => typeof each === 'string');
  const isAmount = cashOnDelivery === undefined || amountIn(cashOnDelivery) !== null;
  return [
    ...when(
      services !== undefined && !isList,
      'option-value',
      optionText('services', services, `[${SERVICES.join(', ')}]`),
    ),
    ...when(!isAmount, 'option-value', optionText('cashOnDelivery', cashOnDelivery, '499.50')),
    ...when(isAmount && cashOnDelivery !== undefined && parcels.length > 1, 'single-parcel', {
      text: 'GLS takes one parcel a booking with cash on delivery, whose amount is collected for each parcel: make a shipment of each parcel.',
      values: { service: 'cash on delivery', carrier: 'GLS' },
    }),
  ];
}

/** @returns what is collected for the parcel; `undefined`: nothing */
export function cashOnDelivery({ options }: BookingRequest): number | undefined {
  return amountIn(options.cashOnDelivery) ?? undefined;
}

/** An amount with at most two decimals, as number or as text. */
function amountIn(value: unknown): number | null {
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && /^\d{1,7}(\.\d{1,2})?$/.test(String(value)) && Number(value) > 0 ? Number(value) : null;
}

/** @throws CarrierRejected see `unsendable` */
export function toGlsServices(request: BookingRequest, settings: ServiceSettings): GlsServices {
  const problems = unsendable(request, settings);
  if (problems.length > 0) throw new CarrierRejected(problems);
  const services = servicesOf(request, settings);
  const keys = SERVICES.filter((service) => services.has(service)).map((service) => toService(request, service));
  return Object.assign({}, ...keys, toNotification(request)) as GlsServices;
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
    case 'express-10':
      return { Express10: 'Y' };
    case 'express-12':
      return { Express12: 'Y' };
  }
}

function toNotification(request: BookingRequest): GlsServices {
  const email = request.recipient.contact.email?.trim();
  return request.options.notification === 'email' && email ? { NotificationEmail: email } : {};
}
