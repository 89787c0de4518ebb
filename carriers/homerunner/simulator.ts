import { numberAt, textAt, valueAt } from '../toolkit/json.js';
import { basicCredentials } from '../toolkit/json-client.js';
import { localDateTime } from '../toolkit/local-time.js';
import type { FormRule, Reply, Route, RouteContext, RuleRow, SimulatedPoint } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_MEASURE, NEEDED, aboutBooking, addressLines, breachesOf } from '../toolkit/simulator/index.js';
import { json, oneOf, pdf, simulateCarrier, simulatedPoints, under, valid } from '../toolkit/simulator/index.js';

const LOGIN = `Basic ${basicCredentials('lager@mail.example', 'sandbox-homerunner-token')}`;
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
    'GET /v3/shipments/:number/label': label,
    'GET /v3/return/:number/label': label,
    'GET /v3/shipments/:number/tracking': known((entry, { books, params: { number = '' } }) => {
      const events = books.events(number).map(({ status, at }) => ({
        timestamp: localDateTime(at, 'Europe/Copenhagen').replace('T', ' '),
        ...{ event: CODES[status] ?? `simulated_${status}`, details: status },
      }));
      return json({ package_number: number, carrier: entry.asked.service, events });
    }),
    'GET /v3/servicepoints/:carrier': ({ query }) =>
      json({ servicepoints: simulatedPoints({}).map((point) => pointFor(point, query.country_code, query.zip_code)) }),
    'GET /v3/servicepoints/:carrier/:id': ({ params }) => {
      const [point] = simulatedPoints({ id: params.id });
      return point ? json(pointFor(point)) : refuse(404, 'Servicepoint not found');
    },
    'GET /v3/products/DK': () => json({ DK: { dao: { private: [] } } }),
  },
});

const NEEDED_IN_PARTY = ['name', 'street1', 'zip_code', 'city', 'phone', 'email'];
const isText = valid((value) => typeof value === 'string');
const RULES: readonly RuleRow<FormRule>[] = [
  ...['sender', 'receiver'].flatMap((role): readonly RuleRow<FormRule>[] => [
    [NEEDED, ...under(role, ...NEEDED_IN_PARTY)],
    [isText, ...under(role, 'attention', 'street2')],
    [A_COUNTRY, `${role}.country`],
  ]),
  [NEEDED, 'receiver.notify_sms', 'receiver.notify_email', 'carrier', 'carrier_product'],
  [A_MEASURE, 'length', 'width', 'height', 'weight'],
  [isText, 'carrier_service', 'description', 'comment', 'reference'],
  [oneOf('LabelPrint', 'A4'), 'label_format'],
];

function book(order: 'real' | 'return'): Route {
  return ({ body, books, settings }: RouteContext) => {
    const [breach] = breachesOf(body, RULES);
    if (breach) return refuse(422, `The ${breach.path.join('.')} field is ${breach.rule.breach}`);
    const [point, service] = [textAt(body, 'servicepoint_id'), textAt(body, 'carrier_service')];
    if (service === 'droppoint' && simulatedPoints({ id: point ?? 'none' }).length === 0)
      return refuse(422, 'The servicepoint does not exist');
    if ((order === 'return') !== (textAt(body, 'carrier_product') === 'return')) return refuse(422, 'Unknown product');
    const lines = (role: string) =>
      addressLines(valueAt(body, role), 'name', 'attention', 'street1', 'street2', 'zip_code city', 'country');
    const entry = books.book({
      ...{ reference: textAt(body, 'reference') ?? '', service: textAt(body, 'carrier') ?? '', order },
      ...{ sender: lines('sender'), recipient: lines('receiver') },
      parcels: [{ weightGrams: numberAt(body, 'weight') ?? 0 }],
    });
    const number = entry.trackingNumbers[0];
    const kind = order === 'return' ? 'return' : 'shipments';
    const _links = { label: `${settings.publicUrl}/v3/${kind}/${number}/label` };
    return json({ package_number: number, _links, reference: entry.reference }, 201);
  };
}

function pointFor({ id, name, street, city, distanceM }: SimulatedPoint, country_code = 'DK', zip_code = '2600') {
  const opening_hours = { monday: { from: '08:00', to: '22:00' } };
  return { id, name, distance: distanceM, address: { street, zip_code, city, country_code }, opening_hours };
}
