import { afterEach, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import type { Answer, Listener } from './support.js';
import { clientOf, closeAll, openListener } from './support.js';
import type { Warehouse } from './warehouse.js';
import { CUSTOMER, SELLER, SUPPLIER, callOf, openWarehouse } from './warehouse.js';

afterEach(closeAll);
// Some thousand requests and events each.
jest.setTimeout(60_000);

type Body = Answer['body'];

const PAGE = 3;

/** A webshop that knows how much it can sell from events alone. */
interface Channel {
  /** Pieces for sale, by item. */
  readonly quantities: ReadonlyMap<number, number>;
  /** Does what follows from the events that have come. */
  work(): Promise<void>;
  /** Starts from the service's own numbers, or starts again. */
  overwrite(): Promise<void>;
  sell(lines: readonly Line[]): Promise<void>;
  cancel(place: number): Promise<void>;
}

interface Line {
  readonly globalTradeItemId: number;
  readonly numItemsOrdered: number;
}

type Call = Warehouse['call'];

async function openChannel(warehouse: Warehouse, listener: Listener): Promise<Channel> {
  const call = callOf(await clientOf(warehouse.sandbox, 'sales'));
  const [{ id: ownId }] = await call(`GET /sellers?sellerNumberMatch=${SELLER}`);
  const quantities = new Map<number, number>();
  const done = new Set<string>();
  const add = (itemId: number, numItems: number) => quantities.set(itemId, (quantities.get(itemId) ?? 0) + numItems);
  const take = async (detail: Body): Promise<void> => {
    if (done.has(detail.eventId)) return;
    done.add(detail.eventId);
    // An event about an item may overtake the one that tells of it: a new item begins with nothing either way.
    if (detail.eventType === 'globalTradeItemCreated') add(detail.globalTradeItemId, 0);
    if (detail.eventType === 'availableStockChanged' && detail.sellerId !== ownId)
      add(detail.globalTradeItemId, detail.delta);
    if (detail.documentType === 'DELIVERY_NOTE') for (const line of await notPacked(call, detail, ownId)) add(...line);
  };
  return {
    quantities,
    work: async () => {
      for (const { detail } of listener.heard.splice(0)) await take(detail);
    },
    overwrite: async () => {
      quantities.clear();
      for await (const item of allItems(call)) quantities.set(item.id, item.numItemsAvailable);
    },
    sell: async (shipmentLines) => {
      await call('POST /shipments', { customerNumber: CUSTOMER, sellerNumber: SELLER, shipmentLines });
      for (const { globalTradeItemId, numItemsOrdered } of shipmentLines) add(globalTradeItemId, -numItemsOrdered);
    },
    cancel: async (place) => {
      // Pieces that were packed go back to their lots, which may not be for sale any more: such orders are left alone.
      const isMeant = (each: Body) => each.sellerId === ownId && each.shippingStatus === 'NEW';
      const shipment = pick(await openShipments(call, isMeant), place);
      if (shipment === null) return;
      await call(`PUT /shipments/${shipment.id}/cancelled`, 'true');
      for (const line of shipment.shipmentLines) add(line.globalTradeItemId, line.numItemsOrdered);
    },
  };
}

/**
 * Pieces of the channel's own order that the warehouse did not pack. They are available again, and the event that says so
 * bears the channel's own id: it learns of them from the delivery note.
 */
async function notPacked(call: Call, { shipmentId }: Body, ownId: number): Promise<readonly [number, number][]> {
  const { sellerId, shipmentLines } = await call(`GET /shipments/${shipmentId}`);
  if (sellerId !== ownId) return [];
  return shipmentLines.map((line: Body) => [line.globalTradeItemId, line.numItemsOrdered - line.numItemsPacked]);
}

async function* allItems(call: Call): AsyncGenerator<Body> {
  for (let firstRow = 0; ; firstRow += PAGE) {
    const page = await call(`GET /globalTradeItems?maxNumRows=${PAGE}&firstRow=${firstRow}`);
    yield* page;
    if (page.length < PAGE) return;
  }
}

async function openShipments(call: Call, isMeant: (shipment: Body) => boolean): Promise<readonly Body[]> {
  const open = 'onlyNoDeliveryNote=true&onlyNotCancelled=true&piggyback=true&maxNumRows=20';
  return (await call(`GET /shipments?${open}`)).filter(isMeant);
}

function pick<T>(list: readonly T[], place: number): T | null {
  return list[place % Math.max(1, list.length)] ?? null;
}

interface Happening {
  readonly what: keyof typeof happenings;
  /** Which one it happens to, and how many pieces. */
  readonly place: number;
  readonly numItems: number;
}

interface Scene extends Happening {
  readonly warehouse: Warehouse;
  readonly channel: Channel;
  readonly itemId: number;
}

const SALEABLE = { locationNumber: 'A-1', lotStatus: 'SALEABLE' };

/** What the channel does, and what others do. A cancellation of the channel's orders is always its own. */
const happenings = {
  sell: async ({ channel, itemId, numItems, place, warehouse: { tentId } }: Scene) => {
    const line = { globalTradeItemId: itemId, numItemsOrdered: numItems };
    await channel.sell(place % 3 === 0 ? [line, { globalTradeItemId: tentId, numItemsOrdered: 1 }] : [line]);
  },
  cancelOwn: async ({ channel, place }: Scene) => channel.cancel(place),
  othersOrder: async ({ warehouse, itemId, numItems, place }: Scene) => {
    const seller = place % 2 === 0 ? { sellerNumber: 'ULDVARER' } : {};
    const shipmentLines = [{ globalTradeItemId: itemId, numItemsOrdered: numItems }];
    await warehouse.call('POST /shipments', { customerNumber: CUSTOMER, ...seller, shipmentLines });
  },
  othersCancel: async ({ warehouse, place }: Scene) => {
    const isOthers = (shipment: Body) => shipment.sellerId !== warehouse.sellerId;
    const shipment = pick(await openShipments(warehouse.call, isOthers), place);
    if (shipment !== null) await warehouse.call(`PUT /shipments/${shipment.id}/cancelled`, 'true');
  },
  pack: async ({ warehouse, place, numItems }: Scene) => {
    const shipment = pick(await openShipments(warehouse.call, () => true), place);
    const line = pick<Body>(shipment?.shipmentLines ?? [], place);
    if (line === null) return;
    // Refused when there are not so many.
    await warehouse.ask('POST /invocations/pack', { body: { shipmentLineId: line.id, instanceCount: numItems } });
  },
  finish: async ({ warehouse, place }: Scene) => {
    const shipment = pick(await openShipments(warehouse.call, () => true), place);
    if (shipment !== null) await warehouse.call('POST /invocations/createDeliveryNote', { shipmentId: shipment.id });
  },
  receive: async ({ warehouse: { call }, itemId, numItems }: Scene) => {
    const inboundShipmentLines = [{ globalTradeItemId: itemId, numItemsExpected: numItems }];
    const shipment = await call('POST /inboundShipments', { supplierNumber: SUPPLIER, inboundShipmentLines });
    const inboundShipmentLineId = shipment.inboundShipmentLines[0].id;
    await call('POST /invocations/receiveToNewLot', { inboundShipmentLineId, ...SALEABLE, numItems });
  },
  takeBack: async ({ warehouse: { call }, itemId, numItems }: Scene) => {
    const returnShipmentLines = [{ globalTradeItemId: itemId }];
    const shipment = await call('POST /returnShipments', { customerNumber: CUSTOMER, returnShipmentLines });
    const returnShipmentLineId = shipment.returnShipmentLines[0].id;
    await call('POST /invocations/receiveReturnedToNewLot', { returnShipmentLineId, ...SALEABLE, numItems });
  },
  count: async ({ warehouse: { call }, place, numItems }: Scene) => {
    const lot = pick<Body>(await call('GET /globalTradeItemLots?onlyRemaining=true'), place);
    if (lot === null) return;
    const found = { globalTradeItemLotId: lot.id, numItemsCounted: numItems - 1, discrepancyCause: 'SHRINKAGE' };
    await call('POST /invocations/countGlobalTradeItemLot', found);
  },
  changeStatus: async ({ warehouse: { call }, place, numItems }: Scene) => {
    const lot = pick<Body>(await call('GET /globalTradeItemLots?onlyRemaining=true'), place);
    const lotStatus = numItems % 2 === 0 ? 'QUARANTINED' : 'SALEABLE';
    if (lot !== null) await call(`PATCH /globalTradeItemLots/${lot.id}`, { lotStatus });
  },
  list: async ({ warehouse: { call }, place, numItems }: Scene) => {
    const known = await call('GET /globalTradeItems');
    if (known.length >= 12) return;
    const stockKeepingUnit = `TENT-${known.length}-${place}`;
    await call('POST /globalTradeItems', { stockKeepingUnit, productNumber: 'TENT' });
    await call('POST /globalTradeItemLots', { stockKeepingUnit, ...SALEABLE, numItemsRemaining: numItems });
  },
};

const names = Object.keys(happenings).filter((name): name is Happening['what'] => Object.hasOwn(happenings, name));
const happening = fc.record({
  what: fc.constantFrom(...names, 'sell', 'sell', 'pack', 'receive'),
  place: fc.nat({ max: 9999 }),
  numItems: fc.integer({ min: 1, max: 5 }),
});

async function happen(warehouse: Warehouse, channel: Channel, { what, place, numItems }: Happening): Promise<void> {
  const stocked = [...channel.quantities.keys()].filter((id) => id !== warehouse.voucherId);
  const itemId = pick(stocked, place) ?? warehouse.tentId;
  await happenings[what]({ warehouse, channel, itemId, what, place, numItems });
}

/** The same things in the same order every time. */
function drawn(seed: number): readonly Happening[] {
  return fc.sample(happening, { numRuns: 500, seed });
}

/** Until nothing is under way any more. */
async function live(warehouse: Warehouse, channel: Channel, many: readonly Happening[]): Promise<void> {
  for (const each of many) {
    await happen(warehouse, channel, each);
    if (each.place % 5 === 0) await channel.work();
  }
  await warehouse.sandbox.control.eventsDelivered();
  await channel.work();
}

async function expectRight({ call }: Warehouse, { quantities }: Channel): Promise<void> {
  const items: readonly Body[] = await call('GET /globalTradeItems');
  expect(Object.fromEntries(quantities)).toEqual(
    Object.fromEntries(items.map((item) => [item.id, item.numItemsAvailable])),
  );
}

describe('a sales channel that follows the events', () => {
  it.each([
    ['come once and in order', {}],
    ['come twice and out of order', { sendEventsTwice: true, eventOrder: 'shuffled' as const }],
  ])('knows what is available after a thousand things have happened, when they %s', async (_case, switches) => {
    const warehouse = await openWarehouse(switches);
    const listener = await openListener();
    for (const itemId of [warehouse.tentId, warehouse.matId]) await warehouse.stock(itemId, 20);
    warehouse.sandbox.control.setEventTargets([{ url: listener.url }]);
    const channel = await openChannel(warehouse, listener);
    await channel.overwrite();
    await live(warehouse, channel, drawn(7));
    await expectRight(warehouse, channel);
    await channel.overwrite();
    await live(warehouse, channel, drawn(8));
    await expectRight(warehouse, channel);
    expect(channel.quantities.size).toBeGreaterThan(5);
  });
});
