import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { Answer, Ask } from './support.js';
import { OWN_CONNECTION, askToken, clientOf, closeAll, openSandbox, read, tinyCarrier } from './support.js';
import type { Warehouse } from './warehouse.js';
import { CUSTOMER, SUPPLIER, addMasterData, callOf } from './warehouse.js';

let sandbox: Sandbox;
let ask: Ask;
let call: Warehouse['call'];
let items: Awaited<ReturnType<typeof addMasterData>>;

beforeAll(async () => {
  // What is sent here is mostly not what the description allows.
  sandbox = await openSandbox({ carriers: [tinyCarrier], onExchange: () => undefined });
  ask = await clientOf(sandbox);
  call = callOf(ask);
  items = await addMasterData(call);
});
afterAll(closeAll);

function objects(levels: number): string {
  return `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
}

function lists(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

async function post(
  url: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const sent = { 'content-type': 'application/json', ...OWN_CONNECTION, ...headers };
  return read(await fetch(url, { method: 'POST', headers: sent, body }));
}

async function order(more: object = {}) {
  return call('POST /shipments', { customerNumber: CUSTOMER, ...more });
}

async function stock(globalTradeItemId: number, more: object = {}) {
  return call('POST /globalTradeItemLots', {
    ...{ globalTradeItemId, locationNumber: 'A-1', numItemsRemaining: 5 },
    ...more,
  });
}

function refusal(messageCode: string) {
  return { status: 422, body: { messageType: 'ERROR', messageCode, messageText: expect.stringMatching(/\S/) } };
}

describe('a body that is nested too deep', () => {
  it.each([
    ['101 objects', objects(101)],
    ['101 lists', lists(101)],
    ['very many objects', objects(200_000)],
    ['very many lists', lists(1_000_000)],
  ])('is rejected by the gateway: %s', async (_case, body) => {
    for (const request of ['POST /invocations/printResource', 'PATCH /contexts/1/dataDocument'])
      expect(await ask(request, { body })).toMatchObject({ status: 400, body: { message: 'Bad Request' } });
    expect((await ask('GET /carriers')).status).toBe(200);
  });

  it('is not one of a hundred levels', async () => {
    expect((await ask('POST /invocations/printResource', { body: objects(100) })).status).toBe(200);
    for (let time = 0; time < 3; time += 1)
      expect((await ask('PATCH /contexts/1/dataDocument', { body: objects(100) })).status).toBe(200);
    expect((await fetch(`${sandbox.url}/control/state`)).status).toBe(200);
  });

  it('is refused inside of text, too', async () => {
    const carrier = { carrierName: 'Deep', dataDocument: objects(200_000) };
    expect(await ask('POST /carriers', { body: carrier })).toMatchObject(refusal('invalid_Carrier'));
  });

  it('is refused by the control interface, and as a request for a token', async () => {
    const { status, body } = await post(`${sandbox.url}/control/shipments`, objects(2_000));
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining('100 levels') } });
    expect(await post(`${sandbox.url}/control/shipments`, objects(200_000))).toMatchObject({ status: 400 });
    expect(await askToken(sandbox, { form: lists(1_000_000).slice(0, 90_000) })).toMatchObject({ status: 400 });
    expect(await askToken(sandbox, { form: lists(1_000_000) })).toMatchObject({ status: 400 });
    expect(await askToken(sandbox)).toMatchObject({ status: 200 });
  });

  it('is written down to the fiftieth level', async () => {
    sandbox.control.forgetRequests();
    await ask('POST /invocations/printResource', { body: objects(60) });
    await post(`${sandbox.carrierUrl('tiny')}/bookings`, objects(5_000));
    const [shallow, deep] = sandbox.control.requests().map((entry) => JSON.stringify(entry.body));
    for (const written of [shallow, deep]) expect(written?.split('{"a":')).toHaveLength(51);
    expect(deep).toContain('"<deep>"');
  });
});

describe('a number in a query', () => {
  it.each([
    ['GET /shipments?deliveryHorizonInDays=1e300', 'invalid_Shipment'],
    ['GET /shipments?deliveryHorizonInDays=36501', 'invalid_Shipment'],
    ['GET /shipments?deliveryHorizonInDays=-1', 'invalid_Shipment'],
    ['GET /shipments?deliveryHorizonInDays=1.5', 'invalid_Shipment'],
    ['GET /inboundShipments?deliveryHorizon=1e12', 'invalid_InboundShipment'],
    ['GET /globalTradeItemLots?daysToExpirationDate=99999', 'invalid_GlobalTradeItemLot'],
    ['GET /globalTradeItemLots?minDaysSinceLastStockTaking=abc', 'invalid_GlobalTradeItemLot'],
    ['GET /globalTradeItemLots?maxNumItemsRemaining=1e999', 'invalid_GlobalTradeItemLot'],
    ['GET /globalTradeItems?maxNumItemsSaleable=0x10', 'invalid_GlobalTradeItem'],
    ['GET /globalTradeItems?maxEstimatedSalesWeeks=%20', 'invalid_GlobalTradeItem'],
    ['GET /auditLogEntries?idGreaterThan=Infinity', 'invalid_AuditLogEntry'],
  ])('is refused when it is none that makes sense: %s', async (request, messageCode) => {
    expect(await ask(request)).toMatchObject(refusal(messageCode));
  });

  it.each([
    'GET /shipments?deliveryHorizonInDays=0',
    'GET /shipments?deliveryHorizonInDays=36500',
    'GET /globalTradeItems?maxEstimatedSalesWeeks=2.5',
    'GET /globalTradeItems?maxNumItemsSaleable=-3',
  ])('is taken when it does: %s', async (request) => {
    expect((await ask(request)).status).toBe(200);
  });
});

describe('a number in a body', () => {
  const item = { stockKeepingUnit: 'X-1', productNumber: 'TENT' };
  const lot = { stockKeepingUnit: 'TENT', locationNumber: 'A-1', numItemsRemaining: 1 };
  const group = { productGroupName: 'X' };

  it.each([
    ['without end', 'globalTradeItems', { ...item, standardCostPrice: '1e999' }],
    ['below nothing as a price', 'globalTradeItems', { ...item, standardCostPrice: '-1' }],
    ['below nothing as a weight', 'globalTradeItems', { ...item, weight: '-0.1' }],
    ['below nothing as a volume', 'globalTradeItems', { ...item, volume: '-1' }],
    ['below nothing as a length', 'globalTradeItems', { ...item, dimensions: '{"length":-1}' }],
    ['below nothing as a count', 'globalTradeItemLots', { ...lot, numItemsRemaining: '-1' }],
    ['with a fraction as a count', 'globalTradeItemLots', { ...lot, numItemsRemaining: '1.5' }],
    ['too large as a count', 'globalTradeItemLots', { ...lot, numItemsRemaining: '10000000' }],
    ['below nothing as a cost', 'globalTradeItemLots', { ...lot, costPrice: '-5' }],
    ['beyond what is exact as an id', 'productGroups', { ...group, itemLabelReportId: '9007199254740993' }],
    ['with a fraction as an id', 'productGroups', { ...group, itemLabelReportId: '1.5' }],
    ['of nothing as an id', 'productGroups', { ...group, itemLabelReportId: '0' }],
  ])('is refused %s', async (_case, resources, body) => {
    // As written, since a number of JavaScript could not say all of them.
    const members = Object.entries(body).map(([name, value]) => {
      const asWritten = /^[-\d{]/.test(String(value)) && !name.endsWith('Number');
      return `${JSON.stringify(name)}:${asWritten ? String(value) : JSON.stringify(value)}`;
    });
    const resource = `${resources[0]?.toUpperCase()}${resources.slice(1, -1)}`;
    const answer = await ask(`POST /${resources}`, { body: `{${members.join(',')}}` });
    expect(answer).toMatchObject(refusal(`invalid_${resource}`));
  });
});

describe('an id', () => {
  it.each([
    '0',
    '-1',
    '+1',
    '1e7',
    '0x10',
    '1.0',
    '10000001.5',
    '010000001',
    '%201',
    '12345678901234567',
    'abc',
    'null',
  ])('in a path that is none names nothing: %s', async (id) => {
    expect(await ask(`GET /shipments/${id}`)).toMatchObject(refusal('unknown_Shipment'));
    expect(await ask(`PATCH /globalTradeItemLots/${id}`, { body: {} })).toMatchObject(
      refusal('unknown_GlobalTradeItemLot'),
    );
  });

  it('is read in one way only', async () => {
    const { id } = await order();
    for (const written of [`0${id}`, `${id}.0`, `${id}e0`, `+${id}`, `0x${Number(id).toString(16)}`])
      expect(await ask(`GET /shipments/${written}`)).toMatchObject(refusal('unknown_Shipment'));
  });

  it('may be digits in a body', async () => {
    const { id } = await order();
    const box = await call('POST /shippingContainers', { shipmentId: String(id), containerTypeName: 'Box' });
    expect(box.shipmentId).toBe(id);
    expect(await call('PATCH /shipments', { id: String(id), ourReference: 'R-1' })).toMatchObject({ id });
    const booking = await call('POST /invocations/createTransportBooking', { shipmentId: String(id) });
    expect(booking).toMatchObject({ documentType: 'TRANSPORT_BOOKING' });
    for (const other of ['1e7', ` ${id}`, [id], { id }])
      expect((await ask('PATCH /shipments', { body: JSON.stringify({ id: other }) })).status).toBe(422);
  });
});

describe('a file', () => {
  const content = Buffer.from('%PDF-1.4').toString('base64');

  it.each([
    ['half a character', 'label\ud800.pdf'],
    ['no character', ''],
    ['a folder', 'labels/1.pdf'],
    ['a folder of Windows', 'labels\\1.pdf'],
    ['the folder above', '..'],
    ['two lines', 'label\n.pdf'],
  ])('is refused with %s in its name, and nothing of it is kept', async (_case, fileName) => {
    const { id } = await order();
    const before = sandbox.control.state().attachments.length;
    const body = JSON.stringify({ fileName, base64EncodedContent: content });
    expect(await ask(`POST /shipments/${id}/attachments`, { body })).toMatchObject(refusal('invalid_Attachment'));
    expect(sandbox.control.state().attachments).toHaveLength(before);
  });

  it('may be called what people call files', async () => {
    const { id } = await order();
    for (const fileName of ['Følgeseddel nr. 1 (kopi).pdf', '100%.pdf', 'a?b#c.pdf', '📦.pdf'])
      await call(`POST /shipments/${id}/attachments`, { fileName, base64EncodedContent: content });
    const { attachments, events } = sandbox.control.state();
    expect(attachments.filter(({ ownerId }) => ownerId === id)).toHaveLength(4);
    const urls = events.filter(({ type, detail }) => type === 'fileAttached' && detail['entityId'] === id);
    for (const { detail } of urls) expect((await fetch(String(detail['url']))).status).toBe(200);
  });
});

describe('text', () => {
  it.each<[string, unknown, string?]>([
    ['PATCH /shipments/{id}', { ourReference: 'half \udc00' }],
    ['PATCH /shipments/{id}', { deliveryAddress_addressee: '\ud83d' }],
    ['PATCH /shipments/{id}', { deliveryAddress: { addressee: '\ud83d!' } }],
    ['PATCH /shipments/{id}', { dataDocument: '{"a":"\ud83d"}' }],
    ['PATCH /shipments/{id}', { ['\ud83d']: 1 }],
    ['PUT /shipments/{id}/ourReference', '\ud83d'],
    ['PATCH /contexts/1/dataDocument', { App: ['\ud83d'] }, 'invalid_Context'],
    ['POST /invocations/pack', { shipmentLineId: 1, serialNumber: '\ud83d' }, 'invalid_ShipmentLine'],
    ['POST /invocations/printResource', { text: '\ud83d' }, 'invalid_Resource'],
  ])('with half a character is refused in %s %j', async (request, body, code = 'invalid_Shipment') => {
    const { id } = await order();
    const answer = await ask(request.replace('{id}', String(id)), { body: JSON.stringify(body) });
    expect(answer).toMatchObject(refusal(code));
  });
});

describe('a creation that is refused', () => {
  it('leaves nothing behind, in the audit log neither, and uses up no number', async () => {
    const numberOf = async () => Number((await order()).shipmentNumber);
    const entries = async () => call('GET /auditLogEntries?idGreaterThan=0');
    const number = await numberOf();
    const before = await entries();
    const lines = [
      { stockKeepingUnit: 'TENT', numItemsOrdered: 1 },
      { stockKeepingUnit: 'NOTHING', numItemsOrdered: 1 },
    ];
    const body = { customerNumber: CUSTOMER, shipmentLines: lines };
    expect(await ask('POST /shipments', { body })).toMatchObject(refusal('unknown_GlobalTradeItem'));
    expect(await entries()).toEqual(before);
    expect(await call('GET /shipmentLines')).toEqual([]);
    expect(await numberOf()).toBe(number + 1);
  });
});

describe('the audit log', () => {
  it('shortens long values and says how long they were', async () => {
    const { id } = await order();
    const dataDocument = JSON.stringify({ App: 'x'.repeat(5_000) });
    await call(`PATCH /shipments/${id}`, { ourReference: 'R-1', dataDocument });
    const entries = await call('GET /auditLogEntries?entityName=Shipment&type=UPDATE');
    expect(entries.at(-1).fieldNameValueMap).toEqual({ ourReference: 'R-1', dataDocument: '<5010 characters>' });
  });
});

describe('null', () => {
  it('is as good as nothing in the parameters of an invocation', async () => {
    const line = { stockKeepingUnit: 'TENT', numItemsExpected: 3 };
    const shipment = await call('POST /inboundShipments', { supplierNumber: SUPPLIER, inboundShipmentLines: [line] });
    const inboundShipmentLineId = shipment.inboundShipmentLines[0].id;
    const received = { inboundShipmentLineId, globalTradeItemLotId: null, lotStatus: null, locationNumber: 'A-1' };
    const lot = await call('POST /invocations/receive', { ...received, numItems: 2 });
    expect(lot).toMatchObject({ lotStatus: 'SALEABLE', numItemsRemaining: 2 });
    const count = { globalTradeItemLotId: lot.id, numItemsCounted: 2, stockTakingLineId: null };
    expect(await call('POST /invocations/countGlobalTradeItemLot', count)).toMatchObject({ counted: true });
    expect(await ask('POST /invocations/pack', { body: { shipmentLineId: null } })).toMatchObject(
      refusal('invalid_ShipmentLine'),
    );
  });

  it('is as good as nothing where a new row has something of itself', async () => {
    const lot = await stock(items.matId, { lotStatus: null, inventorySortDate: null });
    expect(lot).toMatchObject({ lotStatus: 'SALEABLE', inventorySortDate: expect.any(String) });
    expect(await order({ shipmentNumber: null, onHold: null })).toMatchObject({
      ...{ shipmentNumber: expect.any(String), onHold: false },
    });
  });

  it('is no status of work', async () => {
    const { id } = sandbox.control.createTransportBooking((await order()).id);
    const answer = await ask(`PATCH /documents/${id}`, { body: { workStatus: null } });
    expect(answer).toMatchObject(refusal('invalid_Document'));
  });
});

describe('a refused invocation', () => {
  it.each([
    ['pack', 'ShipmentLine'],
    ['createDeliveryNote', 'Shipment'],
    ['createTransportBooking', 'Shipment'],
    ['createCostOfSalesList', 'Document'],
    ['createOrderProposal', 'Document'],
    ['createReturnReceipt', 'ReturnShipment'],
    ['createGoodsReceipt', 'InboundShipment'],
    ['createAdjustmentList', 'StockTaking'],
    ['receiveToNewLot', 'InboundShipmentLine'],
    ['receiveToExistingLot', 'InboundShipmentLine'],
    ['receiveReturnedToNewLot', 'ReturnShipmentLine'],
    ['receiveReturnedToExistingLot', 'ReturnShipmentLine'],
    ['countGlobalTradeItemLot', 'GlobalTradeItemLot'],
    ['splitToNewLot', 'GlobalTradeItemLot'],
    ['splitToExistingLot', 'GlobalTradeItemLot'],
    ['printDocument', 'Document'],
  ])('%s says that it is about a %s', async (name, resource) => {
    const code = `invalid_${resource}`;
    expect(await ask(`POST /invocations/${name}`, { body: {} })).toMatchObject(refusal(code));
    expect(await ask(`POST /invocations/${name}`, { body: [] })).toMatchObject(refusal(code));
  });
});

describe('what has no answer', () => {
  it('is said in words of a shipment without a delivery note', async () => {
    const { id, shipmentNumber } = await order();
    const answer = await ask(`GET /shipments/${id}/deliveryNote`);
    expect(answer).toMatchObject(refusal('unknown_Document'));
    expect(answer.body.messageText).toBe(`Shipment ${shipmentNumber} has no delivery note.`);
  });

  it('is a line for an inbound shipment that has been received, or is called off', async () => {
    const announced = async () => call('POST /inboundShipments', { supplierNumber: SUPPLIER });
    const received = await announced();
    await call('POST /invocations/createGoodsReceipt', { inboundShipmentId: received.id });
    const calledOff = await announced();
    await call(`PATCH /inboundShipments/${calledOff.id}`, { cancelled: true });
    for (const { id: inboundShipmentId } of [received, calledOff]) {
      const body = { inboundShipmentId, stockKeepingUnit: 'TENT', numItemsExpected: 1 };
      expect(await ask('POST /inboundShipmentLines', { body })).toMatchObject(refusal('invalid_InboundShipment'));
    }
  });
});

describe('the gateway', () => {
  it.each(['/shipments', '/shipments/1', '/carriers', '/nowhere'])(
    'knows neither OPTIONS nor HEAD of %s',
    async (path) => {
      const options = await ask(`OPTIONS ${path}`);
      expect(options).toMatchObject({ status: 403, body: { message: 'Missing Authentication Token' } });
      expect(options.headers.get('allow')).toBeNull();
      expect(await ask(`HEAD ${path}`)).toMatchObject({ status: 403, body: '' });
    },
  );

  it.each([undefined, ''])('rejects an attribute without a value', async (body) => {
    const { id } = await order();
    const answer = await ask(`PUT /shipments/${id}/ourReference`, body === undefined ? {} : { body });
    expect(answer).toMatchObject({ status: 400, body: { message: 'Bad Request' } });
    expect((await ask(`PUT /shipments/${id}/ourReference`, { body: 'null' })).status).toBe(200);
  });
});

describe('the token endpoint', () => {
  const basic = `Basic ${Buffer.from('full:full-secret').toString('base64')}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: basic };
  const grant = 'grant_type=client_credentials';

  it.each<[string, Readonly<Record<string, string>>, string | Uint8Array]>([
    ['a character set that there is not', { 'content-type': `${form['content-type']}; charset=x-none` }, grant],
    ['a compressed body', { 'content-encoding': 'gzip' }, new Uint8Array(gzipSync(grant))],
    ['a body that is too large', {}, `${grant}&x=${'x'.repeat(200_000)}`],
  ])('refuses %s in its own words', async (_case, headers, body) => {
    const answer = await post(`${sandbox.authUrl}/oauth2/token`, body, { ...form, ...headers });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(Object.keys(answer.body)).toEqual(['error']);
  });

  it.each(['/oauth2', '/oauth2/tokens', '/oauth2/token/x', '/oauth2/%'])('is not at %s', async (path) => {
    const answer = await post(`${sandbox.authUrl}${path}`, grant, form);
    expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    expect(JSON.stringify(answer.body)).not.toContain('node_modules');
  });
});
