import { basicCredentials } from '../toolkit/json-client.js';
import { listAt, numberAt, textAt, valueAt } from '../toolkit/json.js';
import type { BookedEntry, FormRule, Reply, RouteContext, RuleRow } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_MEASURE, A_WHOLE_NUMBER, NEEDED, SIMULATED_POINTS } from '../toolkit/simulator/index.js';
import {
  aboutBooking,
  addressLines,
  breachesOf,
  empty,
  isSent,
  json,
  matches,
  oneOf,
} from '../toolkit/simulator/index.js';
import { pdf, simulateCarrier, under, upTo, valid } from '../toolkit/simulator/index.js';
import { gramsOf } from '../toolkit/units.js';
import { AGENTS, MEDIA } from './config.js';
import { CHOSEN_POINT, COLLECT, DANGEROUS, LETTER, SERVICES, isPostnordAddon } from './services.js';

const [USER, PIN] = ['SANDBOXNSHIFT001', 'SANDBOXNSHIFTSECRET00001'];
const LOGINS = [`Bearer ${USER}-${PIN}`, `Basic ${basicCredentials(USER, PIN)}`];
const DOCUMENTS_KEPT_MS = 60 * 60_000;
const HEAVIEST_KG = 35;

const fail = (code: string, message: string): Reply => json({ code, message }, 400);
const known = aboutBooking(
  ({ params, books }) => books.byNumber(params.id),
  () => empty(404),
);

/** The API as this folder's README has it: a 422 is a list, all other errors are objects; documents live one hour. */
export const startNshiftSimulator = simulateCarrier({
  ...{ carrier: 'nshift', carrierName: 'nShift' },
  series: { booking: { prefix: '5', length: 8 }, parcel: { prefix: '00375', length: 20 } },
  authenticate: ({ header }) => (LOGINS.includes(header('authorization')) ? null : empty(401)),
  routes: {
    'POST /shipments': book,
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

const LINE = 'customsDeclaration?.lines.*';
const RULES: readonly RuleRow<FormRule>[] = [
  [NEEDED, ...under('receiver', 'name', 'city'), 'service.id', 'parcels', 'parcels.*.dangerousGoods?.unCode'],
  [NEEDED, ...under('customsDeclaration?', 'printSet', 'lines', 'currencyCode'), `${LINE}.statNo`, `${LINE}.contents`],
  [A_COUNTRY, 'receiver.country', `${LINE}.sourceCountryCode`],
  [oneOf('1', 'DEMO'), 'sender.quickId?'],
  [upTo(30), 'deliveryInstruction'],
  [A_WHOLE_NUMBER, 'parcels.*.copies', `${LINE}.copies`],
  [A_MEASURE, ...under('parcels.*', 'weight', 'length?', 'width?', 'height?', 'volume?'), `${LINE}.netWeight`],
  [valid(matches(/^\d{4}-\d\d-\d\d$/)), 'shipDate?', 'service.pickupDate?'],
];

/** What nShift says against a shipment, an entry for each; empty: it is booked. */
function problemsIn(shipment: unknown): readonly object[] {
  const breaches = breachesOf(shipment, RULES).map(({ rule: { breach }, path }) => `${path.join('_')} ${breach}`);
  const failed = Object.entries(failuresOf(shipment)).flatMap(([text, isFailed]) => (isFailed ? [text] : []));
  return [...breaches, ...failed].map((each) => {
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
    'Addon_Id PUPOPT is required': id === COLLECT && !isReturn && !ids.includes(CHOSEN_POINT),
    'Agent_QuickId unknown agent': ids.includes(CHOSEN_POINT) && !isPointKnown,
    'Receiver_Email value is required': lacks('NOTEMAIL', 'receiver', 'email'),
    'Receiver_Mobile value is required': lacks('NOTSMS', 'receiver', 'mobile'),
    'Parcel_DangerousGoods value is required': ids.includes(DANGEROUS) !== isDangerous,
  };
}

async function book(context: RouteContext): Promise<Reply> {
  const { body, books, query } = context;
  const at = (...path: readonly string[]) => textAt(body, ...path) ?? '';
  const [shipment, media] = [valueAt(body, 'shipment'), at('printConfig', 'target1Media')];
  if (!isSent(shipment) || media === '') return fail('MISSING', 'Missing shipment print request body');
  if (!(media in MEDIA)) return fail('ILLEGAL', 'Illegal target1Media argument');
  const problems = problemsIn(shipment);
  if (problems.length > 0) return json(problems, 422);
  const isReturn = valueAt(shipment, 'service', 'returnShipment') === true;
  const [from, to] = isReturn ? (['receiver', 'sender'] as const) : (['sender', 'receiver'] as const);
  const entry = books.book({
    ...{ reference: at('shipment', 'orderNo'), service: at('shipment', 'service', 'id') },
    order: isReturn ? 'return' : valueAt(shipment, 'test') === true ? 'test' : 'real',
    ...{ sender: linesOf(shipment, from), recipient: linesOf(shipment, to) },
    parcels: listAt(shipment, 'parcels').map((parcel) => {
      return { id: textAt(parcel, 'reference') ?? '', weightGrams: gramsOf(numberAt(parcel, 'weight')) };
    }),
  });
  const label = await books.labels(entry, MEDIA[media as keyof typeof MEDIA] ?? { widthMm: 210, heightMm: 297 });
  const data = query.returnFile === 'true' ? Buffer.from(label).toString('base64') : null;
  const prints = printsOf(entry, context).map((print) => ({ ...print, data }));
  return json([{ ...shipmentOf(entry), prints }], 201);
}

const linesOf = (shipment: unknown, role: string) =>
  addressLines(valueAt(shipment, role), 'name', 'address1', 'address2', 'zipcode city', 'state', 'country');

function printsOf({ carrierNumber, bookedAt }: BookedEntry, { settings }: RouteContext) {
  const areKept = settings.now().getTime() - bookedAt.getTime() <= DOCUMENTS_KEPT_MS;
  const id = `6${carrierNumber}`;
  const print = { id, href: `${settings.publicUrl}/shipments/${carrierNumber}/prints/${id}`, description: 'Label' };
  return areKept ? [print] : [];
}

function shipmentOf({ carrierNumber, reference, trackingNumbers, parcelIds = [], asked, bookedAt }: BookedEntry) {
  const created = bookedAt.toISOString().replace('Z', '+0000');
  const isReturn = asked.order === 'return';
  const parcelOf = (parcelNo: string, n: number) => ({
    parcelNo,
    returnParcelNo: null,
    reference: parcelIds[n] || null,
  });
  const kind = { normalShipment: !isReturn, returnShipment: isReturn, consolidated: false };
  const about = { id: carrierNumber, status: 'printed', shipmentNo: '', orderNo: reference, serviceId: asked.service };
  return { ...about, parcelCount: trackingNumbers.length, created, ...kind, parcels: trackingNumbers.map(parcelOf) };
}

function agentsNear({ query: { type = '', zip = '', countryCode = '' } }: RouteContext): Reply {
  if (!AGENTS.includes(type)) return fail('ILLEGAL', 'Illegal type argument');
  if (zip === '' || countryCode === '') return fail('MISSING', 'Missing zip argument');
  const points = ['DK', 'SE', 'NO', 'FI'].includes(countryCode) ? SIMULATED_POINTS : [];
  const addresses = points.map(({ id, name, street: address1, city }) => ({ id, name, address1, zipcode: zip, city }));
  return json(addresses.map((address) => ({ ...address, address2: null, countryCode, openingHours: null })));
}
