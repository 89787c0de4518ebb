import type { Id, Rows } from './rows.js';
import { POSTING_DATE } from './rows.js';

/** A request with a body that the service takes, and what is wrong with others. */
export interface Example {
  /** Names rows that exist, and where a request uses one up, one of its own. */
  readonly body: (rows: Rows) => Promise<object>;
  /** A member whose value can be no object; `null` where a client is free in what it sends. */
  readonly scalar: string | null;
  /** The resources that members with an id name. */
  readonly names?: Readonly<Record<string, string>>;
}

/** One attribute that PUT sets, by path. */
export interface Attribute {
  readonly attribute: string;
  readonly value: string | number | boolean;
  /** A literal of another type. */
  readonly wrong: string | number | boolean;
}

export const attributes: Readonly<Record<string, Attribute>> = {
  '/globalTradeItems/{id}/{attribute}': { attribute: 'weight', value: 1.5, wrong: 'heavy' },
  '/products/{id}/{attribute}': { attribute: 'brand', value: 'Fjord', wrong: true },
  '/customers/{id}/{attribute}': { attribute: 'notesOnDelivery', value: 'Ring the bell.', wrong: true },
  '/shipments/{id}/{attribute}': { attribute: 'onHold', value: true, wrong: 'perhaps' },
  '/shipmentLines/{id}/{attribute}': { attribute: 'numItemsOrdered', value: 4, wrong: 'four' },
  '/shippingContainers/{id}/{attribute}': { attribute: 'weight', value: 2.5, wrong: 'heavy' },
  '/returnShipments/{id}/{attribute}': { attribute: 'onHold', value: true, wrong: 'perhaps' },
  '/documents/{id}/{attribute}': { attribute: 'postingDate', value: POSTING_DATE, wrong: true },
};

function always(body: object): Example['body'] {
  return async () => body;
}

async function itemOf(rows: Rows): Promise<{ readonly stockKeepingUnit: string }> {
  return { stockKeepingUnit: await rows.text('GlobalTradeItem', 'stockKeepingUnit') };
}

async function placeOf(rows: Rows): Promise<{ readonly locationNumber: string; readonly lotStatus: 'SALEABLE' }> {
  return { locationNumber: await rows.text('Location', 'locationNumber'), lotStatus: 'SALEABLE' };
}

const attachment: Example = {
  body: always({ fileName: 'SHIPPING_LABEL_1.pdf', base64EncodedContent: 'JVBERi0xLjQ=' }),
  scalar: 'fileName',
};

const dataDocument: Example = { body: always({ Webshop: { language: 'da' } }), scalar: null };

const message: Example = {
  body: always({ time: 1772438400000, source: 'Webshop', messageType: 'INFO', messageText: 'Booked.' }),
  scalar: 'messageText',
};

const lot: Example = {
  body: async (rows) => ({
    ...(await itemOf(rows)),
    ...(await placeOf(rows)),
    numItemsRemaining: 10,
    inventorySortDate: '2026-01-02',
  }),
  scalar: 'numItemsRemaining',
};

const receiveToNewLot: Example = {
  body: async (rows) => ({
    inboundShipmentLineId: await rows.fresh('InboundShipmentLine'),
    ...(await placeOf(rows)),
    numItems: 1,
  }),
  scalar: 'numItems',
  names: { inboundShipmentLineId: 'InboundShipmentLine' },
};

const receiveReturnedToNewLot: Example = {
  body: async (rows) => ({
    returnShipmentLineId: await rows.fresh('ReturnShipmentLine'),
    ...(await placeOf(rows)),
    numItems: 1,
  }),
  scalar: 'numItems',
  names: { returnShipmentLineId: 'ReturnShipmentLine' },
};

const creations: Readonly<Record<string, Example>> = {
  'POST /productGroups': {
    body: async ({ unique }) => ({ productGroupName: unique('Stoves'), defaultProductUnit: 'PCS' }),
    scalar: 'productGroupName',
  },
  'POST /products': {
    body: async ({ unique, text }) => ({
      productNumber: unique('STOVE'),
      productName: 'Stove',
      productGroupName: await text('ProductGroup', 'productGroupName'),
    }),
    scalar: 'productName',
  },
  'POST /globalTradeItems': {
    body: async ({ unique, text }) => ({
      stockKeepingUnit: unique('STOVE'),
      productNumber: await text('Product', 'productNumber'),
      numUnitsContained: 1,
    }),
    scalar: 'numUnitsContained',
  },
  'POST /globalTradeItems/{id}/includedItems': {
    body: async (rows) => ({ includedItemStockKeepingUnit: (await itemOf(rows)).stockKeepingUnit, numItems: 2 }),
    scalar: 'numItems',
  },
  'POST /includedItems': {
    body: async (rows) => ({
      stockKeepingUnit: await rows.text('ItemToOrder', 'stockKeepingUnit'),
      includedItemStockKeepingUnit: (await itemOf(rows)).stockKeepingUnit,
      numItems: 2,
    }),
    scalar: 'numItems',
  },
  'POST /productCustomsInformations': {
    body: async ({ text }) => ({
      productNumber: await text('Product', 'productNumber'),
      countryCode: 'NO',
      tariffNumber: '63062200',
    }),
    scalar: 'tariffNumber',
  },
  'POST /customers': { body: async ({ unique }) => ({ customerNumber: unique('K') }), scalar: 'customerNumber' },
  'POST /suppliers': { body: async ({ unique }) => ({ supplierNumber: unique('L') }), scalar: 'supplierNumber' },
  'POST /carriers': { body: async ({ unique }) => ({ carrierName: unique('Carrier') }), scalar: 'carrierName' },
  'POST /locations': {
    body: async ({ unique }) => ({
      locationNumber: unique('B'),
      locationType: 'SHELF',
      containerTypeName: 'Box',
      pickingOrder: 10,
    }),
    scalar: 'pickingOrder',
  },
  'POST /events/{id}/messages': message,
  'POST /eventMessages': {
    body: async (rows) => ({ ...(await message.body(rows)), eventId: await rows.id('Event') }),
    scalar: message.scalar,
    names: { eventId: 'Event' },
  },
  'POST /shipments': {
    body: async (rows) => ({
      shipmentNumber: rows.unique('S'),
      customerId: await rows.id('Customer'),
      freightCharged: 49,
      shipmentLines: [{ ...(await itemOf(rows)), numItemsOrdered: 1 }],
    }),
    scalar: 'freightCharged',
    names: { customerId: 'Customer' },
  },
  'POST /shipments/{id}/attachments': attachment,
  'POST /documents/{id}/attachments': attachment,
  'POST /shipmentLines': {
    body: async (rows) => ({ shipmentId: await rows.id('Shipment'), ...(await itemOf(rows)), numItemsOrdered: 1 }),
    scalar: 'numItemsOrdered',
    names: { shipmentId: 'Shipment' },
  },
  'POST /shippingContainers': {
    body: async ({ id }) => ({ shipmentId: await id('Shipment'), containerTypeName: 'Box', weight: 2.45 }),
    scalar: 'weight',
    names: { shipmentId: 'Shipment' },
  },
  'POST /returnShipments': {
    body: async (rows) => ({
      returnShipmentNumber: rows.unique('R'),
      customerNumber: await rows.text('Customer', 'customerNumber'),
      notes: 'Too small',
      returnShipmentLines: [{ ...(await itemOf(rows)), numItemsExpected: 1 }],
    }),
    scalar: 'notes',
  },
  'POST /inboundShipments': {
    body: async (rows) => ({
      inboundShipmentNumber: rows.unique('I'),
      supplierNumber: await rows.text('Supplier', 'supplierNumber'),
      deliveryDate: '2026-03-09',
      inboundShipmentLines: [{ ...(await itemOf(rows)), numItemsExpected: 1 }],
    }),
    scalar: 'deliveryDate',
  },
  'POST /inboundShipmentLines': {
    body: async (rows) => ({
      inboundShipmentId: await rows.id('InboundShipment'),
      ...(await itemOf(rows)),
      numItemsExpected: 1,
    }),
    scalar: 'numItemsExpected',
    names: { inboundShipmentId: 'InboundShipment' },
  },
  'POST /globalTradeItemLots': lot,
  'POST /globalTradeItemLot': lot,
};

const changes: Readonly<Record<string, Example>> = {
  'PATCH /sellers/{id}/dataDocument': dataDocument,
  'PATCH /contexts/{id}/dataDocument': dataDocument,
  'PATCH /globalTradeItems/{id}': { body: always({ weight: 1.25 }), scalar: 'weight' },
  'PATCH /products/{id}': { body: always({ brand: 'Fjord' }), scalar: 'brand' },
  'PATCH /shipments/{id}': {
    body: always({ carriersShipmentNumber: '70300000000000001' }),
    scalar: 'carriersShipmentNumber',
  },
  'PATCH /shipments': {
    body: async ({ id }) => ({ id: await id('Shipment'), carriersShipmentNumber: '70300000000000002' }),
    scalar: 'carriersShipmentNumber',
    names: { id: 'Shipment' },
  },
  'PATCH /shipmentLines/{id}': { body: always({ numItemsOrdered: 4 }), scalar: 'numItemsOrdered' },
  'PATCH /shippingContainers/{id}': {
    body: always({ trackingNumber: '370000000000000001' }),
    scalar: 'trackingNumber',
  },
  'PATCH /shippingContainers': {
    body: async ({ id }) => ({ id: await id('ShippingContainer'), trackingNumber: '370000000000000002' }),
    scalar: 'trackingNumber',
    names: { id: 'ShippingContainer' },
  },
  'PATCH /returnShipments/{id}': { body: always({ notes: 'Torn' }), scalar: 'notes' },
  'PATCH /inboundShipments/{id}': { body: always({ deliveryNoteNumber: 'DN-1' }), scalar: 'deliveryNoteNumber' },
  'PATCH /globalTradeItemLots/{id}': { body: always({ batchNumber: 'B-1' }), scalar: 'batchNumber' },
  'PATCH /documents/{id}': { body: always({ workStatus: 'ON_GOING' }), scalar: 'workStatus' },
};

const outboundInvocations: Readonly<Record<string, Example>> = {
  'POST /invocations/pack': {
    body: async ({ fresh }) => ({ shipmentLineId: await fresh('ShipmentLine'), instanceCount: 1 }),
    scalar: 'instanceCount',
    names: { shipmentLineId: 'ShipmentLine', shippingContainerId: 'ShippingContainer' },
  },
  'POST /invocations/createDeliveryNote': {
    body: async ({ fresh }) => ({ shipmentId: await fresh('PackedShipment'), postingDate: POSTING_DATE }),
    scalar: 'postingDate',
    names: { shipmentId: 'Shipment' },
  },
  'POST /invocations/createTransportBooking': {
    body: async ({ fresh }) => ({ shipmentId: await fresh('Shipment') }),
    scalar: 'shipmentId',
    names: { shipmentId: 'Shipment' },
  },
  'POST /invocations/createCostOfSalesList': {
    body: async ({ fresh }) => {
      await fresh('ShipmentWithDeliveryNote');
      return { contextId: 1, postingDate: POSTING_DATE };
    },
    scalar: 'postingDate',
    names: { contextId: 'Context' },
  },
  'POST /invocations/printDocument': {
    body: async ({ id }) => ({ documentId: await id('Document') }),
    scalar: 'documentId',
    names: { documentId: 'Document' },
  },
  // What its body holds is described nowhere.
  'POST /invocations/printResource': {
    body: async ({ id }) => ({ documentId: await id('Document') }),
    scalar: null,
  },
};

const stockInvocations: Readonly<Record<string, Example>> = {
  'POST /invocations/createReturnReceipt': {
    body: async ({ fresh }) => ({ returnShipmentId: await fresh('ReceivedReturnShipment'), postingDate: POSTING_DATE }),
    scalar: 'postingDate',
    names: { returnShipmentId: 'ReturnShipment' },
  },
  'POST /invocations/receiveReturned': receiveReturnedToNewLot,
  'POST /invocations/receiveReturnedToNewLot': receiveReturnedToNewLot,
  'POST /invocations/receiveReturnedToExistingLot': inExistingLot(receiveReturnedToNewLot),
  'POST /invocations/receive': receiveToNewLot,
  'POST /invocations/receiveToNewLot': receiveToNewLot,
  'POST /invocations/receiveToExistingLot': inExistingLot(receiveToNewLot),
  'POST /invocations/createGoodsReceipt': {
    body: async ({ fresh }) => ({
      inboundShipmentId: await fresh('ReceivedInboundShipment'),
      postingDate: POSTING_DATE,
    }),
    scalar: 'postingDate',
    names: { inboundShipmentId: 'InboundShipment' },
  },
  'POST /invocations/createOrderProposal': {
    body: async ({ fresh }) => ({ contextId: 1, globalTradeItemIds: [await fresh('ItemToOrder')] }),
    scalar: 'contextId',
    names: { contextId: 'Context' },
  },
  'POST /invocations/countGlobalTradeItemLot': {
    body: async ({ fresh }) => ({
      globalTradeItemLotId: await fresh('GlobalTradeItemLot'),
      numItemsCounted: 999,
      discrepancyCause: 'SHRINKAGE',
    }),
    scalar: 'numItemsCounted',
    names: { globalTradeItemLotId: 'GlobalTradeItemLot' },
  },
  'POST /invocations/createAdjustmentList': {
    body: async ({ fresh }) => ({ stockTakingId: await fresh('StockTaking'), postingDate: POSTING_DATE }),
    scalar: 'postingDate',
    names: { stockTakingId: 'StockTaking' },
  },
  'POST /invocations/splitToNewLot': {
    body: async (rows) => ({
      globalTradeItemLotId: await rows.id('GlobalTradeItemLot'),
      ...(await placeOf(rows)),
      numItems: 1,
    }),
    scalar: 'numItems',
    names: { globalTradeItemLotId: 'GlobalTradeItemLot' },
  },
  'POST /invocations/splitToExistingLot': {
    body: async ({ id, fresh }) => ({
      sourceLotId: await id('GlobalTradeItemLot'),
      targetLotId: await fresh('GlobalTradeItemLot'),
      numItems: 1,
    }),
    scalar: 'numItems',
    names: { sourceLotId: 'GlobalTradeItemLot', targetLotId: 'GlobalTradeItemLot' },
  },
};

/** The target's field is described nowhere; it has the name that other invocations have for a lot. */
function inExistingLot(toNewLot: Example): Example {
  return {
    ...toNewLot,
    body: async (rows) => ({
      ...(await toNewLot.body(rows)),
      globalTradeItemLotId: await rows.id('GlobalTradeItemLot'),
    }),
    names: { ...toNewLot.names, globalTradeItemLotId: 'GlobalTradeItemLot' },
  };
}

/** By `POST /shipments`; every operation with a body but PUT, whose bodies `attributes` has. */
export const examples: Readonly<Record<string, Example>> = {
  ...creations,
  ...changes,
  ...outboundInvocations,
  ...stockInvocations,
};

/** An id that no row of that resource has. */
export function unknownId(resource: string): Id {
  return resource === 'Event' ? '00000000-0000-4000-8000-000000000000' : 99_999_999;
}
