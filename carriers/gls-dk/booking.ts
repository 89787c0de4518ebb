import countries from 'i18n-iso-countries/index.js';
import type { Booking, BookingRequest, Parcel, Party } from '../contract/index.js';
import { OutcomeUnknown } from '../contract/index.js';
import { listAt, textAt } from '../toolkit/json.js';
import { kilograms } from '../toolkit/units.js';
import type { GlsDkConfig } from './config.js';
import { addressFields, parcelFields } from './fields.js';
import { cashOnDelivery, toGlsServices } from './services.js';
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
    Parcels: request.parcels.map((parcel) => ({ ...toGlsParcel(parcel), Cashservice: cashOnDelivery(request) })),
    Services: toGlsServices(request, config),
  };
}

/** Made once: that takes longer than everything else here. Writes YYYY-MM-DD. */
const DANISH_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Copenhagen' });

/** A request that had to wait over midnight is sent with the day on which it goes. */
function shipmentDate(shipDate: string, now: Date): string {
  const today = DANISH_DAY.format(now);
  return (shipDate > today ? shipDate : today).replaceAll('-', '');
}

function toGlsAddress(party: Party): GlsAddress {
  const { address, contact } = party;
  const fields = addressFields(party);
  return {
    Name1: fields.Name1.sent,
    Name2: orNone(fields.Name2.sent),
    Name3: orNone(fields.Name3.sent),
    Street1: fields.Street1.sent,
    CountryNum: countryNumber(address.countryCode),
    ZipCode: address.postalCode ?? '',
    City: fields.City.sent,
    Contact: orNone(fields.Contact.sent),
    Email: orNone(contact.email?.trim() ?? null),
    Phone: orNone(fields.Phone.sent),
    Mobile: orNone(fields.Mobile.sent),
  };
}

/**
 * @param countryCode ISO 3166-1 alpha-2
 * @returns ISO 3166-1 numeric as three digits; `''` for what is no country
 */
export function countryNumber(countryCode: string | null): string {
  return countries.alpha2ToNumeric(countryCode ?? '') ?? '';
}

/**
 * Half a sender would be refused; without one GLS prints the account's own.
 * @returns `undefined`: not all of it is known
 */
export function toShipper(sender: Party): GlsAddress | undefined {
  const { Email, Phone, Mobile, ...shipper } = toGlsAddress(sender);
  const needed = [shipper.Name1, shipper.Street1, shipper.CountryNum, shipper.ZipCode, shipper.City];
  const complete = needed.every((text) => text !== '') && shipper.ZipCode.length <= LONGEST.postalCode;
  const contact = {
    Email: upTo(LONGEST.email, Email),
    Phone: upTo(LONGEST.phone, Phone),
    Mobile: upTo(LONGEST.phone, Mobile),
  };
  return complete ? { ...shipper, ...contact } : undefined;
}

/** What is longer is left out of a sender: nobody is to wait for a booking because of it. */
function upTo(longest: number, text: string | undefined): string | undefined {
  return text !== undefined && text.length > longest ? undefined : text;
}

function toGlsParcel(parcel: Parcel): GlsParcel {
  const fields = parcelFields(parcel);
  return {
    Weight: kilograms(parcel.weightGrams),
    Reference: orNone(fields.Reference.sent),
    Comment: orNone(fields.Comment.sent),
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
