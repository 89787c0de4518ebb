import { createHmac } from 'node:crypto';
import type { SimulatorSettings } from '../contract/index.js';
import { listAt, numberAt, textAt, valueAt } from '../toolkit/json.js';
import type { Asked, BookedEntry, Reply, RouteContext, Rule, RuleRow } from '../toolkit/simulator/index.js';
import { SIMULATED_POINTS, type SimulatedPoint, addressLines, breachesOf } from '../toolkit/simulator/index.js';
import { empty, json, matches, pdf, simulateCarrier } from '../toolkit/simulator/index.js';
import { codesFor } from '../toolkit/tracking/status-table.js';
import { MEDIA } from './api.js';
import { COUNTRIES } from './check.js';
import { BOX, HOME } from './services.js';
import { CALL, SIGNATURE_HEADER, STATUSES } from './tracking.js';

const COLLECTION_ID = 9999;
/** Shorter than `bookingVisibleAfterMs`: a search that comes too early finds nothing. */
const VISIBLE_AFTER_MS = 1_000;
const LINK_LIVES_S = 48 * 3_600;
/** POST requests in five minutes; more are refused. */
const MOST_ORDERS = 300;
const WINDOW_MS = 5 * 60_000;
const LOGIN = `Basic ${Buffer.from('sandbox:sandbox-budbee-secret').toString('base64')}`;
/** Budbee has no event for some statuses: the one that a person would see instead. */
const CODES = codesFor(STATUSES, {
  ...{ 'handed-over': 'SORTED_AT_TERMINAL', customs: 'SORTED_AT_TERMINAL' },
  ...{ 'lost-or-damaged': 'DELIVERY_FAILED', unrecognised: 'NEW_EVENT' },
});

/** The API as this folder's README has it: the vendor types in both headers, the types of fields, what a 403 is for. */
export const startBudbeeSimulator = simulateCarrier({
  carrier: 'budbee',
  carrierName: 'Budbee',
  series: { booking: { prefix: '9', length: 7 }, parcel: { prefix: '90', length: 16 } },
  authenticate: ({ header }) => (header('authorization') === LOGIN ? null : refuse(401, 'Unauthorized')),
  open: { 'GET /orders/:id/:parcel/label': label },
  routes: {
    'POST /multiple/orders': typed(MEDIA.newOrder, book),
    'GET /multiple/orders': typed(MEDIA.order, ({ query, books, settings }) => {
      const until = settings.now().getTime() - VISIBLE_AFTER_MS;
      const isMeant = ({ reference, asked: { recipient }, bookedAt }: BookedEntry) =>
        bookedAt.getTime() <= until && [reference, ...recipient].join(' ').includes(query.keyword ?? '');
      const found = books.entries.filter((entry) => isOpen(entry) && isMeant(entry));
      return json(found.slice(0, Number(query.num ?? found.length)).map((entry) => answerFor(entry, settings)));
    }),
    'GET /multiple/orders/:id': typed(MEDIA.order, ({ params, books, settings }) => {
      const entry = books.byNumber(params.id);
      return isOpen(entry) ? json(answerFor(entry, settings)) : refuse(404, 'Order not found');
    }),
    'DELETE /multiple/orders/:id': typed(MEDIA.order, ({ params, books }) => {
      const entry = books.byNumber(params.id);
      if (!isOpen(entry)) return refuse(404, 'Order not found');
      books.cancel(entry);
      return empty(204);
    }),
    'GET /postalcodes/validate/:country/:postalCode': typed(MEDIA.postalCode, ({ params }) =>
      isServed(params) ? json([{ id: COLLECTION_ID, defaultCollectionPoint: true }]) : empty(404),
    ),
    'GET /boxes/postalcodes/validate/:country/:postalCode': typed(MEDIA.boxes, ({ params }) =>
      isServed(params) ? json({ lockers: SIMULATED_POINTS.map((point) => lockerFor(point, params)) }) : empty(404),
    ),
    'GET /boxes/:id': typed(MEDIA.boxes, ({ params }) => {
      const point = SIMULATED_POINTS.find(({ id }) => id === params.id);
      return point ? json(lockerFor(point, { country: 'DK', postalCode: '2600' })) : refuse(404, 'Box not found');
    }),
  },
  callback: ({ trackingNumber, status, at }, { secret }) => {
    const body = JSON.stringify({ [CALL.code]: CODES[status], [CALL.parcel]: trackingNumber, [CALL.at]: at.getTime() });
    return { headers: { [SIGNATURE_HEADER]: createHmac('sha1', secret).update(body).digest('base64') }, body };
  },
});

type Route = (context: RouteContext) => Reply | Promise<Reply>;

function typed(type: string, route: Route): Route {
  const isTyped = ({ header }: Asked) => header('accept') === type && header('content-type') === type;
  return (context) => (isTyped(context) ? route(context) : refuse(415, `Unsupported media type: ${type} is needed`));
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
  [formed((value) => Array.isArray(value) && value.length > 0), 'parcels'],
  [A_MEASURE, ...['weight', 'volume', 'width', 'height', 'length'].map((name) => `parcels.*.dimensions?.${name}?`)],
];

function book({ body, books, settings }: RouteContext): Reply {
  const since = settings.now().getTime() - WINDOW_MS;
  if (books.entries.filter(({ bookedAt }) => bookedAt.getTime() > since).length >= MOST_ORDERS) return empty(429);
  const [breach] = breachesOf(body, RULES);
  if (breach !== undefined) return refuse(breach.rule.status, `${breach.path.join('.')} is not valid`);
  const selected = textAt(body, 'boxDelivery', 'selectedBox');
  const isBox = listAt(body, 'productCodes').includes(BOX);
  if (isBox !== (selected !== null)) return refuse(403, `${BOX} and boxDelivery.selectedBox go together`);
  if (isBox && !SIMULATED_POINTS.some(({ id }) => id === selected)) return refuse(403, `There is no box ${selected}`);
  const address = addressLines(valueAt(body, 'delivery', 'address'), 'street', 'street2', 'postalCode city', 'country');
  const entry = books.book({
    ...{ reference: textAt(body, 'cart', 'cartId') ?? '', service: isBox ? BOX : HOME, sender: ['Budbee'] },
    recipient: [textAt(body, 'delivery', 'name') ?? '', ...address],
    parcels: listAt(body, 'parcels').map((parcel) => ({
      id: textAt(parcel, 'shipmentId') ?? '',
      weightGrams: numberAt(parcel, 'dimensions', 'weight') ?? 0,
    })),
  });
  return json(answerFor(entry, settings));
}

const isOpen = (entry: BookedEntry | undefined): entry is BookedEntry => entry?.state === 'booked';

const isServed = ({ country = '', postalCode = '' }: Asked['params']): boolean =>
  COUNTRIES.includes(country) && !/^0+$/.test(postalCode);

function answerFor(entry: BookedEntry, settings: SimulatorSettings) {
  const { carrierNumber, reference, trackingNumbers, parcelIds = [] } = entry;
  const parcels = trackingNumbers.map((packageId, place) => ({
    ...{ id: Number(packageId.slice(-6)), shipmentId: parcelIds[place], packageId, dimensions: {} },
    label: linkFor(`/orders/${carrierNumber}/${packageId}/label`, settings),
  }));
  return { id: carrierNumber, cart: { cartId: reference }, parcels };
}

/** Signed, encoded already, and good for 48 hours. */
function linkFor(path: string, { publicUrl, now }: SimulatorSettings): string {
  const date = String(now().getTime());
  const signed = { Algorithm: 'HMAC-SHA256', Date: date, Expires: LINK_LIVES_S, Signature: signatureOf(path, date) };
  const query = Object.entries(signed).map(([name, value]) => `X-Budbee-${name}=${encodeURIComponent(value)}`);
  return `${publicUrl}${path}?${query.join('&')}`;
}

const signatureOf = (path: string, date: string): string =>
  createHmac('sha256', 'links').update(`${path} ${date}`).digest('base64');

async function label({ params: { id = '', parcel = '' }, query, books, settings }: RouteContext): Promise<Reply> {
  const date = query['X-Budbee-Date'] ?? '';
  const isSigned = query['X-Budbee-Signature'] === signatureOf(`/orders/${id}/${parcel}/label`, date);
  if (!isSigned || settings.now().getTime() > Number(date) + 1_000 * LINK_LIVES_S)
    return refuse(403, 'The link has expired');
  const entry = books.byNumber(id);
  const asked = entry?.asked.parcels[entry.trackingNumbers.indexOf(parcel)];
  if (!isOpen(entry) || asked === undefined) return refuse(404, 'Order not found');
  return pdf(await books.labels({ ...entry, asked: { ...entry.asked, parcels: [asked] }, trackingNumbers: [parcel] }));
}

function lockerFor({ id, name, street, city, distanceM }: SimulatedPoint, { country, postalCode }: Asked['params']) {
  const address = { street, postalCode, city, country, coordinate: { latitude: 55.66, longitude: 12.39 } };
  return { id, name, directions: '', label: name, distance: distanceM, address, openingHours: {} };
}

const refuse = (status: number, message: string): Reply => json({ message }, status);
