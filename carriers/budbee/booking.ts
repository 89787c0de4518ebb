import type { Booking, BookingRequest, BookingWithLabels, FoundBooking, Label, Parcel } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { neededAt, neededList, textAt, unexpected } from '../toolkit/json.js';
import { readBefore } from '../toolkit/json-client.js';
import { echoedParcels, numberOf, readParcels } from '../toolkit/parcels/booked-parcels.js';
import { partyTexts, sentOf } from '../toolkit/party-texts.js';
import { plainPostalCode, refuseFor, when } from '../toolkit/preflight.js';
import { centimetresOf } from '../toolkit/units.js';
import type { BudbeeApi } from './api.js';
import { FIELDS } from './check.js';
import { BOX, isBox } from './services.js';

/** Orders in one answer of the search: more than one keyword finds. */
const MAX_FOUND = 100;
/** No link has one: they are encoded. */
const BETWEEN_LINKS = ' ';

export function toBudbeeOrder(request: BookingRequest, collectionId: number) {
  const { recipient, options, notesOnDelivery, pickUpPointId } = request;
  const { street, street2, city, name, referencePerson, ...contact } = sentOf(partyTexts(recipient, FIELDS));
  const { countryCode } = recipient.address;
  const postalCode = plainPostalCode(recipient.address) ?? undefined;
  return {
    collectionId,
    cart: { cartId: request.reference },
    delivery: {
      ...{ name, referencePerson, ...contact },
      address: { street, street2, postalCode, city, country: countryCode ?? undefined },
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
  const sides = { width: centimetresOf(widthMm), height: centimetresOf(heightMm), length: centimetresOf(lengthMm) };
  const { width = 0, height = 0, length = 0 } = sides;
  const volume = volumeMl ?? (width * height * length || undefined);
  const dimensions = { ...sides, weight: weightGrams, volume };
  return { shipmentId: id, packageId: '', dimensions };
}

/** Finds each parcel by its `shipmentId` where the answer has it, else by its place among all of them. */
export function fromBudbeeOrder(request: BookingRequest, json: unknown): BookingWithLabels {
  const booking = { carrierNumber: neededAt(json, 'id'), parcels: echoedParcels(request, parcelsIn(json)) };
  const links = linksIn(booking, json);
  const labelSource = links.includes(null) ? null : links.join(BETWEEN_LINKS);
  return { booking: { ...booking, labelSource }, labels: [], answersReference: neededAt(json, 'cart', 'cartId') };
}

function parcelsIn(order: unknown): FoundBooking['parcels'] {
  return readParcels(neededList(order, 'parcels'), { id: 'shipmentId', number: 'packageId' });
}

/**
 * The answer lists the collection points from which homes there are served. Whether the account's must be one of them is not
 * documented, so Budbee itself decides that.
 * @throws CarrierRejected Budbee delivers to no homes there @throws CarrierUnavailable it cannot be asked
 */
export async function refuseUnserved(api: BudbeeApi, { recipient }: BookingRequest): Promise<void> {
  const { countryCode, postalCode } = recipient.address;
  const [country, code] = [countryCode ?? '', plainPostalCode(recipient.address)?.replace(/\s/g, '') ?? ''];
  const points = (await readBefore(api.postalCode({ params: { country, postalCode: code } }))) ?? [];
  const values = { country, postalCode: postalCode ?? '', carrier: 'Budbee' };
  refuseFor(when(points.length === 0, 'postal-code-not-served', values));
}

/**
 * The keyword finds names and addresses too: only the cart id counts, letter by letter.
 * @throws Error there may be more orders than the answer has
 */
export async function findOrder(api: BudbeeApi, { reference }: BookingRequest): Promise<FoundBooking | null> {
  const orders = await api.find({ query: { keyword: reference, num: `${MAX_FOUND}` } });
  const found = orders.find((order) => textAt(order, 'cart', 'cartId') === reference);
  if (found === undefined && orders.length >= MAX_FOUND) throw new Error(`${orders.length} orders, none of ours`);
  if (found === undefined) return null;
  return { carrierNumber: neededAt(found, 'id'), parcels: parcelsIn(found), labelSource: null };
}

/** Loads labels by the booking's links, which work for 48 hours; by new ones when those have ended or are missing. */
export async function labelsOf(api: BudbeeApi, booking: Booking): Promise<readonly Label[]> {
  const labelsAt = (links: readonly string[]) => Promise.all(links.map(api.label));
  const { labelSource } = booking;
  try {
    if (labelSource !== null) return await labelsAt(labelSource.split(BETWEEN_LINKS));
  } catch (error) {
    if (!(error instanceof CarrierRejected)) throw error;
  }
  const order = await api.order({ params: { id: numberOf(booking) } });
  const links = linksIn(booking, order).filter((link) => link !== null);
  if (links.length < booking.parcels.length) throw unexpected(order, 'a link to each label');
  return labelsAt(links);
}

/** Of each parcel of the booking, in its order. */
function linksIn({ parcels }: Pick<Booking, 'parcels'>, order: unknown): readonly (string | null)[] {
  const rows = neededList(order, 'parcels');
  return parcels
    .filter((parcel) => parcel.kind === 'booked')
    .map(({ trackingNumber }) =>
      textAt(
        rows.find((row) => textAt(row, 'packageId') === trackingNumber),
        'label',
      ),
    );
}
