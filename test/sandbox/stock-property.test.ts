import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { Answer, Ask, Listener } from './support.js';
import { clientOf, closeAll, openListener, openSandbox } from './support.js';
import { CUSTOMER, SELLER, SUPPLIER, addMasterData, callOf, levelsIn } from './warehouse.js';

type Body = Answer['body'];

let sandbox: Sandbox;
let listener: Listener;
let full: Ask;
let lastArea = 100;

beforeAll(async () => {
  listener = await openListener();
  sandbox = await openSandbox({ eventTargets: [{ url: listener.url }], switches: { packBeyondStock: false } });
  full = await clientOf(sandbox);
});
afterAll(closeAll);

/** All that a client can see of the stock and of what moves it. */
interface Seen {
  readonly items: readonly Body[];
  readonly lots: readonly Body[];
  readonly reservations: readonly Body[];
  readonly shipments: readonly Body[];
  readonly inbound: readonly Body[];
  readonly returned: readonly Body[];
  readonly documents: readonly Body[];
}

interface StockContext {
  readonly contextId: number;
  readonly ask: Ask;
  readonly itemIds: readonly number[];
  /** Pieces that must be in the house, by item. */
  readonly pieces: Map<number, number>;
  seen: Seen;
}

/** What a request moved when it was accepted. */
type Moved = readonly { readonly itemId: number; readonly numItems: number }[];

interface Attempt {
  readonly request: string;
  readonly body?: unknown;
  readonly moves?: Moved;
}

/** One step, and what it asks for; `null`: there is nothing it could be done to. */
interface Step {
  readonly name: string;
  readonly attempt: (context: StockContext) => Attempt | null;
}

const FIRST_LOT = 12;
const nat = fc.nat({ max: 999 });
const few = fc.integer({ min: 1, max: 6 });
const status = fc.constantFrom('SALEABLE', 'SALEABLE', 'SALEABLE', 'QUARANTINED', 'DAMAGED');

function pick<T>(list: readonly T[], place: number): T | null {
  return list[place % Math.max(1, list.length)] ?? null;
}

function linesOf(seen: Seen): readonly Body[] {
  return seen.shipments.flatMap((shipment) => shipment.shipmentLines);
}

/** Mostly what work can still be done on, so that most requests are not refused. */
function mostlyOpen(seen: Seen, place: number): readonly Body[] {
  const isOpen = (shipment: Body) => shipment.cancelled !== true && shipment.deliveryNoteId === null;
  return place % 5 === 0 ? seen.shipments : seen.shipments.filter(isOpen);
}

function mostlyUnpacked(seen: Seen, place: number): readonly Body[] {
  const lines = mostlyOpen(seen, place).flatMap((shipment) => shipment.shipmentLines);
  return place % 5 === 0 ? lines : lines.filter((line) => line.numItemsPacked < line.numItemsOrdered);
}

function linesToReceive(seen: Seen, way: 'inbound' | 'returned'): readonly Body[] {
  return seen[way].flatMap((row) => row.inboundShipmentLines ?? row.returnShipmentLines);
}

/** What goes back to its lots when a shipment is no more. */
function packedIn(shipment: Body): Moved {
  return shipment.shipmentLines.map((line: Body) => ({
    itemId: line.globalTradeItemId,
    numItems: line.numItemsPacked,
  }));
}

/** @param build of some numbers that are drawn, the name and the attempt */
function step<T>(name: string, numbers: fc.Arbitrary<T>, build: (drawn: T, context: StockContext) => Attempt | null) {
  return numbers.map((drawn): Step => ({
    name: `${name} ${JSON.stringify(drawn)}`,
    attempt: (context) => build(drawn, context),
  }));
}

const newLines = fc.array(fc.tuple(nat, few), { minLength: 1, maxLength: 3 });

const ordering = [
  step('order', fc.tuple(newLines, fc.boolean()), ([lines, bySeller], { itemIds }) => ({
    request: 'POST /shipments',
    body: {
      customerNumber: CUSTOMER,
      ...(bySeller ? { sellerNumber: SELLER } : {}),
      shipmentLines: lines.map(([item, numItemsOrdered]) => ({
        globalTradeItemId: pick(itemIds, item),
        numItemsOrdered,
      })),
    },
  })),
  step('add a line', fc.tuple(nat, nat, few), ([shipment, item, numItemsOrdered], { seen, itemIds }) => ({
    request: 'POST /shipmentLines',
    body: {
      shipmentId: pick(mostlyOpen(seen, shipment), shipment)?.id ?? 1,
      globalTradeItemId: pick(itemIds, item),
      numItemsOrdered,
    },
  })),
  step('change a line', fc.tuple(nat, few), ([place, numItemsOrdered], { seen }) => {
    const line = pick(linesOf(seen), place);
    return line === null ? null : { request: `PATCH /shipmentLines/${line.id}`, body: { numItemsOrdered } };
  }),
  step('abandon a line', fc.tuple(nat, fc.boolean()), ([place, yes], { seen }) => {
    const line = pick(linesOf(seen), place);
    return line === null ? null : { request: `PUT /shipmentLines/${line.id}/abandoned`, body: yes };
  }),
  step('delete a line', nat, (place, { seen }) => {
    const line = pick(linesOf(seen), place);
    return line === null ? null : { request: `DELETE /shipmentLines/${line.id}` };
  }),
  step('delete a shipment', nat, (place, { seen }) => {
    const shipment = pick(seen.shipments, place);
    return shipment === null ? null : { request: `DELETE /shipments/${shipment.id}`, moves: packedIn(shipment) };
  }),
  step('cancel a shipment', fc.tuple(nat, fc.boolean()), ([place, yes], { seen }) => {
    const shipment = pick(seen.shipments, place);
    if (shipment === null) return null;
    return { request: `PUT /shipments/${shipment.id}/cancelled`, body: yes, moves: yes ? packedIn(shipment) : [] };
  }),
];

const packing = step('pack', fc.tuple(nat, fc.option(few)), ([place, count], { seen }) => {
  const line = pick(mostlyUnpacked(seen, place), place);
  if (line === null) return null;
  const numItems = count ?? line.numItemsOrdered - line.numItemsPacked;
  return {
    request: 'POST /invocations/pack',
    body: { shipmentLineId: line.id, ...(count === null ? {} : { instanceCount: count }) },
    moves: [{ itemId: line.globalTradeItemId, numItems: -numItems }],
  };
});

const coming = [
  step('announce', newLines, (lines, { itemIds }) => ({
    request: 'POST /inboundShipments',
    body: {
      supplierNumber: SUPPLIER,
      inboundShipmentLines: lines.map(([item, numItemsExpected]) => ({
        globalTradeItemId: pick(itemIds, item),
        numItemsExpected,
      })),
    },
  })),
  step('announce a return', newLines, (lines, { itemIds }) => ({
    request: 'POST /returnShipments',
    body: {
      customerNumber: CUSTOMER,
      returnShipmentLines: lines.map(([item]) => ({ globalTradeItemId: pick(itemIds, item) })),
    },
  })),
  ...(['inbound', 'returned'] as const).flatMap((way) => {
    const field = way === 'inbound' ? 'inboundShipmentLineId' : 'returnShipmentLineId';
    const invocation = way === 'inbound' ? 'receive' : 'receiveReturned';
    return [
      step(`${invocation} to a new lot`, fc.tuple(nat, few, status), ([place, numItems, lotStatus], { seen }) => {
        const line = pick(linesToReceive(seen, way), place);
        if (line === null) return null;
        const body = { [field]: line.id, locationNumber: 'A-1', lotStatus, numItems };
        const moves = [{ itemId: line.globalTradeItemId, numItems }];
        return { request: `POST /invocations/${invocation}ToNewLot`, body, moves };
      }),
      step(`${invocation} to a lot`, fc.tuple(nat, nat, few), ([place, lot, numItems], { seen }) => {
        const line = pick(linesToReceive(seen, way), place);
        if (line === null) return null;
        const body = { [field]: line.id, globalTradeItemLotId: pick(seen.lots, lot)?.id ?? 1, numItems };
        const moves = [{ itemId: line.globalTradeItemId, numItems }];
        return { request: `POST /invocations/${invocation}ToExistingLot`, body, moves };
      }),
    ];
  }),
  step('call off what was announced', nat, (place, { seen }) => {
    const shipment = pick(seen.inbound, place);
    return shipment === null ? null : { request: `PATCH /inboundShipments/${shipment.id}`, body: { cancelled: true } };
  }),
];

const adjusting = [
  step('put a lot', fc.tuple(nat, fc.integer({ min: -1, max: 9 }), status), ([item, numItems, lotStatus], context) => {
    const itemId = pick(context.itemIds, item) ?? 0;
    const body = { globalTradeItemId: itemId, locationNumber: 'B-2', lotStatus, numItemsRemaining: numItems };
    return { request: 'POST /globalTradeItemLots', body, moves: [{ itemId, numItems }] };
  }),
  step('count', fc.tuple(nat, fc.nat({ max: 9 })), ([place, counted], { seen }) => {
    const lot = pick(seen.lots, place);
    if (lot === null) return null;
    const body = { globalTradeItemLotId: lot.id, numItemsCounted: counted, discrepancyCause: 'SHRINKAGE' };
    const moves = [{ itemId: lot.globalTradeItemId, numItems: counted - lot.numItemsRemaining }];
    return { request: 'POST /invocations/countGlobalTradeItemLot', body, moves };
  }),
  step('split to a new lot', fc.tuple(nat, few, status), ([place, numItems, lotStatus], { seen }) => ({
    request: 'POST /invocations/splitToNewLot',
    body: { globalTradeItemLotId: pick(seen.lots, place)?.id ?? 1, lotStatus, locationNumber: 'A-1', numItems },
  })),
  step('split to a lot', fc.tuple(nat, nat, few), ([source, target, numItems], { seen }) => ({
    request: 'POST /invocations/splitToExistingLot',
    body: { sourceLotId: pick(seen.lots, source)?.id ?? 1, targetLotId: pick(seen.lots, target)?.id ?? 1, numItems },
  })),
  step('change the status of a lot', fc.tuple(nat, status), ([place, lotStatus], { seen }) => {
    const lot = pick(seen.lots, place);
    return lot === null ? null : { request: `PATCH /globalTradeItemLots/${lot.id}`, body: { lotStatus } };
  }),
];

const documenting = [
  step('delivery note', nat, (place, { seen }) => ({
    request: 'POST /invocations/createDeliveryNote',
    body: { shipmentId: pick(mostlyOpen(seen, place), place)?.id ?? 1 },
  })),
  step('cost of sales list', fc.constant(0), (_, { contextId }) => ({
    request: 'POST /invocations/createCostOfSalesList',
    body: { contextId },
  })),
  step('goods receipt', nat, (place, { seen }) => ({
    request: 'POST /invocations/createGoodsReceipt',
    body: { inboundShipmentId: pick(seen.inbound, place)?.id ?? 1 },
  })),
  step('return receipt', nat, (place, { seen }) => ({
    request: 'POST /invocations/createReturnReceipt',
    body: { returnShipmentId: pick(seen.returned, place)?.id ?? 1 },
  })),
  step('count, then adjustment list', nat, (place, { seen }) => {
    const lot = pick(seen.lots, place);
    return lot === null ? null : { request: 'adjust', body: lot };
  }),
  step('cancel a document', nat, (place, { seen }) => {
    const document = pick(seen.documents, place);
    return document === null ? null : { request: 'cancel', body: document.id };
  }),
];

const oneStep = fc.oneof(
  { weight: 8, arbitrary: fc.oneof(...ordering) },
  { weight: 8, arbitrary: packing },
  { weight: 6, arbitrary: fc.oneof(...coming) },
  { weight: 6, arbitrary: fc.oneof(...adjusting) },
  { weight: 4, arbitrary: fc.oneof(...documenting) },
);

async function newContext(): Promise<StockContext> {
  lastArea += 1;
  const contextId = lastArea;
  const apiKey = `area-${contextId}-key`;
  sandbox.control.addArea({ contextId, apiKey });
  const ask: Ask = (request, call = {}) => full(request, { apiKey, ...call });
  const call = callOf(ask);
  const { tentId, matId } = await addMasterData(call);
  const pieces = new Map<number, number>();
  for (const globalTradeItemId of [tentId, matId]) {
    await call('POST /globalTradeItemLots', { globalTradeItemId, locationNumber: 'A-1', numItemsRemaining: FIRST_LOT });
    pieces.set(globalTradeItemId, FIRST_LOT);
  }
  return { contextId, ask, itemIds: [tentId, matId], pieces, seen: await look(ask) };
}

async function look(ask: Ask): Promise<Seen> {
  const all = async (path: string): Promise<readonly Body[]> => (await ask(`GET /${path}`)).body;
  const [items, lots, reservations, shipments, inbound, returned, documents] = await Promise.all([
    all('globalTradeItems'),
    all('globalTradeItemLots'),
    all('reservations'),
    all('shipments?piggyback=true'),
    all('inboundShipments?piggyback=true'),
    all('returnShipments?piggyback=true'),
    all('documents'),
  ]);
  return {
    ...{ items: items ?? [], lots: lots ?? [], reservations: reservations ?? [], shipments: shipments ?? [] },
    ...{ inbound: inbound ?? [], returned: returned ?? [], documents: documents ?? [] },
  };
}

/** @returns whether it was accepted */
async function carryOut({ ask }: StockContext, { request, body }: Attempt): Promise<boolean> {
  if (request === 'cancel') return cancelled(Number(body));
  if (request === 'adjust') return adjusted(ask, body);
  const { status } = await ask(request, body === undefined ? {} : { body: JSON.stringify(body) });
  expect([200, 422]).toContain(status);
  return status === 200;
}

function cancelled(documentId: number): boolean {
  try {
    sandbox.control.cancelDocument(documentId);
    return true;
  } catch {
    return false;
  }
}

/** Counts what is there, and makes the list of it and of all counts since the last list. */
async function adjusted(ask: Ask, lot: Body): Promise<boolean> {
  const count = { globalTradeItemLotId: lot.id, numItemsCounted: lot.numItemsRemaining };
  const line = (await ask('POST /invocations/countGlobalTradeItemLot', { body: count })).body;
  const { stockTakingId } = line;
  return (await ask('POST /invocations/createAdjustmentList', { body: { stockTakingId } })).status === 200;
}

function sumOf(rows: readonly Body[], field: string): number {
  return rows.reduce((total, row) => total + row[field], 0);
}

/** Nothing is lost or there twice, in what a client sees just now. */
function expectSound({ seen, itemIds, pieces }: StockContext): void {
  for (const itemId of itemIds) {
    const ofItem = (row: Body) => row.globalTradeItemId === itemId;
    const lots = seen.lots.filter(ofItem);
    const open = seen.shipments
      .filter((shipment) => shipment.cancelled !== true && shipment.deliveryNoteId === null)
      .flatMap((shipment) => shipment.shipmentLines)
      .filter((line) => ofItem(line) && line.abandoned !== true);
    const reserved = sumOf(open, 'numItemsOrdered') - sumOf(open, 'numItemsPacked');
    const saleable = sumOf(
      lots.filter((lot) => lot.lotStatus === 'SALEABLE'),
      'numItemsRemaining',
    );
    expect(lots.filter((lot) => lot.numItemsRemaining < 0)).toEqual([]);
    expect(sumOf(lots, 'numItemsRemaining')).toBe(pieces.get(itemId) ?? 0);
    expect(sumOf(seen.reservations.filter(ofItem), 'numItemsReserved')).toBe(reserved);
    expect(levelsIn(seen.items.find((item) => item.id === itemId))).toEqual({
      numItems: pieces.get(itemId) ?? 0,
      numItemsSaleable: saleable,
      numItemsReserved: reserved,
      numItemsAvailable: saleable - reserved,
      numItemsPosted: sumOf(lots, 'numItemsPosted'),
    });
  }
}

/** The books agree with the stock: movements, postings, events. */
async function expectBooked({ ask, seen, contextId }: StockContext): Promise<void> {
  const listed = async (rows: readonly Body[], path: (id: number) => string) => {
    const lists: Body[] = await Promise.all(rows.map(async ({ id }) => (await ask(`GET ${path(id)}`)).body));
    return lists;
  };
  const drawn = await listed(seen.shipments, (id) => `/shipments/${id}/inventoryTransactions`);
  for (const [place, shipment] of seen.shipments.entries())
    expect(sumOf(drawn[place], 'numItems') + sumOf(shipment.shipmentLines, 'numItemsPacked')).toBe(0);
  const received = await listed(seen.inbound, (id) => `/inboundShipments/${id}/inventoryTransactions`);
  for (const [place, shipment] of seen.inbound.entries())
    expect(sumOf(received[place], 'numItems')).toBe(sumOf(shipment.inboundShipmentLines, 'numItemsReceived'));
  for (const { numItems, numItemsPosted } of [...drawn, ...received].flat())
    expect([0, numItems]).toContain(numItemsPosted);
  const postings = (await listed(seen.documents, (id) => `/documents/${id}/inventoryPostings`)).flat();
  await sandbox.control.eventsDelivered();
  const events = listener.heard.map(({ detail }) => detail).filter((detail) => detail.contextId === String(contextId));
  for (const item of seen.items) {
    const ofItem = (row: Body) => row.globalTradeItemId === item.id;
    expect(sumOf(postings.filter(ofItem), 'numItems')).toBe(item.numItemsPosted);
    const told = events.filter(ofItem);
    const changes = told.filter(({ eventType }) => eventType === 'availableStockChanged');
    expect(sumOf(changes, 'delta')).toBe(item.numItemsAvailable);
    const last = told.filter(({ eventType }) => eventType === 'availabilityChanged').at(-1);
    expect(last?.numItemsAvailable ?? 0).toBe(item.numItemsAvailable);
  }
}

async function live(steps: readonly Step[]): Promise<void> {
  const context = await newContext();
  for (const { attempt } of steps) {
    const tried = attempt(context);
    if (tried === null) continue;
    const accepted = await carryOut(context, tried);
    const before = context.seen;
    context.seen = await look(context.ask);
    if (!accepted) expect(context.seen).toEqual(before);
    for (const { itemId, numItems } of accepted ? (tried.moves ?? []) : [])
      context.pieces.set(itemId, (context.pieces.get(itemId) ?? 0) + numItems);
    expectSound(context);
  }
  await expectBooked(context);
}

/** A failure is made smaller for so long; after that every smaller one counts as passed, which ends it. */
const SHRINK_MS = 18_000;

function boundedAfterFailure<T>(check: (value: T) => Promise<void>): (value: T) => Promise<void> {
  let failedAt: number | null = null;
  return async (value) => {
    if (failedAt !== null && performance.now() - failedAt > SHRINK_MS) return;
    try {
      await check(value);
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  };
}

describe('the stock, whatever is done to it', () => {
  it('loses no piece, and its sums, books and events agree', async () => {
    const life = fc.array(
      oneStep.map((each) => Object.assign(each, { [fc.toStringMethod]: () => each.name })),
      { minLength: 50, maxLength: 80 },
    );
    await fc.assert(fc.asyncProperty(life, boundedAfterFailure(live)), { numRuns: 12 });
  });
});
