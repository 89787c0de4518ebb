import type { Filters } from '../../schema/resource.js';
import { equal, match, only, value } from '../../schema/resource.js';
import type { ImsEndpoint } from '../../api/endpoint.js';
import type { Ims } from '../../ims.js';
import { FULL, PURCHASING, PURCHASING_TYPO, SALES } from '../../api/endpoint.js';
import type { JsonMembers } from '../../store/json.js';
import { find } from '../../store/kind.js';
import { restOf } from '../../api/rest.js';
import { inboundShipmentLines, inboundShipments, returnShipments } from '../inbound.js';
import { onDay, withinDays } from '../filters/shipment-filters.js';
import { transactions } from '../stock-books.js';

const isNone = (row: JsonMembers, name: string) => (row[name] ?? null) === null;

const inboundFilters: Filters = {
  onlyWithPurchaseOrder: only('with a purchase order', (row) => !isNone(row, 'purchaseOrderId')),
  onlyNoPurchaseOrder: only('without a purchase order', (row) => isNone(row, 'purchaseOrderId')),
  purchaseOrderNumber: equal('purchaseOrderNumber'),
  deliveryHorizon: value('days', 'expected within this number of days from today', withinDays('expectedTimeOfArrival')),
  onlyNoGoodsReceipt: only('without a goods receipt', (row) => isNone(row, 'goodsReceiptId')),
  onlyNoCostVarianceList: only('without a cost variance list', (row) => isNone(row, 'costVarianceListId')),
  onlyExpectedToday: only('expected today', (row, { now }) =>
    onDay('expectedTimeOfArrival')(row, now.toISOString().slice(0, 'yyyy-MM-dd'.length)),
  ),
  invoiceNumberMatch: match('invoiceNumber'),
  supplierAddressMatch: match('supplierAddress'),
  deliveryNoteNumberMatch: match('deliveryNoteNumber'),
  inboundShipmentNumberMatch: match('inboundShipmentNumber'),
  dateGoodsReceiptCreated: value('date', 'whose goods receipt was made on this day', onDay('goodsReceiptTimeCreated')),
  supplierNumberMatch: match('supplierNumber'),
  deliveryAddressMatch: match('deliveryAddress'),
};

const returnFilters: Filters = {
  customerNumberMatch: match('customerNumber'),
  onlyNoReturnReceipt: only('without a return receipt', (row) => isNone(row, 'returnReceiptId')),
  returnShipmentNumberMatch: match('returnShipmentNumber'),
};

export function inboundEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const inbound = restOf(ims, inboundShipments);
  const path = '/inboundShipments';
  const readers = [PURCHASING, FULL];
  return [
    inbound.list(path, readers, inboundFilters),
    inbound.create(path, readers),
    inbound.read(`${path}/:id`, readers),
    inbound.remove(`${path}/:id`, readers),
    inbound.change(`${path}/:id`, readers),
    restOf(ims, transactions).listOf(`${path}/:id/inventoryTransactions`, [PURCHASING_TYPO, FULL], (request) => {
      const { contextId, params } = request;
      const { id } = find(ims, inboundShipments, { contextId, id: params['id'] });
      return ims.store.transactions.where(contextId, 'inboundShipmentId', id);
    }),
    restOf(ims, inboundShipmentLines).create('/inboundShipmentLines', [FULL, SALES]),
    ...returnEndpoints(ims),
  ];
}

function returnEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const returned = restOf(ims, returnShipments);
  const path = '/returnShipments';
  return [
    returned.list(path, [SALES, FULL], returnFilters),
    returned.create(path, [SALES, FULL]),
    returned.read(`${path}/:id`, [FULL, SALES]),
    returned.remove(`${path}/:id`, [FULL, SALES]),
    returned.change(`${path}/:id`, [FULL, SALES]),
    returned.set(`${path}/:id/:attribute`, [SALES, FULL]),
  ];
}
