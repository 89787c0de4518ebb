import { createHmac } from 'node:crypto';
import type { SimulatedEvent } from '../contract/index.js';
import { textAt, valueAt } from '../toolkit/json.js';
import type { BookedEntry, FormRule, Reply, RouteContext, RuleRow } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_MEASURE, A_TEXT, NEEDED } from '../toolkit/simulator/index.js';
import { breachesOf, content, hasItems, isSent, oneOf, pointRow, readBooking } from '../toolkit/simulator/index.js';
import { simulateCarrier, simulatedPoints, under, valid } from '../toolkit/simulator/index.js';
import { codesFor } from '../toolkit/tracking/status-table.js';
import { MEDIA } from './api.js';
import { POINT } from './questions.js';
import { SIGNATURE, STATUSES, TOPIC_HEADER } from './tracking.js';

/** The slow carrier gives its numbers so late; its labels are ZPL. */
const NUMBERS_AFTER_MS = 2_000;
const SLOW = '13|HOME';
const RATES: Readonly<Record<string, string>> = { '501': '12|HOME', '502': '12|SHOP', '503': '12|RETURN' };
/** Webshipper has no status for some of ours. */
const CODES = codesFor(STATUSES, {
  ...{ 'handed-over': 'in_transit', 'lost-or-damaged': 'undeliverable' },
  ...{ cancelled: 'returned', unrecognised: 'new_one' },
});

const reply = (data: unknown, status = 200) => content(MEDIA, JSON.stringify({ data }), status);
const refuse = (status: number, title: string, detail = title): Reply =>
  content(MEDIA, JSON.stringify({ errors: [{ title, detail, status: `${status}` }] }), status);

/** The API as this folder's README has it, of one account with three shipping rates and two carriers. */
export const startWebshipperSimulator = simulateCarrier({
  ...{ carrier: 'webshipper', carrierName: 'Webshipper' },
  series: { booking: { prefix: '9', length: 7 }, parcel: { prefix: '6', length: 11 } },
  visibleAfterMs: 1_000,
  authenticate: ({ header }) => {
    if (header('accept') !== MEDIA) return refuse(406, 'Not acceptable', `Accept is not ${MEDIA}`);
    if (header('content-type') !== MEDIA) return refuse(415, 'Unsupported media type', `Content-Type is not ${MEDIA}`);
    const isOurs = header('authorization') === 'Bearer sandbox-webshipper-token';
    return isOurs ? null : refuse(401, 'Unauthorized');
  },
  routes: {
    'POST /v2/shipments': book,
    'GET /v2/shipments': (context) => {
      const { 'filter[reference]': reference, 'filter[tracking_number]': number } = context.query;
      const named = context.books.visible().filter((entry) => entry.reference === reference);
      const numbered = [context.books.byParcel(number)].filter((entry) => entry !== undefined);
      return reply([...named, ...numbered].map((entry) => shipmentFor(entry, context)));
    },
    'GET /v2/shipments/:id/labels': async ({ params, books }) => {
      const entry = books.byNumber(params.id);
      if (entry === undefined) return refuse(404, 'Record not found');
      const label = (label_format: string, base64: unknown) => ({ attributes: { label_format, base64 } });
      const inBase64 = (bytes: string | Uint8Array | null) => Buffer.from(bytes ?? '').toString('base64');
      if (entry.asked.service === SLOW) return reply([label('ZPL', [inBase64(books.zpl(entry, 203))])]);
      const pages = await Promise.all(entry.trackingNumbers.map((number) => books.labelOf(entry, number)));
      return reply(pages.map((page) => label('PDF', inBase64(page))));
    },
    'GET /v2/tracking_events': ({ query, books }) => {
      const { trackingNumbers = [] } = books.byNumber(query['filter[shipment_id]']) ?? {};
      return reply(trackingNumbers.flatMap((number) => books.events(number)).map(eventFor));
    },
    'POST /v2/drop_point_locators': ({ body }) => {
      const address = valueAt(body, 'data', 'attributes', 'delivery_address');
      const { zip: postalCode, country_code: countryCode } = Object(address) as Readonly<Record<string, string>>;
      const points = simulatedPoints({ postalCode, countryCode });
      const drop_points = points.map((point) => ({ ...pointRow(point, POINT), routing_code: `R${point.id}` }));
      return reply({ attributes: { drop_points } }, 201);
    },
    'GET /v2/shipping_rates': () =>
      reply([{ id: '501', attributes: { carrier_id: 12, carrier_service_code: 'HOME' } }]),
    'GET /v2/carriers': () => reply([{ id: '12', attributes: { alias: 'Simulated' } }]),
    'POST /v2/service_quotes': ({ body }) => {
      const service_code = textAt(body, 'data', 'attributes', 'service_code');
      const service = { service_code, cost_price: 49.5, currency: 'DKK', estimated_delivery_date_to: '2030-03-06' };
      return reply({ attributes: { services: [service] } }, 201);
    },
  },
  callback: (event, { secret }) => {
    const body = JSON.stringify({ data: eventFor(event) });
    const signature = createHmac(SIGNATURE.algorithm, secret).update(body).digest(SIGNATURE.encoding);
    return { headers: { [TOPIC_HEADER]: 'trackingevent/created', [SIGNATURE.header]: signature }, body };
  },
});

const ADDRESSES = ['sender_address', 'delivery_address', 'return_address?'];
const isNamed = valid((value) => isSent(textAt(value, 'company_name') ?? textAt(value, 'att_contact')));
const RULES: readonly RuleRow<FormRule>[] = [
  [valid(hasItems(1, Infinity)), 'packages'],
  [isNamed, ...ADDRESSES],
  [NEEDED, ...under(ADDRESSES, 'zip')],
  [A_COUNTRY, ...under(ADDRESSES, 'country_code?')],
  [A_MEASURE, ...under('packages.*', 'weight', 'dimensions?.height', 'dimensions?.width', 'dimensions?.length')],
  [oneOf('g', 'kg', 'oz', 'lbs'), 'packages.*.weight_unit'],
  [oneOf('cm', 'm', 'in', 'ft'), 'packages.*.dimensions?.unit'],
  [A_TEXT, 'reference?', 'comment?', 'sms_notification?.phone', 'email_notification?.email'],
];
const NOT_WITH_A_RATE = ['service_code', 'service_attributes', 'add_ons', 'sms_notification', 'email_notification'];
const BOOKING = {
  ...{ reference: 'reference', sender: 'sender_address', recipient: 'delivery_address' },
  lines: ['company_name', 'att_contact', 'address_1', 'address_2', 'zip city', 'country_code'],
  ...{ parcels: 'packages', parcel: { kilograms: 'weight' } },
};

function book(context: RouteContext): Reply {
  const asked = valueAt(context.body, 'data', 'attributes');
  const idOf = (name: string) => textAt(context.body, 'data', 'relationships', name, 'data', 'id');
  const rate = idOf('shipping_rate');
  const service = rate === null ? `${idOf('carrier')}|${textAt(asked, 'service_code')}` : (RATES[rate] ?? '');
  const isReturn = valueAt(asked, 'is_return') === true;
  const point = textAt(asked, 'drop_point', 'drop_point_id') ?? 'none';
  const surplus = NOT_WITH_A_RATE.filter((name) => rate !== null && isSent(valueAt(asked, name)));
  const services: readonly (readonly [boolean, string])[] = [
    [![...Object.values(RATES), SLOW].includes(service), 'there is no such service'],
    [(service === RATES['503']) !== isReturn, 'a return needs a service of its own'],
    [service === RATES['502'] && simulatedPoints({ id: point }).length === 0, 'drop_point_id is not known'],
  ];
  const [wrong] = [
    ...breachesOf(asked, RULES).map(({ path, rule }) => `${path.join('/')} is ${rule.breach}`),
    ...surplus.map((name) => `${name} is not for a shipping rate`),
    ...services.flatMap(([isWrong, text]) => (isWrong ? text : [])),
  ];
  if (wrong !== undefined) return refuse(422, 'Invalid attribute', wrong);
  const order = isReturn ? 'return' : 'real';
  const entry = context.books.book({ ...readBooking(asked, BOOKING), service, order });
  return reply(shipmentFor(entry, context), 201);
}

function shipmentFor(entry: BookedEntry, { settings: { now, publicUrl } }: RouteContext) {
  const { carrierNumber, reference, trackingNumbers, asked, bookedAt } = entry;
  const isLate = asked.service === SLOW && now().getTime() < bookedAt.getTime() + NUMBERS_AFTER_MS;
  const tracking_links = trackingNumbers.map((number) => ({ number, url: `${publicUrl}/track/${number}` }));
  const is_return = asked.order === 'return';
  return { id: carrierNumber, attributes: { reference, is_return, tracking_links: isLate ? [] : tracking_links } };
}

function eventFor({ id, trackingNumber, status, at, place }: SimulatedEvent) {
  const about = { tracking_number: trackingNumber, status: CODES[status], description: status, location: place };
  return { id, attributes: { ...about, time: at.toISOString() } };
}
