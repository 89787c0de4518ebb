import type { BookingRequest, CarrierService, RuleProduct } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/index.js';
import { AMOUNT, amountIn, anyOf, listAt, listOf, refuseFor, ruleCheck } from '../toolkit/index.js';
import { thatHold, unknownService, when } from '../toolkit/index.js';
import type { GlsDkConfig } from './config.js';
import { depositTexts } from './fields.js';

/** What we call GLS's products, and the key that asks for each: a key that GLS does not know silently buys another service. */
export const SERVICES: readonly (CarrierService & { readonly key?: string })[] = [
  { code: 'business', name: 'BusinessParcel, EuroBusinessParcel' },
  { code: 'private-delivery', key: 'PrivateDelivery', name: 'PrivateDelivery: to a private address' },
  { code: 'shop-delivery', key: 'ShopDelivery', name: 'ShopDelivery: to the ParcelShop that the shipment names' },
  { code: 'flex-delivery', key: 'FlexDelivery', name: 'FlexDelivery' },
  { code: 'deposit', key: 'Deposit', name: 'Deposit: left where the notes on delivery say' },
  { code: 'direct-shop', key: 'DirectShop', name: 'DirectShop: to the nearest ParcelShop, which GLS chooses' },
  { code: 'express-10', key: 'Express10', name: 'Express10: before 10:00' },
  { code: 'express-12', key: 'Express12', name: 'Express12: before 12:00' },
];

const CODES = SERVICES.map(({ code }) => code);

/** What GLS is asked for: the service of the rule, else what the shipment asks for; and what the rule adds to either. */
export function servicesOf(request: BookingRequest, settings: GlsDkConfig): ReadonlySet<string> {
  const asked = request.service === null ? servicesFromShipment(request, settings) : [request.service];
  return new Set([...asked, ...addedServices(request)]);
}

function addedServices({ options }: RuleProduct): readonly string[] {
  return listAt(options, 'services').filter((each) => typeof each === 'string');
}

/** A text for the driver together with "nobody need be at home" says where to leave the parcel. */
function servicesFromShipment(request: BookingRequest, settings: GlsDkConfig): readonly string[] {
  const { deliverToPickUpPoint, pickUpPointId, unattendedDelivery: isLeft, notesOnDelivery: place } = request;
  const toShop = deliverToPickUpPoint || (pickUpPointId && settings.pickUpPoint === 'id');
  if (toShop && pickUpPointId) return ['shop-delivery'];
  if (settings.servicesFromShipment === 'pick-up-point') return [];
  if (toShop) return ['direct-shop'];
  const isPrivate = request.privateDelivery === true;
  return thatHold({ deposit: isLeft && place, 'flex-delivery': isLeft && !place, 'private-delivery': isPrivate });
}

const checkOptions = ruleCheck({
  carrier: 'GLS',
  options: {
    services: listOf((each) => typeof each === 'string', `[${CODES.join(', ')}]`),
    cashOnDelivery: AMOUNT,
    notification: anyOf(['email', 'none', 'automatic']), // the last two are Bring's: one rule may lead to either, by price
  },
});

/** Checks the service of a rule, the services that it adds, and its other options. */
export function checkRule(product: RuleProduct): readonly ValidationIssue[] {
  const named = [product.service, ...addedServices(product)];
  return [...checkOptions(product), ...named.flatMap((each) => unknownService(each, { carrier: 'GLS', known: CODES }))];
}

/**
 * What must not be sent at all: GLS ignores a service that it does not understand, and would carry the parcels by
 * another product than the one asked for.
 */
export function unsendable(request: BookingRequest, settings: GlsDkConfig): readonly ValidationIssue[] {
  const services = servicesOf(request, settings);
  const { ShopDelivery, Deposit } = valuesOf(request);
  const isOfSeveral = cashOnDelivery(request) !== undefined && request.parcels.length > 1;
  return [
    ...checkRule(request),
    ...when(services.has('shop-delivery') && ShopDelivery === '', 'pick-up-point-missing'),
    ...when(services.has('deposit') && Deposit === '', 'deposit-missing'),
    // the amount is collected for each parcel
    ...when(isOfSeveral, 'single-parcel', { service: 'cash on delivery', carrier: 'GLS' }),
  ];
}

/** What is collected for the parcel; `undefined`: nothing. */
export const cashOnDelivery = ({ options }: BookingRequest) => amountIn(options.cashOnDelivery) ?? undefined;

/** The values of the keys that take more than `Y`. */
function valuesOf({ pickUpPointId, notesOnDelivery }: BookingRequest): Readonly<Record<string, string>> {
  return { ShopDelivery: pickUpPointId ?? '', Deposit: depositTexts(notesOnDelivery).Deposit.sent };
}

/** @throws CarrierRejected see `unsendable` */
export function toGlsServices(request: BookingRequest, settings: GlsDkConfig): Readonly<Record<string, string>> {
  refuseFor(unsendable(request, settings));
  const [asked, values] = [servicesOf(request, settings), valuesOf(request)];
  const sent = SERVICES.flatMap(({ code, key }) => (asked.has(code) && key ? [[key, values[key] ?? 'Y']] : []));
  const email = request.options.notification === 'email' && request.recipient.contact.email?.trim();
  return { ...Object.fromEntries(sent), ...(email && { NotificationEmail: email }) };
}
