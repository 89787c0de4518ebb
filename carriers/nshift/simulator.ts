import { listAt, numberAt, textAt, valueAt } from '../toolkit/json.js';
import { thatHold } from '../toolkit/text.js';
import type { BookedEntry, Books, FormRule, Reply, RouteContext, RuleRow } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_MEASURE, A_WHOLE_NUMBER, NEEDED, SIMULATED_POINTS } from '../toolkit/simulator/index.js';
import { aboutBooking, breachesOf, empty, isSent, json, matches, oneOf, pdf } from '../toolkit/simulator/index.js';
import { pointRow, readBooking, simulateCarrier, simulatedPoints, under, valid } from '../toolkit/simulator/index.js';
import { codesFor } from '../toolkit/tracking/status-table.js';
import { AGENT, AGENTS, MEDIA } from './config.js';
import { CHOSEN_POINT, COLLECT, DANGEROUS, LETTER, SERVICES, isPostnordAddon } from './services.js';
import { MIN_DELAY_MS, STATUSES } from './tracking.js';

const LOGIN = 'Bearer SANDBOXNSHIFT001-SANDBOXNSHIFTSECRET00001';
const DOCUMENTS_KEPT_MS = 60 * 60_000;
const HEAVIEST_KG = 35;
const CHANGES_AT_ONCE = 100;
const CODES = codesFor(STATUSES, {
  ...{ 'handed-over': 'dispatching', customs: 'dispatching', 'delivery-failed': 'outfordelivery' },
  ...{ 'lost-or-damaged': 'dispatching', unrecognised: 'unheardof' },
});
/** The time until which an account that was told everything must wait. */
const waits = new WeakMap<Books, number>();

const fail = (code: string, message: string): Reply => json({ code, message }, 400);
const known = aboutBooking(
  ({ params, books }) => books.byNumber(params.id),
  () => empty(404),
);

/** The API as this folder's README has it: a 422 is a list, all other errors are objects; documents live one hour. */
export const startNshiftSimulator = simulateCarrier({
  ...{ carrier: 'nshift', carrierName: 'nShift' },
  series: { booking: { prefix: '5', length: 8 }, parcel: { prefix: '00375', length: 20 } },
  authenticate: ({ header }) => (header('authorization') === LOGIN ? null : empty(401)),
  routes: {
    'POST /shipments': book,
    'GET /shipments': changesSince,
    'DELETE /shipments/:id': known((entry, { books }) => {
      books.cancel(entry);
      return empty(204);
    }),
    'GET /shipments/:id/prints': known((entry, context) => json(printsOf(entry, context))),
    'GET /shipments/:id/prints/:print': known(async (entry, context) => {
      const isThere = printsOf(entry, context).some(({ id }) => id === context.params.print);
      return isThere ? pdf(await context.books.labels(entry, MEDIA['thermo-190'])) : empty(404);
    }),
    'POST /prices': ({ body }) => {
      const problems = problemsIn(valueAt(body, 'shipment'));
      return problems.length > 0 ? json(problems, 422) : json({ price: 52.5, priceWithAdditionalSurcharges: 56.7 });
    },
    'GET /addresses/agents': agentsNear,
    'GET /meta/lists/partners': () => json([{ id: 'PDK', services: SERVICES.map(({ code: id }) => ({ id })) }]),
  },
});

const RULES: readonly RuleRow<FormRule>[] = [
  [NEEDED, ...under(['receiver', 'returnPart?'], 'name', 'city')],
  [NEEDED, 'service.id', 'parcels', 'customsDeclaration?.printSet'],
  [A_COUNTRY, 'receiver.country', 'returnPart?.country'],
  [oneOf('1', 'DEMO'), 'sender.quickId?'],
  [A_WHOLE_NUMBER, 'parcels.*.copies'],
  [A_MEASURE, ...under('parcels.*', 'weight', 'length?', 'width?', 'height?', 'volume?')],
  [valid(matches(/^\d{4}-\d\d-\d\d$/)), 'shipDate?', 'service.pickupDate?'],
];

/** What nShift says against a shipment, an entry for each; empty: it is booked. */
function problemsIn(shipment: unknown): readonly object[] {
  const breaches = breachesOf(shipment, RULES).map(({ rule: { breach }, path }) => `${path.join('_')} ${breach}`);
  return [...breaches, ...thatHold(failuresOf(shipment))].map((each) => {
    const [field = '', ...words] = each.split(' ');
    const messageCode = words.includes('exceeded') ? 'MaximumFlt' : 'Mandatory';
    return { type: 'error', field, location: field.replaceAll('_', ''), messageCode, message: words.join(' ') };
  });
}

function failuresOf(shipment: unknown): Readonly<Record<string, unknown>> {
  const at = (...path: readonly string[]) => textAt(shipment, ...path) ?? '';
  const id = at('service', 'id');
  const ids = listAt(shipment, 'service', 'addons').map((addon) => textAt(addon, 'id') ?? '');
  const parcels = listAt(shipment, 'parcels');
  const isPostnord = SERVICES.some(({ code }) => code === id);
  const isReturn = valueAt(shipment, 'service', 'returnShipment') === true;
  const isNearestFound = ['DK', 'SE'].includes(at('receiver', 'country')); // by PostNord itself
  const isSender = at('sender', 'quickId') || ['name', 'city', 'country'].every((name) => at('sender', name));
  const isPointKnown = SIMULATED_POINTS.some((point) => point.id === at('agent', 'quickId'));
  const lacks = (addon: string, ...path: readonly string[]) => ids.includes(addon) && at(...path) === '';
  const isHeavy = parcels.some((parcel) => isPostnord && (numberAt(parcel, 'weight') ?? 0) > HEAVIEST_KG);
  const isDangerous = parcels.some((parcel) => isSent(valueAt(parcel, 'dangerousGoods')));
  return {
    'Sender_Name value is required': !isSender,
    'Service_Id unknown service': !isPostnord && listAt(shipment, 'senderPartners').length === 0,
    'Addon_Id unknown add-on': isPostnord && !ids.every(isPostnordAddon),
    [`Parcel_Weight maximum value (${HEAVIEST_KG}) exceeded`]: isHeavy,
    'Shipment_BulkId value is required': id === LETTER && !at('bulkId'),
    'Addon_Id PUPOPT is required': id === COLLECT && !isReturn && !isNearestFound && !ids.includes(CHOSEN_POINT),
    'Agent_QuickId unknown agent': ids.includes(CHOSEN_POINT) && !isPointKnown,
    'Receiver_Email value is required': lacks('NOTEMAIL', 'receiver', 'email'),
    'Receiver_Mobile value is required': lacks('NOTSMS', 'receiver', 'mobile'),
    'Parcel_DangerousGoods value is required': ids.includes(DANGEROUS) !== isDangerous,
  };
}

const BOOKING = {
  ...{ reference: 'orderNo', service: 'service.id', sender: 'sender', recipient: 'receiver' },
  lines: ['name', 'address1', 'address2', 'zipcode city', 'state', 'country'],
  ...{ parcels: 'parcels', parcel: { id: 'reference', kilograms: 'weight' } },
};

async function book(context: RouteContext): Promise<Reply> {
  const { body, books, query } = context;
  const at = (...path: readonly string[]) => textAt(body, ...path) ?? '';
  const [shipment, media] = [valueAt(body, 'shipment'), at('printConfig', 'target1Media')];
  if (!isSent(shipment) || media === '') return fail('MISSING', 'Missing shipment print request body');
  if (!(media in MEDIA)) return fail('ILLEGAL', 'Illegal target1Media argument');
  const problems = problemsIn(shipment);
  if (problems.length > 0) return json(problems, 422);
  const isReturn = valueAt(shipment, 'service', 'returnShipment') === true;
  const entry = books.book({
    ...readBooking(shipment, isReturn ? { ...BOOKING, sender: 'receiver', recipient: 'sender' } : BOOKING),
    order: isReturn ? 'return' : valueAt(shipment, 'test') === true ? 'test' : 'real',
  });
  const label = await books.labels(entry, MEDIA[media as keyof typeof MEDIA]);
  const data = query.returnFile === 'true' ? Buffer.from(label).toString('base64') : null;
  const prints = printsOf(entry, context).map((print) => ({ ...print, data }));
  return json([{ ...shipmentOf(entry), prints }], 201);
}

function printsOf({ carrierNumber, bookedAt }: BookedEntry, { settings }: RouteContext) {
  const areKept = settings.now().getTime() - bookedAt.getTime() <= DOCUMENTS_KEPT_MS;
  const id = `6${carrierNumber}`;
  const print = { id, href: `${settings.publicUrl}/shipments/${carrierNumber}/prints/${id}`, description: 'Label' };
  return areKept ? [print] : [];
}

const nshiftTime = (at: Date) => at.toISOString().replace('Z', '+0000');

function shipmentOf({ carrierNumber, reference, trackingNumbers, parcelIds = [], asked, bookedAt }: BookedEntry) {
  const parcels = trackingNumbers.map((parcelNo, n) => ({ parcelNo, reference: parcelIds[n] || null }));
  const about = { id: carrierNumber, status: 'printed', shipmentNo: '', orderNo: reference, serviceId: asked.service };
  return { ...about, parcelCount: parcels.length, created: nshiftTime(bookedAt), parcels };
}

/** The changes of all shipments, oldest first; `-1`: from now on. A shipment has the status of its first parcel. */
function changesSince({ books, query: { fetchId = '' }, settings }: RouteContext): Reply {
  const told = books.entries.flatMap((entry) =>
    books.events(entry.trackingNumbers[0] ?? '').map(({ status, at }) => ({ entry, status: CODES[status], at })),
  );
  const from = fetchId === '-1' ? told.length : Number(fetchId || NaN);
  if (!(from >= 0 && from <= told.length)) return fail(fetchId ? 'ILLEGAL' : 'MISSING', 'fetchId argument');
  const now = settings.now().getTime();
  if (now < (waits.get(books) ?? 0)) return json({ code: 'ILLEGAL', message: 'minDelay is not over' }, 429);
  const oldestFirst = told.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const some = oldestFirst.slice(from, from + CHANGES_AT_ONCE);
  const [end, done] = [from + some.length, from + some.length === told.length];
  if (done) waits.set(books, now + MIN_DELAY_MS);
  const shipments = some.map(({ entry, status, at }) => ({ ...shipmentOf(entry), status, changed: nshiftTime(at) }));
  return json({ fetchId: String(end), minDelay: MIN_DELAY_MS, done, shipments });
}

function agentsNear({ query: { type = '', zip: postalCode = '', countryCode = '' } }: RouteContext): Reply {
  if (!AGENTS.includes(type)) return fail('ILLEGAL', 'Illegal type argument');
  if (postalCode === '' || countryCode === '') return fail('MISSING', 'Missing zip argument');
  const points = ['DK', 'SE', 'NO', 'FI'].includes(countryCode) ? simulatedPoints({ postalCode, countryCode }) : [];
  return json(points.map((point) => pointRow(point, AGENT)));
}
