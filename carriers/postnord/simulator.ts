import type { SimulatedEvent } from '../contract/index.js';
import { codesFor, listAt, localDateTime, textAt, thatHold, valueAt } from '../toolkit/index.js';
import type { BookedEntry, BookingFields, Books, FormRule, Reply, Route, RuleRow } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_MEASURE, A_TEXT, NEEDED, breachesOf, eventRow, hasItems } from '../toolkit/simulator/index.js';
import { isSent, json, matches, oneOf, pointRow, readBooking, shipmentRow } from '../toolkit/simulator/index.js';
import { simulateCarrier, simulatedPoints, text, under, upTo, valid } from '../toolkit/simulator/index.js';
import { SIZE } from './api.js';
import { CN22 } from './customs.js';
import { CALLS, COLLECT, FIELDS, HOME, INSURANCES, PACKAGES, RETURN, SERVICES } from './services.js';
import { EVENT, POINT, SHIPMENTS, STATUSES } from './questions.js';

const CUSTOMER = '990000001';
const CODES = codesFor(STATUSES, {
  ...{ 'handed-over': 'EN_ROUTE', customs: 'STOPPED', 'out-for-delivery': 'EN_ROUTE' },
  ...{ 'lost-or-damaged': 'DELIVERY_IMPOSSIBLE', cancelled: 'OTHER', unrecognised: 'SPLIT' },
});
const FORBIDDEN = { status_code: 403, error_type: 'Forbidden', message: 'Invalid API Key' };

/** PostNord's API as this folder's README has it: 400 for a form, 200 with FAIL for what is not to be booked. */
export const startPostnordSimulator = simulateCarrier({
  ...{ carrier: 'postnord', carrierName: 'PostNord' },
  series: { booking: { prefix: '', length: 17 }, parcel: { prefix: '0037', length: 20 } },
  visibleAfterMs: 60_000,
  authenticate: ({ query }) => (query.apikey === 'sandbox-postnord-key' ? null : json({ error: FORBIDDEN }, 403)),
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
      const visible = params.customer === CUSTOMER ? books.visible() : [];
      return tracking(books, (entry) => entry.reference === params.reference && visible.includes(entry));
    },
    'GET /rest/businesslocation/v5/servicepoints/nearest/byaddress': ({ query }) => {
      const faults = faultsIn(query, [[NEEDED, 'returnType', 'countryCode', query.city ? 'city' : 'postalCode']]);
      return faults.length > 0 ? refuse(faults) : points({ ...query, limit: query.numberOfServicePoints });
    },
    'GET /rest/businesslocation/v5/servicepoints/ids': ({ query: { ids = 'none' } }) => points({ id: ids }),
  },
});

const refuse = (faults: readonly object[], status = 400): Reply =>
  json({ message: 'Invalid indata object EdiInstruction', compositeFault: { faults } }, status);

const faultsIn = (asked: unknown, rules: readonly RuleRow<FormRule>[]) =>
  breachesOf(asked, rules).map(({ rule: { breach }, field: param }) => ({
    explanationText: `${param} is ${breach === 'missing' ? 'a required field' : 'not valid'}`,
    ...{ faultCode: null, faultReferences: [], paramValues: [{ param, value: '' }] },
  }));

const S = 'shipment.*';
const ITEM = `${S}.goodsItem.*.items.*`;
const CN = `${S}.customsDeclarationCN22?`;
const LINE = `${CN}.detailedDescription.*`;
const PARTIES = under(under(`${S}.parties`, 'consignor', 'consignee', 'deliveryParty?', 'returnParty?'), 'party');
const CONTACTS = under(PARTIES, 'contact?');
const NUMBERS = ['EORIorPersonalIdNumber', 'voec', 'ioss'];

const RULES: readonly RuleRow<FormRule>[] = [
  [NEEDED, 'messageDate', 'updateIndicator', 'application.name', `${S}.parties.consignor.issuerCode`],
  [valid(Number.isInteger), 'application.applicationId'],
  [valid(matches(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)), 'messageDate', `${S}.dateAndTimes.loadingDate`],
  [oneOf('Original'), 'updateIndicator'],
  [upTo(36), 'messageId'],
  [
    valid(hasItems(1, 200)),
    'shipment',
    ...under(S, 'goodsItem', 'goodsItem.*.items', 'service.additionalServiceCode?'),
  ],
  [A_TEXT, ...under(S, 'service.basicServiceCode', 'service.additionalServiceCode?.*')],
  [A_TEXT, `${ITEM}.itemIdentification.itemId`],
  [NEEDED, ...under(PARTIES, 'nameIdentification.name', 'address.postalCode', 'address.city')],
  [A_COUNTRY, ...under(PARTIES, 'address.countryCode')],
  [upTo(FIELDS.name.longest), ...under(PARTIES, 'nameIdentification.name', 'nameIdentification.careOfName')],
  [upTo(FIELDS.city.longest), ...under(PARTIES, 'address.city')],
  [upTo(FIELDS.contactName.longest), ...under(CONTACTS, 'contactName', 'phoneNo', 'smsNo')],
  [upTo(FIELDS.emailAddress.longest), ...under(CONTACTS, 'emailAddress')],
  [oneOf(...Object.keys(INSURANCES)), `${S}.insurance?.typeOfInsurance`],
  [A_MEASURE, ...under(S, 'insurance?.insuranceAmount.amount', 'totalGrossWeight?.value'), `${CN}.totalValue.amount`],
  [A_MEASURE, ...under(ITEM, 'grossWeight.value', 'volume?.value', 'dimensions?.length.value')],
  [oneOf('KGM', 'GRM', 'TON'), `${S}.totalGrossWeight?.unit`, `${ITEM}.grossWeight.unit`],
  [upTo(FIELDS.freeText.longest), `${S}.freeText?.*.text`],
  [upTo(FIELDS.referenceNo.longest), `${S}.references.*.referenceNo`, `${ITEM}.references?.*.referenceNo`],
  [oneOf(...PACKAGES), `${S}.goodsItem.*.packageTypeCode`],
  [valid(hasItems(1, CN22.lines)), `${CN}.detailedDescription`],
  [valid(matches(new RegExp(`^.{1,${CN22.characters}}$`))), `${LINE}.content`],
  [A_MEASURE, ...under(LINE, 'quantity.value', 'grossWeight.value', 'value.amount', 'rowNo')],
  [valid(matches(/^\d{6,10}$/)), `${LINE}.hsTariffNumber`],
  [A_COUNTRY, `${LINE}.countryCode`, `${CN}.countryOfOrigin`],
  [oneOf(CN22.category), `${CN}.categoryOfItem.categoryType.*`],
];

/** What it says against a shipment of the right form; `undefined`: it is booked. */
function failureOf(shipment: unknown, isReturn: boolean): string | undefined {
  const at = (path: string) => textAt(shipment, ...path.split('.')) ?? '';
  const service = at('service.basicServiceCode');
  const codes = [service, ...listAt(shipment, 'service', 'additionalServiceCode')];
  const has = (...some: readonly string[]) => some.some((code) => codes.includes(code));
  const [customer, ours] = isReturn ? ['consignor', 'consignee'] : ['consignee', 'consignor'];
  const known = isReturn ? [RETURN] : SERVICES.map(({ code }) => code);
  const point = at('parties.deliveryParty.partyIdentification.partyId');
  const isNear = ['DK', 'SE'].includes(at(`parties.${customer}.party.address.countryCode`));
  const cn22 = valueAt(shipment, 'customsDeclarationCN22');
  const [found] = thatHold({
    'The customer number is not valid': at(`parties.${ours}.partyIdentification.partyId`) !== CUSTOMER,
    'The service is not valid': !known.includes(service),
    'A service point and A7 go together': has('A7') === (point === ''),
    'There is no such service point': point !== '' && simulatedPoints({ id: point }).length === 0,
    'A service point must be chosen': has(COLLECT) && point === '' && !isNear,
    'A2, A3 or A4 is required': has(COLLECT) && !has('A2', 'A3', 'A4'),
    'SACUS-BR-24062502': isSent(cn22) && NUMBERS.every((name) => textAt(cn22, name) === null),
    'Insurance has no additional service': at('insurance.typeOfInsurance') !== '' && !has(...Object.values(INSURANCES)),
    ...contactFailures(valueAt(shipment, 'parties', customer ?? '', 'party'), has),
  });
  return found;
}

function contactFailures(party: unknown, has: (...codes: readonly string[]) => boolean) {
  const fields = ['smsNo', 'emailAddress', 'phoneNo'];
  const [smsNo = '', email, phone] = fields.map((name) => textAt(party, 'contact', name) ?? '');
  const isDanish = textAt(party, 'address', 'countryCode') === 'DK';
  return {
    'smsNo or emailAddress is required': has(HOME) && smsNo === '' && email === '',
    'smsNo is required': smsNo === '' && has(RETURN, 'A3', 'C7'),
    'phoneNo is required': phone === '' && has(...CALLS),
    'emailAddress is required': email === '' && has(RETURN, 'A4'),
    'smsNo is not a Danish number': isDanish && !/^((\+45|0045)?\d{8})?$/.test(smsNo),
  };
}

const ADDRESS = under('address', 'streets.0', 'streets.1', 'postalCode address.city', 'countryCode');
const BOOKING: BookingFields = {
  ...{ reference: 'references.0.referenceNo', service: 'service.basicServiceCode' },
  ...{ sender: 'parties.consignor.party', recipient: 'parties.consignee.party' },
  ...{ lines: ['nameIdentification.name', ...ADDRESS], parcels: 'goodsItem.0.items' },
  parcel: { kilograms: 'grossWeight.value', reference: 'references.0.referenceNo' },
};

function book(order: 'real' | 'return'): Route {
  return async ({ body, books, query, params: { format = '' } }) => {
    const size = format === 'zpl' ? ([oneOf('8dpmm'), 'dpmm'] as const) : ([oneOf('LABEL'), 'paperSize'] as const);
    const faults = [...faultsIn(query, [size]), ...faultsIn(body, RULES)];
    if (faults.length > 0) return refuse(faults);
    const shipment = valueAt(body, 'shipment', 0);
    const message = failureOf(shipment, order === 'return');
    const failed = { status: 'FAIL', references: {}, ids: [], urls: [], errorResponse: { message } };
    if (message !== undefined) return json({ bookingResponse: { bookingId: null, idInformation: [failed] } });
    const isTest = valueAt(body, 'testIndicator') === true;
    const entry = books.book({ ...readBooking(shipment, BOOKING), order: isTest ? 'test' : order });
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
  const label = entry && books.labelOf(entry, item, SIZE);
  if (!label) return { itemIds: [{ itemIds: item, status: 'FAIL', errorResponse: { message: 'Unknown item' } }] };
  const pdf = { labelFormat: 'PDF', encoding: 'base64', data: Buffer.from(await label).toString('base64') };
  const zpl = { encoding: 'none', data: books.zplOf(entry, item, { dpi: 203, page: SIZE }) };
  const printout = { type: 'LABEL', ...(format === 'zpl' ? zpl : pdf) };
  return { itemIds: [{ itemIds: item, status: 'OK' }], printout, nextPage: null };
}

function tracking(books: Books, isMeant: (entry: BookedEntry) => boolean): Reply {
  const shipments = books.entries.filter(isMeant).map((entry) => ({
    ...shipmentRow(entry, SHIPMENTS, (itemId) => ({ events: books.events(itemId).map(eventOf) })),
    ...{ service: { code: entry.asked.service }, shipmentReferences: [{ type: 'CU', value: entry.reference }] },
  }));
  return shipments.length === 0 ? refuse([], 404) : json({ TrackingInformationResponse: { shipments } });
}

const WRITING = { codes: CODES, timeOf: (at: Date) => localDateTime(at, 'Europe/Copenhagen') };
const HUB = { postcode: '5000', countryCode: 'DK', locationType: 'HUB' };
const eventOf = (event: SimulatedEvent) => ({
  ...{ ...eventRow(event, EVENT, WRITING), location: { name: event.place, city: event.place, ...HUB } },
});

function points(query: Parameters<typeof simulatedPoints>[0]): Reply {
  const postalServices = [{ openDay: 'Monday', openTime: '08:00', closeDay: 'Monday', closeTime: '20:00' }];
  const servicePoints = simulatedPoints(query).map((point) => {
    const type = { typeId: point.kind === 'locker' ? 2 : 44 };
    return { ...pointRow(point, POINT), type, openingHours: { postalServices } };
  });
  return json({ servicePointInformationResponse: { servicePoints } });
}
