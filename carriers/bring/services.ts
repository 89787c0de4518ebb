import type { BookingRequest, CarrierService, Parcel } from '../contract/index.js';
import { type FieldTable, LATIN_1, fit, fitAll, isReachable, listAt, sentContact, sentOf } from '../toolkit/index.js';
import { textAt, thatHold, valueAt, withoutField } from '../toolkit/index.js';

/** The letters are an assumption: see this folder's README. */
const LINE = { longest: 35, letters: LATIN_1 };

/** What Bring takes in the fields that hold texts of ours. */
export const FIELDS = {
  name: { means: 'name', ...LINE },
  addressLine: { means: 'street', ...LINE },
  addressLine2: { means: 'second-line', ...LINE },
  city: { means: 'city', ...LINE },
  reference: { means: 'reference', ...LINE },
  contactName: { means: 'contact', ...LINE },
  phoneNumber: { means: 'phone' },
  email: { means: 'email', longest: 60 },
  goodsDescription: { means: 'description', ...LINE },
  message: { means: 'notes', longest: 400, letters: LATIN_1 }, // of unattended delivery; an assumption too
  additionalAddressInfo: { means: 'notes', longest: 70, letters: LATIN_1 }, // the driver reads it beside the address
  notesOnDelivery: { means: 'notes' },
} as const satisfies FieldTable;

export const packageTexts = ({ description }: Pick<Parcel, 'description'>) =>
  fitAll({ goodsDescription: description }, FIELDS);

export const [NORDIC, NORWAY] = [['DK', 'FI', 'NO', 'SE'], ['NO']];

/** `from`, `to`: the countries that it goes from and to; missing: not checked. */
type Service = CarrierService & Readonly<{ productionCode: string; from?: readonly string[]; to?: readonly string[] }>;

/** By request code. Bring has more services, which are sent as a rule names them. */
export const SERVICES: readonly Service[] = [
  { code: 'PICKUP_PARCEL', productionCode: '0340', name: 'PickUp Parcel', from: NORDIC },
  { code: 'PICKUP_PARCEL_BULK', productionCode: '0342', name: 'PickUp Parcel Bulk', from: NORDIC },
  { code: 'HOME_DELIVERY_PARCEL', productionCode: '0349', name: 'Home Delivery Parcel', from: NORDIC, to: NORDIC },
  { code: 'BUSINESS_PARCEL', productionCode: '0330', name: 'Business Parcel', from: NORDIC },
  { code: 'BUSINESS_PARCEL_BULK', productionCode: '0332', name: 'Business Parcel Bulk', from: NORDIC },
  { code: '5800', productionCode: '5800', name: 'Pick-up parcel inside Norway', from: NORWAY, to: NORWAY },
  { code: '5600', productionCode: '5600', name: 'Home delivery inside Norway', from: NORWAY, to: NORWAY },
  { code: '5000', productionCode: '5000', name: 'Business parcel inside Norway', from: NORWAY, to: NORWAY },
  { code: '4850', productionCode: '4850', name: 'Express inside Norway', from: NORWAY, to: NORWAY },
  { code: '3584', productionCode: '3584', name: 'Mailbox parcel inside Norway', from: NORWAY, to: NORWAY },
  { code: 'DOUBLE_INDOOR', productionCode: '2870', name: 'Home delivery, double indoor' },
  { code: 'CURBSIDE', productionCode: '3123', name: 'Home delivery, curbside' },
  { code: 'CARGO_INTERNATIONAL', productionCode: '3050', name: 'Cargo in Europe' },
  { code: 'PICKUP_PARCEL_RETURN', productionCode: '0341', name: 'PickUp Parcel Return' },
  { code: 'PICKUP_PARCEL_RETURN_BULK', productionCode: '0343', name: 'PickUp Parcel Return Bulk' },
  { code: 'BUSINESS_PARCEL_RETURN', productionCode: '0331', name: 'Business Parcel Return' },
  { code: 'BUSINESS_PARCEL_RETURN_BULK', productionCode: '0333', name: 'Business Parcel Return Bulk' },
];

/** What else is known of services, by production code. */
const FACTS = {
  'pick-up': '0340 0342 5800',
  'home-delivery': '0349 5600',
  return: '0331 0333 0341 0343 9000 9300 9350 9600',
  mailbox: '3584 3570', // one label a booking
  'zpl-only': '3570',
  'needs-incoterms': '3050', // and no other one takes them
  'address-info': '5000 4850 5100 5200 5300 5400 9100 3050', // the label shows the recipient's (this folder's README)
  measured: '5100 5300 9100 2870 3123', // cargo and heavy home deliveries: refused without either all sides or the volume
  cargo: '5100 5300 9100', // load metres and pallets are measures too
  'declared-from-Norway': '0330 0340 3639', // refused from there to other countries without customs data
  voec: '0340 0342 0349 3584 0360', // into Norway
  ungrouped: '0360', // with a VOEC number, the one whose shipments have no group
} as const;
/** The services that do not go inside a country, by production code. */
const NOT_INSIDE: Readonly<Record<string, readonly string[]>> = { NO: ['0330', '0340', '0349'], FI: ['0340', '0349'] };
/** The heaviest parcel inside Denmark, by production code. */
const DANISH_LIMITS_GRAMS: Readonly<Record<string, number>> = { '0340': 20_000, '0342': 20_000, '0349': 35_000 };

/** @param id as Bring's API takes it: the request code, or the production code */
export function productNamed(id: string) {
  const known = SERVICES.find(({ code, productionCode }) => code === id || productionCode === id);
  const { code, productionCode, from, to }: Service = known ?? { code: id, productionCode: id, name: id };
  const is = (...facts: readonly (keyof typeof FACTS)[]) =>
    facts.some((fact) => FACTS[fact].split(' ').includes(productionCode));
  const maxGramsTo = (country: string) => (country === 'DK' && DANISH_LIMITS_GRAMS[productionCode]) || Infinity;
  const isOffered = (origin: string, country: string) =>
    ['', ...(from ?? [origin])].includes(origin) &&
    ['', ...(to ?? [country])].includes(country) &&
    !(origin === country && NOT_INSIDE[country]?.includes(productionCode));
  const isHandedOverIn = (country: string) => is('pick-up') && ['DK', 'SE'].includes(country);
  return { id, code, is, maxGramsTo, isOffered, isHandedOverIn };
}

/** Services of return labels, each of which needs an agreement with Bring. */
export const RETURN_SERVICES = FACTS.return.split(' ').map((id) => productNamed(id).code);

/** The service asked for, or the one that we take for what the shipment asks for (this folder's README, "Services"). */
export function productOf(request: BookingRequest) {
  const { service, incoterms, sender, recipient } = request;
  const [origin = '', country = ''] = [sender, recipient].map(({ address }) => address.countryCode ?? '');
  const product = productNamed(service ?? serviceFor(request, origin, country));
  const isForPoint = request.pickUpPointId !== null && (request.deliverToPickUpPoint || product.is('pick-up'));
  const incotermRule = (product.is('needs-incoterms') && incoterms) || undefined;
  return { ...product, origin, country, isForPoint, incotermRule };
}

function serviceFor({ deliverToPickUpPoint, privateDelivery }: BookingRequest, origin: string, country: string) {
  const isNorway = origin === 'NO' && country === 'NO';
  if (deliverToPickUpPoint) return isNorway ? '5800' : 'PICKUP_PARCEL';
  const home = isNorway ? '5600' : 'HOME_DELIVERY_PARCEL';
  // Where there is no home delivery, nothing but the business parcel goes to an address.
  if (privateDelivery === true && productNamed(home).isOffered(origin, country)) return home;
  return isNorway ? '5000' : 'BUSINESS_PARCEL';
}

export const NOTIFICATION = 'EVARSLING'; // a message to the recipient by text message or e-mail
export const UNATTENDED = '0041'; // leave to put the parcel down
/** Delivery services that need a person at the door: signature, identity checks, cash on delivery. */
export const NEEDS_A_PERSON = ['1280', '1133', '1134', '1000'];

/** Where a recipient can be told of the parcel; a text message goes to a mobile number only. */
const NOTICE = { email: { means: 'email' }, mobile: { means: 'mobile' } } as const satisfies FieldTable;

/** Other names of the services that we look into: a former name, and a production code. */
const SAME_SERVICE = new Map(Object.entries({ FLEX_DELIVERY: UNATTENDED, '2084': NOTIFICATION }));

/** Further properties depend on the service. One without an id is refused beforehand. */
type AdditionalService = Readonly<{ id: string | null; [property: string]: unknown }>;

/** An additional service by its id of today. */
export function toService(given: unknown): AdditionalService {
  const id = textAt(given, 'id');
  return { ...Object(given), id: SAME_SERVICE.get(id ?? '') ?? id };
}

/** What of the account's settings a request is sent with. */
export type AccountSettings = Readonly<{ customerNumber: string; notification: string }>;

export type Asked = ReturnType<typeof askedOf>;

/**
 * All that a request asks of Bring. To the additional services that the rule names it adds those that follow from the shipment:
 * a message to a private recipient, and leave to put the parcel down. The recipient's data complete what the rule says of them.
 */
export function askedOf(request: BookingRequest, { customerNumber, notification }: AccountSettings) {
  const { options, unattendedDelivery, notesOnDelivery: notes } = request;
  const product = productOf(request);
  const { is, incotermRule } = product;
  const named = listAt(options, 'additionalServices').map(toService);
  const namedOf = (...ids: readonly string[]) => ids.filter((id) => named.some((service) => service.id === id));
  const isWanted = (options.notification ?? notification) !== 'none'; // the rule's word goes before the account's
  const told = sentContact(request.recipient, NOTICE);
  const canBeTold = isReachable(told.email ?? null, told.mobile ?? null) && is('pick-up', 'home-delivery');
  // A parcel for a pick-up point, or one that needs a person, cannot be left unattended.
  const isHandedOver = is('pick-up') || namedOf(...NEEDS_A_PERSON).length > 0;
  const following = { [NOTIFICATION]: isWanted && canBeTold, [UNATTENDED]: unattendedDelivery && !isHandedOver };
  const added = thatHold(following).filter((id) => namedOf(id).length === 0);
  const message = fit([notes], FIELDS.message);
  const fromShipment: Readonly<Record<string, object>> = { [NOTIFICATION]: told, [UNATTENDED]: sentOf({ message }) };
  const services: readonly AdditionalService[] = [...named, ...added.map((id) => ({ id }))];
  const additionalServices = services.map((each) => ({ ...fromShipment[each.id ?? ''], ...each }));
  // As the message of unattended delivery, unless the rule names another one, or beside the address: the longer one counts.
  const isMessage = additionalServices.some((each) => each.id === UNATTENDED && each.message === message.sent);
  const info = is('address-info') ? fit([notes], FIELDS.additionalAddressInfo) : withoutField(notes, 'meaning-lost');
  return {
    ...{ ...product, named, namedOf, additionalServices, info, notes: isMessage ? message : info },
    members: Object(valueAt(options, 'product')) as Readonly<Record<string, unknown>>, // of the product, as the rule names them
    sent: { customerNumber, incotermRule },
  };
}
