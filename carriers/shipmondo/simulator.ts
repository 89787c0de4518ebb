import { crossesCustoms } from '../toolkit/customs.js';
import { listAt, numberAt, textAt, valueAt } from '../toolkit/json.js';
import { basicCredentials } from '../toolkit/json-client.js';
import type { BookedEntry, FormRule, Reply, RouteContext, RuleRow } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_FLAG, A_TEXT, LABEL_100_BY_150, NEEDED, aboutBooking } from '../toolkit/simulator/index.js';
import { addressLines, breachesOf, content, hasItems, isSent, isWithin, json } from '../toolkit/simulator/index.js';
import { matches, oneOf, pointRow, simulateCarrier, simulatedPoints } from '../toolkit/simulator/index.js';
import { under, valid, withHeaders } from '../toolkit/simulator/index.js';
import { signedToken } from '../toolkit/tracking/signed-token.js';
import { codesFor } from '../toolkit/tracking/status-table.js';
import { LABELS, LABEL_FORMATS } from './config.js';
import { POINT } from './pickup-points.js';
import { CASH, EMAIL, HEAVIEST, PRODUCTS, REASONS, RETURN, SMS, TO_SHOPS } from './services.js';
import { DANGER, STATUSES } from './tracking.js';

const LOGIN = `Basic ${basicCredentials('sandbox', 'sandbox-shipmondo-key')}`;
const [MAX_POINTS, MAX_IN_PAGE, DPI] = [20, 50, 203];
const BLANK_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==';
/** For some statuses Shipmondo has no word. */
const CODES = codesFor(STATUSES, {
  ...{ registered: 'UNKNOWN', 'handed-over': 'EN_ROUTE', customs: 'EN_ROUTE', 'out-for-delivery': 'EN_ROUTE' },
  ...{ 'delivery-failed': 'EN_ROUTE', 'lost-or-damaged': 'EN_ROUTE', returned: 'UNKNOWN', cancelled: 'UNKNOWN' },
  unrecognised: 'A_NEW_STATUS',
});

const refuse = (error: string, status = 422): Reply => json({ error }, status);
const known = aboutBooking(
  ({ params, books }) => books.byNumber(params.id),
  () => refuse('Resource not found', 404),
);

/** The API as this folder's README has it. It knows one account, and the products with known codes. */
export const startShipmondoSimulator = simulateCarrier({
  ...{ carrier: 'shipmondo', carrierName: 'Shipmondo' },
  series: { booking: { prefix: '7', length: 6 }, parcel: { prefix: '65', length: 11 } },
  visibleAfterMs: 5_000,
  authenticate: ({ header }) => (header('authorization') === LOGIN ? null : refuse('Invalid API User or API Key', 401)),
  routes: {
    'POST /shipments': book,
    'GET /shipments': ({ query, books }) => {
      const [size, page] = [Number(query.per_page ?? 20), Number(query.page ?? 1)];
      if (size > MAX_IN_PAGE) return refuse('per_page is invalid');
      const isMeant = ({ bookedAt }: BookedEntry) => bookedAt >= new Date(query.created_at_min ?? 0);
      const listed = books.visible().filter(isMeant);
      const shown = listed.slice((page - 1) * size, page * size).map(answerFor);
      return withHeaders({ 'x-total-pages': `${Math.ceil(listed.length / size)}` }, json(shown));
    },
    'GET /shipments/:id/labels': known(async (entry, context) => json(await labelsOf(entry, context))),
    'PUT /shipments/:id/cancel': known((entry, { books }) => {
      if (entry.state === 'cancelled') return refuse('The shipment is cancelled already');
      if (entry.asked.service.startsWith('DAO_')) return refuse('dao cancels no shipment');
      books.cancel(entry);
      return json({ cancelled: true, cancelled_at_carrier: false, refunded: false });
    }),
    'POST /quotes': ({ body }) => {
      const invalid = invalidIn(body, IN_BOTH);
      return invalid ? refuse(invalid) : json({ price: '42.5', price_before_vat: '34.0', currency_code: 'DKK' });
    },
    'GET /service_point/service_points': ({ query }) =>
      pointsFor(query, [
        [NEEDED, 'product_code', 'country_code', 'zipcode'],
        [valid((quantity) => Number(quantity) <= MAX_POINTS), 'quantity?'],
      ]),
    'GET /pickup_points': ({ query }) => pointsFor(query, [[NEEDED, 'carrier_code', 'country_code']]),
    'GET /account/': () => json({ name: 'Sandbox' }),
    'GET /*path': () => content('text/html', '<html>Shipmondo</html>'),
  },
  callback: ({ trackingNumber, status, at, place }, { secret }, books) => {
    const current_state = ['delivery-failed', 'lost-or-damaged'].includes(status) ? DANGER : 'INFO';
    const data = {
      ...{ shipment_id: Number(books.byParcel(trackingNumber)?.carrierNumber ?? 0), carrier_track_id: trackingNumber },
      ...{ current_status: CODES[status], current_state, current_status_text: status, city: place },
      current_status_registered_at: at.toISOString(),
    };
    const headers = { 'smd-resource-type': 'Shipment Monitor', 'smd-action': 'latest' };
    const token = signedToken(JSON.stringify({ webhook: 'sporing', data }), secret);
    return { headers, body: JSON.stringify({ data: token }) };
  },
});

const A_WHOLE_NUMBER = valid((value) => Number.isInteger(value) && Number(value) > 0);
const POSITIVE = valid(isWithin(0, Infinity));
const IN_BOTH: readonly RuleRow<FormRule>[] = [
  [oneOf(...PRODUCTS), 'product_code'],
  [valid((value) => isSent(value) && matches(/^([A-Z\d_]+(,[A-Z\d_]+)*)?$/)(value)), 'service_codes'],
  [valid(hasItems(1, Infinity)), 'parcels'],
  [A_WHOLE_NUMBER, ...under('parcels.*', 'weight', 'quantity?', 'length?', 'width?', 'height?')],
  [POSITIVE, ...under('parcels.*', 'volume?', 'running_metre?', 'declared_value?.amount')],
];
const IN_SHIPMENTS: readonly RuleRow<FormRule>[] = [
  ...IN_BOTH,
  [A_FLAG, 'own_agreement', 'automatic_select_service_point?'],
  [oneOf(...LABEL_FORMATS, '10x19_png', 'compact_png'), 'label_format?'],
  [oneOf('sender', 'receiver', 'pickup', 'importer', 'freight_payer', 'service_point', 'return'), 'parties.*.type'],
  [A_COUNTRY, 'parties.*.country_code?', 'customs?.goods.*.country_code?'],
  [A_TEXT, ...under('parcels.*', 'internal_reference?', 'packaging?'), 'reference?', 'service_point_id?'],
  [A_TEXT, 'origin_shipment_id?'],
  [oneOf('piece', 'm2'), 'customs?.goods.*.unit?'],
  [oneOf(...REASONS), 'customs?.export_reason?'],
  [valid(matches(/^\d{4}-\d\d-\d\d$/)), ...under(['pickup_details?', 'delivery_details?'], 'date?')],
  [valid(matches(/^\d\d:\d\d:\d\d$/)), ...under(['pickup_details?', 'delivery_details?'], 'from?', 'to?')],
  [valid(matches(/^\d\d:\d\d$/)), 'dfm?.dot_time?'],
  [POSITIVE, 'cod?.amount', ...under('customs?.goods.*', 'quantity?', 'unit_weight?')],
];

function invalidIn(body: unknown, rules: readonly RuleRow<FormRule>[]): string {
  const texts = breachesOf(body, rules).map(({ path }) => `${path.join('.')} invalid or missing`);
  return texts.join('. ');
}

const partyOf = (body: unknown, role: string) => listAt(body, 'parties').find((one) => textAt(one, 'type') === role);
const placeOf = (party: unknown) => ({ countryCode: textAt(party, 'country_code'), postalCode: null });

function factsOf(body: unknown) {
  const [product, codes] = [textAt(body, 'product_code') ?? '', (textAt(body, 'service_codes') ?? '').split(',')];
  const point = textAt(body, 'service_point_id');
  return { body, product, codes, point, sender: partyOf(body, 'sender'), receiver: partyOf(body, 'receiver') };
}

/** What it says against a shipment of the right form. */
const FAILURES: Readonly<Record<string, (facts: ReturnType<typeof factsOf>) => boolean>> = {
  'sender and receiver are required': ({ sender, receiver }) => !sender || !receiver,
  'Service point is required': ({ body, product, point }) =>
    TO_SHOPS.includes(product) && point === null && valueAt(body, 'automatic_select_service_point') !== true,
  'Service point was not found': ({ point }) => point !== null && simulatedPoints({ id: point }).length === 0,
  'EMAIL_NT or SMS_NT is required': ({ product, codes }) =>
    TO_SHOPS.includes(product) && !codes.includes(EMAIL) && !codes.includes(SMS),
  'Receiver email is required': ({ codes, receiver }) => codes.includes(EMAIL) && !textAt(receiver, 'email'),
  'Receiver phone is required': ({ codes, receiver }) => codes.includes(SMS) && !textAt(receiver, 'phone'),
  'cod is required': ({ codes, body }) => codes.includes(CASH) && !isSent(valueAt(body, 'cod')),
  'customs is required': ({ body, sender, receiver }) =>
    crossesCustoms(placeOf(sender), placeOf(receiver)) && !isSent(valueAt(body, 'customs')),
  'The parcel is too heavy': ({ body, product }) =>
    listAt(body, 'parcels').some((each) => Number(numberAt(each, 'weight')) > 1000 * (HEAVIEST[product] ?? Infinity)),
};

async function book(context: RouteContext): Promise<Reply> {
  const { body, books } = context;
  const facts = factsOf(body);
  const failure = invalidIn(body, IN_SHIPMENTS) || Object.keys(FAILURES).find((text) => FAILURES[text]?.(facts));
  if (failure !== undefined) return refuse(failure);
  const lines = (role: string) =>
    addressLines(partyOf(body, role), 'name', 'attention', 'address1', 'address2', 'postal_code city', 'country_code');
  const entry = books.book({
    ...{ reference: textAt(body, 'reference') ?? '', sender: lines('sender'), recipient: lines('receiver') },
    ...{ service: facts.product, order: facts.product === RETURN ? 'return' : 'real' },
    parcels: listAt(body, 'parcels').map((each) => {
      return { id: textAt(each, 'internal_reference') ?? '', weightGrams: numberAt(each, 'weight') ?? 0 };
    }),
  });
  const label_format = textAt(body, 'label_format');
  const labels = label_format && (await labelsOf(entry, { ...context, query: { label_format } }));
  return json({ ...answerFor(entry), ...(labels && { labels }) });
}

function answerFor({ carrierNumber, asked, bookedAt, trackingNumbers, parcelIds = [] }: BookedEntry) {
  const parcels = trackingNumbers.map((pkg_no, place) => ({
    ...{ quantity: 1, weight: asked.parcels[place]?.weightGrams, pkg_no, internal_reference: parcelIds[place] },
  }));
  return {
    ...{ id: Number(carrierNumber), created_at: bookedAt.toISOString(), product_code: asked.service, price: '42.5' },
    ...{ reference: asked.reference, order_id: null, pkg_no: trackingNumbers[0], labelless_code: null, parcels },
  };
}

/** All of them in one entry, but pictures, which are blank here, in one each. */
async function labelsOf(entry: BookedEntry, { query, books }: Pick<RouteContext, 'query' | 'books'>) {
  const pictures = entry.trackingNumbers.map(() => ({ base64: BLANK_PNG, file_format: 'png' }));
  if (query.label_format?.endsWith('png')) return pictures;
  const page = { ...LABEL_100_BY_150, ...LABELS[query.label_format ?? ''] };
  const isZpl = query.label_format?.endsWith('zpl');
  const label = isZpl ? books.zpl(entry, DPI, page) : await books.labels(entry, page);
  return [{ base64: Buffer.from(label).toString('base64'), file_format: isZpl ? 'zpl' : 'pdf' }];
}

function pointsFor(query: RouteContext['query'], rules: readonly RuleRow<FormRule>[]): Reply {
  const invalid = invalidIn(query, rules);
  const { country_code: countryCode = '', zipcode: postalCode = '2600', id, quantity: limit = 10 } = query;
  const rows = simulatedPoints({ id, limit, countryCode, postalCode }).map((point) => ({
    ...pointRow(point, POINT),
    ...{ address2: null, carrier_code: 'gls', opening_hours: ['Man: 07:00-23:00'] },
  }));
  return invalid ? refuse(invalid) : json(rows);
}
