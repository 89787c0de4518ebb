import type { BookingRequest, BookingWithLabels, FoundBooking, Parcel, Party } from '../contract/index.js';
import { otherText } from '../toolkit/checks/party-problems.js';
import { listAt, neededAt, neededList, textAt, unexpected, valueAt } from '../toolkit/json.js';
import { localDateTime } from '../toolkit/local-time.js';
import { parcelsByPlace } from '../toolkit/parcels/booked-parcels.js';
import { partyTexts, sentOf } from '../toolkit/party-texts.js';
import { said } from '../toolkit/text.js';
import { sidesInCentimetres } from '../toolkit/units.js';
import type { FragtConfig } from './config.js';
import { FIELDS, GROUPAGE, hubAgreementOf } from './services.js';

/** Consignments in one answer of the search. */
const MOST_FOUND = 2_000;
/** A booking is searched for as long as this after it was sent. */
const SEARCHED_MS = 14 * 86_400_000;

interface Context {
  readonly config: FragtConfig;
  readonly now: Date;
}

export function toFragtConsignment(request: BookingRequest, { config, now }: Context) {
  const { options, sender, recipient, customersReference, sendersReference } = request;
  const remark = otherText(FIELDS, 'notes', request.notesOnDelivery).sent;
  return {
    ConsignmentDate: consignmentDate(request, now),
    AgreementNumber: config.agreementNumber,
    ...toProduct(request, config),
    ...{ Sender: toAddress(sender), Receiver: toAddress(recipient), Initiator: toAddress(sender) },
    Goods: request.parcels.map((parcel) => toGoods(parcel, options)),
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
    ProductCode: textAt(options, 'ProductCode') ?? undefined,
    ServiceCodes: options.ServiceCodes,
    ShopId: deliverToPickUpPoint ? (pickUpPointId ?? undefined) : undefined,
  };
}

/** From the customer to the warehouse, which is the one that orders it. */
export function toFragtReturn(request: BookingRequest, context: Context) {
  const consignment = toFragtConsignment({ ...request, options: { ConsignmentNoteType: 'Return' } }, context);
  return { ...consignment, Initiator: consignment.Receiver, DeliveryNotification: undefined };
}

/** `YYYY-MM-DD`. A request that had to wait over midnight is sent with the day on which it goes. */
function consignmentDate({ shipDate }: BookingRequest, now: Date): string {
  const today = localDateTime(now, 'Europe/Copenhagen').slice(0, 10);
  return shipDate > today ? shipDate : today;
}

function toAddress(party: Party) {
  const texts = sentOf(partyTexts(party, FIELDS));
  return { ...texts, Zipcode: party.address.postalCode ?? undefined, Country: party.address.countryCode ?? undefined };
}

/** A line for each parcel. Danske Fragtmænd takes whole kilograms only, and at least one. */
function toGoods(parcel: Parcel, options: BookingRequest['options']) {
  const sides = sidesInCentimetres(parcel);
  return {
    NumberOfItems: 1,
    Type: textAt(options, 'Type') ?? 'CLL',
    Weight: Math.max(1, Math.ceil(parcel.weightGrams / 1000)),
    ...(sides && { Length: sides.length, Width: sides.width, Height: sides.height }),
    Stackable: options.Stackable,
    Description: parcel.description ?? undefined,
    SenderRef: otherText(FIELDS, 'reference', parcel.label).sent || undefined,
  };
}

/** Danish mobile numbers without the code of the country. */
function toNotification({ contact, address }: Party) {
  const { ContactPersonEmail: email } = sentOf(partyTexts({ contact, address }, FIELDS));
  const { ContactPersonPhone: mobile } = sentOf(partyTexts({ contact: { ...contact, phone: null }, address }, FIELDS));
  const [Email, SMS] = [said(email), said(mobile?.replace(/^\+45/, ''))];
  return Email.length + SMS.length > 0 ? { Email, SMS } : undefined;
}

const barcodesIn = (consignment: unknown): readonly (string | null)[] =>
  neededList(consignment, 'Goods').flatMap((line) =>
    listAt(line, 'ColliCodes').map((colli) => textAt(colli, 'Barcode')),
  );

/** Parcels are told apart by their place. */
export function fromFragtConsignment(request: BookingRequest, json: unknown): BookingWithLabels {
  const carrierNumber = neededAt(json, 'ConsignmentNumber');
  const parcels = parcelsByPlace(request, { carrierNumber, trackingNumbers: barcodesIn(json), pageOf: () => null });
  const answersReference = neededAt(json, 'SenderReference');
  return { booking: { carrierNumber, parcels, labelSource: null }, labels: [], answersReference };
}

/** `query` of the search. A planned day that lies back is that of the attempt. */
export function searchFor({ shipDate }: BookingRequest, now: Date) {
  const from = Math.min(now.getTime(), Date.parse(`${shipDate}T00:00:00Z`) || now.getTime());
  return { sinceDateTime: new Date(from - SEARCHED_MS).toISOString(), suggestedMax: `${MOST_FOUND}` };
}

/** @throws Error there may be more consignments than the answer has, or ours is there without its parcels */
export function fromFragtSearch({ reference }: BookingRequest, json: unknown): FoundBooking | null {
  const notes = neededList(json, 'ConsignmentNotes');
  const isOurs = (note: unknown) => textAt(note, 'SenderReference') === reference && valueAt(note, 'Deleted') !== true;
  const found = notes.find(isOurs);
  if (found === undefined && notes.length >= MOST_FOUND) throw new Error(`${notes.length} consignments, none of ours`);
  if (found === undefined) return null;
  const parcels = barcodesIn(found).map((trackingNumber) => {
    if (trackingNumber === null) throw unexpected(found, 'a barcode of each parcel');
    return { parcelId: null, trackingNumber, trackingUrl: null };
  });
  return { carrierNumber: neededAt(found, 'ConsignmentNumber'), parcels, labelSource: null };
}
