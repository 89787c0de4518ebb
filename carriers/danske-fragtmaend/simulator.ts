import { textAt } from '../toolkit/json.js';
import type { BookedEntry, FormRule, Reply, RouteContext, RuleRow } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_FLAG, A_MEASURE, A_TEXT, A_WHOLE_NUMBER, NEEDED } from '../toolkit/simulator/index.js';
import { hasItems, json, matches, modelState } from '../toolkit/simulator/index.js';
import { oneOf, pdf, readBooking, simulateCarrier, text, under, valid } from '../toolkit/simulator/index.js';
import { localDateTime } from '../toolkit/local-time.js';
import { NOTE_TYPES, PAYERS, SERVICES, TYPES } from './services.js';

const LOGIN = {
  client_id: 'sandbox',
  grant_type: 'password',
  username: 'Fragt\\sandbox',
  password: 'sandbox-df-password',
};
const AGREEMENT = '999999';
const TOKEN = 'simulated-token';
const PAGE = { widthMm: 100, heightMm: 190 };
/** The names of its events are made up, because none are known. */
const CODES: Readonly<Record<string, string>> = { delivered: 'SIM_DELIVERED', 'in-transit': 'SIM_TRANSIT' };

/** The API as this folder's README has it. It knows one user, with one agreement. */
export const startFragtSimulator = simulateCarrier({
  carrier: 'danske-fragtmaend',
  carrierName: 'Danske Fragtmænd',
  series: { booking: { prefix: '99', length: 10 }, parcel: { prefix: '99', length: 18 } },
  visibleAfterMs: 20_000,
  formsAt: '/adfs',
  open: { 'POST /adfs/oauth2/token': answerToken },
  authenticate: ({ header }) => (header('authorization') === `Bearer ${TOKEN}` ? null : text('', 401)),
  routes: {
    'POST /v1/Consignments': book,
    'GET /v1/Consignments/ByDate': ({ query, books }) => {
      const since = Date.parse(query.sinceDateTime ?? '');
      if (Number.isNaN(since)) return json({ Message: 'sinceDateTime is required' }, 400);
      const made = books.visible().filter(({ bookedAt }) => bookedAt.getTime() >= since);
      return json({ ConsignmentNotes: made.slice(0, Number(query.suggestedMax ?? made.length)).map(answerFor) });
    },
    'GET /v1/Report/GetLabelForPrint': async ({ query: { consignmentNumbers = '' }, books }) => {
      const entries = consignmentNumbers.split(',').flatMap((number) => books.byNumber(number) ?? []);
      if (entries.length === 0) return json({ Message: 'The consignment does not exist' }, 400);
      return pdf(await books.labels(entries, PAGE));
    },
    'GET /v1/TrackAndTrace': ({ query, books }) => {
      const { trackingNumbers = [] } = books.byNumber(query.consignmentNumber) ?? {};
      const events = trackingNumbers.flatMap((number) => books.events(number));
      return json(
        events.map(({ at, status }) => ({
          ...{ Date: localDateTime(at, 'Europe/Copenhagen'), EventCode: CODES[status] ?? `SIM_${status}` },
        })),
      );
    },
  },
});

/** The token is for one address, and refused for another. The fields of the form may have small letters. */
function answerToken({ body, settings }: RouteContext): Reply {
  const form = Object.fromEntries(Object.entries(Object(body)).map(([name, value]) => [name.toLowerCase(), value]));
  const wanted = { ...LOGIN, resource: settings.publicUrl };
  const isKnown = Object.entries(wanted).every(([name, value]) => form[name] === value);
  const refusal = { error: 'invalid_grant', error_description: 'The user name or password is incorrect' };
  return isKnown ? json({ access_token: TOKEN, token_type: 'bearer', expires_in: 3600 }) : json(refusal, 400);
}

const PARTIES = ['Sender', 'Receiver', 'Initiator'];

/** With a time, or without. */
const A_DAY = valid(matches(/^\d{4}-\d\d-\d\d(T.+)?$/));

/** Weights with a fraction are refused. */
const RULES: readonly RuleRow<FormRule>[] = [
  [NEEDED, 'AgreementNumber', 'HubAgreement'],
  [oneOf(...SERVICES.map(({ code }) => code), 'Unknown'), 'ShippingType'],
  [oneOf(...NOTE_TYPES), 'ConsignmentNoteType'],
  [oneOf(...PAYERS), 'WhoPays'],
  [A_DAY, 'ConsignmentDate', ...under('PickupTime?', 'PickupIntervalStart?', 'PickupIntervalEnd?')],
  [A_DAY, ...under('DeliveryTime?', 'DotIntervalStart?', 'DotIntervalEnd?', 'RequestedDeliveryDate?')],
  [A_WHOLE_NUMBER, ...under('ExchangePallets?', 'FullPallets?', 'HalfPallets?', 'QuaterPallets?')],
  [A_MEASURE, 'Insurance?.Amount', ...under('Goods.*', 'Volume?', 'LoadMeters?')],
  [NEEDED, ...under(PARTIES, 'Name', 'Street', 'Town', 'Zipcode')],
  [A_COUNTRY, ...under(PARTIES, 'Country')],
  [A_TEXT, ...under(PARTIES, 'Name2?', 'Street2?', 'ContactPerson?', 'ContactPersonPhone?', 'ContactPersonEmail?')],
  [A_TEXT, ...under(PARTIES, 'Phone?', 'Email?')],
  [valid(hasItems(1, Infinity)), 'Goods'],
  [A_WHOLE_NUMBER, ...under('Goods.*', 'NumberOfItems', 'Weight')],
  [A_MEASURE, ...under('Goods.*', 'Weight', 'Length?', 'Width?', 'Height?')],
  [oneOf(...TYPES), 'Goods.*.Type'],
  [A_FLAG, 'PreBooking?', 'Goods.*.Stackable?'],
  [A_TEXT, 'ShopId?', 'SenderReference?', 'DeliveryRemark?', 'ProductCode?', 'ServiceCodes?.*', 'Goods.*.SenderRef?'],
  [A_TEXT, 'Department?', 'PickupRemarks?', 'Insurance?.AmountCurrency?', 'DeliveryTime?.DotType?'],
  [A_TEXT, 'DeliveryNotification?.Email.*', 'DeliveryNotification?.SMS.*'],
];

const BOOKING = {
  ...{ reference: 'SenderReference', service: 'ShippingType', sender: 'Sender', recipient: 'Receiver' },
  lines: ['Name', 'Name2', 'Street', 'Street2', 'Zipcode Town', 'Country'],
  ...{ parcels: 'Goods', parcel: { kilograms: 'Weight', reference: 'SenderRef' } },
};

function book({ body, books }: RouteContext): Reply {
  const violations = modelState(body, RULES, {
    textOf: ({ rule: { breach } }) => (breach === 'missing' ? 'The field is required.' : 'The value is not valid.'),
  });
  if (Object.keys(violations).length > 0) return json(violations, 400);
  if (textAt(body, 'AgreementNumber') !== AGREEMENT) return json({ Message: 'No access to the agreement' }, 403);
  const order = textAt(body, 'ConsignmentNoteType') === 'Return' ? 'return' : 'real';
  return json(answerFor(books.book({ ...readBooking(body, BOOKING), order })), 201);
}

function answerFor({ carrierNumber, reference, trackingNumbers, asked }: BookedEntry) {
  const Goods = trackingNumbers.map((Barcode, place) => ({
    ...{ DId: place + 1, NumberOfItems: 1, ColliCodes: [{ Id: place + 501, Barcode, ColliNumber: place + 1 }] },
  }));
  const about = { ShippingType: asked.service, PreBooking: false, Locked: false, Deleted: false };
  return { ConsignmentNumber: carrierNumber, SenderReference: reference, ...about, Goods };
}
