import type { BookingRequest, BookingWithLabels, FoundBooking } from '../contract/index.js';
import type { Parcel, Party } from '../contract/index.js';
import { otherText } from '../toolkit/checks/party-problems.js';
import { listAt, neededAt, neededList, numberAt, textAt, unexpected, valueAt } from '../toolkit/json.js';
import { dayOfSending } from '../toolkit/local-time.js';
import { bookedByPlace } from '../toolkit/parcels/booked-parcels.js';
import { partyTexts, sentOf } from '../toolkit/party-texts.js';
import { plainPostalCode } from '../toolkit/preflight.js';
import { said, withoutDanishCode } from '../toolkit/text.js';
import { explainedEvents } from '../toolkit/tracking/explained-codes.js';
import { sidesInCentimetres } from '../toolkit/units.js';
import type { FragtConfig } from './config.js';
import { FIELDS, GROUPAGE, hubAgreementOf } from './services.js';

const DAY_MS = 86_400_000;
/** Consignments in one answer of the search. */
const MAX_FOUND = 2_000;
/** Options that go as they are. */
const PASSED = ['ProductCode', 'ServiceCodes', 'ExchangePallets', 'Insurance', 'Department', 'PickupRemarks'];
const PALLETS = { full: 'PL1', half: 'PL2', quarter: 'PL4' } as const;
const MAX_GRAMS_OF_K20 = 20_000;
const LITRES_IN = { m3: 1000, litres: 1 } as const;

interface Context {
  readonly config: FragtConfig;
  readonly now: Date;
}

export function toFragtConsignment(request: BookingRequest, { config, now }: Context) {
  const { options, sender, recipient, customersReference, sendersReference } = request;
  const remark = otherText(FIELDS, 'notes', request.notesOnDelivery).sent;
  const day = dayOfSending(request, now);
  const [from, to] = [toParts(sender), toParts(recipient)];
  return {
    ConsignmentDate: day,
    AgreementNumber: config.agreementNumber,
    ...toProduct(request, config),
    Sender: { ...from.address, ContactPerson: from.person, Phone: from.phone, Email: from.email },
    Receiver: {
      ...to.address,
      ContactPerson: to.person,
      ContactPersonPhone: to.phone,
      ContactPersonEmail: to.email,
    },
    Initiator: from.address,
    Goods: request.parcels.map((parcel) => toGoods(parcel, options, config)),
    ...toTimes(options, day),
    DeliveryNotification: options.notification === 'none' ? undefined : toNotification(recipient),
    PreBooking: false,
    SenderReference: request.reference,
    ...{ Reference1: customersReference ?? undefined, Reference2: sendersReference ?? undefined },
    DeliveryRemark: remark || undefined,
  };
}

function toProduct(request: BookingRequest, config: FragtConfig) {
  const { options, service, deliverToPickUpPoint, pickUpPointId } = request;
  return {
    HubAgreement: hubAgreementOf(request, config) ?? undefined,
    ShippingType: service ?? GROUPAGE,
    ConsignmentNoteType: textAt(options, 'ConsignmentNoteType') ?? 'Pickup',
    WhoPays: textAt(options, 'WhoPays') ?? 'Prepaid',
    ...Object.fromEntries(PASSED.map((name) => [name, options[name]])),
    ShopId: deliverToPickUpPoint ? (pickUpPointId ?? undefined) : undefined,
  };
}

/** A consignment from the customer to the warehouse, which orders it. */
export function toFragtReturn(request: BookingRequest, context: Context) {
  const consignment = toFragtConsignment({ ...request, options: { ConsignmentNoteType: 'Return' } }, context);
  return { ...consignment, Initiator: toParts(request.recipient).address, DeliveryNotification: undefined };
}

/** The goods are fetched on the day of the consignment, and brought so many working days later; holidays are not known. */
function toTimes({ PickupTime: pickup, DeliveryTime: delivery }: BookingRequest['options'], day: string) {
  const at = (date: string, time: string | null) => (time === null ? undefined : `${date}T${time}:00`);
  const between = (date: string, group: unknown, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, at(date, textAt(group, name))]));
  const brought = workingDaysAfter(day, numberAt(delivery, 'workingDays') ?? 1);
  return {
    PickupTime: pickup && between(day, pickup, ['PickupIntervalStart', 'PickupIntervalEnd']),
    DeliveryTime: delivery && {
      ...{ DotType: textAt(delivery, 'DotType') ?? undefined, RequestedDeliveryDate: brought },
      ...between(brought, delivery, ['DotIntervalStart', 'DotIntervalEnd']),
    },
  };
}

function workingDaysAfter(day: string, days: number): string {
  if (days === 0) return day;
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS);
  const isWorkingDay = next.getUTCDay() % 6 !== 0;
  return workingDaysAfter(next.toISOString().slice(0, day.length), isWorkingDay ? days - 1 : days);
}

/**
 * The address, and the contact, which has other names in another party. Danish telephone numbers are written without
 * the code of the country, as the clients do it.
 */
function toParts(party: Party) {
  const { ContactPerson: person, ...texts } = sentOf(partyTexts(party, FIELDS));
  const { ContactPersonPhone: number, ContactPersonEmail: email, ...lines } = texts;
  const { countryCode } = party.address;
  const address = { ...lines, Zipcode: plainPostalCode(party.address) ?? undefined, Country: countryCode ?? undefined };
  return { address, person, phone: number && withoutDanishCode(number), email };
}

/** A line for each parcel. Danske Fragtmænd takes whole kilograms only, and at least one. */
function toGoods(parcel: Parcel, options: BookingRequest['options'], { volume, smallParcels }: FragtConfig) {
  const { volumeMl } = parcel;
  const sides = sidesInCentimetres(parcel);
  const loose = parcel.weightGrams <= MAX_GRAMS_OF_K20 ? smallParcels : 'CLL';
  return {
    NumberOfItems: 1,
    Type: textAt(options, 'Type') ?? (parcel.pallet ? PALLETS[parcel.pallet] : loose),
    Weight: Math.max(1, Math.ceil(parcel.weightGrams / 1000)),
    ...(sides && { Length: sides.length, Width: sides.width, Height: sides.height }),
    Volume: volume === 'none' || volumeMl === null ? undefined : volumeMl / 1000 / LITRES_IN[volume],
    ...{ Stackable: options.Stackable, LoadMeters: options.LoadMeters },
    Description: parcel.description ?? undefined,
    SenderRef: otherText(FIELDS, 'reference', parcel.label).sent || undefined,
  };
}

function toNotification({ contact, address }: Party) {
  const { ContactPersonEmail: email } = sentOf(partyTexts({ contact, address }, FIELDS));
  const { ContactPersonPhone: mobile } = sentOf(partyTexts({ contact: { ...contact, phone: null }, address }, FIELDS));
  const [Email, SMS] = [said(email), said(mobile && withoutDanishCode(mobile))];
  return Email.length + SMS.length > 0 ? { Email, SMS } : undefined;
}

const barcodesIn = (consignment: unknown): readonly (string | null)[] =>
  listAt(consignment, 'Goods').flatMap((line) => listAt(line, 'ColliCodes').map((colli) => textAt(colli, 'Barcode')));

/** Parcels are told apart by their place. */
export function fromFragtConsignment(request: BookingRequest, json: unknown): BookingWithLabels {
  const carrierNumber = neededAt(json, 'ConsignmentNumber');
  const booking = bookedByPlace(request, { carrierNumber, trackingNumbers: barcodesIn(json) });
  return { booking, labels: [], answersReference: neededAt(json, 'SenderReference') };
}

/** `query` of the search: from the day before the booking was planned, because no attempt is older. */
export function searchFor({ shipDate }: BookingRequest, now: Date) {
  const from = Math.min(now.getTime(), Date.parse(`${shipDate}T00:00:00Z`) || now.getTime());
  return { sinceDateTime: new Date(from - DAY_MS).toISOString(), suggestedMax: `${MAX_FOUND}` };
}

/** @throws Error there may be more consignments than the answer has, or a parcel of ours has no bar code */
export function fromFragtSearch({ reference }: BookingRequest, json: unknown): FoundBooking | null {
  const notes = neededList(json, 'ConsignmentNotes');
  const isOurs = (note: unknown) => textAt(note, 'SenderReference') === reference && valueAt(note, 'Deleted') !== true;
  const found = notes.find(isOurs);
  if (found === undefined && notes.length >= MAX_FOUND) throw new Error(`${notes.length} consignments, none of ours`);
  if (found === undefined) return null;
  const parcels = barcodesIn(found).map((trackingNumber) => {
    if (trackingNumber === null) throw unexpected(found, 'a barcode of each parcel');
    return { parcelId: null, trackingNumber, trackingUrl: null };
  });
  return { carrierNumber: neededAt(found, 'ConsignmentNumber'), parcels, labelSource: null };
}

/** The events of a consignment count for each of its parcels. */
export function fromFragtTracking(trackingNumber: string, rows: readonly unknown[], { trackingCodes }: FragtConfig) {
  return explainedEvents(trackingNumber, rows, { at: 'Date', code: 'EventCode', codes: trackingCodes });
}
