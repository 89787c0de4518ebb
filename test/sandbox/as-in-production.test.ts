import { afterEach, describe, expect, it } from '@jest/globals';
import { membersOf } from '../../src/sandbox/store/json.js';
import type { Switches } from '../../src/sandbox/control/switches.js';
import { clientOf, closeAll, openSandbox, read } from './support.js';
import { CUSTOMER, SELLER, SUPPLIER, openWarehouse } from './warehouse.js';
import type { Warehouse } from './warehouse.js';

afterEach(() => closeAll());

/** A shipment in area 1 with one container of these measures. */
async function withContainer(container: object, switches: Partial<Switches> = {}) {
  const sandbox = await openSandbox({ switches });
  const ask = await clientOf(sandbox);
  const { id } = sandbox.control.createShipment({ area: 1, shipment: {} });
  const made = await ask('POST /shippingContainers', {
    body: { shipmentId: id, containerTypeName: 'Box', ...container },
  });
  return made.body;
}

describe('a field without a value', () => {
  it('is null in every answer, so that a client which parses a dataDocument unasked goes on', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const { id } = sandbox.control.createShipment({ area: 1, shipment: {}, containers: [{}] });
    const { body: carriers } = await ask('GET /carriers');
    expect(carriers.map(({ dataDocument }: { dataDocument: string }) => JSON.parse(dataDocument))).toEqual(
      carriers.map(() => null),
    );
    expect((await ask(`GET /shipments/${id}`)).body).toMatchObject({
      carrierName: null,
      dataDocument: null,
      deliveryDate: null,
      localizedDeliveryDate: null,
      shippingContainers: [{ trackingNumber: null, dimensions: null, volume: null }],
    });
    expect((await ask('GET /contexts/1')).body).toMatchObject({ dataDocument: null, vatNumber: null });
  });

  it('is left out when that is switched on', async () => {
    const sandbox = await openSandbox({ switches: { nulls: 'omitted' } });
    const ask = await clientOf(sandbox);
    const { id } = sandbox.control.createShipment({ area: 1, shipment: {} });
    const { body } = await ask(`GET /shipments/${id}`);
    for (const name of ['carrierName', 'dataDocument', 'deliveryDate', 'localizedDeliveryDate'])
      expect(body).not.toHaveProperty(name);
  });
});

describe('the number of a shipment at its carrier', () => {
  it('is also set by the former name of the attribute', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const { id } = sandbox.control.createShipment({ area: 1, shipment: {} });
    const answer = await ask(`PUT /shipments/${id}/consignmentId`, { body: '"90123456789"' });
    expect(answer).toMatchObject({ status: 200, body: { id, carriersShipmentNumber: '90123456789' } });
    expect(answer.body).not.toHaveProperty('consignmentId');
    expect((await ask(`PUT /shipments/${id}/consignmentId`, { body: '""' })).body).toMatchObject({
      messageCode: 'invalid_Shipment',
    });
  });
});

describe('an area that is made', () => {
  async function madeArea(more: object = {}) {
    const sandbox = await openSandbox();
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ contextId: 9, apiKey: 'area-9-key', ...more });
    const made = await read(await fetch(`${sandbox.url}/control/areas`, { method: 'POST', headers, body }));
    const full = await clientOf(sandbox);
    return {
      made,
      sandbox,
      ask: (request: string, sent?: unknown) => full(request, { apiKey: 'area-9-key', body: sent }),
    };
  }

  it('has no carriers, so that an installer can create its own', async () => {
    const { ask } = await madeArea();
    expect((await ask('GET /carriers')).body).toEqual([]);
    const dataDocument = JSON.stringify({ GLSTransport: { userName: 'test' } });
    const carrier = { carrierName: 'GLS', dataDocument };
    expect(await ask('POST /carriers', carrier)).toMatchObject({ status: 200, body: carrier });
  });

  it('has the carriers that are asked for, while areas 1 and 2 have theirs', async () => {
    const { ask, sandbox } = await madeArea({ carriers: ['GLS', 'Postnord'] });
    expect((await ask('GET /carriers')).body).toMatchObject([{ carrierName: 'GLS' }, { carrierName: 'Postnord' }]);
    const names = (area: number) =>
      sandbox.control
        .state()
        .carriers.filter(({ contextId }) => contextId === area)
        .map(({ carrierName }) => carrierName);
    expect([1, 2].map(names)).toEqual([1, 2].map(() => ['Pretend', 'Bring', 'GLS', 'DAO']));
  });

  it.each([
    ['of which one is named twice', ['GLS', 'GLS'], 'once'],
    ['with a name that is too long', ['x'.repeat(37)], '36'],
    ['that are no texts', [7], 'texts'],
  ])('is not made with carriers %s', async (_case, carriers, word) => {
    const { made } = await madeArea({ carriers });
    expect(made).toMatchObject({ status: 400, body: { error: expect.stringContaining(word) } });
  });
});

describe('a data extension', () => {
  it('is registered by an installer, found and changed', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const dataSchema = JSON.stringify({ type: 'object', properties: { userName: { type: 'string' } } });
    const extension = { entityName: 'seller', dataExtensionName: 'GLSTransport', dataSchema };
    const { status, body } = await ask('POST /dataExtensions', { body: extension });
    expect({ status, body }).toMatchObject({ status: 200, body: { id: expect.any(Number), ...extension } });
    expect((await ask('GET /dataExtensions')).body).toMatchObject([extension]);
    expect((await ask('GET /dataExtensions', { apiKey: 'area-2-key' })).body).toEqual([]);
    const changed = await ask(`PATCH /dataExtensions/${body.id}`, { body: { dataSchema: '{"type":"object"}' } });
    expect(changed.body).toMatchObject({ ...extension, dataSchema: '{"type":"object"}' });
    expect((await ask(`GET /dataExtensions/${body.id}`)).body).toEqual(changed.body);
  });

  it.each([
    ['of no entity', { dataExtensionName: 'A', dataSchema: '{}' }],
    ['without a name', { entityName: 'seller', dataSchema: '{}' }],
    ['whose schema is no text', { entityName: 'seller', dataExtensionName: 'A', dataSchema: {} }],
  ])('is refused %s', async (_case, body) => {
    const ask = await clientOf(await openSandbox());
    expect(await ask('POST /dataExtensions', { body })).toMatchObject({
      status: 422,
      body: { messageCode: 'invalid_DataExtension' },
    });
  });
});

describe('the volume of a container', () => {
  const dimensions = { length: 0.4, width: 0.3, height: 0.25 };

  it.each([
    ['follows from its dimensions, in litres', { dimensions }, 30],
    ['is what a client sets', { dimensions, volume: 28.5 }, 28.5],
    ['is null where a dimension is not known', { dimensions: { length: 0.4, width: 0.3 } }, null],
    ['is null without dimensions', {}, null],
  ])('%s', async (_case, container, volume) => {
    expect(await withContainer(container)).toMatchObject({ volume });
  });
});

describe('a shipment that is made without containers', () => {
  it('has none', async () => {
    const sandbox = await openSandbox();
    expect(sandbox.control.createShipment({ area: 1, shipment: {} })).toMatchObject({ shippingContainers: [] });
  });
});

/** An order of the seller's, with nobody to be told of it any more. */
async function orderOf(warehouse: Warehouse, numItemsOrdered: number) {
  const order = {
    ...{ customerNumber: CUSTOMER, sellerNumber: SELLER },
    shipmentLines: [{ stockKeepingUnit: 'TENT', numItemsOrdered }],
  };
  const shipment = await warehouse.call('POST /shipments', order);
  return { shipment, events: await warehouse.heard() };
}

const stockEvents = 'availableStockChanged';

describe('packing more than there is', () => {
  it('packs, and sends no event when nothing can be drawn', async () => {
    const warehouse = await openWarehouse();
    const { shipment } = await orderOf(warehouse, 2);
    const packed = { shipmentLineId: shipment.shipmentLines[0].id };
    expect(await warehouse.call('POST /invocations/pack', packed)).toMatchObject({ instanceCount: 2 });
    expect(await warehouse.heard()).toEqual([]);
  });

  it('is refused when that is switched on', async () => {
    const warehouse = await openWarehouse({ packBeyondStock: false });
    const { shipment } = await orderOf(warehouse, 2);
    const packed = { shipmentLineId: shipment.shipmentLines[0].id };
    expect(await warehouse.ask('POST /invocations/pack', { body: packed })).toMatchObject({
      status: 422,
      body: { messageCode: 'invalid_ShipmentLine', messageText: expect.stringContaining('in stock') },
    });
  });
});

describe('pieces that come in and may not be sold', () => {
  it.each(['REJECTED', 'QUARANTINED', 'DAMAGED'])('are told with all three events: %s', async (lotStatus) => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId } = warehouse;
    const inbound = await call('POST /inboundShipments', {
      supplierNumber: SUPPLIER,
      inboundShipmentLines: [{ stockKeepingUnit: 'TENT', numItemsExpected: 4 }],
    });
    await heard();
    const inboundShipmentLineId = inbound.inboundShipmentLines[0].id;
    const arrival = { inboundShipmentLineId, locationNumber: 'A-1', lotStatus, numItems: 4 };
    await call('POST /invocations/receiveToNewLot', arrival);
    const three = [
      { type: 'availableStockChanged', globalTradeItemId: tentId, delta: 0 },
      expect.objectContaining({ type: 'physicalStockChanged', globalTradeItemId: tentId }),
      { type: 'availabilityChanged', globalTradeItemId: tentId, numItemsAvailable: 0 },
    ];
    expect(await heard()).toEqual(three);
    const lot = { globalTradeItemId: tentId, locationNumber: 'A-1', lotStatus, numItemsRemaining: 2 };
    await call('POST /globalTradeItemLots', lot);
    expect(await heard()).toEqual(three);
  });
});

describe('the seller of a stock event', () => {
  const sellersOf = (events: Awaited<ReturnType<Warehouse['heard']>>) =>
    events.filter(({ type }) => type === stockEvents).map(({ delta, sellerId }) => ({ delta, sellerId }));

  it('is the one whose order is created', async () => {
    const warehouse = await openWarehouse();
    await warehouse.stock(warehouse.tentId, 10);
    const { events } = await orderOf(warehouse, 2);
    expect(sellersOf(events)).toEqual([{ delta: -2, sellerId: warehouse.sellerId }]);
  });

  it.each([
    { what: 'changes a line', request: 'PATCH /shipmentLines/{line}', body: { numItemsOrdered: 5 }, delta: -3 },
    { what: 'abandons a line', request: 'PUT /shipmentLines/{line}/abandoned', body: 'true', delta: 2 },
    { what: 'cancels the order', request: 'PATCH /shipments/{id}', body: { cancelled: true }, delta: 2 },
    { what: 'deletes the order', request: 'DELETE /shipments/{id}', body: undefined, delta: 2 },
  ])('is none when a worker $what of a shop, and the shop when it does so itself', async ({ request, body, delta }) => {
    const warehouse = await openWarehouse();
    await warehouse.stock(warehouse.tentId, 10);
    const shop = await clientOf(warehouse.sandbox, 'sales');
    for (const [ask, sellerId] of [
      [warehouse.ask, undefined],
      [shop, warehouse.sellerId],
    ] as const) {
      const { shipment } = await orderOf(warehouse, 2);
      const [line] = shipment.shipmentLines;
      const path = request.replace('{line}', line.id).replace('{id}', shipment.id);
      expect((await ask(path, { body })).status).toBe(200);
      expect(sellersOf(await warehouse.heard())).toEqual([{ delta, sellerId }]);
    }
  });

  it('is always that of the order when that is switched on', async () => {
    const warehouse = await openWarehouse({ sellerOfChanges: 'order' });
    await warehouse.stock(warehouse.tentId, 10);
    const { shipment } = await orderOf(warehouse, 2);
    await warehouse.call(`PATCH /shipments/${shipment.id}`, { cancelled: true });
    expect(sellersOf(await warehouse.heard())).toEqual([{ delta: 2, sellerId: warehouse.sellerId }]);
  });
});

describe('a receipt of a part', () => {
  it.each([
    {
      what: 'an inbound shipment',
      create: 'POST /inboundShipments',
      body: { supplierNumber: SUPPLIER },
      lines: 'inboundShipmentLines',
      id: 'inboundShipmentId',
      receive: 'receiveToNewLot',
      receipt: 'createGoodsReceipt',
      line: 'inboundShipmentLineId',
    },
    {
      what: 'a return shipment',
      create: 'POST /returnShipments',
      body: { customerNumber: CUSTOMER },
      lines: 'returnShipmentLines',
      id: 'returnShipmentId',
      receive: 'receiveReturnedToNewLot',
      receipt: 'createReturnReceipt',
      line: 'returnShipmentLineId',
    },
  ])('of $what leaves the rest open, which gets a receipt of its own', async (names) => {
    const { call, ask, tentId, levels } = await openWarehouse();
    const lines = [{ stockKeepingUnit: 'TENT', numItemsExpected: 10 }];
    const shipment = await call(names.create, { ...names.body, [names.lines]: lines });
    const line = shipment[names.lines][0].id;
    const arrival = (numItems: number) => ({
      [names.line]: line,
      locationNumber: 'A-1',
      lotStatus: 'SALEABLE',
      numItems,
    });
    const receive = (numItems: number) => call(`POST /invocations/${names.receive}`, arrival(numItems));
    const receipt = { body: { [names.id]: shipment.id } };
    await receive(4);
    const first = await ask(`POST /invocations/${names.receipt}`, receipt);
    expect(first.status).toBe(200);
    expect(await levels(tentId)).toMatchObject({ numItems: 4, numItemsPosted: 4 });
    expect((await ask(`POST /invocations/${names.receipt}`, receipt)).status).toBe(422);
    await receive(6);
    expect(await levels(tentId)).toMatchObject({ numItems: 10, numItemsPosted: 4 });
    const second = await ask(`POST /invocations/${names.receipt}`, receipt);
    expect(second.status).toBe(200);
    expect(await levels(tentId)).toMatchObject({ numItems: 10, numItemsPosted: 10 });
    expect(second.body.id).not.toBe(first.body.id);
    const surplus = await ask(`POST /invocations/${names.receive}`, { body: arrival(1) });
    expect(surplus).toMatchObject({
      status: 422,
      body: { messageText: expect.stringMatching(/No more pieces .* are expected, and .* has its receipt/) },
    });
  });
});

describe('the counts of two clients', () => {
  it('are two stock takings, and the adjustment list of one leaves the other open', async () => {
    const warehouse = await openWarehouse();
    const { call, levels, tentId } = warehouse;
    const lotId = await warehouse.stock(tentId, 10);
    const shop = await clientOf(warehouse.sandbox, 'sales');
    const count = (numItemsCounted: number) => ({ globalTradeItemLotId: lotId, numItemsCounted });
    const ours = await call('POST /invocations/countGlobalTradeItemLot', count(8));
    const { body: theirs } = await shop('POST /invocations/countGlobalTradeItemLot', { body: count(5) });
    expect(theirs.stockTakingId).not.toBe(ours.stockTakingId);
    const again = await call('POST /invocations/countGlobalTradeItemLot', count(5));
    expect(again.stockTakingId).toBe(ours.stockTakingId);
    const before = await levels(tentId);
    await call('POST /invocations/createAdjustmentList', { stockTakingId: ours.stockTakingId });
    expect(await levels(tentId)).toMatchObject({ numItems: 5, numItemsPosted: before.numItemsPosted + 8 });
    expect(await call(`GET /stockTakings/${theirs.stockTakingId}`)).toMatchObject({ adjustmentListId: null });
    await call('POST /invocations/createAdjustmentList', { stockTakingId: theirs.stockTakingId });
    expect(await levels(tentId)).toMatchObject({ numItems: 5, numItemsPosted: 5 });
  });
});

describe('an address that is changed', () => {
  const deliveryAddress = { addressee: 'Signe Lund', postalCode: '5000', countryCode: 'DK' };

  async function changed(body: object) {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const { id } = sandbox.control.createShipment({ area: 1, shipment: { deliveryAddress } });
    return (await ask(`PATCH /shipments/${id}`, { body })).body.deliveryAddress;
  }

  it('is replaced by one that is sent whole, none of whose members must be there', async () => {
    expect(await changed({ deliveryAddress: { postalCode: '6760' } })).toEqual({ postalCode: '6760' });
    expect(await changed({ deliveryAddress: {} })).toEqual({});
  });

  it('keeps the rest when a member is sent by its flat name', async () => {
    expect(await changed({ deliveryAddress_postalCode: '6760' })).toEqual({ ...deliveryAddress, postalCode: '6760' });
  });

  it('is described so', async () => {
    const sandbox = await openSandbox();
    const { body } = await read(await fetch(`${sandbox.imsBaseUrl}/openapi.json`));
    const { description, requestBody } = membersOf(membersOf(body.paths['/shipments/{id}'])['patch']);
    expect(description).toContain('replaces the stored one');
    expect(description).toContain('no member is required');
    expect(description).toContain('`deliveryAddress_');
    expect(JSON.stringify(requestBody)).not.toContain('"required":[');
    expect(body.components.schemas.Address).not.toHaveProperty('required');
  });
});
