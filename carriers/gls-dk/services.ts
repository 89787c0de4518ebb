import type { BookingRequest, CarrierService, RuleProduct } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/check-codes.js';
import { anyOf, listOf, ruleCheck } from '../toolkit/checks/rule-check.js';
import { listAt } from '../toolkit/json.js';
import { inWords, refuseFor, unknownService, when } from '../toolkit/preflight.js';
import type { GlsDkConfig } from './config.js';
import { depositText } from './fields.js';

/**
 * What we call GLS's products, and how each is asked for. GLS ignores keys it does not know, so a misspelt one silently buys
 * another service.
 */
const SERVICES = {
  business: { name: 'BusinessParcel, EuroBusinessParcel', keys: () => ({}) },
  'private-delivery': { name: 'PrivateDelivery: to a private address', keys: () => ({ PrivateDelivery: 'Y' }) },
  'shop-delivery': {
    name: 'ShopDelivery: to the ParcelShop that the shipment names',
    keys: (request) => ({ ShopDelivery: request.pickUpPointId ?? '' }),
  },
  'flex-delivery': { name: 'FlexDelivery', keys: () => ({ FlexDelivery: 'Y' }) },
  deposit: {
    name: 'Deposit: left where the notes on delivery say',
    keys: (request) => ({ Deposit: depositText(request).sent }),
  },
  'direct-shop': {
    name: 'DirectShop: to the nearest ParcelShop, which GLS chooses',
    keys: () => ({ DirectShop: 'Y' }),
  },
  'express-10': { name: 'Express10: before 10:00', keys: () => ({ Express10: 'Y' }) },
  'express-12': { name: 'Express12: before 12:00', keys: () => ({ Express12: 'Y' }) },
} as const satisfies Readonly<
  Record<string, { readonly name: string; readonly keys: (request: BookingRequest) => GlsServices }>
>;

/** For people. */
export const GLS_SERVICES: readonly CarrierService[] = Object.entries(SERVICES).map(([code, { name }]) => ({
  code,
  name,
}));

export type GlsServices = Readonly<Record<string, string>>;

type GlsService = keyof typeof SERVICES;

const NAMES = Object.keys(SERVICES);

/** What of the account's settings decides services. */
export type ServiceSettings = Pick<GlsDkConfig, 'pickUpPoint' | 'servicesFromShipment'>;

/** A service, or a word of a rule that is none. */
type Named = GlsService | (string & {});

/** What GLS is asked for: the service of the rule, else what the shipment asks for; and what the rule adds to either. */
export function servicesOf(request: BookingRequest, settings: ServiceSettings): ReadonlySet<Named> {
  const { service } = request;
  const asked = service === null ? servicesFromShipment(request, settings) : [service];
  return new Set([...asked, ...addedServices(request.options)]);
}

function addedServices(options: RuleProduct['options']): readonly string[] {
  return listAt(options, 'services').filter((each) => typeof each === 'string');
}

/** A text for the driver together with "nobody need be at home" says where to leave the parcel. */
function servicesFromShipment(request: BookingRequest, settings: ServiceSettings): readonly GlsService[] {
  const isNamed = Boolean(request.pickUpPointId);
  const toShop = request.deliverToPickUpPoint || (isNamed && settings.pickUpPoint === 'id');
  if (toShop && isNamed) return ['shop-delivery'];
  if (settings.servicesFromShipment === 'pick-up-point') return [];
  if (toShop) return ['direct-shop'];
  const left: GlsService = request.notesOnDelivery ? 'deposit' : 'flex-delivery';
  const asked: readonly (readonly [boolean, GlsService])[] = [
    [request.unattendedDelivery, left],
    [request.privateDelivery === true, 'private-delivery'],
  ];
  return asked.flatMap(([isAsked, service]) => (isAsked ? [service] : []));
}

const checkOptions = ruleCheck({
  carrier: 'GLS',
  options: {
    services: listOf((each) => typeof each === 'string', `[${NAMES.join(', ')}]`),
    cashOnDelivery: { allowed: '499.50', isFine: (value) => amountIn(value) !== null },
    notification: anyOf(['email', 'none', 'automatic']), // the last two are Bring's: one rule may lead to either, by price
  },
});

/** Of the service of a rule, of those that it adds, and of its other options. */
export function checkRule({ service, options }: RuleProduct): readonly ValidationIssue[] {
  const named = [service, ...addedServices(options)];
  return [
    ...checkOptions({ service, options }),
    ...named.flatMap((each) => unknownService(each, { carrier: 'GLS', known: NAMES })),
  ];
}

/**
 * What must not be sent at all: GLS ignores a service that it does not understand, and would carry the parcels by
 * another product than the one asked for.
 */
export function unsendable(request: BookingRequest, settings: ServiceSettings): readonly ValidationIssue[] {
  const services = servicesOf(request, settings);
  const { options, parcels } = request;
  const isCollected = amountIn(options.cashOnDelivery) !== null;
  return [
    ...checkRule(request),
    ...inWords(
      'The number of the parcel shop is missing: add the pick-up point to the shipment.',
      when(services.has('shop-delivery') && !request.pickUpPointId, 'pick-up-point-missing'),
    ),
    ...when(services.has('deposit') && depositText(request).sent === '', 'deposit-missing'),
    // The amount is collected for each parcel.
    ...when(isCollected && parcels.length > 1, 'single-parcel', { service: 'cash on delivery', carrier: 'GLS' }),
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
  refuseFor(unsendable(request, settings));
  const asked = servicesOf(request, settings);
  const sent = Object.entries(SERVICES).flatMap(([service, { keys }]) => (asked.has(service) ? [keys(request)] : []));
  const email = request.recipient.contact.email?.trim();
  const notification = request.options.notification === 'email' && email ? { NotificationEmail: email } : {};
  return Object.assign({}, ...sent, notification);
}
