import type { BookingRequest, CarrierService } from '../contract/index.js';
import { internationalPhone, listAt, textAt, valueAt } from '../toolkit/index.js';
import type { BringConfig } from './config.js';
import { notesIn } from './fields.js';

/** Further properties depend on the service. */
export interface AdditionalService {
  readonly id: string;
  readonly [property: string]: unknown;
}

interface Route {
  readonly from: readonly string[];
  /** `null`: anywhere. */
  readonly to: readonly string[] | null;
}

const NORDIC = ['DK', 'FI', 'NO', 'SE'];
const FROM_THE_NORDICS: Route = { from: NORDIC, to: null };
const BETWEEN_THE_NORDICS: Route = { from: NORDIC, to: NORDIC };
const INSIDE_NORWAY: Route = { from: ['NO'], to: ['NO'] };

/**
 * Bring's service catalogue by request code, each with its production code. Bring has more, which are sent as a rule names them.
 * A route that is missing is not checked.
 */
const CATALOGUE: readonly (CarrierService & { readonly productionCode: string; readonly route?: Route })[] = [
  { code: 'PICKUP_PARCEL', productionCode: '0340', name: 'PickUp Parcel', route: FROM_THE_NORDICS },
  { code: 'PICKUP_PARCEL_BULK', productionCode: '0342', name: 'PickUp Parcel Bulk', route: FROM_THE_NORDICS },
  { code: 'HOME_DELIVERY_PARCEL', productionCode: '0349', name: 'Home Delivery Parcel', route: BETWEEN_THE_NORDICS },
  { code: 'BUSINESS_PARCEL', productionCode: '0330', name: 'Business Parcel', route: FROM_THE_NORDICS },
  { code: 'BUSINESS_PARCEL_BULK', productionCode: '0332', name: 'Business Parcel Bulk', route: FROM_THE_NORDICS },
  { code: '5800', productionCode: '5800', name: 'Pick-up parcel inside Norway', route: INSIDE_NORWAY },
  { code: '5600', productionCode: '5600', name: 'Home delivery inside Norway', route: INSIDE_NORWAY },
  { code: '5000', productionCode: '5000', name: 'Business parcel inside Norway', route: INSIDE_NORWAY },
  { code: '4850', productionCode: '4850', name: 'Express inside Norway', route: INSIDE_NORWAY },
  { code: '3584', productionCode: '3584', name: 'Mailbox parcel inside Norway', route: INSIDE_NORWAY },
  { code: 'DOUBLE_INDOOR', productionCode: '2870', name: 'Home delivery, double indoor' },
  { code: 'CURBSIDE', productionCode: '3123', name: 'Home delivery, curbside' },
  { code: 'CARGO_INTERNATIONAL', productionCode: '3050', name: 'Cargo in Europe' },
  { code: 'PICKUP_PARCEL_RETURN', productionCode: '0341', name: 'PickUp Parcel Return' },
  { code: 'PICKUP_PARCEL_RETURN_BULK', productionCode: '0343', name: 'PickUp Parcel Return Bulk' },
  { code: 'BUSINESS_PARCEL_RETURN', productionCode: '0331', name: 'Business Parcel Return' },
  { code: 'BUSINESS_PARCEL_RETURN_BULK', productionCode: '0333', name: 'Business Parcel Return Bulk' },
];

/** For people. */
export const SERVICES: readonly CarrierService[] = CATALOGUE.map(({ code, name }) => ({ code, name }));

/** By production code: between which countries a service goes. What is not here is not checked. */
export const ROUTES: Readonly<Record<string, Route>> = Object.fromEntries(
  CATALOGUE.flatMap(({ productionCode, route }) => (route ? [[productionCode, route]] : [])),
);

/** Production codes of the request codes; a service may be written either way. */
const PRODUCTION_CODES = new Map(CATALOGUE.map(({ code, productionCode }) => [code, productionCode]));

const PICK_UP = new Set(['0340', '0342', '5800']);
const HOME_DELIVERY = new Set(['0349', '5600']);

/** What of the account's settings decides additional services. */
export type NotificationSettings = Pick<BringConfig, 'notification'>;

export interface Product {
  /** As Bring's API takes it. */
  readonly id: string;
  readonly productionCode: string;
  readonly kind: 'pick-up' | 'home-delivery' | 'other';
}

/** The service asked for, or the one that we take for what the shipment asks for (this folder's README, "Services"). */
export function productOf(request: BookingRequest): Product {
  const id = request.service ?? serviceFromShipment(request);
  const productionCode = PRODUCTION_CODES.get(id) ?? id;
  return { id, productionCode, kind: kindOf(productionCode) };
}

function kindOf(productionCode: string): Product['kind'] {
  if (PICK_UP.has(productionCode)) return 'pick-up';
  return HOME_DELIVERY.has(productionCode) ? 'home-delivery' : 'other';
}

function serviceFromShipment(request: BookingRequest): string {
  const country = countryOf(request);
  const norway = country === 'NO' && request.sender.address.countryCode === 'NO';
  // Outside the Nordic countries nothing but the business parcel goes to an address.
  const isNordic = country === null || NORDIC.includes(country);
  if (request.deliverToPickUpPoint) return norway ? '5800' : 'PICKUP_PARCEL';
  if (request.privateDelivery === true && isNordic) return norway ? '5600' : 'HOME_DELIVERY_PARCEL';
  return norway ? '5000' : 'BUSINESS_PARCEL';
}

/** Services whose labels show the recipient's `additionalAddressInfo`: 5000 and 4850, and cargo (this folder's README). */
const SHOWS_ADDRESS_INFO = new Set(['5000', '4850', '5100', '5200', '5300', '5400', '9100', '3050']);

export function showsAddressInfo(request: BookingRequest): boolean {
  return SHOWS_ADDRESS_INFO.has(productOf(request).productionCode);
}

/** Members of the product that the rule names besides its id and its additional services. */
export function namedMembers({ options }: BookingRequest): Readonly<Record<string, unknown>> {
  const product = valueAt(options, 'product');
  return typeof product === 'object' && !Array.isArray(product) ? { ...product } : {};
}

/** A message to the recipient by text message or e-mail. */
export const NOTIFICATION = 'EVARSLING';
/** Leave to put the parcel down. */
export const UNATTENDED = '0041';
/** Delivery services that need a person at the door: signature, identity checks, cash on delivery. */
export const NEEDS_A_PERSON = ['1280', '1133', '1134', '1000'];

/**
 * Add-ons named by the rule, completed with the recipient's data, and those that follow from the shipment: a message
 * to a private recipient, and leave to put the parcel down.
 */
export function additionalServices(
  request: BookingRequest,
  settings: NotificationSettings,
): readonly AdditionalService[] {
  const named = namedServices(request);
  const ids = new Set(named.map(({ id }) => id));
  const added = [
    ...(isNotified(request, settings) ? [NOTIFICATION] : []),
    ...(mayBeLeft(request, ids) ? [UNATTENDED] : []),
  ];
  return [...named, ...added.filter((id) => !ids.has(id)).map((id) => completed(request, { id }))];
}

/** Other names of the services that we look into. */
const SAME_SERVICE = new Map([
  ['FLEX_DELIVERY', UNATTENDED], // its former name
  ['2084', NOTIFICATION], // its production code
]);

/** @param option an entry of `options.additionalServices`; `null`: it names no service */
export function idOf(option: unknown): string | null {
  const id = textAt(option, 'id');
  return id === null ? null : (SAME_SERVICE.get(id) ?? id);
}

function namedServices(request: BookingRequest): readonly AdditionalService[] {
  return listAt(request.options, 'additionalServices').flatMap((option) => {
    const id = idOf(option);
    return id === null || typeof option !== 'object' ? [] : [completed(request, { ...option, id })];
  });
}

/** With the recipient's data where it needs them; what the rule says goes before them. */
function completed(request: BookingRequest, service: AdditionalService): AdditionalService {
  const message = notesIn('message', request.notesOnDelivery).sent || undefined;
  if (service.id === NOTIFICATION) return { ...notificationAddress(request), ...service };
  return service.id === UNATTENDED && message ? { message, ...service } : service;
}

/** The rule's word goes before the account's. */
function isNotified(request: BookingRequest, settings: NotificationSettings): boolean {
  if ((request.options.notification ?? settings.notification) === 'none') return false;
  const { email, mobile } = notificationAddress(request);
  return productOf(request).kind !== 'other' && (email !== undefined || mobile !== undefined);
}

/** Where the recipient can be told of the parcel; a text message goes to a mobile number only. */
function notificationAddress(request: BookingRequest) {
  const { email, mobile } = request.recipient.contact;
  const number = internationalPhone(mobile ?? '', countryOf(request));
  return { email: email?.trim() || undefined, mobile: number || undefined };
}

/** Not offered for pick-up parcels, and not together with what needs a person. */
function mayBeLeft(request: BookingRequest, ids: ReadonlySet<string>): boolean {
  const offered = productOf(request).kind !== 'pick-up' && !NEEDS_A_PERSON.some((id) => ids.has(id));
  return request.unattendedDelivery && offered;
}

function countryOf(request: BookingRequest): string | null {
  return request.recipient.address.countryCode;
}
