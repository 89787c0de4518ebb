import type { Ask } from '../support.js';

/** Rows that tests need, each created through the API as the client `full` the first time somebody asks for it. */
export interface Rows {
  /** The same one every time. @throws Error when it could not be created, with the answer */
  id(kind: Kind): Promise<Id>;
  /** One that nobody else has. @throws Error as `id` */
  fresh(kind: Kind): Promise<Id>;
  /** A text that the row which `id` means has under that name. */
  text(kind: Kind, field: string): Promise<string>;
  /** Creates one of each kind, as far as that goes. */
  fill(): Promise<void>;
  /** Another text every time. */
  unique(prefix: string): string;
}

/** Ids are numbers; those of events are UUIDs. */
export type Id = string | number;

/** Resources, and some of them in a state that tests need. */
export type Kind =
  | 'ProductGroup'
  | 'Product'
  | 'GlobalTradeItem'
  | 'ItemToOrder'
  | 'Location'
  | 'GlobalTradeItemLot'
  | 'Customer'
  | 'Supplier'
  | 'Carrier'
  | 'Seller'
  | 'Context'
  | 'Shipment'
  | 'PackedShipment'
  | 'ShipmentWithDeliveryNote'
  | 'ShipmentLine'
  | 'ShippingContainer'
  | 'ReturnShipment'
  | 'ReturnShipmentLine'
  | 'ReceivedReturnShipment'
  | 'InboundShipment'
  | 'InboundShipmentLine'
  | 'ReceivedInboundShipment'
  | 'Document'
  | 'Event'
  | 'StockTaking';

/** Whether there is a way to have such a row. */
export function isKind(name: string): name is Kind {
  return Object.hasOwn(recipes, name);
}

interface Maker extends Rows {
  call(request: string, body?: unknown): Promise<Readonly<Record<string, unknown>>>;
}

type Recipe = (maker: Maker) => Promise<Readonly<Record<string, unknown>>>;

export const POSTING_DATE = '2026-03-02';

export function createRows(ask: Ask): Rows {
  const made = new Map<Kind, ReturnType<Recipe>>();
  let last = 0;
  const make = (kind: Kind): ReturnType<Recipe> => recipes[kind](maker);
  const one = (kind: Kind) => {
    const known = made.get(kind) ?? make(kind);
    made.set(kind, known);
    return known;
  };
  const maker: Maker = {
    id: async (kind) => idIn(await one(kind)),
    fresh: async (kind) => idIn(await make(kind)),
    text: async (kind, field) => textIn(await one(kind), field),
    fill: async () => {
      await Promise.allSettled(Object.keys(recipes).filter(isKind).map(one));
    },
    unique: (prefix) => `${prefix}-${++last}`,
    call: async (request, body) => {
      const answer = await ask(request, body === undefined ? {} : { body });
      if (answer.status === 200) return answer.body;
      throw new Error(`${request} answers ${answer.status} ${JSON.stringify(answer.body)}`);
    },
  };
  return maker;
}

function idIn(row: Readonly<Record<string, unknown>>, field = 'id'): Id {
  const id = row[field];
  if (typeof id !== 'number' && typeof id !== 'string')
    throw new Error(`no ${field} in the answer ${JSON.stringify(row)}`);
  return id;
}

function textIn(row: Readonly<Record<string, unknown>>, field: string): string {
  const text = row[field];
  if (typeof text !== 'string') throw new Error(`no ${field} in the answer ${JSON.stringify(row)}`);
  return text;
}

function firstOf(list: unknown): Readonly<Record<string, unknown>> {
  const [first] = Array.isArray(list) ? list : [];
  if (first === undefined) throw new Error('an empty list, or none, where a row was expected');
  return first;
}

const recipes: Readonly<Record<Kind, Recipe>> = {
  ProductGroup: ({ call, unique }) =>
    call('POST /productGroups', { productGroupName: unique('Tents'), defaultProductUnit: 'PCS' }),
  Product: async ({ call, unique, text }) =>
    call('POST /products', {
      productNumber: unique('TENT'),
      productName: 'Tent for two',
      productGroupName: await text('ProductGroup', 'productGroupName'),
    }),
  GlobalTradeItem: (maker) => createItem(maker, {}),
  ItemToOrder: async (maker) =>
    createItem(maker, {
      reorderingAllowed: true,
      reorderLevel: 10,
      orderUpToLevel: 20,
      supplierNumber: await maker.text('Supplier', 'supplierNumber'),
    }),
  Location: ({ call, unique }) =>
    call('POST /locations', { locationNumber: unique('A'), locationType: 'SHELF', containerTypeName: 'Box' }),
  GlobalTradeItemLot: async ({ call, text }) =>
    call('POST /globalTradeItemLots', {
      stockKeepingUnit: await text('GlobalTradeItem', 'stockKeepingUnit'),
      locationNumber: await text('Location', 'locationNumber'),
      lotStatus: 'SALEABLE',
      numItemsRemaining: 1000,
      inventorySortDate: '2026-01-02',
    }),
  Customer: ({ call, unique }) => call('POST /customers', { customerNumber: unique('K') }),
  Supplier: ({ call, unique }) => call('POST /suppliers', { supplierNumber: unique('L') }),
  Carrier: ({ call, unique }) => call('POST /carriers', { carrierName: unique('Carrier') }),
  Seller: async ({ call }) => firstOf(await call('GET /sellers')),
  Context: ({ call }) => call('GET /contexts/1'),
  Shipment: async (maker) => {
    await maker.id('GlobalTradeItemLot');
    return maker.call('POST /shipments', {
      shipmentNumber: maker.unique('S'),
      customerNumber: await maker.text('Customer', 'customerNumber'),
      shipmentLines: [
        { stockKeepingUnit: await maker.text('GlobalTradeItem', 'stockKeepingUnit'), numItemsOrdered: 2 },
      ],
    });
  },
  PackedShipment: async ({ call, fresh }) => {
    const shipment = await call(`GET /shipments/${await fresh('Shipment')}`);
    const line = idIn(firstOf(shipment['shipmentLines']));
    await call('POST /invocations/pack', { shipmentLineId: line, instanceCount: 2 });
    return shipment;
  },
  ShipmentWithDeliveryNote: async ({ call, fresh }) => {
    const shipmentId = await fresh('PackedShipment');
    await call('POST /invocations/createDeliveryNote', { shipmentId, postingDate: POSTING_DATE });
    return call(`GET /shipments/${shipmentId}`);
  },
  ShipmentLine: async ({ call, fresh, text }) =>
    call('POST /shipmentLines', {
      shipmentId: await fresh('Shipment'),
      stockKeepingUnit: await text('GlobalTradeItem', 'stockKeepingUnit'),
      numItemsOrdered: 3,
    }),
  ShippingContainer: async ({ call, id }) =>
    call('POST /shippingContainers', { shipmentId: await id('Shipment'), containerTypeName: 'Box' }),
  ReturnShipment: async ({ call, text, unique }) =>
    call('POST /returnShipments', {
      returnShipmentNumber: unique('R'),
      customerNumber: await text('Customer', 'customerNumber'),
      returnShipmentLines: [
        { stockKeepingUnit: await text('GlobalTradeItem', 'stockKeepingUnit'), numItemsExpected: 5 },
      ],
    }),
  ReturnShipmentLine: async ({ call, fresh }) => {
    const shipment = await call(`GET /returnShipments/${await fresh('ReturnShipment')}`);
    return firstOf(shipment['returnShipmentLines']);
  },
  ReceivedReturnShipment: async ({ call, fresh, text }) => {
    const shipment = await call(`GET /returnShipments/${await fresh('ReturnShipment')}`);
    await call('POST /invocations/receiveReturnedToNewLot', {
      returnShipmentLineId: idIn(firstOf(shipment['returnShipmentLines'])),
      locationNumber: await text('Location', 'locationNumber'),
      lotStatus: 'SALEABLE',
      numItems: 5,
    });
    return shipment;
  },
  InboundShipment: async ({ call, text, unique }) =>
    call('POST /inboundShipments', {
      inboundShipmentNumber: unique('I'),
      supplierNumber: await text('Supplier', 'supplierNumber'),
      inboundShipmentLines: [
        { stockKeepingUnit: await text('GlobalTradeItem', 'stockKeepingUnit'), numItemsExpected: 5 },
      ],
    }),
  InboundShipmentLine: async ({ call, fresh, text }) =>
    call('POST /inboundShipmentLines', {
      inboundShipmentId: await fresh('InboundShipment'),
      stockKeepingUnit: await text('GlobalTradeItem', 'stockKeepingUnit'),
      numItemsExpected: 5,
    }),
  ReceivedInboundShipment: async ({ call, fresh, text }) => {
    const shipment = await call(`GET /inboundShipments/${await fresh('InboundShipment')}`);
    await call('POST /invocations/receiveToNewLot', {
      inboundShipmentLineId: idIn(firstOf(shipment['inboundShipmentLines'])),
      locationNumber: await text('Location', 'locationNumber'),
      lotStatus: 'SALEABLE',
      numItems: 5,
    });
    return shipment;
  },
  Document: async ({ call, fresh }) =>
    call('POST /invocations/createTransportBooking', { shipmentId: await fresh('Shipment') }),
  Event: async ({ call, fresh }) => {
    const document = await call(`GET /documents/${await fresh('Document')}`);
    return { id: textIn(document, 'documentCreatedEventId') };
  },
  StockTaking: async ({ call, fresh }) => {
    const counted = await call('POST /invocations/countGlobalTradeItemLot', {
      globalTradeItemLotId: await fresh('GlobalTradeItemLot'),
      numItemsCounted: 999,
      discrepancyCause: 'SHRINKAGE',
    });
    return { id: idIn(counted, 'stockTakingId') };
  },
};

async function createItem({ call, text, unique }: Maker, more: object): ReturnType<Recipe> {
  return call('POST /globalTradeItems', {
    stockKeepingUnit: unique('TENT-2P'),
    productNumber: await text('Product', 'productNumber'),
    numUnitsContained: 1,
    ...more,
  });
}
