import { createHmac } from 'node:crypto';
import type { SimulatorSettings } from '../contract/index.js';
import { basicCredentials } from '../toolkit/json-client.js';
import { listAt, textAt } from '../toolkit/json.js';
import type { Asked, BookedEntry, Reply, Route, RouteContext, Routes } from '../toolkit/simulator/index.js';
import type { Rule, RuleRow, SimulatedPoint } from '../toolkit/simulator/index.js';
import { SIMULATED_POINTS, aboutBooking, breachesOf, empty } from '../toolkit/simulator/index.js';
import { hasItems, isSignedLink, json, matches, pdf, pointRow } from '../toolkit/simulator/index.js';
import { readBooking, signedLink, simulateCarrier, simulatedPoints, under } from '../toolkit/simulator/index.js';
import { codesFor } from '../toolkit/tracking/status-table.js';
import { MEDIA } from './api.js';
import { COUNTRIES } from './check.js';
import { LOCKER } from './pickup-points.js';
import { BOX, HOME } from './services.js';
import { CALL, SIGNATURE_HEADER, STATUSES } from './tracking.js';

const COLLECTION_ID = 9999;
const LINK = { prefix: 'X-Budbee-', livesSeconds: 48 * 3_600 };
/** POST requests in five minutes; more are refused. */
const MAX_ORDERS = 300;
const WINDOW_MS = 5 * 60_000;
const LOGIN = `Basic ${basicCredentials('sandbox', 'sandbox-budbee-secret')}`;
/** Budbee has no event for some statuses: the one that a person would see instead. */
const CODES = codesFor(STATUSES, {
  ...{ 'handed-over': 'SORTED_AT_TERMINAL', customs: 'SORTED_AT_TERMINAL' },
  ...{ 'lost-or-damaged': 'DELIVERY_FAILED', unrecognised: 'NEW_EVENT' },
});

const refuse = (status: number, message: string): Reply => json({ message }, status);
const isOpen = (entry: BookedEntry | undefined): entry is BookedEntry => entry?.state === 'booked';
const known = aboutBooking(
  ({ params, books }) => books.entries.find((entry) => isOpen(entry) && entry.carrierNumber === params.id),
  () => refuse(404, 'Order not found'),
);

/** The API as this folder's README has it: the vendor types in both headers, the types of fields, what a 403 is for. */
export const startBudbeeSimulator = simulateCarrier({
  carrier: 'budbee',
  carrierName: 'Budbee',
  series: { booking: { prefix: '9', length: 7 }, parcel: { prefix: '90', length: 16 } },
  visibleAfterMs: 1_000,
  authenticate: ({ header }) => (header('authorization') === LOGIN ? null : refuse(401, 'Unauthorized')),
  open: { 'GET /orders/:id/:parcel/label': answerLabel },
  routes: {
    ...typed(MEDIA.newOrder, { 'POST /multiple/orders': book }),
    ...typed(MEDIA.order, {
      'GET /multiple/orders': search,
      'GET /multiple/orders/:id': known((entry, { settings }) => json(answerFor(entry, settings))),
      'DELETE /multiple/orders/:id': known((entry, { books }) => {
        books.cancel(entry);
        return empty(204);
      }),
    }),
    ...typed(MEDIA.postalCode, {
      'GET /postalcodes/validate/:country/:postalCode': ({ params }) =>
        isServed(params) ? json([{ id: COLLECTION_ID, defaultCollectionPoint: true }]) : empty(404),
    }),
    ...typed(MEDIA.boxes, {
      'GET /boxes/postalcodes/validate/:country/:postalCode': ({ params }) =>
        isServed(params) ? json({ lockers: SIMULATED_POINTS.map((point) => lockerFor(point, params)) }) : empty(404),
      'GET /boxes/:id': ({ params }) => {
        const [point] = simulatedPoints({ id: params.id });
        return point ? json(lockerFor(point, { country: 'DK', postalCode: '2600' })) : refuse(404, 'Box not found');
      },
    }),
  },
  callback: ({ trackingNumber, status, at }, { secret }) => {
    const body = JSON.stringify({ [CALL.code]: CODES[status], [CALL.parcel]: trackingNumber, [CALL.at]: at.getTime() });
    return { headers: { [SIGNATURE_HEADER]: createHmac('sha1', secret).update(body).digest('base64') }, body };
  },
});

function typed(type: string, routes: Routes): Routes {
  const isTyped = ({ header }: Asked) => header('accept') === type && header('content-type') === type;
  const refusal = refuse(415, `Unsupported media type: ${type} is needed`);
  const guarded =
    (route: Route): Route =>
    (context) =>
      isTyped(context) ? route(context) : refusal;
  return Object.fromEntries(Object.entries(routes).map(([path, route]) => [path, guarded(route)]));
}

function search({ query, books, settings }: RouteContext): Reply {
  const isMeant = ({ reference, asked: { recipient } }: BookedEntry) =>
    [reference, ...recipient].join(' ').includes(query.keyword ?? '');
  const found = books.visible().filter((entry) => isOpen(entry) && isMeant(entry));
  return json(found.slice(0, Number(query.num ?? found.length)).map((entry) => answerFor(entry, settings)));
}

type OrderRule = Rule & { readonly status: number };

const formed = (isMet: Rule['isMet']): OrderRule => ({ isMet, status: 400 });
const valid = (isMet: Rule['isMet']): OrderRule => ({ isMet, status: 403 });
const A_TEXT = formed((value) => typeof value === 'string' && value !== '');
const A_FLAG = formed((value) => typeof value === 'boolean');
const A_COUNT = formed((value) => value === null || (Number.isInteger(value) && Number(value) >= 0));
/** Kilograms with a decimal point are not grams. */
const A_MEASURE = formed((value) => Number.isInteger(value) && Number(value) > 0);

/** What has another type is malformed (400); a value that Budbee does not take is a 403. */
const RULES: readonly RuleRow<OrderRule>[] = [
  [formed(Number.isInteger), 'collectionId'],
  [valid((value) => value === COLLECTION_ID), 'collectionId'],
  [A_TEXT, 'cart.cartId', 'delivery.name', 'delivery.telephoneNumber', 'delivery.email', 'delivery.referencePerson?'],
  [A_TEXT, ...['street', 'postalCode', 'city', 'country', 'street2?'].map((name) => `delivery.address.${name}`)],
  [valid((value) => COUNTRIES.some((each) => each === value)), 'delivery.address.country'],
  [valid(matches(/^\+?\d+$/)), 'delivery.telephoneNumber'],
  [A_TEXT, 'delivery.additionalInfo?', 'boxDelivery?.selectedBox', 'parcels.*.shipmentId?'],
  [A_FLAG, 'delivery.outsideDoor?', 'requireSignature?', 'additionalServices?.identificationCheckRequired?'],
  [A_FLAG, 'additionalServices?.recipientMustMatchEndCustomer?', 'additionalServices?.fraudDetection?'],
  [A_COUNT, 'additionalServices?.recipientMinimumAge?', 'additionalServices?.numberOfMissRetries?'],
  [formed(hasItems(1, Infinity)), 'parcels'],
  [A_MEASURE, ...['weight', 'volume', 'width', 'height', 'length'].map((name) => `parcels.*.dimensions?.${name}?`)],
];

const BOOKING = {
  ...{ reference: 'cart.cartId', sender: 'collectionId', recipient: 'delivery', parcels: 'parcels' },
  lines: ['name', ...under('address', 'street', 'street2', 'postalCode address.city', 'country')],
  parcel: { id: 'shipmentId', grams: 'dimensions.weight' },
};

function book({ body, books, settings }: RouteContext): Reply {
  if (books.entries.length - books.madeBefore(WINDOW_MS).length >= MAX_ORDERS) return empty(429);
  const [breach] = breachesOf(body, RULES);
  if (breach !== undefined) return refuse(breach.rule.status, `${breach.path.join('.')} is not valid`);
  const selected = textAt(body, 'boxDelivery', 'selectedBox');
  const isBox = listAt(body, 'productCodes').includes(BOX);
  if (isBox !== (selected !== null)) return refuse(403, `${BOX} and boxDelivery.selectedBox go together`);
  if (isBox && simulatedPoints({ id: selected ?? '' }).length === 0) return refuse(403, `There is no box ${selected}`);
  const booking = { ...readBooking(body, BOOKING), service: isBox ? BOX : HOME, sender: ['Budbee'] };
  const entry = books.book(booking);
  return json(answerFor(entry, settings));
}

const isServed = ({ country = '', postalCode = '' }: Asked['params']): boolean =>
  COUNTRIES.includes(country) && !/^0+$/.test(postalCode);

function answerFor(entry: BookedEntry, settings: SimulatorSettings) {
  const { carrierNumber, reference, trackingNumbers, parcelIds = [] } = entry;
  const parcels = trackingNumbers.map((packageId, place) => ({
    ...{ id: Number(packageId.slice(-6)), shipmentId: parcelIds[place], packageId, dimensions: {} },
    label: signedLink(labelPath(carrierNumber, packageId), LINK, settings),
  }));
  return { id: carrierNumber, cart: { cartId: reference }, parcels };
}

async function answerLabel({ params: { id, parcel = '' }, query, books, settings }: RouteContext): Promise<Reply> {
  if (!isSignedLink(labelPath(id, parcel), LINK, { query, settings })) return refuse(403, 'The link has expired');
  const entry = books.byNumber(id);
  const label = isOpen(entry) ? books.labelOf(entry, parcel) : null;
  return label === null ? refuse(404, 'Order not found') : pdf(await label);
}

const labelPath = (id: string | null | undefined, parcel: string): string => `/orders/${id}/${parcel}/label`;

function lockerFor(point: SimulatedPoint, { country: countryCode = '', postalCode = '' }: Asked['params']) {
  const row = pointRow({ ...point, countryCode, postalCode }, LOCKER);
  const address = { ...Object(row.address), coordinate: { latitude: 55.66, longitude: 12.39 } };
  return { ...row, address, directions: '', label: point.name, openingHours: {} };
}
