import type { SimulatedEvent } from '../contract/index.js';
import { listAt, numberAt, textAt, valueAt } from '../toolkit/json.js';
import { localDateTime } from '../toolkit/local-time.js';
import type { BookedEntry, Books, FormRule, Reply, Route, RuleRow } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_MEASURE, A_TEXT, NEEDED, oneOf, under, upTo, valid } from '../toolkit/simulator/index.js';
import { addressLines, breachesOf, hasItems, isFilled, json, matches } from '../toolkit/simulator/index.js';
import { simulateCarrier, simulatedPoints, text } from '../toolkit/simulator/index.js';
import { codesFor } from '../toolkit/tracking/status-table.js';
import { said } from '../toolkit/text.js';
import { gramsOf } from '../toolkit/units.js';
import { COLLECT, HOME, RETURN, SERVICES } from './services.js';
import { STATUSES } from './tracking.js';

const KEY = 'sandbox-postnord-key';
const CUSTOMER = '990000001';
/** Shorter than `bookingVisibleAfterMs`: a search that comes too early finds nothing. */
const VISIBLE_AFTER_MS = 60_000;
const PAGE = { widthMm: 105, heightMm: 190 };
const CODES = codesFor(STATUSES, {
  ...{ 'handed-over': 'EN_ROUTE', customs: 'STOPPED', 'out-for-delivery': 'EN_ROUTE' },
  ...{ 'lost-or-damaged': 'DELIVERY_IMPOSSIBLE', cancelled: 'OTHER', unrecognised: 'SPLIT' },
});
const series = { booking: { prefix: '', length: 17 }, parcel: { prefix: '0037', length: 20 } };
const FORBIDDEN = { status_code: 403, error_type: 'Forbidden', message: 'Invalid API Key' };

/** PostNord's API as this folder's README has it: 400 for a form, 200 with FAIL for what is not to be booked. */
export const startPostnordSimulator = simulateCarrier({
  ...{ carrier: 'postnord', carrierName: 'PostNord', series },
  authenticate: ({ query }) => (query.apikey === KEY ? null : json({ error: FORBIDDEN }, 403)),
  routes: {
    'POST /rest/shipment/v3/edi/labels/:format': book('real'),
    'POST /rest/shipment/v3/returns/edi/labels/:format': book('return'),
    'POST /rest/shipment/v3/labels/ids/:format': async ({ body, books, params }) =>
      json(await Promise.all(listAt(body).map((each) => printoutOf(books, textAt(each, 'id') ?? '', params.format)))),
    'GET /rest/shipment/v1/validate/customernumber': ({ query }) =>
      text(query.customerNumber === CUSTOMER && query.countryCode === 'DK' ? 'VALID' : 'INVALID'),
    'GET /rest/shipment/v7/trackandtrace/id/:id/public': ({ params, books }) =>
      tracking(books, (entry) => entry === books.byParcel(params.id)),
    'GET /rest/shipment/v7/trackandtrace/customernumber/:customer/reference/:reference/public': ({ params, books }) => {
      const visible = params.customer === CUSTOMER ? books.visibleAfter(VISIBLE_AFTER_MS) : [];
      return tracking(books, (entry) => entry.reference === params.reference && visible.includes(entry));
    },
    'GET /rest/businesslocation/v5/servicepoints/nearest/byaddress': ({ query }) => {
      const place = ['returnType', 'countryCode', query.city ? 'city' : 'postalCode'];
      const missing = place.filter((name) => !query[name]).map((name) => faultFor(name, 'missing'));
      const near = { limit: Number(query.numberOfServicePoints ?? 10) };
      return missing.length > 0 ? refuse(missing) : points(near, query.countryCode, query.postalCode);
    },
    'GET /rest/businesslocation/v5/servicepoints/ids': ({ query: { ids = 'none' } }) => points({ id: ids }),
  },
});

const refuse = (faults: readonly object[], status = 400): Reply =>
  json({ message: 'Invalid indata object EdiInstruction', compositeFault: { faults } }, status);

function faultFor(param: string, breach: FormRule['breach']) {
  const explanationText = `${param} is ${breach === 'missing' ? 'a required field' : 'not valid'}`;
  return { explanationText, faultCode: null, faultReferences: [], paramValues: [{ param, value: '' }] };
}

const S = 'shipment.*';
const ITEM = `${S}.goodsItem.*.items.*`;
const party = (path: string): readonly RuleRow<FormRule>[] => [
  [NEEDED, ...under(`${path}.party`, 'nameIdentification.name', 'address.postalCode', 'address.city')],
  [A_COUNTRY, `${path}.party.address.countryCode`],
  [upTo(60), ...under(`${path}.party.nameIdentification`, 'name', 'careOfName')],
  [upTo(35), `${path}.party.address.city`],
  [upTo(50), ...under(`${path}.party.contact?`, 'contactName', 'phoneNo', 'smsNo')],
  [upTo(70), `${path}.party.contact?.emailAddress`],
];

const RULES: readonly RuleRow<FormRule>[] = [
  [NEEDED, 'messageDate', 'updateIndicator', 'application.name', `${S}.parties.consignor.issuerCode`],
  [valid(Number.isInteger), 'application.applicationId'],
  [valid(matches(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)), 'messageDate', `${S}.dateAndTimes.loadingDate`],
  [oneOf('Original'), 'updateIndicator'],
  [upTo(36), 'messageId'],
  [valid(hasItems(1, 200)), 'shipment', `${S}.goodsItem`, `${S}.goodsItem.*.items`],
  [
    A_TEXT,
    ...under(`${S}.service`, 'basicServiceCode', 'additionalServiceCode?.*'),
    `${ITEM}.itemIdentification.itemId`,
  ],
  ...under(`${S}.parties`, 'consignor', 'consignee', 'deliveryParty?').flatMap(party),
  [oneOf('DOMESTICDK', 'EUROPE', 'RESTOFTHEWORLD'), `${S}.insurance?.typeOfInsurance`],
  [A_MEASURE, ...under(S, 'insurance?.insuranceAmount.amount', 'totalGrossWeight?.value')],
  [A_MEASURE, ...under(ITEM, 'grossWeight.value', 'volume?.value', 'dimensions?.length.value')],
  [oneOf('KGM', 'GRM', 'TON'), `${S}.totalGrossWeight?.unit`, `${ITEM}.grossWeight.unit`],
  [upTo(1000), `${S}.freeText?.*.text`],
  [upTo(35), `${S}.references.*.referenceNo`, `${ITEM}.references?.*.referenceNo`],
  [oneOf('PC', 'BX', 'EN', 'PE', 'AF', 'OA', 'OF', 'CW'), `${S}.goodsItem.*.packageTypeCode`],
];

/** What it says against a shipment of the right form: pairs of a text and whether it holds. @returns `undefined`: it is booked */
function failureOf(shipment: unknown, isReturn: boolean): string | undefined {
  const [customer, ours] = isReturn ? (['consignor', 'consignee'] as const) : (['consignee', 'consignor'] as const);
  const at = (...path: readonly string[]) => textAt(shipment, ...path);
  const service = at('service', 'basicServiceCode') ?? '';
  const found = Object.entries({
    'The customer number is not valid': at('parties', ours, 'partyIdentification', 'partyId') !== CUSTOMER,
    'The service is not valid': isReturn ? service !== RETURN : SERVICES.every(({ code }) => code !== service),
    ...pointFailures(shipment, service),
    ...contactFailures(shipment, { service, contact: ['parties', customer, 'party'] }),
  });
  return found.find(([, isBreached]) => isBreached)?.[0];
}

const hasAny = (shipment: unknown, ...codes: readonly string[]) =>
  listAt(shipment, 'service', 'additionalServiceCode').some((code) => codes.some((each) => each === code));

function pointFailures(shipment: unknown, service: string) {
  const point = textAt(shipment, 'parties', 'deliveryParty', 'partyIdentification', 'partyId');
  const country = textAt(shipment, 'parties', 'consignee', 'party', 'address', 'countryCode') ?? '';
  const isInsured = isFilled(valueAt(shipment, 'insurance'));
  return {
    'A service point and A7 go together': hasAny(shipment, 'A7') !== (point !== null),
    'There is no such service point': point !== null && simulatedPoints({ id: point }).length === 0,
    'A service point must be chosen': service === COLLECT && point === null && !['DK', 'SE'].includes(country),
    'A2, A3 or A4 is required': service === COLLECT && !hasAny(shipment, 'A2', 'A3', 'A4'),
    'Insurance has no additional service': isInsured && !hasAny(shipment, 'A5', '61', '62'),
  };
}

interface Customer {
  readonly service: string;
  /** The path of the party that is told. */
  readonly contact: readonly string[];
}

function contactFailures(shipment: unknown, { service, contact }: Customer) {
  const [smsNo, email] = ['smsNo', 'emailAddress'].map((name) => textAt(shipment, ...contact, 'contact', name) ?? '');
  const isDanish = textAt(shipment, ...contact, 'address', 'countryCode') === 'DK';
  return {
    'smsNo or emailAddress is required': service === HOME && !smsNo && !email,
    'smsNo is required': !smsNo && (service === RETURN || hasAny(shipment, 'A3', 'C7')),
    'emailAddress is required': !email && (service === RETURN || hasAny(shipment, 'A4')),
    'smsNo is not a Danish number': isDanish && !/^((\+45|0045)?\d{8})?$/.test(smsNo ?? ''),
  };
}

function book(order: 'real' | 'return'): Route {
  return async ({ body, books, query, params: { format } }) => {
    const breaches = breachesOf(body, RULES).map(({ rule, field }) => faultFor(field, rule.breach));
    const [size, value] = format === 'zpl' ? ['dpmm', '8dpmm'] : ['paperSize', 'LABEL'];
    const faults = query[size] === value ? breaches : [faultFor(size, 'invalid'), ...breaches];
    if (faults.length > 0) return refuse(faults);
    const shipment = valueAt(body, 'shipment', 0);
    const message = failureOf(shipment, order === 'return');
    const failed = { status: 'FAIL', references: {}, ids: [], urls: [], errorResponse: { message } };
    if (message !== undefined) return json({ bookingResponse: { bookingId: null, idInformation: [failed] } });
    const entry = books.book({
      order: valueAt(body, 'testIndicator') === true ? 'test' : order,
      reference: textAt(shipment, 'references', 0, 'referenceNo') ?? '',
      service: textAt(shipment, 'service', 'basicServiceCode') ?? '',
      ...{ sender: linesOf(shipment, 'consignor'), recipient: linesOf(shipment, 'consignee') },
      parcels: listAt(shipment, 'goodsItem', 0, 'items').map((item) => ({
        weightGrams: gramsOf(numberAt(item, 'grossWeight', 'value')),
        reference: textAt(item, 'references', 0, 'referenceNo'),
      })),
    });
    const labelPrintout = await Promise.all(entry.trackingNumbers.map((item) => printoutOf(books, item, format)));
    const bookingResponse = { bookingId: `0000${entry.carrierNumber}`, idInformation: [rowOf(entry)] };
    return json({ bookingResponse, labelPrintout });
  };
}

function rowOf({ reference, carrierNumber, trackingNumbers }: BookedEntry) {
  const items = trackingNumbers.map((value) => ({ idType: 'itemId', value, printId: `p${value}` }));
  const ids = [...items, { idType: 'shipmentId', value: carrierNumber, printId: null }];
  const references = { shipment: [{ referenceNo: reference, referenceType: 'CU' }], item: [] };
  const urls = [{ type: 'TRACKING', url: `https://tracking.postnord.com/dk/?id=${trackingNumbers[0]}` }];
  return { status: 'OK', references, ids, urls, errorResponse: null };
}

async function printoutOf(books: Books, item: string, format: string | undefined) {
  const entry = books.byParcel(item);
  const label = entry && books.labelOf(entry, item, PAGE);
  if (!label) return { itemIds: [{ itemIds: item, status: 'FAIL', errorResponse: { message: 'Unknown item' } }] };
  const pdf = { labelFormat: 'PDF', encoding: 'base64', data: Buffer.from(await label).toString('base64') };
  const zpl = {
    encoding: 'none',
    data: books.zpl(entry, 203, PAGE).split(/(?<=\^XZ\n)/)[entry.trackingNumbers.indexOf(item)],
  };
  const printout = { type: 'LABEL', ...(format === 'zpl' ? zpl : pdf) };
  return { itemIds: [{ itemIds: item, status: 'OK' }], printout, nextPage: null };
}

function linesOf(shipment: unknown, role: string): readonly string[] {
  const party = valueAt(shipment, 'parties', role, 'party');
  const first = said(textAt(party, 'nameIdentification', 'name'), ...listAt(party, 'address', 'streets').map(String));
  return [...first, ...addressLines(valueAt(party, 'address'), 'postalCode city', 'countryCode')];
}

function tracking(books: Books, isMeant: (entry: BookedEntry) => boolean): Reply {
  const shipments = books.entries.filter(isMeant).map(({ carrierNumber, reference, trackingNumbers, asked }) => ({
    ...{ shipmentId: carrierNumber, service: { code: asked.service }, estimatedTimeOfArrival: null },
    shipmentReferences: [{ type: 'CU', value: reference }],
    items: trackingNumbers.map((itemId) => ({ itemId, events: books.events(itemId).map(eventOf) })),
  }));
  if (shipments.length === 0) return refuse([faultFor('id', 'invalid')], 404);
  return json({ TrackingInformationResponse: { shipments } });
}

const eventOf = ({ status, at, place }: SimulatedEvent) => ({
  ...{ eventTime: localDateTime(at, 'Europe/Copenhagen'), status: CODES[status], eventDescription: status },
  location: { name: place, city: place, postcode: '5000', countryCode: 'DK', locationType: 'HUB' },
});

function points(query: Parameters<typeof simulatedPoints>[0], countryCode = 'DK', postalCode = '2600'): Reply {
  const servicePoints = simulatedPoints(query).map(({ id, name, street, city, kind, distanceM }) => {
    const [streetName, streetNumber] = street.split(/ (?=\d)/);
    const address = { countryCode, city, streetName, streetNumber, postalCode };
    const type = { typeId: kind === 'locker' ? 2 : 44 };
    const postalServices = [{ openDay: 'Monday', openTime: '08:00', closeDay: 'Monday', closeTime: '20:00' }];
    const about = { servicePointId: id, name, routeDistance: distanceM, type, openingHours: { postalServices } };
    return { ...about, visitingAddress: address, deliveryAddress: address };
  });
  return json({ servicePointInformationResponse: { servicePoints } });
}
