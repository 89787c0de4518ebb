import type { SimulatorSettings } from '../contract/index.js';
import { numberAt, textAt, valueAt } from '../toolkit/json.js';
import { basicCredentials } from '../toolkit/json-client.js';
import { localDateTime } from '../toolkit/local-time.js';
import type { BookedEntry, FormRule, Reply, Route, RouteContext } from '../toolkit/simulator/index.js';
import type { RuleRow, SimulatedPoint } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_MEASURE, NEEDED, aboutBooking, addressLines, breachesOf } from '../toolkit/simulator/index.js';
import {
  A_TEXT,
  A_WHOLE_NUMBER,
  json,
  oneOf,
  pdf,
  pointRow,
  simulateCarrier,
  simulatedPoints,
  under,
  valid,
} from '../toolkit/simulator/index.js';
import { POINT } from './questions.js';

const LOGIN = `Basic ${basicCredentials('lager@mail.example', 'sandbox-homerunner-token')}`;
/** What the account may use, by carrier: each for private persons and for companies. */
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['gls', 'postnord', 'bring', 'dhl', 'royalmail'].map((each) => [each, ['droppoint', 'delivery']]),
  ),
  ...{ dao: ['droppoint', 'delivery_package'], coolrunner: ['europe'] },
};
const PRODUCTS = ['private', 'business'];
const CODES: Readonly<Record<string, string>> = { delivered: 'simulated_delivered', 'in-transit': 'simulated_transit' };

const refuse = (status: number, message: string): Reply => json({ message }, status);
const known = aboutBooking(
  ({ params, books }) => books.byParcel(params.number),
  () => refuse(404, 'Shipment not found'),
);
const label = known(async (entry, { books }) => pdf(await books.labels(entry)));

/** The API as this folder's README has it. It knows one account; events but two have codes of their own. */
export const startHomerunnerSimulator = simulateCarrier({
  ...{ carrier: 'homerunner', carrierName: 'HomeRunner' },
  series: { parcel: { prefix: '00057', length: 20 } },
  authenticate: ({ header }) => {
    if (header('authorization') !== LOGIN) return refuse(401, 'Unauthorized');
    return header('x-developer-id') === '' ? refuse(403, 'X-Developer-Id is missing') : null;
  },
  routes: {
    'POST /v3/shipments': book('real'),
    'POST /v3/shipments/return': book('return'),
    'GET /v3/shipments/:number': known((entry, { settings }) => json(answerFor(entry, settings))),
    'GET /v3/shipments/:number/label': label,
    'GET /v3/return/:number/label': label,
    'GET /v3/shipments/:number/tracking': known((entry, { books, params: { number = '' } }) => {
      const events = books.events(number).map(({ status, at }) => ({
        timestamp: localDateTime(at, 'Europe/Copenhagen').replace('T', ' '),
        ...{ event: CODES[status] ?? `simulated_${status}`, details: status },
      }));
      return json({ package_number: number, carrier: entry.asked.service, events });
    }),
    'GET /v3/servicepoints/:carrier': ({ query: { country_code: countryCode, zip_code: postalCode } }) =>
      json({ servicepoints: simulatedPoints({ countryCode, postalCode }).map(pointFor) }),
    'GET /v3/servicepoints/:carrier/:id': ({ params }) => {
      const [point] = simulatedPoints({ id: params.id });
      return point ? json(pointFor(point)) : refuse(404, 'Servicepoint not found');
    },
    'GET /v3/products/:from': () => json({ DK: listed(), SE: listed() }),
  },
});

const PARTIES = ['sender', 'receiver'];
const isText = valid((value) => typeof value === 'string');
const inCustoms = (...names: readonly string[]) => under('order_lines?.*.customs.*', ...names);
const RULES: readonly RuleRow<FormRule>[] = [
  [NEEDED, ...under(PARTIES, 'name', 'street1', 'zip_code', 'city', 'phone', 'email')],
  [isText, ...under(PARTIES, 'attention', 'street2')],
  [A_COUNTRY, ...under(PARTIES, 'country')],
  [NEEDED, 'receiver.notify_sms', 'receiver.notify_email', 'carrier', 'carrier_product'],
  [NEEDED, ...inCustoms('total_price')],
  [A_MEASURE, 'length', 'width', 'height', 'weight'],
  [isText, 'carrier_service', 'description', 'comment', 'reference?'],
  [
    A_TEXT,
    'order_lines?.*.item_number',
    ...inCustoms('description', 'currency_code', 'sender_tariff', 'receiver_tariff'),
  ],
  [A_COUNTRY, ...inCustoms('origin_country')],
  [A_WHOLE_NUMBER, 'order_lines?.*.qty', ...inCustoms('weight')],
  [oneOf('LabelPrint', 'A4'), 'label_format'],
];

function book(order: 'real' | 'return'): Route {
  return ({ body, books, settings }: RouteContext) => {
    const [breach] = breachesOf(body, RULES);
    if (breach) return refuse(422, `The ${breach.path.join('.')} field is ${breach.rule.breach}`);
    const refusal = refusalOf(body, order);
    if (refusal !== null) return refuse(422, refusal);
    const lines = (role: string) =>
      addressLines(valueAt(body, role), 'name', 'attention', 'street1', 'street2', 'zip_code city', 'country');
    const entry = books.book({
      ...{ reference: textAt(body, 'reference') ?? '', service: textAt(body, 'carrier') ?? '', order },
      ...{ sender: lines('sender'), recipient: lines('receiver') },
      parcels: [{ weightGrams: numberAt(body, 'weight') ?? 0 }],
    });
    return json(answerFor(entry, settings), 201);
  };
}

function answerFor({ trackingNumbers: [number], reference, asked }: BookedEntry, { publicUrl }: SimulatorSettings) {
  const kind = asked.order === 'return' ? 'return' : 'shipments';
  const self = `${publicUrl}/v3/shipments/${number}`;
  const _links = { self, label: `${publicUrl}/v3/${kind}/${number}/label`, tracking: `${self}/tracking` };
  return { package_number: number, _links, reference };
}

function refusalOf(body: unknown, order: 'real' | 'return'): string | null {
  const said = (name: string) => textAt(body, name) ?? '';
  const service = said('carrier_service');
  if (service === 'droppoint' && simulatedPoints({ id: said('servicepoint_id') || 'none' }).length === 0)
    return 'The servicepoint does not exist';
  const product = said('carrier_product');
  const isOffered = PRODUCTS.includes(product) && SERVICES[said('carrier')]?.includes(service) === true;
  return (order === 'return' ? product === 'return' : isOffered) ? null : 'Unknown product';
}

/** Parcels of up to 20 kg, with the same price everywhere. */
function listed() {
  const offerOf = (codes: readonly string[]) => ({
    ...{ title: 'Simulated', weight: { from: 0, to: 20_000 }, prices: { incl_tax: 43.75, excl_tax: 35 } },
    services: codes.map((code) => ({ code, description: code, required: false })),
  });
  const ofCarrier = (codes: readonly string[]) => Object.fromEntries(PRODUCTS.map((each) => [each, [offerOf(codes)]]));
  return Object.fromEntries(Object.entries(SERVICES).map(([name, codes]) => [name, ofCarrier(codes)]));
}

function pointFor(point: SimulatedPoint) {
  return { ...pointRow(point, POINT), opening_hours: { monday: { from: '08:00', to: '22:00' } } };
}
