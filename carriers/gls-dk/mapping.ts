import countries from 'i18n-iso-countries';
import type { Booking, BookingRequest, Parcel, Party } from '../contract/index.js';
import { OutcomeUnknown } from '../contract/index.js';
import { listAt, textAt } from '../toolkit/json-path.js';
import { cut, internationalPhone, said } from '../toolkit/text.js';
import { kilograms } from '../toolkit/units.js';
import type { GlsDkConfig } from './config.js';
import { toGlsServices } from './service.js';
import type { GlsAddress, GlsParcel, GlsShipment } from './wire.js';
import { LONGEST } from './wire.js';

export interface ShipmentContext {
  readonly config: GlsDkConfig;
  readonly now: Date;
}

/** @throws CarrierRejected GLS would take it in another sense than ours */
export function toGlsShipment(request: BookingRequest, context: ShipmentContext): GlsShipment {
  const { config } = context;
  return {
    UserName: config.userName,
    Password: config.password,
    Customerid: config.customerId,
    Contactid: config.contactId,
    ShipmentDate: shipmentDate(request.shipDate, context.now),
    Reference: request.reference,
    Addresses: { Delivery: toGlsAddress(request.recipient), AlternativeShipper: toShipper(request.sender) },
    Parcels: request.parcels.map(toGlsParcel),
    Services: toGlsServices(request),
  };
}

/** A request that had to wait over midnight is sent with the day on which it goes. */
function shipmentDate(shipDate: string, now: Date): string {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Copenhagen' }).format(now);
  return (shipDate > today ? shipDate : today).replaceAll('-', '');
}

/**
 * GLS refuses a longer `Street1`, and the end of it, the house number, is what a driver needs most.
 * @returns what fits, and what goes on in `Name3`, where the label shows it too
 */
export function splitStreet(street: string | null): { readonly first: string; readonly rest: string } {
  const whole = (street ?? '').replace(/\s+/g, ' ').trim();
  const first = cut(whole, LONGEST.line);
  return { first, rest: whole.slice(first.length).trim() };
}

function toGlsAddress(party: Party): GlsAddress {
  const { address, contact } = party;
  const street = splitStreet(address.street);
  return {
    Name1: line(address.name ?? contact.name),
    Name2: orNone(line(address.careOf)),
    Name3: orNone(line(said(street.rest, address.floorBlockOrSuite, address.district).join(', '))),
    Street1: street.first,
    CountryNum: countryNumber(address.countryCode),
    ZipCode: address.postalCode ?? '',
    City: line(address.city),
    Contact: orNone(line(contact.name)),
    Email: orNone(contact.email),
    Phone: toGlsPhone(contact.phone, address.countryCode),
    Mobile: toGlsPhone(contact.mobile, address.countryCode),
  };
}

/**
 * @param countryCode ISO 3166-1 alpha-2
 * @returns ISO 3166-1 numeric as three digits; `''` for what is no country
 */
export function countryNumber(countryCode: string | null): string {
  return countries.alpha2ToNumeric(countryCode ?? '') ?? '';
}

function line(text: string | null): string {
  return cut(text ?? '', LONGEST.line);
}

function toGlsPhone(phone: string | null, countryCode: string | null): string | undefined {
  return orNone(internationalPhone(phone ?? '', countryCode).slice(0, LONGEST.phone));
}

/** Half a sender would be refused; without one GLS prints the account's own. */
function toShipper(sender: Party): GlsAddress | undefined {
  const shipper = toGlsAddress(sender);
  const needed = [shipper.Name1, shipper.Street1, shipper.CountryNum, shipper.ZipCode, shipper.City];
  const complete = needed.every((text) => text !== '') && shipper.ZipCode.length <= LONGEST.postalCode;
  return complete ? shipper : undefined;
}

function toGlsParcel(parcel: Parcel): GlsParcel {
  return {
    Weight: kilograms(parcel.weightGrams),
    Reference: orNone(cut(parcel.label, LONGEST.parcelReference)),
    Comment: orNone(cut(parcel.description ?? '', LONGEST.comment)),
  };
}

function orNone(text: string | null): string | undefined {
  return text === '' || text === null ? undefined : text;
}

/**
 * Parcels and their numbers correspond by position only: GLS sends nothing of ours back.
 * @param answer the JSON of a 2xx
 * @throws OutcomeUnknown it is booked, but which number belongs to which parcel cannot be told; the message names all numbers
 */
export function fromGlsAnswer(request: BookingRequest, answer: unknown): Booking {
  const carrierNumber = textAt(answer, 'ConsignmentId');
  const numbers = listAt(answer, 'Parcels').map((parcel) => textAt(parcel, 'ParcelNumber'));
  const given = numbers.filter((number) => number !== null);
  const paired = numbers.length === request.parcels.length && new Set(given).size === numbers.length;
  if (!paired) throw new OutcomeUnknown(unpaired(request, carrierNumber, given));
  return {
    carrierNumber,
    parcels: request.parcels.map((parcel, index) => booked(parcel, given[index] ?? '')),
    labelSource: null,
  };
}

function booked(parcel: Parcel, trackingNumber: string): Booking['parcels'][number] {
  return { kind: 'booked', parcelId: parcel.id, trackingNumber, trackingUrl: trackingUrl(trackingNumber) };
}

/** GLS's page for recipients, in Danish; in production with another vendor's integration. */
function trackingUrl(trackingNumber: string): string {
  return `https://gls-group.eu/DK/da/find-pakke?txtAction=71000&match=${encodeURIComponent(trackingNumber)}`;
}

function unpaired(request: BookingRequest, carrierNumber: string | null, numbers: readonly string[]): string {
  const booking = carrierNumber === null ? 'without a shipment number' : `as shipment ${carrierNumber}`;
  return (
    `GLS confirmed reference ${request.reference} ${booking} with the parcel numbers ` +
    `${numbers.join(', ') || '(none)'}, but ${request.parcels.length} were asked for: compare with GLS's own pages`
  );
}
