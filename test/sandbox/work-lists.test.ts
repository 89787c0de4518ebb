import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll } from './support.js';
import type { Warehouse } from './warehouse.js';
import { CUSTOMER, openWarehouse } from './warehouse.js';

afterEach(closeAll);

const LISTS = [
  'stockTakingLinesToDo',
  'globalTradeItemLotsToPutAway',
  'globalTradeItemsToOrder',
  'shipmentLinesToPack',
  'globalTradeItemsToReplenish',
];

function documentOf(warehouse: Warehouse, documentType: string, more: object = {}): number {
  return warehouse.sandbox.control.createDocument({ area: 1, documentType, ...more }).id;
}

async function order(warehouse: Warehouse, ...lines: readonly object[]) {
  return warehouse.call('POST /shipments', { customerNumber: CUSTOMER, shipmentLines: lines });
}

describe('a stock taking list', () => {
  it('asks for a count of every lot, each until it is counted', async () => {
    const warehouse = await openWarehouse();
    const { call, tentId, matId } = warehouse;
    const tents = await warehouse.stock(tentId, 8, { inventorySortDate: '2026-01-01', batchNumber: 'B-1' });
    const mats = await warehouse.stock(matId, 3, { locationNumber: 'B-2' });
    const list = documentOf(warehouse, 'STOCK_TAKING_LIST');
    const [event, ...others] = await warehouse.heard();
    expect(event).toEqual({
      ...{ type: 'documentCreated', documentId: list, documentType: 'STOCK_TAKING_LIST' },
      stockTakingId: expect.any(Number),
    });
    expect(others).toEqual([]);
    const stockTakingId = event?.['stockTakingId'];
    const toDo = await call(`GET /documents/${list}/stockTakingLinesToDo`);
    expect(toDo).toMatchObject([
      { globalTradeItemLotId: tents, stockTakingId, counted: false, numItemsRemaining: 8, batchNumber: 'B-1' },
      { globalTradeItemLotId: mats, stockKeepingUnit: 'MAT', locationNumber: 'B-2', lotStatus: 'SALEABLE' },
    ]);
    expect(await call(`GET /documents/${list}/stockTakingLinesToDo?maxNumRows=1&firstRow=1`)).toEqual([toDo[1]]);

    const count = { stockTakingLineId: toDo[0].id, globalTradeItemLotId: tents, numItemsCounted: 7 };
    const wrong = { ...count, globalTradeItemLotId: mats };
    expect((await warehouse.ask('POST /invocations/countGlobalTradeItemLot', { body: wrong })).status).toBe(422);
    const counted = await call('POST /invocations/countGlobalTradeItemLot', count);
    expect(counted).toMatchObject({ id: toDo[0].id, numItemsCounted: 7, numItemsAdjusted: -1 });
    expect(await call(`GET /documents/${list}/stockTakingLinesToDo`)).toEqual([toDo[1]]);
    expect(await call(`GET /stockTakings/${stockTakingId}`)).toMatchObject({
      ...{ stockTakingType: 'PLANNED', stockTakingListId: list },
      stockTakingLines: [{ counted: true }, { counted: false }],
    });
    const adjustment = await call('POST /invocations/createAdjustmentList', { stockTakingId });
    const postings = await call(`GET /documents/${adjustment.id}/inventoryPostings`);
    expect(postings).toMatchObject([{ numItems: 8 }, { numItems: -1 }, { stockKeepingUnit: 'MAT', numItems: 3 }]);
  });

  it('asks for the lots of the chosen items only', async () => {
    const warehouse = await openWarehouse();
    await warehouse.stock(warehouse.tentId, 8);
    const mats = await warehouse.stock(warehouse.matId, 3);
    const list = documentOf(warehouse, 'STOCK_TAKING_LIST', { globalTradeItemIds: [warehouse.matId] });
    expect(await warehouse.call(`GET /documents/${list}/stockTakingLinesToDo`)).toMatchObject([
      { globalTradeItemLotId: mats },
    ]);
  });
});

describe('a put-away list', () => {
  it('asks to bring home each lot that lies elsewhere', async () => {
    const warehouse = await openWarehouse();
    const { call, tentId, matId } = warehouse;
    await warehouse.stock(tentId, 8, { locationNumber: 'A-1' });
    const away = await warehouse.stock(tentId, 5, { locationNumber: 'B-2' });
    await warehouse.stock(tentId, 0, { locationNumber: 'B-2' });
    await warehouse.stock(matId, 3, { locationNumber: 'B-2' });
    const list = documentOf(warehouse, 'PUT_AWAY_LIST');
    expect(await call(`GET /documents/${list}/globalTradeItemLotsToPutAway`)).toEqual([
      expect.objectContaining({
        ...{ id: away, stockKeepingUnit: 'TENT', numItems: 5, numItemsRemaining: 5, locationNumber: 'B-2' },
        ...{ globalTradeItemLocationNumber: 'A-1', weightEach: 2.5 },
      }),
    ]);
    await call(`PATCH /globalTradeItemLots/${away}`, { locationNumber: 'A-1' });
    expect(await call(`GET /documents/${list}/globalTradeItemLotsToPutAway`)).toEqual([]);
  });
});

describe('an order proposal', () => {
  it('names the items that are below their reorder level, and how many to order', async () => {
    const warehouse = await openWarehouse();
    const { call, tentId, matId } = warehouse;
    await call(`PATCH /globalTradeItems/${tentId}`, { reorderLevel: 10, orderUpToLevel: 25 });
    await call(`PATCH /globalTradeItems/${matId}`, { reorderLevel: 2 });
    await warehouse.stock(tentId, 12);
    await warehouse.stock(matId, 2);
    await order(warehouse, { stockKeepingUnit: 'TENT', numItemsOrdered: 5 });
    await warehouse.heard();
    const { id } = await call('POST /invocations/createOrderProposal', { contextId: 1 });
    const event = { type: 'documentCreated', documentId: id, documentType: 'ORDER_PROPOSAL' };
    expect(await warehouse.heard()).toEqual([event]);
    const toOrder = await call(`GET /documents/${id}/globalTradeItemsToOrder`);
    expect(toOrder).toHaveLength(1);
    expect(toOrder).toMatchObject([{ id: tentId, numItemsAvailable: 7, reorderLevel: 10, numItemsToOrder: 18 }]);
  });

  it('names the items it was asked for', async () => {
    const warehouse = await openWarehouse();
    const chosen = { contextId: 1, globalTradeItemIds: [warehouse.matId] };
    const { id } = await warehouse.call('POST /invocations/createOrderProposal', chosen);
    const toOrder = await warehouse.call(`GET /documents/${id}/globalTradeItemsToOrder`);
    expect(toOrder).toMatchObject([{ id: warehouse.matId, numItemsToOrder: 0 }]);
    const unknown = { contextId: 1, globalTradeItemIds: [7] };
    expect(await warehouse.ask('POST /invocations/createOrderProposal', { body: unknown })).toMatchObject({
      status: 422,
      body: { messageCode: 'unknown_GlobalTradeItem' },
    });
  });
});

describe('a picking list', () => {
  it.each(['PICKING_LIST', 'MULTI_PICKING_LIST'])(
    '(%s) names the lines that are left to pack',
    async (documentType) => {
      const warehouse = await openWarehouse();
      const { call } = warehouse;
      await warehouse.stock(warehouse.tentId, 10);
      const tents = { stockKeepingUnit: 'TENT', numItemsOrdered: 2, notesOnPicking: 'The green ones' };
      const first = await order(warehouse, tents, { stockKeepingUnit: 'MAT', numItemsOrdered: 1 });
      const second = await order(warehouse, { stockKeepingUnit: 'TENT', numItemsOrdered: 3 });
      await order(warehouse, { stockKeepingUnit: 'TENT', numItemsOrdered: 1 });
      const list = documentOf(warehouse, documentType, { shipmentIds: [first.id, second.id] });
      const path = `/documents/${list}/shipmentLinesToPack`;
      const [tentLine, matLine] = first.shipmentLines;
      const [secondLine] = second.shipmentLines;
      expect(await call(`GET ${path}`)).toMatchObject([
        {
          id: tentLine.id,
          shipmentId: first.id,
          numItemsOrdered: 2,
          numItemsPacked: 0,
          notesOnPicking: 'The green ones',
        },
        { id: matLine.id, stockKeepingUnit: 'MAT', available: false, reservationId: matLine.reservationId },
        { id: secondLine.id, shipmentNumber: second.shipmentNumber },
      ]);
      await call('POST /invocations/pack', { shipmentLineId: tentLine.id });
      await call('POST /invocations/pack', { shipmentLineId: secondLine.id, instanceCount: 1 });
      await call(`PUT /shipmentLines/${matLine.id}/abandoned`, 'true');
      expect(await call(`GET ${path}`)).toMatchObject([{ id: secondLine.id, numItemsPacked: 1 }]);
      await call(`PUT /shipments/${second.id}/cancelled`, 'true');
      expect(await call(`GET ${path}`)).toEqual([]);
    },
  );

  it('is referred to by its shipments until it is cancelled', async () => {
    const warehouse = await openWarehouse();
    const { call } = warehouse;
    const { id: shipmentId } = await order(warehouse);
    await warehouse.heard();
    const list = documentOf(warehouse, 'PICKING_LIST', { shipmentIds: [shipmentId] });
    const event = { type: 'documentCreated', documentId: list, documentType: 'PICKING_LIST', shipmentId };
    expect(await warehouse.heard()).toEqual([event]);
    expect(await call(`GET /shipments/${shipmentId}`)).toMatchObject({ pickingListId: list, pickingListNumber: 1 });
    expect(await call('GET /shipments?onlyNoPickingList=true')).toEqual([]);
    warehouse.sandbox.control.cancelDocument(list);
    expect(await call(`GET /shipments/${shipmentId}`)).toMatchObject({ pickingListId: null });
  });
});

describe('a replenishment list', () => {
  it('names the items of which fewer can be picked than their replenish level', async () => {
    const warehouse = await openWarehouse();
    const { call, tentId, matId } = warehouse;
    await call(`PATCH /globalTradeItems/${tentId}`, { replenishLevel: 5, replenishUpToLevel: 20 });
    await call(`PATCH /globalTradeItems/${matId}`, { replenishLevel: 5 });
    await warehouse.stock(tentId, 4);
    await warehouse.stock(tentId, 6, { lotStatus: 'QUARANTINED' });
    await warehouse.stock(matId, 5);
    const list = documentOf(warehouse, 'REPLENISHMENT_LIST');
    const names = await call(`GET /documents/${list}/globalTradeItemsToReplenish`);
    expect(names).toHaveLength(1);
    expect(names).toMatchObject([{ id: tentId, numItemsPickable: 4, replenishLevel: 5, replenishUpToLevel: 20 }]);
    await warehouse.stock(tentId, 1);
    expect(await call(`GET /documents/${list}/globalTradeItemsToReplenish`)).toEqual([]);
  });
});

describe('the lists of a document', () => {
  it('are empty for a document that asks for nothing of the kind', async () => {
    const warehouse = await openWarehouse();
    await warehouse.stock(warehouse.tentId, 4, { locationNumber: 'B-2' });
    const { id: shipmentId } = await order(warehouse, { stockKeepingUnit: 'TENT', numItemsOrdered: 1 });
    const booking = await warehouse.call('POST /invocations/createTransportBooking', { shipmentId });
    for (const list of [...LISTS, 'inventoryPostings'])
      expect(await warehouse.call(`GET /documents/${booking.id}/${list}`)).toEqual([]);
  });

  it.each(LISTS)('are refused for a document there is not (%s)', async (list) => {
    const warehouse = await openWarehouse();
    expect(await warehouse.ask(`GET /documents/7/${list}`)).toMatchObject({
      status: 422,
      body: { messageCode: 'unknown_Document' },
    });
  });

  it('are those of a document that is open, which worker after worker can find', async () => {
    const warehouse = await openWarehouse();
    const list = documentOf(warehouse, 'PUT_AWAY_LIST');
    documentOf(warehouse, 'REPLENISHMENT_LIST');
    const open = '/documents?documentType=PUT_AWAY_LIST&workStatus=PENDING&onlyNotCancelled=true';
    expect(await warehouse.call(`GET ${open}`)).toMatchObject([{ id: list }]);
    await warehouse.call(`PATCH /documents/${list}`, { workStatus: 'ON_GOING' });
    expect(await warehouse.call(`GET ${open}`)).toEqual([]);
    const second = await warehouse.ask(`PATCH /documents/${list}`, { body: { workStatus: 'ON_GOING' } });
    expect(second).toMatchObject({ status: 422, body: { messageCode: 'invalid_Document' } });
  });
});
