import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { Switches } from '../../src/sandbox/control/switches.js';
import type { Answer, Ask } from './support.js';
import { clientOf, openListener, openSandbox } from './support.js';

/** One event as a subscriber hears of it, without what all events have. */
export interface Heard {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A sandbox with master data, a subscriber, and short ways to ask. */
export interface Warehouse {
  readonly sandbox: Sandbox;
  readonly ask: Ask;
  /** The body of an answer. @throws Error when it was refused, with the answer */
  call(request: string, body?: unknown): Promise<Answer['body']>;
  /** What the subscriber heard since the last time. */
  heard(): Promise<readonly Heard[]>;
  /** The same, whole. */
  envelopes(): Promise<readonly Answer['body'][]>;
  /** Pieces of an item, by its id. */
  levels(itemId: number): Promise<Levels>;
  /** A lot that was put there by hand; nobody is to hear of it any more. @returns its id */
  stock(itemId: number, numItems: number, more?: object): Promise<number>;
  readonly sellerId: number;
  /** Each weighs 2.5 kg and costs 100. */
  readonly tentId: number;
  /** Each weighs 0.4 kg. */
  readonly matId: number;
  /** No stock is kept of it. */
  readonly voucherId: number;
  /** Lets time pass, for the sandbox. */
  wait(ms: number): void;
}

export interface Levels {
  readonly numItems: number;
  readonly numItemsSaleable: number;
  readonly numItemsReserved: number;
  readonly numItemsAvailable: number;
  readonly numItemsPosted: number;
}

export const CUSTOMER = 'C-1001';
export const SELLER = 'FJORD';
export const SUPPLIER = 'S-9';
const COMMON = ['eventId', 'eventType', 'subscriberId', 'contextId', 'userId', 'deviceName'];

export async function openWarehouse(switches: Partial<Switches> = {}): Promise<Warehouse> {
  const clock = { now: new Date('2026-03-02T08:15:30.250Z') };
  const listener = await openListener();
  const eventTargets = [{ url: listener.url }];
  const sandbox = await openSandbox({ switches, eventTargets, now: () => clock.now });
  const ask = await clientOf(sandbox);
  const call = callOf(ask);
  const envelopes = async () => {
    await sandbox.control.eventsDelivered();
    return listener.heard.splice(0);
  };
  const items = await addMasterData(call);
  const warehouse: Warehouse = {
    ...{ sandbox, ask, call, envelopes, ...items },
    heard: async () => (await envelopes()).map(plain),
    levels: async (itemId) => levelsIn(await call(`GET /globalTradeItems/${itemId}`)),
    stock: async (globalTradeItemId, numItemsRemaining, more = {}) => {
      const lot = { globalTradeItemId, numItemsRemaining, locationNumber: 'A-1', ...more };
      const { id } = await call('POST /globalTradeItemLots', lot);
      await envelopes();
      return id;
    },
    wait: (ms) => void (clock.now = new Date(clock.now.getTime() + ms)),
  };
  await envelopes();
  return warehouse;
}

export function callOf(ask: Ask): Warehouse['call'] {
  return async (request, body) => {
    const answer = await ask(request, body === undefined ? {} : { body });
    if (answer.status !== 200) throw new Error(`${request} answers ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
}

/** Customer, supplier, places and three items. */
export async function addMasterData(call: Warehouse['call']) {
  const group = { productGroupName: 'Camping' };
  await call('POST /customers', { customerNumber: CUSTOMER });
  await call('POST /suppliers', { supplierNumber: SUPPLIER });
  await call('POST /productGroups', group);
  for (const locationNumber of ['A-1', 'B-2']) await call('POST /locations', { locationNumber });
  const item = async (stockKeepingUnit: string, more: object): Promise<number> => {
    await call('POST /products', { productNumber: stockKeepingUnit, productName: stockKeepingUnit, ...group });
    const { id } = await call('POST /globalTradeItems', { stockKeepingUnit, productNumber: stockKeepingUnit, ...more });
    return id;
  };
  const [seller] = await call(`GET /sellers?sellerNumberMatch=${SELLER}`);
  return {
    sellerId: Number(seller.id),
    tentId: await item('TENT', { weight: 2.5, standardCostPrice: 100, locationNumber: 'A-1' }),
    matId: await item('MAT', { weight: 0.4 }),
    voucherId: await item('VOUCHER', { stocked: false }),
  };
}

function plain({ detail }: Answer['body']): Heard {
  const own = Object.entries(detail).filter(([name]) => !COMMON.includes(name));
  return { type: detail.eventType, ...Object.fromEntries(own) };
}

export function levelsIn(item: Answer['body']): Levels {
  const { numItems, numItemsSaleable, numItemsReserved, numItemsAvailable, numItemsPosted } = item;
  return { numItems, numItemsSaleable, numItemsReserved, numItemsAvailable, numItemsPosted };
}
