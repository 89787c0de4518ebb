import { codesFor, listAt, localDateTime, textAt, thatHold, unmetNeeds, valueAt } from '../toolkit/index.js';
import type { BookedEntry, BookingFields, Books, FormRule, Reply, Route, RuleRow } from '../toolkit/simulator/index.js';
import { A_COUNTRY, A_MEASURE, A_TEXT, NEEDED, breachesOf, eventRow, hasItems } from '../toolkit/simulator/index.js';
import { isSent, json, matches, oneOf, pointRow, readBooking, shipmentRow } from '../toolkit/simulator/index.js';
import { simulateCarrier, simulatedPoints, text, under, upTo, valid } from '../toolkit/simulator/index.js';
import { SIZE } from './api.js';
import { CN22 } from './booking.js';
import { COLLECT, FIELDS, INSURANCES, NEEDS, PACKAGES, RETURN, SERVICES, abroad } from './services.js';
import { EVENT, POINT, SHIPMENTS, STATUSES } from './questions.js';

const CUSTOMER = '990000001';
const CODES = codesFor(STATUSES, {
  ...{ 'handed-over': 'EN_ROUTE', customs: 'STOPPED', 'out-for-delivery': 'EN_ROUTE' },
  ...{ 'lost-or-damaged': 'DELIVERY_IMPOSSIBLE', cancelled: 'OTHER', unrecognised: 'SPLIT' },
});
const FORBIDDEN = { error: { message: 'Invalid API Key' } };

/** PostNord's API as this folder's README has it: 400 for a form, 200 with FAIL for what is not to be booked. */
export const startPostnordSimulator = simulateCarrier({
  ...{ carrier: 'postnord', carrierName: 'PostNord' },
  series: { booking: { prefix: '', length: 17 }, parcel: { prefix: '0037', length: 20 } },
  visibleAfterMs: 60_000,
  authenticate: ({ query }) => (query.apikey === 'sandbox-postnord-key' ? null : json(FORBIDDEN, 403)),
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
      const faults = faultsIn(query, [[NEEDED, query.city ? 'city' : 'postalCode']]);
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
    paramValues: [{ param, value: '' }],
  }));

const PARTIES = under(under('parties', 'consignor', 'consignee', 'deliveryParty?', 'returnParty?'), 'party');
const CONTACTS = under(PARTIES, 'contact?');
const ITEM = 'goodsItem.*.items.*';
const CN = 'customsDeclarationCN22?';
const LINE = `${CN}.detailedDescription.*`;

const TIME = valid(matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d/));

/** Rules for a message, with the query beside it. */
const OF_MESSAGE: readonly RuleRow<FormRule>[] = [
  [NEEDED, 'updateIndicator', 'application.name'],
  [valid(Number.isInteger), 'application.applicationId'],
  [TIME, 'messageDate'],
  [oneOf('Original'), 'updateIndicator'],
  [upTo(36), 'messageId'],
  [oneOf('A4', 'A5', 'A6', 'LETTER', 'LABEL'), 'query.paperSize?'],
  [oneOf('8dpmm'), 'query.dpmm?'],
  [valid(hasItems(1, 200)), 'shipment'],
];

const OF_SHIPMENT: readonly RuleRow<FormRule>[] = [
  [NEEDED, 'parties.consignor.issuerCode', `${CN}.totalValue.amount`, ...under(LINE, 'value.amount', 'hsTariffNumber')],
  [oneOf('160'), 'parties.consignor.partyIdentification?.partyIdType'],
  [oneOf('156'), 'parties.deliveryParty?.partyIdentification.partyIdType'],
  [TIME, 'dateAndTimes?.loadingDate?'],
  [A_TEXT, 'service.basicServiceCode', 'service.additionalServiceCode?.*', `${ITEM}.itemIdentification.itemId`],
  [oneOf('KGM', 'GRM', 'TON'), 'totalGrossWeight?.unit', `${ITEM}.grossWeight?.unit`],
  [NEEDED, ...under(PARTIES, 'nameIdentification.name', 'address.postalCode', 'address.city')],
  [A_COUNTRY, ...under(PARTIES, 'address.countryCode'), `${CN}.countryOfOrigin?`, `${LINE}.countryCode`],
  [upTo(FIELDS.name.longest), ...under(PARTIES, 'nameIdentification.name', 'nameIdentification.careOfName')],
  [upTo(FIELDS.city.longest), ...under(PARTIES, 'address.city')],
  [upTo(FIELDS.contactName.longest), ...under(CONTACTS, 'contactName', 'phoneNo', 'smsNo')],
  [upTo(FIELDS.emailAddress.longest), ...under(CONTACTS, 'emailAddress')],
  [upTo(FIELDS.freeText.longest), 'freeText?.*.text'],
  [upTo(FIELDS.referenceNo.longest), 'references.*.referenceNo', `${ITEM}.references?.*.referenceNo`],
  [valid(hasItems(1, 200)), 'goodsItem', 'goodsItem.*.items'],
  [oneOf(...PACKAGES), 'goodsItem.*.packageTypeCode?'],
  [oneOf(...Object.keys(INSURANCES)), 'insurance?.typeOfInsurance'],
  [A_MEASURE, ...under(ITEM, 'grossWeight?.value', 'volume?.value', 'dimensions?.length.value')],
  [valid(hasItems(1, CN22.lines)), `${CN}.detailedDescription`],
  [valid(matches(new RegExp(`^.{1,${CN22.characters}}$`))), `${LINE}.content`],
  [A_MEASURE, 'insurance?.insuranceAmount.amount', ...under(LINE, 'quantity.value', 'grossWeight.value', 'rowNo')],
];

/** The services of an order, and where it has the customer and our customer number. */
const ORDERS = {
  real: { customer: 'consignee', ours: 'consignor', services: SERVICES.map(({ code }) => code) },
  return: { customer: 'consignor', ours: 'consignee', services: [RETURN] },
};

/** What it says against a shipment of the right form; `undefined`: it is booked. */
function failureOf(shipment: unknown, order: keyof typeof ORDERS): string | undefined {
  const { customer, ours, services } = ORDERS[order];
  const at = (path: string) => textAt(shipment, ...path.split('.')) ?? '';
  const service = at('service.basicServiceCode');
  const codes = [service, ...listAt(shipment, 'service', 'additionalServiceCode').map(String)];
  const has = (...some: readonly string[]) => some.some((code) => codes.includes(code));
  const point = at('parties.deliveryParty.partyIdentification.partyId');
  const country = at(`parties.${customer}.party.address.countryCode`);
  const mobile = at(`parties.${customer}.party.contact.smsNo`);
  const contact = valueAt(shipment, 'parties', customer, 'party', 'contact');
  const [[, ...oneOfThem] = []] = unmetNeeds(NEEDS, [...codes, ...abroad(service, country)], contact);
  const cn22 = valueAt(shipment, 'customsDeclarationCN22');
  return thatHold({
    'The customer number is not valid': at(`parties.${ours}.partyIdentification.partyId`) !== CUSTOMER,
    'The service is not valid': !services.includes(service),
    'A7 needs a service point': has('A7') && point === '',
    'There is no such service point': point !== '' && simulatedPoints({ id: point }).length === 0,
    'A service point must be chosen': has(COLLECT) && !has('A7') && !['DK', 'SE'].includes(country),
    'A2, A3 or A4 is required': has(COLLECT) && !has('A2', 'A3', 'A4'),
    'Insurance 62 is for Denmark only': has('62') && country !== 'DK',
    'Greenland is GL': /^DK 39/.test(`${country} ${at(`parties.${customer}.party.address.postalCode`)}`),
    'SACUS-BR-24062502': isSent(cn22) && !['EORIorPersonalIdNumber', 'voec', 'ioss'].some((name) => textAt(cn22, name)),
    [`${oneOfThem.join(' or ')} is required`]: oneOfThem.length > 0,
    'smsNo is not a Danish number': country === 'DK' && !/^((\+45|0045)?\d{8})?$/.test(mobile),
  })[0];
}

const ADDRESS = under('address', 'streets.0', 'streets.1', 'postalCode address.city', 'countryCode');
const BOOKING: BookingFields = {
  ...{ reference: 'references.0.referenceNo', service: 'service.basicServiceCode' },
  ...{ sender: 'parties.consignor.party', recipient: 'parties.consignee.party' },
  ...{ lines: ['nameIdentification.name', ...ADDRESS], parcels: 'goodsItem.0.items' },
  parcel: { kilograms: 'grossWeight.value', reference: 'references.0.referenceNo' },
};

function book(order: keyof typeof ORDERS): Route {
  return async ({ body, books, query, params: { format } }) => {
    const shipment = valueAt(body, 'shipment', 0);
    const faults = [...faultsIn({ ...Object(body), query }, OF_MESSAGE), ...faultsIn(shipment, OF_SHIPMENT)];
    if (faults.length > 0) return refuse(faults);
    const message = failureOf(shipment, order);
    if (message !== undefined) return answer({ status: 'FAIL', errorResponse: { message } });
    const isTest = valueAt(body, 'testIndicator') === true;
    const entry = books.book({ ...readBooking(shipment, BOOKING), order: isTest ? 'test' : order });
    const labels = entry.trackingNumbers.map((item) => printoutOf(books, item, format));
    return answer(rowOf(entry), await Promise.all(labels));
  };
}

const answer = (row: object, labelPrintout: readonly object[] = []): Reply =>
  json({ bookingResponse: { idInformation: [row] }, labelPrintout });

function rowOf({ reference, carrierNumber, trackingNumbers }: BookedEntry) {
  const items = trackingNumbers.map((value) => ({ idType: 'itemId', value }));
  const references = { shipment: [{ referenceNo: reference, referenceType: 'CU' }] };
  return { status: 'OK', references, ids: [...items, { idType: 'shipmentId', value: carrierNumber }] };
}

async function printoutOf(books: Books, item: string, format: string | undefined) {
  const entry = books.byParcel(item);
  const label = entry && books.labelOf(entry, item, SIZE);
  if (!label) return { itemIds: [{ itemIds: item, status: 'FAIL', errorResponse: { message: 'Unknown item' } }] };
  const pdf = { encoding: 'base64', data: Buffer.from(await label).toString('base64') };
  const zpl = { encoding: 'none', data: books.zplOf(entry, item, { dpi: 203, page: SIZE }) };
  return { itemIds: [{ itemIds: item, status: 'OK' }], printout: format === 'zpl' ? zpl : pdf };
}

const WRITING = { codes: CODES, timeOf: (at: Date) => localDateTime(at, 'Europe/Copenhagen'), place: 'location.city' };

function tracking(books: Books, isMeant: (entry: BookedEntry) => boolean): Reply {
  const shipments = books.entries.filter(isMeant).map((entry) => ({
    ...shipmentRow(entry, SHIPMENTS, (itemId) => ({
      events: books.events(itemId).map((event) => eventRow(event, EVENT, WRITING)),
    })),
    ...{ service: { code: entry.asked.service }, shipmentReferences: [{ type: 'CU', value: entry.reference }] },
  }));
  return shipments.length === 0 ? refuse([], 404) : json({ TrackingInformationResponse: { shipments } });
}

function points(query: Parameters<typeof simulatedPoints>[0]): Reply {
  const openingHours = { postalServices: [{ openDay: 'Monday', openTime: '08:00', closeTime: '20:00' }] };
  const servicePoints = simulatedPoints(query).map((point) => ({ ...pointRow(point, POINT), openingHours }));
  return json({ servicePointInformationResponse: { servicePoints } });
}
