import type { BookingRequest, CarrierService, RuleProduct } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/index.js';
import { AMOUNT, amountIn, anyOf, inWords, listAt, listOf, refuseFor } from '../toolkit/index.js';
import { ruleCheck, unknownService, when } from '../toolkit/index.js';
import type { GlsDkConfig } from './config.js';
import { depositTexts } from './fields.js';

/**
 * What we call GLS's products, and the key that asks for each. GLS ignores keys it does not know, so a misspelt one silently
 * buys another service.
 */
const SERVICES = {
  business: { key: null, name: 'BusinessParcel, EuroBusinessParcel' },
  'private-delivery': { key: 'PrivateDelivery', name: 'PrivateDelivery: to a private address' },
  'shop-delivery': { key: 'ShopDelivery', name: 'ShopDelivery: to the ParcelShop that the shipment names' },
  'flex-delivery': { key: 'FlexDelivery', name: 'FlexDelivery' },
  deposit: { key: 'Deposit', name: 'Deposit: left where the notes on delivery say' },
  'direct-shop': { key: 'DirectShop', name: 'DirectShop: to the nearest ParcelShop, which GLS chooses' },
  'express-10': { key: 'Express10', name: 'Express10: before 10:00' },
  'express-12': { key: 'Express12', name: 'Express12: before 12:00' },
} as const;

type GlsService = keyof typeof SERVICES;

const NAMES = Object.keys(SERVICES);

/** For people. */
export const GLS_SERVICES: readonly CarrierService[] = Object.entries(SERVICES).map(([code, { name }]) => {
  return { code, name };
});

/** What of the account's settings decides services. */
export type ServiceSettings = Pick<GlsDkConfig, 'pickUpPoint' | 'servicesFromShipment'>;

/** What GLS is asked for: the service of the rule, else what the shipment asks for; and what the rule adds to either. */
export function servicesOf(request: BookingRequest, settings: ServiceSettings): ReadonlySet<string> {
  const asked = request.service === null ? servicesFromShipment(request, settings) : [request.service];
  return new Set([...asked, ...addedServices(request)]);
}

function addedServices({ options }: RuleProduct): readonly string[] {
  return listAt(options, 'services').filter((each) => typeof each === 'string');
}

/** A text for the driver together with "nobody need be at home" says where to leave the parcel. */
function servicesFromShipment(request: BookingRequest, settings: ServiceSettings): readonly GlsService[] {
  const isNamed = Boolean(request.pickUpPointId);
  const toShop = request.deliverToPickUpPoint || (isNamed && settings.pickUpPoint === 'id');
  if (toShop && isNamed) return ['shop-delivery'];
  if (settings.servicesFromShipment === 'pick-up-point') return [];
  if (toShop) return ['direct-shop'];
  const left = request.notesOnDelivery ? 'deposit' : 'flex-delivery';
  return [
    ...(request.unattendedDelivery ? ([left] as const) : []),
    ...(request.privateDelivery === true ? (['private-delivery'] as const) : []),
  ];
}

const checkOptions = ruleCheck({
  carrier: 'GLS',
  options: {
    services: listOf((each) => typeof each === 'string', `[${NAMES.join(', ')}]`),
    cashOnDelivery: AMOUNT,
    notification: anyOf(['email', 'none', 'automatic']), // the last two are Bring's: one rule may lead to either, by price
  },
});

/** Of the service of a rule, of those that it adds, and of its other options. */
export function checkRule(product: RuleProduct): readonly ValidationIssue[] {
  const named = [product.service, ...addedServices(product)];
  return [...checkOptions(product), ...named.flatMap((each) => unknownService(each, { carrier: 'GLS', known: NAMES }))];
}

/**
 * What must not be sent at all: GLS ignores a service that it does not understand, and would carry the parcels by
 * another product than the one asked for.
 */
export function unsendable(request: BookingRequest, settings: ServiceSettings): readonly ValidationIssue[] {
  const services = servicesOf(request, settings);
  // The amount is collected for each parcel.
  const isTwice = cashOnDelivery(request) !== undefined && request.parcels.length > 1;
  return [
    ...checkRule(request),
    ...inWords(
      'The number of the parcel shop is missing: add the pick-up point to the shipment.',
      when(services.has('shop-delivery') && !request.pickUpPointId, 'pick-up-point-missing'),
    ),
    ...when(services.has('deposit') && valuesOf(request).Deposit === '', 'deposit-missing'),
    ...when(isTwice, 'single-parcel', { service: 'cash on delivery', carrier: 'GLS' }),
  ];
}

/** @returns what is collected for the parcel; `undefined`: nothing */
export function cashOnDelivery({ options }: BookingRequest): number | undefined {
  return amountIn(options.cashOnDelivery) ?? undefined;
}

/** Of the keys that say more than `Y`. */
function valuesOf({ pickUpPointId, notesOnDelivery }: BookingRequest): Readonly<Record<string, string>> {
  return { ShopDelivery: pickUpPointId ?? '', Deposit: depositTexts(notesOnDelivery).Deposit.sent };
}

/** @throws CarrierRejected see `unsendable` */
export function toGlsServices(request: BookingRequest, settings: ServiceSettings): Readonly<Record<string, string>> {
  refuseFor(unsendable(request, settings));
  const asked = servicesOf(request, settings);
  const values = valuesOf(request);
  const sent = Object.entries(SERVICES).flatMap(([service, { key }]) =>
    asked.has(service) && key !== null ? [[key, values[key] ?? 'Y']] : [],
  );
  const email = request.recipient.contact.email?.trim();
  const isNotified = request.options.notification === 'email' && email;
  return { ...Object.fromEntries(sent), ...(isNotified && { NotificationEmail: email }) };
}
