import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Names } from './filters-warehouse.js';
import { TODAY, openFilterWarehouse } from './filters-warehouse.js';
import { formalOperations, isList } from './interface/tables.js';
import { closeAll, read } from './support.js';
import type { Warehouse } from './warehouse.js';

let warehouse: Warehouse;
let names: Names;

beforeAll(async () => {
  ({ warehouse, names } = await openFilterWarehouse());
});

afterAll(closeAll);

/** What is asked for, the name of a row that is kept and of one that is dropped; `null`: there is no such row. */
type Row = readonly [wanted: string, kept: string | null, dropped: string];

const rows: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  '/globalTradeItems': {
    onlyMoreThanOneLocation: ['true', 'STOVE', 'BLANKET'],
    stockKeepingUnitMatch: ['stov', 'STOVE', 'BLANKET'],
    businessItemNumberMatch: ['77', 'STOVE', 'BLANKET'],
    chosenProductGroups: ['Cooking&onlyChosenProductGroups=true', 'STOVE', 'BLANKET'],
    onlyChosenProductGroups: ['true&chosenProductGroups=Wool', 'BLANKET', 'STOVE'],
    onlyActive: ['true', 'STOVE', 'BLANKET'],
    locationNumberMatch: ['a-1', 'STOVE', 'BLANKET'],
    itemCategoryNameMatch: ['fast', 'STOVE', 'BLANKET'],
    productGroupNameMatch: ['cook', 'STOVE', 'BLANKET'],
    sizeMatch: ['xl', 'STOVE', 'BLANKET'],
    maxEstimatedSalesWeeks: ['500', 'STOVE', 'SET'],
    materialMatch: ['steel', 'STOVE', 'BLANKET'],
    inboundShipmentNumberMatch: ['i-one', 'STOVE', 'BLANKET'],
    supplierNumberMatch: ['s-one', 'STOVE', 'BLANKET'],
    productNameMatch: ['stove', 'STOVE', 'BLANKET'],
    onlyHasNotDrawnItems: ['true', 'SOLD-OUT', 'STOVE'],
    maxNumItemsSaleable: ['20', 'STOVE', 'BLANKET'],
    packagingTypeMatch: ['carton', 'STOVE', 'BLANKET'],
    seasonMatch: ['summer', 'STOVE', 'BLANKET'],
    descriptionMatch: ['lid', 'STOVE', 'BLANKET'],
    hazardClassMatch: ['H200', 'STOVE', 'BLANKET'],
    productNumberMatch: ['p-stove', 'STOVE', 'BLANKET'],
    brandMatch: ['fjord', 'STOVE', 'BLANKET'],
    onlyMissing: ['true', 'SOLD-OUT', 'STOVE'],
    colorMatch: ['red', 'STOVE', 'BLANKET'],
    onlyReorderingAllowed: ['true', 'STOVE', 'BLANKET'],
    suppliersItemNumberMatch: ['b-77', 'STOVE', 'BLANKET'],
    globalTradeItemNumberMatch: ['567899', 'STOVE', 'BLANKET'],
    onlyStockLevelBelowAverage: ['true', 'STOVE', 'BLANKET'],
    onlyDueForReordering: ['true', 'STOVE', 'BLANKET'],
    minNumItemsSaleable: ['500', 'BLANKET', 'STOVE'],
  },
  '/products': {
    activeSubstanceNameMatch: ['propan', 'stove', 'blanket'],
    season: ['Summer', 'stove', 'blanket'],
    productNumberMatch: ['stove', 'stove', 'blanket'],
    chosenProductGroups: ['Wool, Cooking&onlyChosenProductGroups=true', 'stove', 'TENT'],
    brand: ['Fjord', 'stove', 'blanket'],
    onlyChosenProductGroups: ['true&chosenProductGroups=Cooking', 'stove', 'blanket'],
    productNameMatch: ['stov', 'stove', 'blanket'],
    productGroupNameMatch: ['cook', 'stove', 'blanket'],
  },
  '/sellers': { sellerNumberMatch: ['fjord', 'seller', 'other seller'] },
  '/customers': {
    globalLocationNumberMatch: ['0012', 'customer', 'other customer'],
    addressMatch: ['odense', 'customer', 'other customer'],
    customerNumberMatch: ['c-one', 'customer', 'other customer'],
  },
  '/suppliers': {
    supplierNumberMatch: ['s-one', 'supplier', 'other supplier'],
    addressMatch: ['odense', 'supplier', 'other supplier'],
  },
  '/reservations': {
    onlyOpen: ['true', 'waiting reservation', 'handed over reservation'],
    onlyNotAvailable: ['true', 'waiting reservation', 'held reservation'],
    onlyBundles: ['true', 'set reservation', 'held reservation'],
    stockKeepingUnitMatch: ['stove', 'handed over reservation', 'waiting reservation'],
    shipmentNumberMatch: ['sh-two', 'waiting reservation', 'handed over reservation'],
    textMatch: ['fair', 'handed over reservation', 'waiting reservation'],
    // Only a line of a shipment reserves anything here.
    onlyNoShipmentLines: ['true', null, 'handed over reservation'],
  },
  '/auditLogEntries': {
    idGreaterThan: ['{supplier}', 'audit: return', 'audit: Cooking'],
    entityName: ['Shipment', 'audit: waiting', 'audit: return'],
    type: ['UPDATE', 'audit: UPDATE', 'audit: waiting'],
  },
  '/shipments': {
    onlyNotCancelled: ['true', 'waiting', 'cancelled'],
    customerNumberMatch: ['c-one', 'handed over', 'waiting'],
    pickingListNumber: ['1', 'handed over', 'waiting'],
    postalCodeMatch: ['500', 'handed over', 'waiting'],
    onlyPartlyDelivered: ['true', 'partly', 'handed over'],
    onlyOnHold: ['true', 'held', 'waiting'],
    onlyNotOnHold: ['true', 'waiting', 'held'],
    ourReferenceMatch: ['our-1', 'handed over', 'waiting'],
    sellersReferenceMatch: ['sr-1', 'handed over', 'waiting'],
    onlyNoDeliveryNote: ['true', 'waiting', 'handed over'],
    carriersShipmentNumberMatch: ['csn-1', 'handed over', 'waiting'],
    carrierName: ['GLS', 'handed over', 'waiting'],
    deliveryNoteNumber: ['1', 'partly', 'handed over'],
    countryCode: ['DK', 'handed over', 'waiting'],
    deliveryDate: [TODAY, 'handed over', 'waiting'],
    shippingStatus: ['CONSIGNED', 'handed over', 'waiting'],
    deliveryHorizonInDays: ['7', 'handed over', 'waiting'],
    onlyNoPickingList: ['true', 'waiting', 'handed over'],
    sellerNumberMatch: ['fjo', 'handed over', 'waiting'],
    shipmentNumberMatch: ['sh-one', 'handed over', 'waiting'],
    onlyNoConsignmentNote: ['true', 'partly', 'handed over'],
    deliveryNoteWithinCommonTimeInterval: ['day', 'handed over', 'partly'],
    onlyPackingFinished: ['true', 'handed over', 'waiting'],
    dateDeliveryNoteCreated: ['2026-03-02', 'partly', 'handed over'],
    deliveryAddressMatch: ['signe', 'handed over', 'waiting'],
    consignmentNoteNumber: ['1', 'handed over', 'partly'],
  },
  '/shipmentLines': {
    onlyNotAvailable: ['true', 'waiting line', 'held line'],
    customerNumberMatch: ['c-one', 'handed over line', 'waiting line'],
    onlyNoDeliveryNote: ['true', 'waiting line', 'handed over line'],
    onlyNotCancelled: ['true', 'waiting line', 'cancelled line'],
    stockKeepingUnitMatch: ['stove', 'handed over line', 'waiting line'],
    globalTradeItemNumber: ['5701234567899', 'handed over line', 'held line'],
    shipmentNumberMatch: ['sh-one', 'handed over line', 'waiting line'],
    onlyShowAbandoned: ['true', 'partly line', 'waiting line'],
  },
  '/shippingContainers': {
    trackingNumberMatch: ['track-1', 'handed over box', 'waiting box'],
    customerNumberMatch: ['c-one', 'handed over box', 'waiting box'],
  },
  '/returnShipments': {
    customerNumberMatch: ['c-one', 'return', 'other return'],
    onlyNoReturnReceipt: ['true', 'other return', 'return'],
    returnShipmentNumberMatch: ['r-one', 'return', 'other return'],
  },
  '/inboundShipments': {
    onlyWithPurchaseOrder: ['true', 'inbound', 'other inbound'],
    deliveryHorizon: ['7', 'inbound', 'other inbound'],
    onlyNoGoodsReceipt: ['true', 'other inbound', 'inbound'],
    onlyExpectedToday: ['true', 'inbound', 'other inbound'],
    purchaseOrderNumber: ['1', 'inbound', 'other inbound'],
    onlyNoPurchaseOrder: ['true', 'other inbound', 'inbound'],
    invoiceNumberMatch: ['inv-1', 'inbound', 'other inbound'],
    supplierAddressMatch: ['odense', 'inbound', 'other inbound'],
    onlyNoCostVarianceList: ['true', 'other inbound', 'inbound'],
    deliveryNoteNumberMatch: ['dn-1', 'inbound', 'other inbound'],
    inboundShipmentNumberMatch: ['i-one', 'inbound', 'other inbound'],
    dateGoodsReceiptCreated: ['2026-03-02', 'inbound', 'other inbound'],
    supplierNumberMatch: ['s-one', 'inbound', 'other inbound'],
    deliveryAddressMatch: ['odense', 'inbound', 'other inbound'],
  },
  '/globalTradeItemLots': {
    onlyDueForStockTaking: ['true', 'old', 'aged'],
    maxNumItemsRemaining: ['10', 'old', 'new'],
    productNumberMatch: ['stove', 'old', 'new'],
    maxNumItemsPosted: ['4', 'old', 'received'],
    onlyRemaining: ['true', 'new', 'empty'],
    batchNumberMatch: ['batch-1', 'old', 'new'],
    globalTradeItemNumber: ['5701234567899', 'old', 'new'],
    stockKeepingUnitMatch: ['stove', 'old', 'new'],
    trackingNumberMatch: ['track-1', 'old', 'new'],
    onlyValue: ['true', 'old', 'new'],
    onlyOld: ['true', 'old', 'aged'],
    locationNumberMatch: ['a-1', 'old', 'new'],
    itemCategoryNameMatch: ['fast', 'old', 'new'],
    daysToExpirationDate: ['10', 'old', 'new'],
    sizeMatch: ['xl', 'old', 'new'],
    daysToBestBeforeDate: ['10', 'old', 'new'],
    productNameMatch: ['stove', 'old', 'new'],
    inventorySortDateBefore: ['2025-11-21', 'old', 'new'],
    minDaysSinceLastStockTaking: ['4', 'old', 'blocked'],
    lotStatus: ['QUARANTINED', 'blocked', 'old'],
    onlyNotPickable: ['true', 'blocked', 'old'],
  },
  '/documents': {
    onlyCancelled: ['true', 'cancelled booking', 'booking'],
    workStatus: ['DONE', 'booking', 'delivery note'],
    onlyNotCancelled: ['true', 'booking', 'cancelled booking'],
    documentType: ['PICKING_LIST', 'picking list', 'booking'],
    documentNumber: ['2', 'delivery note', 'earlier delivery note'],
  },
};

/** They say which part of a list is meant; the tests of the interface have them. */
const PAGE = ['maxNumRows', 'firstRow', 'piggyback'];
const lists = formalOperations.filter((each) => isList(each) && !each.path.includes('{'));
const filters = lists.flatMap(({ path, filters: all }) =>
  all.filter((name) => !PAGE.includes(name)).map((name): [string, string] => [path, name]),
);

async function idsIn(path: string, query: string): Promise<readonly number[]> {
  const found: readonly { readonly id: number }[] = await warehouse.call(`GET ${path}?${query}`);
  return found.map(({ id }) => id);
}

/** Names of entries of the audit log begin with `audit: `; they are about a row or of a type. */
async function idOf(name: string): Promise<number> {
  if (name === 'TENT') return (await warehouse.call('GET /products?productNumberMatch=TENT'))[0].id;
  const [, of] = /^audit: (.*)$/.exec(name) ?? [];
  const id = names.get(of ?? name);
  if (of !== undefined) {
    const log: readonly { id: number; entityId: number; type: string }[] = await warehouse.call('GET /auditLogEntries');
    return log.find((entry) => entry.type === of || (entry.type === 'CREATE' && entry.entityId === id))?.id ?? 0;
  }
  if (id === undefined) throw new Error(`nothing is called ${name}`);
  return id;
}

describe('a filter', () => {
  it.each(filters)('of %s keeps what it says and drops the rest: %s', async (path, name) => {
    const row = rows[path]?.[name];
    if (row === undefined) throw new Error(`no row for ${name} of ${path}`);
    const [wanted, kept, dropped] = row;
    const filled = wanted.replace(/\{(.*)\}/, (_whole, of) => String(names.get(of)));
    const found = await idsIn(path, `${name}=${filled.replaceAll(' ', '%20')}`);
    if (kept !== null) expect(found).toContain(await idOf(kept));
    else expect(found).toEqual([]);
    expect(found).not.toContain(await idOf(dropped));
    expect(await idsIn(path, '')).toContain(await idOf(dropped));
  });

  it('of a list of product groups has no effect until it is switched on', async () => {
    const all = await idsIn('/products', '');
    expect(await idsIn('/products', 'chosenProductGroups=Wool')).toEqual(all);
    expect(await idsIn('/products', 'chosenProductGroups=Wool&onlyChosenProductGroups=false')).toEqual(all);
    expect(await idsIn('/products', 'onlyChosenProductGroups=true')).toEqual([]);
    const byId = `chosenProductGroups=${names.get('Wool')}&onlyChosenProductGroups=true`;
    expect(await idsIn('/products', byId)).toEqual([names.get('blanket')]);
  });

  it('takes a lot for old, and for due to be counted, after a year where nobody says how long', async () => {
    for (const filter of ['onlyOld', 'onlyDueForStockTaking']) {
      const found = await idsIn('/globalTradeItemLots', `${filter}=true&stockKeepingUnitMatch=BLANKET`);
      expect(found).toEqual([names.get('ancient')]);
    }
  });

  const onTheDay = ['2026-03-02', '2026-03-02T23:59:00Z', '2026-03-02T08:15:30.250Z', String(Date.UTC(2026, 2, 2, 9))];

  it.each(onTheDay)('takes for a date: %s', async (date) => {
    const found = await idsIn('/shipments', `dateDeliveryNoteCreated=${date}`);
    expect(found).toEqual([names.get('partly')]);
    expect(await idsIn('/globalTradeItemLots', `inventorySortDateBefore=${date}`)).toContain(names.get('old'));
  });

  it.each([
    ['/shipments', 'deliveryDate', '2026-02-30'],
    ['/shipments', 'deliveryDate', 'tomorrow'],
    ['/shipments', 'dateDeliveryNoteCreated', '-1'],
    ['/inboundShipments', 'dateGoodsReceiptCreated', '02.03.2026'],
    ['/globalTradeItemLots', 'inventorySortDateBefore', '99999999999999999'],
    ['/shipments', 'deliveryNoteWithinCommonTimeInterval', 'fortnight'],
    ['/shipments', 'onlyOnHold', 'yes'],
    ['/globalTradeItems', 'maxNumItemsSaleable', 'few'],
  ])('of %s refuses %s=%s', async (path, name, wanted) => {
    const { status, body } = await warehouse.ask(`GET ${path}?${name}=${wanted}`);
    expect([status, body.messageText]).toEqual([422, expect.stringContaining(`${name} must be `)]);
  });
});

/** The field of each list by which `contextLocalKey` finds a row. */
const KEYS: Readonly<Record<string, string>> = {
  '/productGroups': 'productGroupName',
  '/sellers': 'sellerNumber',
  '/globalTradeItems': 'stockKeepingUnit',
  '/products': 'productNumber',
  '/customers': 'customerNumber',
  '/suppliers': 'supplierNumber',
  '/carriers': 'carrierName',
  '/locations': 'locationNumber',
  '/reservations': 'id',
  '/auditLogEntries': 'id',
  '/shipments': 'shipmentNumber',
  '/shipmentLines': 'id',
  '/shippingContainers': 'id',
  '/returnShipments': 'returnShipmentNumber',
  '/inboundShipments': 'inboundShipmentNumber',
  '/globalTradeItemLots': 'id',
};

describe('contextLocalKey', () => {
  const unique = lists.map(({ path }) => path).filter((path) => path !== '/documents');

  it.each(unique)('finds the one row of %s that has it', async (path) => {
    const field = KEYS[path] ?? 'no field';
    const all: readonly Readonly<Record<string, string>>[] = await warehouse.call(`GET ${path}`);
    expect(all.length).toBeGreaterThan(1);
    for (const row of all.slice(0, 5)) {
      const found = await idsIn(path, `contextLocalKey=${encodeURIComponent(String(row[field]))}`);
      expect(found).toEqual([row['id']]);
    }
    expect(await idsIn(path, 'contextLocalKey=neverHeardOf')).toEqual([]);
  });

  it('finds the documents of that number, one of each type', async () => {
    const found = await idsIn('/documents', 'contextLocalKey=2&documentType=DELIVERY_NOTE');
    expect(found).toEqual([names.get('delivery note')]);
  });

  it('is described as in use, though the tables do not have it', async () => {
    const { body: document } = await read(await fetch(`${warehouse.sandbox.imsBaseUrl}/openapi.json`));
    for (const { path } of lists) {
      const parameters: readonly { name: string; description: string }[] = document.paths[path].get.parameters;
      const { description } = parameters.find(({ name }) => name === 'contextLocalKey') ?? {};
      expect(description).toContain(`\`${KEYS[path] ?? 'documentNumber'}\``);
      expect(description).toContain('although the endpoint tables do not list it');
    }
  });
});

describe('what stands in lists inside products and items', () => {
  it('is stored when they are created and shown with what it is about', async () => {
    const product = await warehouse.call(`GET /products/${names.get('stove')}`);
    expect(product.activeSubstances).toMatchObject([
      { id: expect.any(Number), productNumber: 'P-STOVE', activeSubstanceName: 'Propane', concentration: 5 },
    ]);
    expect(product.hazards).toMatchObject([{ productId: product.id, hazardCode: 'H200', localizedHazardCode: 'h200' }]);
    const set = await warehouse.call(`GET /globalTradeItems/${names.get('SET')}`);
    expect(set.bundleComponents).toMatchObject([
      {
        ...{ bundleId: set.id, bundleStockKeepingUnit: 'SET', numItems: 2, componentId: names.get('BLANKET') },
        ...{ componentStockKeepingUnit: 'BLANKET', componentProductName: 'Blanket' },
      },
    ]);
  });

  it('takes logistic variants, whose measures are numbers', async () => {
    const body = { stockKeepingUnit: 'CASE', productNumber: 'P-STOVE' };
    const logisticVariants = [{ level: 1, numItemsContained: 6, globalTradeItemNumber: '15701234567896', weight: 9.5 }];
    const { id } = await warehouse.call('POST /globalTradeItems', { ...body, logisticVariants });
    const item = await warehouse.call(`GET /globalTradeItems/${id}`);
    expect(item.logisticVariants).toMatchObject([{ ...logisticVariants[0], globalTradeItemId: id }]);
  });

  it.each([
    ['/products', { hazards: [{ hazardCode: 'HOT' }] }, /^invalid_Product: hazards\[0\].hazardCode must be one of/],
    ['/products', { hazards: [{}] }, /^invalid_Product: hazards\[0\].hazardCode is missing/],
    ['/products', { activeSubstances: 'Propane' }, /^invalid_Product: activeSubstances must be a list/],
    ['/globalTradeItems', { bundleComponents: [{ numItems: 1 }] }, /^invalid_BundleComponent: .* componentId/],
    ['/globalTradeItems', { bundleComponents: [{ componentId: 1, numItems: 1 }] }, /^unknown_GlobalTradeItem/],
    ['/globalTradeItems', { logisticVariants: [{ weight: 'heavy' }] }, /^invalid_GlobalTradeItem: .*\[0\].weight/],
  ])('is refused in %s as %j', async (path, list, words) => {
    const numbers = { stockKeepingUnit: 'X', productNumber: path === '/products' ? 'X' : 'P-STOVE', productName: 'X' };
    const { status, body } = await warehouse.ask(`POST ${path}`, {
      body: { ...numbers, productGroupName: 'Wool', ...list },
    });
    expect([status, `${body.messageCode}: ${body.messageText}`]).toEqual([422, expect.stringMatching(words)]);
  });
});
