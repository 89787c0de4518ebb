import { afterEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Answer, Listener } from './support.js';
import { clientOf, closeAll, openListener } from './support.js';
import type { Warehouse } from './warehouse.js';
import { CUSTOMER, SELLER, SUPPLIER, callOf, openWarehouse } from './warehouse.js';

afterEach(closeAll);
// Some thousand requests and events each.

type Body = Answer['body'];

const PAGE = 3;

/** A webshop that knows how much it can sell from events alone. */
interface Channel {
  /** Pieces for sale, by item. */
  readonly quantities: ReadonlyMap<number, number>;
  /** Does what follows from the events that have come. */
  work(): void;
  /** Starts from the service's own numbers, or starts again. */
  overwrite(): Promise<void>;
  sell(lines: readonly Line[]): Promise<void>;
  /** Each of these does something to an order of its own that is open, packed or not; which one, says the place. */
  cancel(place: number): Promise<void>;
  withdraw(place: number): Promise<void>;
  amend(place: number, numItemsOrdered: number): Promise<void>;
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
  const take = (detail: Body): void => {
    if (done.has(detail.eventId)) return;
    done.add(detail.eventId);
    // An event about an item may overtake the one that tells of it: a new item begins with nothing either way.
    if (detail.eventType === 'globalTradeItemCreated') add(detail.globalTradeItemId, 0);
    if (detail.eventType === 'availableStockChanged' && detail.sellerId !== ownId)
      add(detail.globalTradeItemId, detail.delta);
  };
  const ownOrder = async (place: number) => {
    return pick(await openShipments(call, (shipment) => shipment.sellerId === ownId), place);
  };
  /** Whatever has become of the pieces in the warehouse, which tells of it itself. */
  const sellAgain = ({ shipmentLines }: Body) => {
    for (const line of shipmentLines) add(line.globalTradeItemId, line.numItemsOrdered);
  };
  return {
    quantities,
    work: () => {
      for (const { detail } of listener.heard.splice(0)) take(detail);
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
      const shipment = await ownOrder(place);
      if (shipment === null) return;
      await call(`PUT /shipments/${shipment.id}/cancelled`, 'true');
      sellAgain(shipment);
    },
    withdraw: async (place) => {
      const shipment = await ownOrder(place);
      if (shipment === null) return;
      await call(`DELETE /shipments/${shipment.id}`);
      sellAgain(shipment);
    },
    amend: async (place, numItemsOrdered) => {
      const line = pick<Body>((await ownOrder(place))?.shipmentLines ?? [], place);
      // Fewer than are packed would be refused.
      if (line === null || numItemsOrdered < line.numItemsPacked) return;
      await call(`PATCH /shipmentLines/${line.id}`, { numItemsOrdered });
      add(line.globalTradeItemId, line.numItemsOrdered - numItemsOrdered);
    },
  };
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

/** What the channel does, and what others do: workers change and cancel the channel's orders too, as a client of their own. */
const happenings = {
  sell: async ({ channel, itemId, numItems, place, warehouse: { tentId } }: Scene) => {
    const line = { globalTradeItemId: itemId, numItemsOrdered: numItems };
    await channel.sell(place % 3 === 0 ? [line, { globalTradeItemId: tentId, numItemsOrdered: 1 }] : [line]);
  },
  cancelOwn: async ({ channel, place }: Scene) => channel.cancel(place),
  withdrawOwn: async ({ channel, place }: Scene) => channel.withdraw(place),
  amendOwn: async ({ channel, place, numItems }: Scene) => channel.amend(place, numItems),
  othersOrder: async ({ warehouse, itemId, numItems, place }: Scene) => {
    const seller = place % 2 === 0 ? { sellerNumber: 'ULDVARER' } : {};
    const shipmentLines = [{ globalTradeItemId: itemId, numItemsOrdered: numItems }];
    await warehouse.call('POST /shipments', { customerNumber: CUSTOMER, ...seller, shipmentLines });
  },
  workerCancels: async ({ warehouse, place }: Scene) => {
    const shipment = pick(await openShipments(warehouse.call, () => true), place);
    if (shipment !== null) await warehouse.call(`PUT /shipments/${shipment.id}/cancelled`, 'true');
  },
  workerAmends: async ({ warehouse, place, numItems }: Scene) => {
    const shipment = pick(await openShipments(warehouse.call, () => true), place);
    const line = pick<Body>(shipment?.shipmentLines ?? [], place);
    // Refused when more are packed.
    if (line !== null) await warehouse.ask(`PATCH /shipmentLines/${line.id}`, { body: { numItemsOrdered: numItems } });
  },
  pack: async ({ warehouse, place, numItems }: Scene) => {
    const shipment = pick(await openShipments(warehouse.call, () => true), place);
    const line = pick<Body>(shipment?.shipmentLines ?? [], place);
    if (line === null) return;
    // Refused when not so many are left to pack.
    await warehouse.ask('POST /invocations/pack', { body: { shipmentLineId: line.id, instanceCount: numItems } });
  },
  finish: async ({ warehouse, place }: Scene) => {
    const shipment = pick(await openShipments(warehouse.call, () => true), place);
    if (shipment !== null) await warehouse.call('POST /invocations/createDeliveryNote', { shipmentId: shipment.id });
  },
  /** The delivery note was made too early. */
  reopen: async ({ warehouse: { call, sandbox }, place }: Scene) => {
    const finished = await call('GET /shipments?shippingStatus=PACKED');
    const shipment = pick<Body>(finished, place);
    if (shipment !== null) sandbox.control.cancelDocument(shipment.deliveryNoteId);
  },
  receive: async ({ warehouse: { call }, itemId, numItems }: Scene) => {
    const pieces = 2 * numItems;
    const inboundShipmentLines = [{ globalTradeItemId: itemId, numItemsExpected: pieces }];
    const shipment = await call('POST /inboundShipments', { supplierNumber: SUPPLIER, inboundShipmentLines });
    const inboundShipmentLineId = shipment.inboundShipmentLines[0].id;
    await call('POST /invocations/receiveToNewLot', { inboundShipmentLineId, ...SALEABLE, numItems: pieces });
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
    // Those that all pieces were drawn from, too: some may come back.
    const lot = pick<Body>(await call('GET /globalTradeItemLots'), place);
    const lotStatus = numItems % 2 === 0 ? 'QUARANTINED' : 'SALEABLE';
    if (lot !== null) await call(`PATCH /globalTradeItemLots/${lot.id}`, { lotStatus });
  },
  /** A lot that pieces were packed from turns out bad: if they come back, they are not for sale. */
  spoil: async ({ warehouse: { call }, place }: Scene) => {
    const begun = await openShipments(call, (shipment) => shipment.shippingStatus === 'IN_PROGRESS');
    const shipment = pick(begun, place);
    const drawn: readonly Body[] =
      shipment === null ? [] : await call(`GET /shipments/${shipment.id}/inventoryTransactions`);
    for (const { globalTradeItemLotId } of drawn)
      await call(`PATCH /globalTradeItemLots/${globalTradeItemLotId}`, { lotStatus: 'DAMAGED' });
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
  return fc.sample(happening, { numRuns: 1_000, seed });
}

/** Until nothing is under way any more. */
async function live(warehouse: Warehouse, channel: Channel, many: readonly Happening[]): Promise<void> {
  for (const each of many) {
    await happen(warehouse, channel, each);
    if (each.place % 5 === 0) channel.work();
  }
  await warehouse.sandbox.control.eventsDelivered();
  channel.work();
}

async function expectRight({ call }: Warehouse, { quantities }: Channel): Promise<void> {
  const items: readonly Body[] = await call('GET /globalTradeItems');
  expect(Object.fromEntries(quantities)).toEqual(
    Object.fromEntries(items.map((item) => [item.id, item.numItemsAvailable])),
  );
}

const TWICE = { sendEventsTwice: true };
const SHUFFLED = { ...TWICE, eventOrder: 'shuffled' as const };

describe('a sales channel that follows the events', () => {
  it.each([
    ['twice', { switches: TWICE, inTheMiddle: 'nothing' }],
    ['twice and out of order', { switches: SHUFFLED, inTheMiddle: 'nothing' }],
    ['twice and out of order, and it overwrites its numbers once', { switches: SHUFFLED, inTheMiddle: 'overwrite' }],
  ])('knows what is available after a thousand things, when they come %s', async (_case, { switches, inTheMiddle }) => {
    const warehouse = await openWarehouse(switches);
    const listener = await openListener();
    for (const itemId of [warehouse.tentId, warehouse.matId]) await warehouse.stock(itemId, 20);
    warehouse.sandbox.control.setEventTargets([{ url: listener.url }]);
    const channel = await openChannel(warehouse, listener);
    await channel.overwrite();
    const happened = drawn(7);
    await live(warehouse, channel, happened.slice(0, 500));
    if (inTheMiddle === 'overwrite') await channel.overwrite();
    await live(warehouse, channel, happened.slice(500));
    await expectRight(warehouse, channel);
    expect(channel.quantities.size).toBeGreaterThan(5);
  });
});
