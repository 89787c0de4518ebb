import type { Booking, BookingRequest, BookingWithLabels, FoundBooking, Label, Parcel } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { neededAt, neededList, textAt } from '../toolkit/json.js';
import { readBefore } from '../toolkit/json-client.js';
import { numberOf } from '../toolkit/parcels/booked-parcels.js';
import { partyTexts, sentOf } from '../toolkit/party-texts.js';
import { refuseFor, whenOwn } from '../toolkit/preflight.js';
import { centimetres } from '../toolkit/units.js';
import type { BudbeeApi } from './api.js';
import { FIELDS } from './check.js';
import { BOX, isBox } from './services.js';
import { TEXTS } from './texts.js';

/** Orders in one answer of the search: more than one keyword finds. */
const MOST_FOUND = 100;
/** No link has one: they are encoded. */
const BETWEEN_LINKS = ' ';

export function toBudbeeOrder(request: BookingRequest, collectionId: number) {
  const { recipient, options, notesOnDelivery, pickUpPointId } = request;
  const { street, street2, city, name, referencePerson, ...contact } = sentOf(partyTexts(recipient, FIELDS));
  const { postalCode, countryCode } = recipient.address;
  return {
    collectionId,
    cart: { cartId: request.reference },
    delivery: {
      ...{ name, referencePerson, ...contact },
      address: { street, street2, postalCode: postalCode ?? undefined, city, country: countryCode ?? undefined },
      outsideDoor: request.unattendedDelivery,
      additionalInfo: notesOnDelivery?.trim() || undefined,
    },
    requireSignature: options.requireSignature,
    additionalServices: options.additionalServices,
    ...(isBox(request) && { productCodes: [BOX], boxDelivery: { selectedBox: pickUpPointId ?? undefined } }),
    parcels: request.parcels.map(toBudbeeParcel),
  };
}

/** In centimetres, grams and cubic centimetres. With an empty `packageId` Budbee gives the parcel its number. */
function toBudbeeParcel({ id, weightGrams, widthMm, heightMm, lengthMm, volumeMl }: Parcel) {
  const cm = (mm: number | null) => (mm === null ? undefined : centimetres(mm));
  const sides = { width: cm(widthMm), height: cm(heightMm), length: cm(lengthMm) };
  const dimensions = { ...sides, weight: weightGrams, volume: volumeMl ?? undefined };
  return { shipmentId: id, packageId: '', dimensions };
}

/** Each parcel by its `shipmentId` where the answer has it, else by its place among all of them. */
export function fromBudbeeOrder({ parcels }: BookingRequest, json: unknown): BookingWithLabels {
  const rows = neededList(json, 'parcels');
  const isEchoed = rows.some((row) => textAt(row, 'shipmentId') !== null);
  if (!isEchoed && rows.length !== parcels.length) throw new Error(`${rows.length} parcels in the answer`);
  const booked = parcels.map(({ id }, place) => {
    const row = isEchoed ? rows.find((each) => textAt(each, 'shipmentId') === id) : rows[place];
    if (row === undefined) throw new Error(`the answer has no parcel ${id}`);
    const parcel = { parcelId: id, trackingNumber: neededAt(row, 'packageId'), trackingUrl: null };
    return { parcel, link: textAt(row, 'label') };
  });
  const links = booked.map(({ link }) => link);
  const booking: Booking = {
    carrierNumber: neededAt(json, 'id'),
    parcels: booked.map(({ parcel }) => ({ kind: 'booked', ...parcel })),
    labelSource: links.includes(null) ? null : links.join(BETWEEN_LINKS),
  };
  return { booking, labels: [], answersReference: neededAt(json, 'cart', 'cartId') };
}

/** @throws CarrierRejected Budbee delivers to no homes there @throws CarrierUnavailable it cannot be asked */
export async function refuseUnserved(api: BudbeeApi, { recipient }: BookingRequest): Promise<void> {
  const { countryCode, postalCode } = recipient.address;
  const [country, code] = [countryCode ?? '', postalCode?.replace(/\s/g, '') ?? ''];
  const points = await readBefore(api.postalCode({ params: { country, postalCode: code } }).then(listOrNone));
  const values = { country, postalCode: postalCode ?? '' };
  refuseFor(whenOwn(TEXTS.en, points === null, { code: 'postal-code-not-served', values }));
}

function listOrNone(points: unknown): readonly unknown[] | null {
  return points === null ? null : neededList(points);
}

/**
 * The keyword finds names and addresses too: only the cart id counts, letter by letter.
 * @throws Error there may be more orders than the answer has
 */
export async function findOrder(api: BudbeeApi, { reference }: BookingRequest): Promise<FoundBooking | null> {
  const orders = neededList(await api.find({ query: { keyword: reference, num: `${MOST_FOUND}` } }));
  const found = orders.find((order) => textAt(order, 'cart', 'cartId') === reference);
  if (found === undefined && orders.length >= MOST_FOUND) throw new Error(`${orders.length} orders, none of ours`);
  if (found === undefined) return null;
  const parcels = neededList(found, 'parcels').map((row) => {
    return { parcelId: textAt(row, 'shipmentId'), trackingNumber: neededAt(row, 'packageId'), trackingUrl: null };
  });
  return { carrierNumber: neededAt(found, 'id'), parcels, labelSource: null };
}

/** By the links of the booking, which are good for 48 hours; by new ones where those have ended, or there are none. */
export async function labelsOf(api: BudbeeApi, booking: Booking): Promise<readonly Label[]> {
  const labelsAt = (links: readonly string[]) => Promise.all(links.map(api.label));
  const { labelSource } = booking;
  try {
    if (labelSource !== null) return await labelsAt(labelSource.split(BETWEEN_LINKS));
  } catch (error) {
    if (!(error instanceof CarrierRejected)) throw error;
  }
  return labelsAt(linksIn(booking, await api.order({ params: { id: numberOf(booking) } })));
}

function linksIn({ parcels }: Booking, order: unknown): readonly string[] {
  const rows = neededList(order, 'parcels');
  return parcels.flatMap((parcel) => {
    if (parcel.kind !== 'booked') return [];
    const row = rows.find((each) => textAt(each, 'packageId') === parcel.trackingNumber);
    return [neededAt(row, 'label')];
  });
}
