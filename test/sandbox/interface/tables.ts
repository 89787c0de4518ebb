/**
 * The interface's tables of endpoints as data, row by row as they are described. Nothing here is taken from the
 * stand-in: where the two differ, the stand-in is wrong.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Any one of them admits; `key only`: no token is asked for. */
export type Scopes = readonly string[] | 'key only';

/** One method of one path. */
export interface Operation {
  readonly method: Method;
  /** With `{id}` and `{attribute}` for what varies. */
  readonly path: string;
  readonly scopes: Scopes;
  /** What an id in the path names, as in the codes of refusals; `null` without such an id. */
  readonly resource: string | null;
  /** Query parameters that narrow its list. */
  readonly filters: readonly string[];
}

interface PathRow {
  readonly resource?: string;
  readonly filters?: readonly string[];
  readonly GET?: Scopes;
  readonly POST?: Scopes;
  readonly PUT?: Scopes;
  readonly PATCH?: Scopes;
  readonly DELETE?: Scopes;
}

const S = 'api/sales';
const F = 'api/full';
const P = 'api/purchasing';
const Fc = 'api/forecasting';
const A = 'api/accounting';
const C = 'api/consignment';
const KEY_ONLY = 'key only';

/** Two scopes are misspelt in the tables; this is what is meant. */
export const MEANT: Readonly<Record<string, string>> = { 'api/consigment': C, 'api/purchase': P };

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

const globalTradeItemFilters = words(`
  onlyMoreThanOneLocation stockKeepingUnitMatch businessItemNumberMatch onlyChosenProductGroups onlyActive
  locationNumberMatch itemCategoryNameMatch productGroupNameMatch sizeMatch maxEstimatedSalesWeeks materialMatch
  maxNumRows inboundShipmentNumberMatch piggyback supplierNumberMatch productNameMatch onlyHasNotDrawnItems
  maxNumItemsSaleable packagingTypeMatch seasonMatch descriptionMatch hazardClassMatch productNumberMatch
  chosenProductGroups brandMatch onlyMissing firstRow colorMatch onlyReorderingAllowed suppliersItemNumberMatch
  globalTradeItemNumberMatch onlyStockLevelBelowAverage onlyDueForReordering minNumItemsSaleable`);

const productFilters = words(`
  activeSubstanceNameMatch season productNumberMatch chosenProductGroups brand piggyback onlyChosenProductGroups
  productNameMatch productGroupNameMatch`);

const reservationFilters = words(`
  onlyOpen onlyNotAvailable onlyBundles stockKeepingUnitMatch shipmentNumberMatch textMatch onlyNoShipmentLines`);

const shipmentFilters = words(`
  onlyNotCancelled customerNumberMatch pickingListNumber postalCodeMatch onlyPartlyDelivered onlyOnHold
  ourReferenceMatch sellersReferenceMatch onlyNoDeliveryNote carriersShipmentNumberMatch onlyNotOnHold carrierName
  piggyback deliveryNoteNumber countryCode deliveryDate shippingStatus deliveryHorizonInDays onlyNoPickingList
  sellerNumberMatch shipmentNumberMatch onlyNoConsignmentNote firstRow deliveryNoteWithinCommonTimeInterval
  onlyPackingFinished dateDeliveryNoteCreated deliveryAddressMatch consignmentNoteNumber`);

const shipmentLineFilters = words(`
  onlyNotAvailable customerNumberMatch onlyNoDeliveryNote onlyNotCancelled stockKeepingUnitMatch
  globalTradeItemNumber shipmentNumberMatch onlyShowAbandoned`);

const returnShipmentFilters = words(`
  piggyback customerNumberMatch maxNumRows onlyNoReturnReceipt returnShipmentNumberMatch firstRow`);

const inboundShipmentFilters = words(`
  onlyWithPurchaseOrder deliveryHorizon onlyNoGoodsReceipt onlyExpectedToday firstRow purchaseOrderNumber
  onlyNoPurchaseOrder invoiceNumberMatch supplierAddressMatch onlyNoCostVarianceList deliveryNoteNumberMatch
  maxNumRows inboundShipmentNumberMatch dateGoodsReceiptCreated piggyback supplierNumberMatch deliveryAddressMatch`);

const lotFilters = words(`
  onlyDueForStockTaking maxNumItemsRemaining productNumberMatch maxNumItemsPosted onlyRemaining batchNumberMatch
  globalTradeItemNumber stockKeepingUnitMatch trackingNumberMatch onlyValue onlyOld locationNumberMatch
  itemCategoryNameMatch daysToExpirationDate sizeMatch daysToBestBeforeDate productNameMatch inventorySortDateBefore
  minDaysSinceLastStockTaking lotStatus onlyNotPickable`);

const documentFilters = words('onlyCancelled workStatus onlyNotCancelled documentType documentNumber');

const itemsAndMasterData: Readonly<Record<string, PathRow>> = {
  '/productGroups': { GET: [S, F, P], POST: [S, F, P] },
  '/sellers': { GET: [S, F], filters: ['sellerNumberMatch'] },
  '/sellers/{id}': { GET: [S, F], resource: 'Seller' },
  '/sellers/{id}/dataDocument': { PATCH: [F], resource: 'Seller' },
  '/globalTradeItems': { GET: [S, F, P, Fc], POST: [S, F], filters: globalTradeItemFilters },
  '/globalTradeItems/{id}': { GET: [S, P, F, Fc], PATCH: [S, F], resource: 'GlobalTradeItem' },
  '/globalTradeItems/{id}/{attribute}': { PUT: [S, P, F], resource: 'GlobalTradeItem' },
  '/globalTradeItems/{id}/attachments': { GET: KEY_ONLY, resource: 'GlobalTradeItem' },
  '/globalTradeItems/{id}/includedItems': { POST: [S, P, F], resource: 'GlobalTradeItem' },
  // No scope is listed here at all: taken as one where only the key is listed.
  '/includedItems': { POST: KEY_ONLY },
  '/products': { GET: [S, P, F], POST: [S, P, F], filters: productFilters },
  '/products/{id}': { GET: [S, P, F], PATCH: [S, F], resource: 'Product' },
  '/products/{id}/{attribute}': { PUT: [S, P, F], resource: 'Product' },
  '/productCustomsInformations': { POST: [F, S] },
  '/customers': {
    GET: [S, F],
    POST: [S, F],
    filters: ['globalLocationNumberMatch', 'addressMatch', 'customerNumberMatch'],
  },
  '/customers/{id}': { GET: [S, F], resource: 'Customer' },
  '/customers/{id}/{attribute}': { PUT: KEY_ONLY, resource: 'Customer' },
  '/suppliers': { GET: [P, F], POST: [P, F], filters: ['supplierNumberMatch', 'addressMatch'] },
  '/suppliers/{id}': { GET: [P, F], resource: 'Supplier' },
  '/carriers': { GET: [F], POST: [F] },
  '/locations': { GET: [F], POST: [F] },
  '/reservations': { GET: [S, F], filters: reservationFilters },
  '/contexts/{id}': { GET: [F, S, P, C], resource: 'Context' },
  '/contexts/{id}/dataDocument': { PATCH: [F], resource: 'Context' },
  '/stockTakings/{id}': { GET: [S, P, F], resource: 'StockTaking' },
  '/auditLogEntries': { GET: [F], filters: ['idGreaterThan', 'entityName', 'maxNumRows', 'type'] },
  '/events/{id}/messages': { POST: [S, P, F, 'api/consigment'], resource: 'Event' },
};

const outbound: Readonly<Record<string, PathRow>> = {
  '/shipments': { GET: [S, P, C, F], POST: [S, F], filters: shipmentFilters },
  '/shipments/{id}': { GET: [S, F, C], DELETE: [S, F], PATCH: [F, S], resource: 'Shipment' },
  '/shipments/{id}/{attribute}': { PUT: [S, F], resource: 'Shipment' },
  '/shipments/{id}/deliveryNote': { GET: [S, F], resource: 'Shipment' },
  '/shipments/{id}/attachments': { POST: [F], resource: 'Shipment' },
  '/shipments/{id}/inventoryTransactions': { GET: [F, P, S], resource: 'Shipment' },
  '/shipments/{id}/globalTradeItemInstances': { GET: [F, S], resource: 'Shipment' },
  '/shipmentLines': { GET: [S, F], POST: [S, F], filters: shipmentLineFilters },
  '/shipmentLines/{id}': { DELETE: [F, S], PATCH: [S, F], resource: 'ShipmentLine' },
  '/shipmentLines/{id}/{attribute}': { PUT: KEY_ONLY, resource: 'ShipmentLine' },
  '/shippingContainers': { GET: [S, F], POST: [S, F], filters: ['trackingNumberMatch', 'customerNumberMatch'] },
  '/shippingContainers/{id}': { GET: [S, F], DELETE: [S, F], PATCH: [F, C], resource: 'ShippingContainer' },
  '/shippingContainers/{id}/{attribute}': { PUT: [S, F], resource: 'ShippingContainer' },
  '/returnShipments': { GET: [S, F], POST: [S, F], filters: returnShipmentFilters },
  '/returnShipments/{id}': { GET: [F, S], DELETE: [F, S], PATCH: [F, S], resource: 'ReturnShipment' },
  '/returnShipments/{id}/{attribute}': { PUT: [S, F], resource: 'ReturnShipment' },
};

const inboundStockAndDocuments: Readonly<Record<string, PathRow>> = {
  '/inboundShipments': { GET: [P, F], POST: [P, F], filters: inboundShipmentFilters },
  '/inboundShipments/{id}': { GET: [P, F], DELETE: [P, F], PATCH: [F, P], resource: 'InboundShipment' },
  '/inboundShipments/{id}/inventoryTransactions': { GET: ['api/purchase', F], resource: 'InboundShipment' },
  '/inboundShipmentLines': { POST: [F, S] },
  '/globalTradeItemLots': { GET: [F, P], POST: [F, P], filters: lotFilters },
  '/globalTradeItemLots/{id}': { GET: [F, P], PATCH: [F], resource: 'GlobalTradeItemLot' },
  '/documents': { GET: [S, P, F], filters: documentFilters },
  '/documents/{id}': { GET: [A, S, P, F], PATCH: [F, S], resource: 'Document' },
  '/documents/{id}/{attribute}': { PUT: [F], resource: 'Document' },
  '/documents/{id}/attachments': { POST: [F], resource: 'Document' },
  '/documents/{id}/stockTakingLinesToDo': { GET: [F], resource: 'Document' },
  '/documents/{id}/globalTradeItemLotsToPutAway': { GET: [F], resource: 'Document' },
  '/documents/{id}/globalTradeItemsToOrder': { GET: [P, F], resource: 'Document' },
  '/documents/{id}/shipmentLinesToPack': { GET: [F], resource: 'Document' },
  '/documents/{id}/inventoryPostings': { GET: [A, F], resource: 'Document' },
  '/documents/{id}/globalTradeItemsToReplenish': { GET: [F], resource: 'Document' },
};

const invocations: Readonly<Record<string, PathRow>> = {
  '/invocations/pack': { POST: [S, F] },
  '/invocations/createDeliveryNote': { POST: [S, F] },
  '/invocations/createTransportBooking': { POST: [S, F] },
  '/invocations/createCostOfSalesList': { POST: [S, F] },
  '/invocations/createReturnReceipt': { POST: [S, F] },
  '/invocations/receiveReturnedToExistingLot': { POST: [F, S] },
  '/invocations/receiveReturnedToNewLot': { POST: [S, F] },
  '/invocations/receiveToExistingLot': { POST: [P, F] },
  '/invocations/receiveToNewLot': { POST: [P, F] },
  '/invocations/createGoodsReceipt': { POST: [P, F] },
  '/invocations/createOrderProposal': { POST: [P, F] },
  '/invocations/countGlobalTradeItemLot': { POST: [S, P, F] },
  '/invocations/createAdjustmentList': { POST: [S, P, F] },
  '/invocations/splitToNewLot': { POST: [F] },
  '/invocations/splitToExistingLot': { POST: [F] },
  '/invocations/printDocument': { POST: [F] },
  '/invocations/printResource': { POST: [F] },
};

/** As integration guides spell some of them; the scopes are those of the formal path they stand for. */
const guides: Readonly<Record<string, PathRow>> = {
  '/globalTradeItemLot': { POST: [F, P] },
  '/eventMessages': { POST: [S, P, F, 'api/consigment'] },
  '/invocations/receive': { POST: [P, F] },
  '/invocations/receiveReturned': { POST: [S, F] },
  '/shipments': { PATCH: [F, S] },
  '/shippingContainers': { PATCH: [F, C] },
};

function operationsOf(table: Readonly<Record<string, PathRow>>): readonly Operation[] {
  return Object.entries(table).flatMap(([path, { resource = null, filters = [], ...methods }]) =>
    METHODS.flatMap((method) => {
      const scopes = methods[method];
      return scopes === undefined ? [] : [{ method, path, scopes, resource, filters: method === 'GET' ? filters : [] }];
    }),
  );
}

/** Every method of every path of the formal tables. */
export const formalOperations: readonly Operation[] = [
  itemsAndMasterData,
  outbound,
  inboundStockAndDocuments,
  invocations,
].flatMap(operationsOf);

/** The spellings of the integration guides. Where they change a resource, its `id` is in the body. */
export const guideOperations: readonly Operation[] = operationsOf(guides);

export const allOperations: readonly Operation[] = [...formalOperations, ...guideOperations];

/** `GET /shipments` */
export function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Whether its answer is an array of rows. */
export function isList({ method, path }: Operation): boolean {
  return method === 'GET' && !path.endsWith('/{id}') && !path.endsWith('/deliveryNote');
}

export function hasBody({ method }: Operation): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/** A value that a query parameter of this name can have. */
export function plausibleValue(filter: string): string {
  const own = PLAUSIBLE[filter];
  if (own !== undefined) return own;
  if (filter.startsWith('only') || filter === 'piggyback') return 'true';
  if (filter.endsWith('Match')) return 'nor';
  if (/date/i.test(filter) && !filter.startsWith('days')) return '2026-03-02';
  return '1';
}

const PLAUSIBLE: Readonly<Record<string, string>> = {
  chosenProductGroups: 'Tents',
  season: 'Summer',
  brand: 'Fjord',
  carrierName: 'GLS',
  countryCode: 'DK',
  shippingStatus: 'NEW',
  deliveryNoteWithinCommonTimeInterval: 'week',
  globalTradeItemNumber: '5701234567899',
  lotStatus: 'SALEABLE',
  workStatus: 'PENDING',
  documentType: 'DELIVERY_NOTE',
  entityName: 'Shipment',
  type: 'CREATE',
};
