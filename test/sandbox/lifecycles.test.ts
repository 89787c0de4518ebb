import { afterEach, describe, expect, it } from '@jest/globals';
import { clientOf, closeAll, read } from './support.js';
import type { Levels, Warehouse } from './warehouse.js';
import { CUSTOMER, SELLER, SUPPLIER, openWarehouse } from './warehouse.js';

afterEach(closeAll);

const id = expect.any(Number);

/** Pieces of an item; what is not named is 0. */
function levels(given: Partial<Levels>): Levels {
  const none = { numItems: 0, numItemsSaleable: 0, numItemsReserved: 0, numItemsAvailable: 0, numItemsPosted: 0 };
  return { ...none, ...given };
}

async function order(warehouse: Warehouse, lines: readonly object[], more: object = {}) {
  const shipment = { customerNumber: CUSTOMER, shipmentLines: lines, ...more };
  return warehouse.call('POST /shipments', shipment);
}

/** What changes when pieces of an item become available or cease to be. */
function availability(globalTradeItemId: number, delta: number, rest: { readonly now: number; sellerId?: number }) {
  const { now: numItemsAvailable, ...seller } = rest;
  return [
    { type: 'availableStockChanged', globalTradeItemId, delta, ...seller },
    { type: 'availabilityChanged', globalTradeItemId, numItemsAvailable, ...seller },
  ];
}

function moved(globalTradeItemId: number, transactionType: string) {
  return { type: 'physicalStockChanged', globalTradeItemId, transactionId: id, transactionType };
}

/** Pieces that come to an item or leave it and change what is available. */
function stockChange(itemId: number, delta: number, rest: { now: number; transactionType: string; sellerId?: number }) {
  const { transactionType, ...others } = rest;
  const [available, after] = availability(itemId, delta, others);
  return [available, moved(itemId, transactionType), after];
}

describe('an outbound shipment', () => {
  it('goes from the order to the carrier, step by step', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId, matId, sellerId, sandbox } = warehouse;
    await warehouse.stock(tentId, 10);
    await warehouse.stock(matId, 4);

    const tents = { stockKeepingUnit: 'TENT', numItemsOrdered: 3 };
    const mats = { stockKeepingUnit: 'MAT', numItemsOrdered: 2 };
    const shipment = await order(warehouse, [tents, mats], { sellerNumber: SELLER });
    const [tentLine, matLine] = shipment.shipmentLines;
    const shipmentId = shipment.id;
    expect(await heard()).toEqual([
      { type: 'shipmentCreated', shipmentId },
      ...availability(tentId, -3, { now: 7, sellerId }),
      ...availability(matId, -2, { now: 2, sellerId }),
    ]);
    expect(await warehouse.levels(tentId)).toEqual(
      levels({ numItems: 10, numItemsSaleable: 10, numItemsReserved: 3, numItemsAvailable: 7 }),
    );
    expect(await call('GET /reservations')).toMatchObject([
      { id: tentLine.reservationId, stockKeepingUnit: 'TENT', numItemsReserved: 3, numItemsAvailable: 7 },
      { id: matLine.reservationId, stockKeepingUnit: 'MAT', numItemsReserved: 2, numItemsAvailable: 2 },
    ]);

    await call('POST /invocations/pack', { shipmentLineId: tentLine.id });
    expect(await heard()).toEqual([moved(tentId, 'SHIPPING')]);
    await call('POST /invocations/pack', { shipmentLineId: matLine.id });
    expect(await heard()).toEqual([moved(matId, 'SHIPPING')]);
    expect(await warehouse.levels(tentId)).toEqual(levels({ numItems: 7, numItemsSaleable: 7, numItemsAvailable: 7 }));
    expect(await call('GET /reservations?onlyOpen=true')).toEqual([]);
    expect(await call(`GET /shipments/${shipmentId}/inventoryTransactions`)).toMatchObject([
      { stockKeepingUnit: 'TENT', numItems: -3, numItemsPosted: 0, value: -300, shipmentLineId: tentLine.id, sellerId },
      { stockKeepingUnit: 'MAT', numItems: -2, shipmentId, transactionType: 'SHIPPING', accumulatedNumItems: 2 },
    ]);

    const note = await call('POST /invocations/createDeliveryNote', { shipmentId });
    const { shipmentNumber } = shipment;
    const created = { type: 'documentCreated', documentId: note.id };
    expect(await heard()).toEqual([{ ...created, documentType: 'DELIVERY_NOTE', shipmentId, shipmentNumber }]);
    expect(await call(`GET /shipments/${shipmentId}/deliveryNote`)).toMatchObject({ id: note.id });

    const consignment = sandbox.control.handOver(1);
    expect(await heard()).toEqual([
      {
        ...{ type: 'documentCreated', documentId: consignment.id, documentType: 'CONSIGNMENT_NOTE' },
        shipmentIds: [shipmentId],
      },
    ]);
    expect(await call(`GET /shipments/${shipmentId}`)).toMatchObject({ shippingStatus: 'CONSIGNED' });
    expect(await warehouse.levels(tentId)).toEqual(levels({ numItems: 7, numItemsSaleable: 7, numItemsAvailable: 7 }));
  });

  it('is told of with the fields that all events have', async () => {
    const warehouse = await openWarehouse();
    await order(warehouse, []);
    const [envelope] = await warehouse.envelopes();
    expect(envelope).toMatchObject({
      'detail-type': 'shipmentCreated',
      detail: {
        ...{ eventId: expect.stringMatching(/^[0-9a-f-]{36}$/), eventType: 'shipmentCreated' },
        ...{ contextId: '1', subscriberId: expect.stringMatching(/^\d+$/), shipmentId: id, userId: id },
      },
    });
  });

  it('goes to the carrier with others, in one consignment note', async () => {
    const warehouse = await openWarehouse();
    const shipments = [await order(warehouse, []), await order(warehouse, []), await order(warehouse, [])];
    const [first, second] = shipments.map((shipment) => shipment.id);
    for (const shipmentId of [first, second])
      await warehouse.call('POST /invocations/createDeliveryNote', { shipmentId });
    await warehouse.heard();
    warehouse.sandbox.control.handOver(1);
    expect(await warehouse.heard()).toMatchObject([{ shipmentIds: [first, second] }]);
    expect(() => warehouse.sandbox.control.handOver(1)).toThrow('No shipment waits');
  });

  it('is drawn from the lots in the order of their sort dates, with an event for each', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId } = warehouse;
    const young = await warehouse.stock(tentId, 5, { inventorySortDate: '2026-02-01' });
    const old = await warehouse.stock(tentId, 2, { inventorySortDate: '2026-01-01', locationNumber: 'B-2' });
    const shipment = await order(warehouse, [{ stockKeepingUnit: 'TENT', numItemsOrdered: 4 }]);
    await heard();
    await call('POST /invocations/pack', { shipmentLineId: shipment.shipmentLines[0].id });
    expect(await heard()).toEqual([moved(tentId, 'SHIPPING'), moved(tentId, 'SHIPPING')]);
    expect(await call(`GET /shipments/${shipment.id}/inventoryTransactions`)).toMatchObject([
      { globalTradeItemLotId: old, numItems: -2, locationNumber: 'B-2', inventorySortDate: '2026-01-01' },
      { globalTradeItemLotId: young, numItems: -2 },
    ]);
    expect(await call('GET /globalTradeItemLots?onlyRemaining=true')).toMatchObject([
      { id: young, numItemsRemaining: 3 },
    ]);
  });

  it('is packed without any event when no stock is kept of its item', async () => {
    const warehouse = await openWarehouse();
    const shipment = await order(warehouse, [{ stockKeepingUnit: 'VOUCHER', numItemsOrdered: 2 }]);
    expect(await warehouse.heard()).toEqual([{ type: 'shipmentCreated', shipmentId: shipment.id }]);
    const packed = { shipmentLineId: shipment.shipmentLines[0].id };
    expect(await warehouse.call('POST /invocations/pack', packed)).toMatchObject({ instanceCount: 2 });
    expect(await warehouse.heard()).toEqual([]);
    expect(await warehouse.call(`GET /shipments/${shipment.id}`)).toMatchObject({
      shippingStatus: 'IN_PROGRESS',
      shipmentLines: [{ numItemsPacked: 2, numItemsReserved: 0, available: true }],
    });
  });

  it('can be ordered beyond the stock, but not packed beyond it when that is switched on', async () => {
    const warehouse = await openWarehouse({ packBeyondStock: false });
    const { call, tentId } = warehouse;
    const lot = await warehouse.stock(tentId, 3);
    const shipment = await order(warehouse, [{ stockKeepingUnit: 'TENT', numItemsOrdered: 5 }]);
    expect(await warehouse.heard()).toEqual([
      { type: 'shipmentCreated', shipmentId: shipment.id },
      ...availability(tentId, -5, { now: -2 }),
    ]);
    const shipmentLineId = shipment.shipmentLines[0].id;
    const refused = await warehouse.ask('POST /invocations/pack', { body: { shipmentLineId } });
    expect(refused).toMatchObject({ status: 422, body: { messageType: 'ERROR', messageCode: 'invalid_ShipmentLine' } });
    expect(await warehouse.heard()).toEqual([]);
    expect(await call(`GET /globalTradeItemLots/${lot}`)).toMatchObject({ numItemsRemaining: 3 });
    expect(await call(`GET /shipments/${shipment.id}`)).toMatchObject({
      shippingStatus: 'NEW',
      shipmentLines: [{ numItemsPacked: 0, numItemsReserved: 5, available: false }],
    });
    expect(await call(`GET /shipments/${shipment.id}/globalTradeItemInstances`)).toEqual([]);
  });

  it('is packed beyond the stock, and draws what is there', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId } = warehouse;
    await warehouse.stock(tentId, 3);
    const shipment = await order(warehouse, [{ stockKeepingUnit: 'TENT', numItemsOrdered: 5 }]);
    await heard();
    await call('POST /invocations/pack', { shipmentLineId: shipment.shipmentLines[0].id });
    expect(await heard()).toEqual([moved(tentId, 'SHIPPING')]);
    expect(await call(`GET /shipments/${shipment.id}/inventoryTransactions`)).toMatchObject([{ numItems: -3 }]);
    expect(await call('GET /globalTradeItems?onlyHasNotDrawnItems=true')).toMatchObject([{ id: tentId }]);
    const note = await call('POST /invocations/createDeliveryNote', { shipmentId: shipment.id });
    expect((await heard()).slice(1)).toEqual(availability(tentId, 2, { now: 0 }));
    warehouse.sandbox.control.cancelDocument(note.id);
    expect((await heard()).slice(1)).toEqual(availability(tentId, -2, { now: -2 }));
  });

  it('keeps nothing of what was not packed once it has its delivery note', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId, matId } = warehouse;
    await warehouse.stock(tentId, 10);
    await warehouse.stock(matId, 10);
    const lines = [
      { stockKeepingUnit: 'TENT', numItemsOrdered: 4 },
      { stockKeepingUnit: 'MAT', numItemsOrdered: 1 },
    ];
    const shipment = await order(warehouse, lines, { sellerNumber: SELLER });
    await call('POST /invocations/pack', { shipmentLineId: shipment.shipmentLines[0].id, instanceCount: 1 });
    await call('POST /invocations/pack', { shipmentLineId: shipment.shipmentLines[1].id });
    await heard();
    await call('POST /invocations/createDeliveryNote', { shipmentId: shipment.id });
    // The warehouse does it, not the sales channel.
    expect((await heard()).slice(1)).toEqual(availability(tentId, 3, { now: 9 }));
    expect(await call(`GET /shipments/${shipment.id}`)).toMatchObject({
      shippingStatus: 'PACKED',
      shipmentLines: [
        { numItemsOrdered: 4, numItemsPacked: 1, abandoned: true, numItemsReserved: 0 },
        { numItemsOrdered: 1, numItemsPacked: 1, abandoned: false },
      ],
    });
    expect(await call('GET /shipmentLines?onlyShowAbandoned=true')).toHaveLength(1);
  });

  it('is open again when its delivery note is cancelled, but for what was abandoned before', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId, matId } = warehouse;
    await warehouse.stock(tentId, 10);
    await warehouse.stock(matId, 10);
    const lines = [
      { stockKeepingUnit: 'TENT', numItemsOrdered: 4 },
      { stockKeepingUnit: 'MAT', numItemsOrdered: 2 },
    ];
    const shipment = await order(warehouse, lines, { sellerNumber: SELLER });
    const [tentLine, matLine] = shipment.shipmentLines;
    await call('POST /invocations/pack', { shipmentLineId: tentLine.id, instanceCount: 1 });
    await call(`PUT /shipmentLines/${matLine.id}/abandoned`, 'true');
    const note = await call('POST /invocations/createDeliveryNote', { shipmentId: shipment.id });
    await heard();
    warehouse.sandbox.control.cancelDocument(note.id);
    const cancelled = { type: 'documentCancelled', documentId: note.id, documentType: 'DELIVERY_NOTE' };
    expect(await heard()).toEqual([{ ...cancelled, shipmentId: shipment.id }, ...availability(tentId, -3, { now: 6 })]);
    expect(await call(`GET /shipments/${shipment.id}`)).toMatchObject({
      shippingStatus: 'IN_PROGRESS',
      shipmentLines: [
        { numItemsPacked: 1, numItemsReserved: 3, abandoned: false },
        { numItemsPacked: 0, numItemsReserved: 0, abandoned: true },
      ],
    });
    await call('POST /invocations/pack', { shipmentLineId: tentLine.id });
    await call('POST /invocations/createDeliveryNote', { shipmentId: shipment.id });
    expect(await warehouse.levels(tentId)).toMatchObject({ numItems: 6, numItemsReserved: 0, numItemsAvailable: 6 });
  });

  it('tells its sales channel of its own pieces only, when packed ones go back to a lot that is not for sale', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId, sellerId } = warehouse;
    const asSeller = await clientOf(warehouse.sandbox, 'sales');
    const lot = await warehouse.stock(tentId, 5);
    const lines = [{ stockKeepingUnit: 'TENT', numItemsOrdered: 4 }];
    const shipment = await order(warehouse, lines, { sellerNumber: SELLER });
    await call('POST /invocations/pack', { shipmentLineId: shipment.shipmentLines[0].id, instanceCount: 3 });
    await call(`PATCH /globalTradeItemLots/${lot}`, { lotStatus: 'QUARANTINED' });
    await heard();
    expect(await warehouse.levels(tentId)).toMatchObject({ numItemsSaleable: 0, numItemsAvailable: -1 });
    await asSeller(`PUT /shipments/${shipment.id}/cancelled`, { body: 'true' });
    expect(await heard()).toEqual([
      { type: 'availableStockChanged', globalTradeItemId: tentId, delta: 4, sellerId },
      { type: 'availableStockChanged', globalTradeItemId: tentId, delta: -3 },
      moved(tentId, 'SHIPPING'),
      { type: 'availabilityChanged', globalTradeItemId: tentId, numItemsAvailable: 0, sellerId },
    ]);
    expect(await warehouse.levels(tentId)).toEqual(levels({ numItems: 5 }));
  });

  it('gives back all that was packed and kept when it is cancelled, and takes it again when it is not', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId, sellerId } = warehouse;
    const asSeller = await clientOf(warehouse.sandbox, 'sales');
    const old = await warehouse.stock(tentId, 2, { inventorySortDate: '2026-01-01' });
    const young = await warehouse.stock(tentId, 5);
    const lines = [{ stockKeepingUnit: 'TENT', numItemsOrdered: 6 }];
    const shipment = await order(warehouse, lines, { sellerNumber: SELLER });
    await call('POST /invocations/pack', { shipmentLineId: shipment.shipmentLines[0].id, instanceCount: 3 });
    await heard();
    const path = `/shipments/${shipment.id}`;
    await asSeller(`PUT ${path}/cancelled`, { body: 'true' });
    const [available, after] = availability(tentId, 6, { now: 7, sellerId });
    expect(await heard()).toEqual([available, moved(tentId, 'SHIPPING'), moved(tentId, 'SHIPPING'), after]);
    expect(await call('GET /globalTradeItemLots')).toMatchObject([
      { id: old, numItemsRemaining: 2 },
      { id: young, numItemsRemaining: 5 },
    ]);
    const [drawn, drawnToo, back] = await call(`GET ${path}/inventoryTransactions`);
    expect([drawn.numItems, drawnToo.numItems, back.numItems]).toEqual([-2, -1, 2]);
    expect(back).toMatchObject({ reversedTransactionId: drawn.id, transactionType: 'SHIPPING', sellerId });
    expect(drawn).toMatchObject({ reversalTransactionId: back.id, reversalTransactionTimeMade: back.timeMade });
    expect(await call(`GET ${path}/globalTradeItemInstances`)).toMatchObject([{ undone: true, instanceCount: 3 }]);

    await asSeller(`PATCH ${path}`, { body: { cancelled: false } });
    expect(await heard()).toEqual(availability(tentId, -6, { now: 1, sellerId }));
    expect(await call(`GET ${path}`)).toMatchObject({
      shippingStatus: 'NEW',
      shipmentLines: [{ numItemsPacked: 0, numItemsReserved: 6 }],
    });
  });

  it('shows in its containers what was packed into them', async () => {
    const warehouse = await openWarehouse();
    const { call, tentId, matId } = warehouse;
    await warehouse.stock(tentId, 10);
    await warehouse.stock(matId, 10);
    const tents = { stockKeepingUnit: 'TENT', numItemsOrdered: 3 };
    const shipment = await order(warehouse, [tents, { stockKeepingUnit: 'MAT', numItemsOrdered: 2 }]);
    const box = { shipmentId: shipment.id, containerTypeName: 'Box', tareWeight: 0.5 };
    const shippingContainerId = (await call('POST /shippingContainers', box)).id;
    const empty = (await call('POST /shippingContainers', box)).id;
    const [tentLine, matLine] = shipment.shipmentLines;
    const tentsPacked = { shipmentLineId: tentLine.id, shippingContainerId, instanceCount: 2, serialNumber: 'T-77' };
    await call('POST /invocations/pack', tentsPacked);
    await call('POST /invocations/pack', { shipmentLineId: matLine.id, shippingContainerId, weight: 1.1 });
    expect((await call(`GET /shipments/${shipment.id}`)).shippingContainers).toMatchObject([
      { id: shippingContainerId, netWeight: 6.1, grossWeight: 6.6, numGlobalTradeItemInstances: 2 },
      { id: empty, numGlobalTradeItemInstances: 0 },
    ]);
    expect(await call(`GET /shipments/${shipment.id}/globalTradeItemInstances`)).toMatchObject([
      { shippingContainerId, stockKeepingUnit: 'TENT', instanceCount: 2, weight: 5, serialNumber: 'T-77' },
      { shippingContainerId, stockKeepingUnit: 'MAT', instanceCount: 2, weight: 1.1 },
    ]);
    const refused = await warehouse.ask(`DELETE /shippingContainers/${shippingContainerId}`);
    expect(refused).toMatchObject({ status: 422, body: { messageCode: 'invalid_ShippingContainer' } });
    await call(`PUT /shipments/${shipment.id}/cancelled`, 'true');
    expect(await call(`GET /shippingContainers/${shippingContainerId}`)).toMatchObject({
      numGlobalTradeItemInstances: 0,
    });
    expect((await warehouse.ask(`DELETE /shippingContainers/${shippingContainerId}`)).status).toBe(200);
  });

  it('changes what is kept for it with its lines, and leaves nothing behind when it is deleted', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId, matId } = warehouse;
    await warehouse.stock(tentId, 10);
    await warehouse.stock(matId, 10);
    const shipment = await order(warehouse, [{ stockKeepingUnit: 'TENT', numItemsOrdered: 3 }]);
    const [line] = shipment.shipmentLines;
    await heard();
    await call(`PATCH /shipmentLines/${line.id}`, { numItemsOrdered: 5 });
    expect(await heard()).toEqual(availability(tentId, -2, { now: 5 }));
    const added = { shipmentId: shipment.id, stockKeepingUnit: 'MAT', numItemsOrdered: 4 };
    const mats = await call('POST /shipmentLines', added);
    expect(await heard()).toEqual(availability(matId, -4, { now: 6 }));
    await call(`DELETE /shipmentLines/${mats.id}`);
    expect(await heard()).toEqual(availability(matId, 4, { now: 10 }));
    await call(`PUT /shipmentLines/${line.id}/abandoned`, 'true');
    expect(await heard()).toEqual(availability(tentId, 5, { now: 10 }));
    const refused = await warehouse.ask('POST /invocations/pack', { body: { shipmentLineId: line.id } });
    expect(refused.status).toBe(422);
    await call(`PUT /shipmentLines/${line.id}/abandoned`, 'false');
    await call('POST /invocations/pack', { shipmentLineId: line.id, instanceCount: 2 });
    await heard();
    await call(`DELETE /shipments/${shipment.id}`);
    expect(await heard()).toEqual(stockChange(tentId, 5, { now: 10, transactionType: 'SHIPPING' }));
    expect(await call('GET /reservations')).toEqual([]);
    expect(await call('GET /shipmentLines')).toEqual([]);
    expect(await warehouse.levels(tentId)).toMatchObject({ numItems: 10, numItemsAvailable: 10 });
  });

  it('takes nothing more once it has its delivery note', async () => {
    const warehouse = await openWarehouse();
    const shipment = await order(warehouse, [{ stockKeepingUnit: 'TENT', numItemsOrdered: 3 }]);
    const shipmentId = shipment.id;
    const shipmentLineId = shipment.shipmentLines[0].id;
    await warehouse.call('POST /invocations/createDeliveryNote', { shipmentId });
    await warehouse.heard();
    const line = { shipmentId, stockKeepingUnit: 'MAT', numItemsOrdered: 1 };
    const attempts: readonly (readonly [string, unknown])[] = [
      ['POST /invocations/pack', { shipmentLineId }],
      ['POST /invocations/createDeliveryNote', { shipmentId }],
      ['POST /shipmentLines', line],
      [`PATCH /shipmentLines/${shipmentLineId}`, { numItemsOrdered: 4 }],
      [`DELETE /shipmentLines/${shipmentLineId}`, undefined],
      [`PUT /shipments/${shipmentId}/cancelled`, 'true'],
      [`DELETE /shipments/${shipmentId}`, undefined],
    ];
    for (const [request, body] of attempts)
      expect([request, (await warehouse.ask(request, { body })).status]).toEqual([request, 422]);
    expect(await warehouse.heard()).toEqual([]);
  });

  it('stops being kept for when stock is no longer kept of its item', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId } = warehouse;
    await order(warehouse, [{ stockKeepingUnit: 'TENT', numItemsOrdered: 3 }]);
    await heard();
    await call(`PATCH /globalTradeItems/${tentId}`, { stocked: false });
    expect(await heard()).toEqual(availability(tentId, 3, { now: 0 }));
    await call(`PATCH /globalTradeItems/${tentId}`, { stocked: true });
    expect(await heard()).toEqual(availability(tentId, -3, { now: -3 }));
  });
});

describe('an inbound shipment', () => {
  async function announce(warehouse: Warehouse) {
    const lines = [
      { stockKeepingUnit: 'TENT', numItemsExpected: 6 },
      { stockKeepingUnit: 'MAT', numItemsExpected: 2 },
    ];
    return warehouse.call('POST /inboundShipments', { supplierNumber: SUPPLIER, inboundShipmentLines: lines });
  }

  it.each([
    ['receiveToNewLot', 'receiveToExistingLot'],
    ['receive', 'receive'],
  ])('goes from the announcement to the goods receipt, step by step (%s, %s)', async (toNew, toExisting) => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId, matId } = warehouse;
    const shipment = await announce(warehouse);
    const { id: inboundShipmentId, inboundShipmentNumber } = shipment;
    const [tentLine, matLine] = shipment.inboundShipmentLines;
    expect(await heard()).toEqual([{ type: 'inboundShipmentCreated', inboundShipmentId }]);
    expect(await warehouse.levels(tentId)).toEqual(levels({}));

    const place = { locationNumber: 'A-1', lotStatus: 'SALEABLE', batchNumber: 'B-7' };
    const tents = { inboundShipmentLineId: tentLine.id, ...place, numItems: 4 };
    const lot = await call(`POST /invocations/${toNew}`, tents);
    expect(lot).toMatchObject({
      numItemsRemaining: 4,
      numItemsPosted: 0,
      batchNumber: 'B-7',
      stockKeepingUnit: 'TENT',
    });
    expect(await heard()).toEqual(stockChange(tentId, 4, { now: 4, transactionType: 'RECEPTION' }));
    const rest = { inboundShipmentLineId: tentLine.id, globalTradeItemLotId: lot.id, numItems: 2 };
    expect(await call(`POST /invocations/${toExisting}`, rest)).toMatchObject({ id: lot.id, numItemsRemaining: 6 });
    expect(await heard()).toEqual(stockChange(tentId, 2, { now: 6, transactionType: 'RECEPTION' }));
    const quarantined = { ...place, lotStatus: 'QUARANTINED' };
    await call(`POST /invocations/${toNew}`, { inboundShipmentLineId: matLine.id, ...quarantined, numItems: 2 });
    expect(await heard()).toEqual(stockChange(matId, 0, { now: 0, transactionType: 'RECEPTION' }));
    expect(await warehouse.levels(matId)).toEqual(levels({ numItems: 2 }));
    expect(await call(`GET /inboundShipments/${inboundShipmentId}`)).toMatchObject({
      inboundShipmentLines: [{ numItemsReceived: 6 }, { numItemsReceived: 2 }],
    });

    const receipt = await call('POST /invocations/createGoodsReceipt', { inboundShipmentId });
    const created = { type: 'documentCreated', documentId: receipt.id, documentType: 'GOODS_RECEIPT' };
    expect(await heard()).toEqual([{ ...created, inboundShipmentId, inboundShipmentNumber }]);
    expect(await warehouse.levels(tentId)).toMatchObject({ numItems: 6, numItemsPosted: 6 });
    expect(await call(`GET /documents/${receipt.id}/inventoryPostings`)).toMatchObject([
      { numItems: 4, value: 400, documentType: 'GOODS_RECEIPT', inboundShipmentId, accumulatedNumItems: 4 },
      { numItems: 2, value: 200, transactionType: 'RECEPTION', inboundShipmentNumber, accumulatedNumItems: 6 },
      { numItems: 2, stockKeepingUnit: 'MAT' },
    ]);
    expect(await call(`GET /inboundShipments/${inboundShipmentId}/inventoryTransactions`)).toMatchObject([
      { numItems: 4, numItemsPosted: 4, transactionType: 'RECEPTION', inboundShipmentLineId: tentLine.id },
      { numItems: 2, numItemsPosted: 2, accumulatedNumItems: 6 },
      { numItems: 2, inboundShipmentLineId: matLine.id },
    ]);
    const late = await warehouse.ask(`POST /invocations/${toNew}`, { body: tents });
    expect(late).toMatchObject({ status: 422, body: { messageCode: 'invalid_InboundShipment' } });

    warehouse.sandbox.control.cancelDocument(receipt.id);
    const cancelled = { type: 'documentCancelled', documentId: receipt.id, documentType: 'GOODS_RECEIPT' };
    expect(await heard()).toEqual([cancelled]);
    expect(await warehouse.levels(tentId)).toMatchObject({ numItems: 6, numItemsPosted: 0 });
    expect(await call(`GET /documents/${receipt.id}/inventoryPostings`)).toHaveLength(6);
    await call('POST /invocations/createGoodsReceipt', { inboundShipmentId });
    expect(await warehouse.levels(tentId)).toMatchObject({ numItems: 6, numItemsPosted: 6 });
  });

  it('can be cancelled only as long as nothing of it has come', async () => {
    const warehouse = await openWarehouse();
    const [some, none] = [await announce(warehouse), await announce(warehouse)];
    const [line] = some.inboundShipmentLines;
    const tents = { inboundShipmentLineId: line.id, locationNumber: 'A-1', lotStatus: 'SALEABLE', numItems: 1 };
    await warehouse.call('POST /invocations/receiveToNewLot', tents);
    const refused = await warehouse.ask(`PATCH /inboundShipments/${some.id}`, { body: { cancelled: true } });
    expect(refused).toMatchObject({ status: 422, body: { messageCode: 'invalid_InboundShipment' } });
    expect(await warehouse.ask(`DELETE /inboundShipments/${some.id}`)).toMatchObject({ status: 422 });
    await warehouse.call(`PATCH /inboundShipments/${none.id}`, { cancelled: true });
    const receipt = { inboundShipmentId: none.id };
    expect((await warehouse.ask('POST /invocations/createGoodsReceipt', { body: receipt })).status).toBe(422);
  });
});

describe('an adjustment of the stock', () => {
  it.each(['globalTradeItemLots', 'globalTradeItemLot'])(
    'goes from the lot (POST /%s) over the count to the adjustment list, step by step',
    async (resource) => {
      const warehouse = await openWarehouse();
      const { call, heard, tentId } = warehouse;
      const given = { stockKeepingUnit: 'TENT', locationNumber: 'A-1', numItemsRemaining: 8 };
      const lot = await call(`POST /${resource}`, given);
      expect(lot).toMatchObject({ globalTradeItemId: tentId, numItemsRemaining: 8, lotStatus: 'SALEABLE' });
      expect(await heard()).toEqual(stockChange(tentId, 8, { now: 8, transactionType: 'STOCK_TAKING' }));

      const count = { globalTradeItemLotId: lot.id, numItemsCounted: 8 };
      const counted = await call('POST /invocations/countGlobalTradeItemLot', count);
      expect(counted).toMatchObject({ counted: true, numItemsCounted: 8, numItemsAdjusted: 0 });
      expect(await heard()).toEqual([]);
      const fewer = { ...count, numItemsCounted: 5, discrepancyCause: 'SHRINKAGE' };
      const { stockTakingId } = await call('POST /invocations/countGlobalTradeItemLot', fewer);
      expect(stockTakingId).toBe(counted.stockTakingId);
      expect(await heard()).toEqual(stockChange(tentId, -3, { now: 5, transactionType: 'STOCK_TAKING' }));
      expect(await call(`GET /globalTradeItemLots/${lot.id}`)).toMatchObject({
        numItemsRemaining: 5,
        numItemsPosted: 0,
      });

      const list = await call('POST /invocations/createAdjustmentList', { stockTakingId });
      const created = { type: 'documentCreated', documentId: list.id, documentType: 'ADJUSTMENT_LIST', stockTakingId };
      expect(await heard()).toEqual([created]);
      expect(await call(`GET /documents/${list.id}/inventoryPostings`)).toMatchObject([
        { numItems: 8, value: 800, transactionType: 'STOCK_TAKING' },
        { numItems: -3, value: -300, accumulatedNumItems: 5, accumulatedValue: 500 },
      ]);
      expect(await call(`GET /stockTakings/${stockTakingId}`)).toMatchObject({
        ...{ stockTakingType: 'AD_HOC', adjustmentListId: list.id },
        stockTakingLines: [{ numItemsCounted: 8 }, { numItemsCounted: 5, discrepancyCause: 'SHRINKAGE' }],
      });
      expect(await warehouse.levels(tentId)).toEqual(
        levels({ numItems: 5, numItemsSaleable: 5, numItemsAvailable: 5, numItemsPosted: 5 }),
      );
      const late = { ...fewer, stockTakingLineId: counted.id };
      expect(await warehouse.ask('POST /invocations/countGlobalTradeItemLot', { body: late })).toMatchObject({
        status: 422,
        body: { messageCode: 'invalid_StockTaking' },
      });

      warehouse.sandbox.control.cancelDocument(list.id);
      expect(await heard()).toMatchObject([{ type: 'documentCancelled', documentType: 'ADJUSTMENT_LIST' }]);
      expect(await warehouse.levels(tentId)).toMatchObject({ numItems: 5, numItemsPosted: 0 });
    },
  );

  it('is told to nobody when it is counted silently', async () => {
    const warehouse = await openWarehouse({ silentCounts: true });
    const globalTradeItemLotId = await warehouse.stock(warehouse.tentId, 8);
    const count = { globalTradeItemLotId, numItemsCounted: 1, discrepancyCause: 'DAMAGED' };
    await warehouse.call('POST /invocations/countGlobalTradeItemLot', count);
    expect(await warehouse.heard()).toEqual([]);
    expect(await warehouse.levels(warehouse.tentId)).toMatchObject({ numItems: 1, numItemsAvailable: 1 });
  });

  it('leaves out of what is available a lot that may not be sold', async () => {
    const warehouse = await openWarehouse({ packBeyondStock: false });
    const { call, heard, tentId } = warehouse;
    const lot = await warehouse.stock(tentId, 8);
    await call(`PATCH /globalTradeItemLots/${lot}`, { lotStatus: 'QUARANTINED' });
    expect(await heard()).toEqual(availability(tentId, -8, { now: 0 }));
    expect(await warehouse.levels(tentId)).toEqual(levels({ numItems: 8 }));
    const shipment = await order(warehouse, [{ stockKeepingUnit: 'TENT', numItemsOrdered: 1 }]);
    const body = { shipmentLineId: shipment.shipmentLines[0].id };
    expect(await warehouse.ask('POST /invocations/pack', { body })).toMatchObject({ status: 422 });
    await heard();
    await call(`PATCH /globalTradeItemLots/${lot}`, { lotStatus: 'SALEABLE' });
    expect(await heard()).toEqual(availability(tentId, 8, { now: 7 }));
    await call(`PATCH /globalTradeItemLots/${lot}`, { batchNumber: 'B-8' });
    expect(await heard()).toEqual([]);
  });

  it('splits a lot to a new one and to another, and no piece is lost, in the house or in the accounts', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId } = warehouse;
    const source = await warehouse.stock(tentId, 8, { batchNumber: 'B-1', inventorySortDate: '2026-01-01' });
    const count = { globalTradeItemLotId: source, numItemsCounted: 8 };
    const { stockTakingId } = await call('POST /invocations/countGlobalTradeItemLot', count);
    await call('POST /invocations/createAdjustmentList', { stockTakingId });
    await heard();
    const damaged = { lotStatus: 'DAMAGED', locationNumber: 'B-2', numItems: 3 };
    const target = await call('POST /invocations/splitToNewLot', { globalTradeItemLotId: source, ...damaged });
    expect(target).toMatchObject({
      ...{ locationNumber: 'B-2', lotStatus: 'DAMAGED', batchNumber: 'B-1', inventorySortDate: '2026-01-01' },
      ...{ numItemsRemaining: 3, numItemsPosted: 3 },
    });
    const [available, after] = availability(tentId, -3, { now: 5 });
    expect(await heard()).toEqual([available, moved(tentId, 'SPLITTING'), moved(tentId, 'SPLITTING'), after]);
    await call('POST /invocations/splitToExistingLot', { sourceLotId: target.id, targetLotId: source, numItems: 1 });
    expect(await call('GET /globalTradeItemLots')).toMatchObject([
      { id: source, numItemsRemaining: 6, numItemsPosted: 6 },
      { id: target.id, numItemsRemaining: 2, numItemsPosted: 2 },
    ]);
    const tooMany = { sourceLotId: target.id, targetLotId: source, numItems: 3 };
    const refused = await warehouse.ask('POST /invocations/splitToExistingLot', { body: tooMany });
    expect(refused).toMatchObject({ status: 422, body: { messageCode: 'invalid_GlobalTradeItemLot' } });
    expect(await warehouse.levels(tentId)).toEqual(
      levels({ numItems: 8, numItemsSaleable: 6, numItemsAvailable: 6, numItemsPosted: 8 }),
    );
  });
});

describe('a return shipment', () => {
  it.each([
    ['receiveReturnedToNewLot', 'receiveReturnedToExistingLot'],
    ['receiveReturned', 'receiveReturned'],
  ])('goes from the announcement to the return receipt, step by step (%s, %s)', async (toNew, toExisting) => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId } = warehouse;
    const lines = [{ stockKeepingUnit: 'TENT', numItemsExpected: 2, returnReason: 'REGRETTED_PURCHASE' }];
    const shipment = await call('POST /returnShipments', { customerNumber: CUSTOMER, returnShipmentLines: lines });
    const { id: returnShipmentId, returnShipmentNumber } = shipment;
    const [line] = shipment.returnShipmentLines;
    expect(await heard()).toEqual([{ type: 'returnShipmentCreated', returnShipmentId }]);

    const place = { locationNumber: 'A-1', lotStatus: 'SALEABLE', numItems: 1 };
    const lot = await call(`POST /invocations/${toNew}`, { returnShipmentLineId: line.id, ...place });
    expect(await heard()).toEqual(stockChange(tentId, 1, { now: 1, transactionType: 'RETURNED' }));
    const more = { returnShipmentLineId: line.id, globalTradeItemLotId: lot.id, numItems: 1 };
    expect(await call(`POST /invocations/${toExisting}`, more)).toMatchObject({ id: lot.id, numItemsRemaining: 2 });
    expect(await heard()).toEqual(stockChange(tentId, 1, { now: 2, transactionType: 'RETURNED' }));
    expect((await call(`GET /returnShipments/${returnShipmentId}`)).returnShipmentLines).toMatchObject([
      { numItemsExpected: 2, numItemsReceived: 2, returnReason: 'REGRETTED_PURCHASE' },
    ]);

    const receipt = await call('POST /invocations/createReturnReceipt', {
      returnShipmentId,
      postingDate: '2026-03-01',
    });
    const created = { type: 'documentCreated', documentId: receipt.id, documentType: 'RETURN_RECEIPT' };
    expect(await heard()).toEqual([{ ...created, returnShipmentId, returnShipmentNumber }]);
    const posting = { value: 100, postingDate: '2026-03-01', transactionType: 'RETURNED', returnShipmentNumber };
    expect(await call(`GET /documents/${receipt.id}/inventoryPostings`)).toMatchObject([posting, posting]);
    const all = levels({ numItems: 2, numItemsSaleable: 2, numItemsAvailable: 2, numItemsPosted: 2 });
    expect(await warehouse.levels(tentId)).toEqual(all);

    warehouse.sandbox.control.cancelDocument(receipt.id);
    expect(await heard()).toMatchObject([{ type: 'documentCancelled', documentType: 'RETURN_RECEIPT' }]);
    expect(await warehouse.levels(tentId)).toEqual({ ...all, numItemsPosted: 0 });
    expect(await call(`GET /returnShipments/${returnShipmentId}`)).toMatchObject({ returnReceiptId: null });
  });
});

describe('a document', () => {
  it('that posts what was sold takes it back when it is cancelled', async () => {
    const warehouse = await openWarehouse();
    const { call, heard, tentId } = warehouse;
    await warehouse.stock(tentId, 8);
    const shipment = await order(warehouse, [{ stockKeepingUnit: 'TENT', numItemsOrdered: 3 }]);
    await call('POST /invocations/pack', { shipmentLineId: shipment.shipmentLines[0].id });
    await call('POST /invocations/createDeliveryNote', { shipmentId: shipment.id });
    await heard();
    const list = await call('POST /invocations/createCostOfSalesList', { contextId: 1 });
    expect(await heard()).toEqual([
      { type: 'documentCreated', documentId: list.id, documentType: 'COST_OF_SALES_LIST' },
    ]);
    expect(await call(`GET /documents/${list.id}/inventoryPostings`)).toMatchObject([
      { numItems: -3, value: -300, shipmentId: shipment.id, transactionType: 'SHIPPING' },
    ]);
    expect(await warehouse.levels(tentId)).toMatchObject({ numItemsPosted: -3 });
    warehouse.sandbox.control.cancelDocument(list.id);
    expect(await warehouse.levels(tentId)).toMatchObject({ numItemsPosted: 0 });
    const [posting, reversal] = await call(`GET /documents/${list.id}/inventoryPostings`);
    expect(posting).toMatchObject({ reversalPostingId: reversal.id });
    expect(reversal).toMatchObject({ reversedPostingId: posting.id, numItems: 3, value: 300 });
    expect(await call(`GET /shipments/${shipment.id}`)).toMatchObject({ costOfSalesListId: null });
  });

  it.each(['DELIVERY_NOTE', 'TRANSPORT_BOOKING'])(
    'of the type %s names its shipment when it is cancelled',
    async (type) => {
      const warehouse = await openWarehouse();
      const { id: shipmentId } = await order(warehouse, []);
      const invocation = type === 'DELIVERY_NOTE' ? 'createDeliveryNote' : 'createTransportBooking';
      const document = await warehouse.call(`POST /invocations/${invocation}`, { shipmentId });
      await warehouse.heard();
      warehouse.sandbox.control.cancelDocument(document.id);
      const event = { type: 'documentCancelled', documentId: document.id, documentType: type, shipmentId };
      expect(await warehouse.heard()).toEqual([event]);
      expect(await warehouse.call(`GET /documents/${document.id}`)).toMatchObject({
        ...{ cancelled: true, workStatus: 'CANCELLED', timeCancelled: expect.any(String) },
        documentCancelledEventId: expect.any(String),
      });
      expect(await warehouse.call(`GET /shipments/${shipmentId}`)).toMatchObject({ shippingStatus: 'NEW' });
      expect(() => warehouse.sandbox.control.cancelDocument(document.id)).toThrow('cancelled already');
    },
  );

  it('tells of a file attached to it, with an address that gives the bytes for 300 seconds', async () => {
    const warehouse = await openWarehouse();
    const { id: shipmentId } = await order(warehouse, []);
    const document = await warehouse.call('POST /invocations/createTransportBooking', { shipmentId });
    await warehouse.heard();
    const bytes = Buffer.from('%PDF-1.4 a label');
    const file = { fileName: `SHIPPING_LABEL_${document.id}.pdf`, base64EncodedContent: bytes.toString('base64') };
    await warehouse.call(`POST /documents/${document.id}/attachments`, file);
    const [event, ...others] = await warehouse.heard();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      ...{ type: 'fileAttached', entityName: 'Document', entityId: document.id, fileName: file.fileName },
      ...{ url: expect.stringMatching(/^http:/), data: { id: document.id, documentType: 'TRANSPORT_BOOKING' } },
    });
    const url = String(event?.['url']);
    warehouse.wait(299_000);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(bytes);
    warehouse.wait(2_000);
    expect((await read(await fetch(url))).status).toBe(403);
    expect((await fetch(url.replace(/signature=./, 'signature=-'))).status).toBe(403);
  });

  it('tells nobody of its files when that is switched off', async () => {
    const warehouse = await openWarehouse({ fileAttachedEvents: false });
    const { id: shipmentId } = await order(warehouse, []);
    await warehouse.heard();
    const file = { fileName: 'a.pdf', base64EncodedContent: 'JVBERi0xLjQ=' };
    await warehouse.call(`POST /shipments/${shipmentId}/attachments`, file);
    expect(await warehouse.heard()).toEqual([]);
  });
});

describe('a trade item', () => {
  it('is told of when it is created', async () => {
    const warehouse = await openWarehouse();
    const item = await warehouse.call('POST /globalTradeItems', { stockKeepingUnit: 'TENT-XL', productNumber: 'TENT' });
    expect(await warehouse.heard()).toEqual([{ type: 'globalTradeItemCreated', globalTradeItemId: item.id }]);
    expect(await warehouse.levels(item.id)).toEqual(levels({}));
  });
});
