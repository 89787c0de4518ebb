import type { Warehouse } from './warehouse.js';
import { openWarehouse } from './warehouse.js';

/** Ids of rows, by the names that tests call them. */
export type Names = ReadonlyMap<string, number>;

const DAY_MS = 24 * 3_600_000;
const ODENSE = { addressee: 'Signe Lund', postalCode: '5000', cityTownOrVillage: 'Odense C', countryCode: 'DK' };
const LUND = { addressee: 'Elin Berg', postalCode: '22222', cityTownOrVillage: 'Lund', countryCode: 'SE' };
const VARIANT = { size: 'XL', material: 'Steel', color: 'Red', packagingType: 'Carton', description: 'with a lid' };

/** The day on which everything stands as the table of filters has it; some happened three days before. */
export const TODAY = '2026-03-05';

/** A warehouse in which each filter of each list has a row to keep and one to drop. */
export async function openFilterWarehouse(): Promise<{ readonly warehouse: Warehouse; readonly names: Names }> {
  const warehouse = await openWarehouse({ packBeyondStock: true, tokenLifetimeSeconds: 864_000 });
  const names = new Map<string, number>();
  const make = async (name: string, request: string, body: object): Promise<number> => {
    const { id } = await warehouse.call(`POST ${request}`, body);
    names.set(name, id);
    return id;
  };
  const fill: Fill = { ...warehouse, names, make };
  await addItems(fill);
  await addLots(fill);
  await addInbound(fill);
  await addEarlierShipment(fill);
  warehouse.wait(3 * DAY_MS);
  await addShipments(fill);
  await addReturns(fill);
  return { warehouse, names };
}

interface Fill extends Warehouse {
  readonly names: Map<string, number>;
  make(name: string, request: string, body: object): Promise<number>;
}

async function addItems({ make, names, sellerId, call }: Fill): Promise<void> {
  const [, other] = await call('GET /sellers');
  names.set('seller', sellerId).set('other seller', other.id);
  await make('Cooking', '/productGroups', { productGroupName: 'Cooking', stockTakingInterval: 30 });
  await make('Wool', '/productGroups', { productGroupName: 'Wool' });
  await make('supplier', '/suppliers', { supplierNumber: 'S-ONE', address: ODENSE });
  await make('other supplier', '/suppliers', { supplierNumber: 'S-TWO', address: LUND });
  await make('customer', '/customers', {
    ...{ customerNumber: 'C-ONE', address: ODENSE, globalLocationNumber: '5790000000012' },
  });
  await make('other customer', '/customers', { customerNumber: 'C-TWO', address: LUND });
  await make('stove', '/products', {
    ...{
      productNumber: 'P-STOVE',
      productName: 'Stove',
      productGroupName: 'Cooking',
      season: 'Summer',
      brand: 'Fjord',
    },
    dangerousGoodsNumber: 'UN1950',
    activeSubstances: [{ activeSubstanceName: 'Propane', concentration: 5, concentrationUnit: 'GRAM' }],
    hazards: [{ hazardCode: 'H200' }],
  });
  await make('blanket', '/products', {
    ...{ productNumber: 'P-BLANKET', productName: 'Blanket', productGroupName: 'Wool', season: 'Winter', brand: 'Uld' },
    activeSubstances: [{ activeSubstanceName: 'Lanolin' }],
  });
  await make('STOVE', '/globalTradeItems', {
    ...{ stockKeepingUnit: 'STOVE', productNumber: 'P-STOVE', globalTradeItemNumber: '5701234567899' },
    ...{ businessItemNumber: 'B-77', itemCategoryName: 'Fast', supplierNumber: 'S-ONE', locationNumber: 'A-1' },
    ...{ reorderLevel: 100, orderUpToLevel: 200, productVariantKey: VARIANT, oldWhenAgeInDaysExceeds: 10 },
  });
  await make('BLANKET', '/globalTradeItems', {
    ...{ stockKeepingUnit: 'BLANKET', productNumber: 'P-BLANKET', globalTradeItemNumber: '5701234567882' },
    ...{ businessItemNumber: 'B-88', itemCategoryName: 'Slow', supplierNumber: 'S-TWO', locationNumber: 'B-2' },
    ...{ active: false, reorderingAllowed: false },
    productVariantKey: { size: 'M', material: 'Wool', color: 'Grey', packagingType: 'Bag', description: 'soft' },
  });
  await make('SOLD-OUT', '/globalTradeItems', { stockKeepingUnit: 'SOLD-OUT', productNumber: 'P-BLANKET' });
  await make('SET', '/globalTradeItems', {
    ...{ stockKeepingUnit: 'SET', productNumber: 'P-BLANKET' },
    bundleComponents: [{ componentStockKeepingUnit: 'BLANKET', numItems: 2 }],
  });
}

async function addLots({ make, names, call }: Fill): Promise<void> {
  const lot = (name: string, more: object) => make(name, '/globalTradeItemLots', more);
  await lot('old', {
    ...{ stockKeepingUnit: 'STOVE', locationNumber: 'A-1', numItemsRemaining: 6, costPrice: 5, batchNumber: 'BATCH-1' },
    ...{ inventorySortDate: '2025-11-20', expirationDate: '2026-03-08' },
  });
  await lot('blocked', {
    ...{ stockKeepingUnit: 'STOVE', locationNumber: 'B-2', numItemsRemaining: 4, lotStatus: 'QUARANTINED' },
  });
  await lot('new', {
    ...{ stockKeepingUnit: 'BLANKET', locationNumber: 'B-2', numItemsRemaining: 1000, batchNumber: 'BATCH-2' },
    expirationDate: '2028-01-01',
  });
  // As old as the old one: but nobody says that so many days are many.
  await lot('aged', {
    ...{ stockKeepingUnit: 'BLANKET', locationNumber: 'B-2', numItemsRemaining: 1, inventorySortDate: '2025-11-20' },
  });
  await lot('ancient', {
    ...{ stockKeepingUnit: 'BLANKET', locationNumber: 'B-2', numItemsRemaining: 1, inventorySortDate: '2024-01-02' },
  });
  await lot('empty', { stockKeepingUnit: 'BLANKET', locationNumber: 'B-2', numItemsRemaining: 0 });
  await call('POST /invocations/countGlobalTradeItemLot', {
    ...{ globalTradeItemLotId: names.get('blocked'), numItemsCounted: 4 },
  });
}

async function addInbound({ make, names, call, sandbox }: Fill): Promise<void> {
  const inboundShipmentId = await make('inbound', '/inboundShipments', {
    ...{ inboundShipmentNumber: 'I-ONE', supplierNumber: 'S-ONE', expectedTimeOfArrival: `${TODAY}T06:30:00Z` },
    ...{ invoiceNumber: 'INV-1', deliveryNoteNumber: 'DN-1', deliveryAddress: ODENSE },
    inboundShipmentLines: [{ stockKeepingUnit: 'STOVE', numItemsExpected: 5 }],
  });
  await make('other inbound', '/inboundShipments', {
    ...{ inboundShipmentNumber: 'I-TWO', supplierNumber: 'S-TWO', expectedTimeOfArrival: '2026-05-01T06:30:00Z' },
    ...{ invoiceNumber: 'INV-2', deliveryNoteNumber: 'DN-2', deliveryAddress: LUND },
    inboundShipmentLines: [{ stockKeepingUnit: 'BLANKET', numItemsExpected: 5 }],
  });
  for (const documentType of ['PURCHASE_ORDER', 'COST_VARIANCE_LIST'])
    sandbox.control.createDocument({ area: 1, documentType, inboundShipmentId });
  const { inboundShipmentLines } = await call(`GET /inboundShipments/${inboundShipmentId}`);
  const received = await call('POST /invocations/receiveToNewLot', {
    ...{ inboundShipmentLineId: inboundShipmentLines[0].id, numItems: 5, locationNumber: 'A-1', lotStatus: 'SALEABLE' },
  });
  const { id } = await call('POST /invocations/createGoodsReceipt', { inboundShipmentId, postingDate: '2026-03-02' });
  names.set('goods receipt', id).set('received', received.id);
}

async function addEarlierShipment(fill: Fill): Promise<void> {
  const { make, call, names } = fill;
  const shipmentId = await make('partly', '/shipments', {
    ...{ shipmentNumber: 'SH-PARTLY', customerNumber: 'C-TWO' },
    shipmentLines: [{ stockKeepingUnit: 'BLANKET', numItemsOrdered: 5 }],
  });
  const { shipmentLines } = await call(`GET /shipments/${shipmentId}`);
  names.set('partly line', shipmentLines[0].id);
  await call('POST /invocations/pack', { shipmentLineId: shipmentLines[0].id, instanceCount: 2 });
  await make('earlier delivery note', '/invocations/createDeliveryNote', { shipmentId, postingDate: '2026-03-02' });
}

async function addShipments(fill: Fill): Promise<void> {
  await addShipment(fill, 'handed over', {
    ...{ shipmentNumber: 'SH-ONE', customerNumber: 'C-ONE', sellerNumber: 'FJORD', carrierName: 'GLS' },
    ...{ ourReference: 'OUR-1', sellersReference: 'SR-1', carriersShipmentNumber: 'CSN-1', deliveryDate: TODAY },
    deliveryAddress: ODENSE,
    shipmentLines: [{ stockKeepingUnit: 'STOVE', numItemsOrdered: 4, reservationText: 'for the fair' }],
  });
  await addShipment(fill, 'waiting', {
    ...{ shipmentNumber: 'SH-TWO', customerNumber: 'C-TWO', sellerNumber: 'ULDVARER', carrierName: 'DAO' },
    ...{ ourReference: 'OUR-2', sellersReference: 'SR-2', carriersShipmentNumber: 'CSN-2', deliveryDate: '2026-06-01' },
    deliveryAddress: LUND,
    shipmentLines: [{ stockKeepingUnit: 'SOLD-OUT', numItemsOrdered: 5, reservationText: 'for the shop' }],
  });
  const lines = [{ stockKeepingUnit: 'BLANKET', numItemsOrdered: 1 }];
  const held = { shipmentNumber: 'SH-HELD', customerNumber: 'C-TWO', onHold: true, shipmentLines: lines };
  await addShipment(fill, 'held', held);
  await addShipment(fill, 'cancelled', { ...held, shipmentNumber: 'SH-CANCELLED', onHold: false });
  await fill.call(`PATCH /shipments/${fill.names.get('cancelled')}`, { cancelled: true });
  const set = [{ stockKeepingUnit: 'SET', numItemsOrdered: 1 }];
  await addShipment(fill, 'set', { shipmentNumber: 'SH-SET', customerNumber: 'C-TWO', shipmentLines: set });
  await workOn(fill);
}

async function addShipment({ make, call, names }: Fill, name: string, body: object): Promise<void> {
  const shipmentId = await make(name, '/shipments', body);
  const [line] = (await call(`GET /shipments/${shipmentId}`)).shipmentLines;
  names.set(`${name} line`, line.id).set(`${name} reservation`, line.reservationId);
  await make(`${name} box`, '/shippingContainers', { shipmentId, containerTypeName: 'Box' });
}

async function workOn({ make, call, names, sandbox }: Fill): Promise<void> {
  const shipmentId = Number(names.get('handed over'));
  const { id } = sandbox.control.createDocument({ area: 1, documentType: 'PICKING_LIST', shipmentIds: [shipmentId] });
  names.set('picking list', id);
  const shippingContainerId = names.get('handed over box');
  await call(`PATCH /shippingContainers/${shippingContainerId}`, { trackingNumber: 'TRACK-1' });
  await call(`PATCH /shippingContainers/${names.get('waiting box')}`, { trackingNumber: 'TRACK-2' });
  await call('POST /invocations/pack', { shipmentLineId: names.get('handed over line'), shippingContainerId });
  await call('POST /invocations/pack', { shipmentLineId: names.get('waiting line'), instanceCount: 1 });
  const booking = await make('booking', '/invocations/createTransportBooking', { shipmentId });
  await call(`PATCH /documents/${booking}`, { workStatus: 'DONE' });
  const other = await make('cancelled booking', '/invocations/createTransportBooking', {
    shipmentId: names.get('waiting'),
  });
  sandbox.control.cancelDocument(other);
  await make('delivery note', '/invocations/createDeliveryNote', { shipmentId, postingDate: TODAY });
  sandbox.control.handOver(1, [shipmentId]);
}

async function addReturns({ make, call }: Fill): Promise<void> {
  const lines = [{ stockKeepingUnit: 'BLANKET', numItemsExpected: 1 }];
  const body = { returnShipmentNumber: 'R-ONE', customerNumber: 'C-ONE', returnShipmentLines: lines };
  const returnShipmentId = await make('return', '/returnShipments', body);
  await make('other return', '/returnShipments', { ...body, returnShipmentNumber: 'R-TWO', customerNumber: 'C-TWO' });
  const { returnShipmentLines } = await call(`GET /returnShipments/${returnShipmentId}`);
  await call('POST /invocations/receiveReturnedToNewLot', {
    ...{ returnShipmentLineId: returnShipmentLines[0].id, numItems: 1, locationNumber: 'B-2', lotStatus: 'SALEABLE' },
  });
  await call('POST /invocations/createReturnReceipt', { returnShipmentId, postingDate: TODAY });
}
