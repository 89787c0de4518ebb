import { shipmentLineFields } from '../schema/outbound-fields.js';
import type { Ims, Kind } from '../ims.js';
import type { JsonMembers } from '../store/json.js';
import { ImsRefusal } from '../api/refusal.js';
import { levelsOf } from '../stock/levels.js';
import { changeStock, changedBySeller } from '../stock/change-stock.js';
import { dropReservation, reserveLine } from '../stock/reserve.js';
import type { ShipmentLineRow, ShipmentRow } from '../store/store.js';

export const shipmentLines: Kind<ShipmentLineRow> = {
  resource: {
    name: 'ShipmentLine',
    fields: shipmentLineFields,
    needed: ['numItemsOrdered'],
    references: [
      { id: 'shipmentId', key: 'shipmentNumber', to: 'Shipment', needed: true, shows: ['customerNumber'] },
      {
        id: 'globalTradeItemId',
        key: 'stockKeepingUnit',
        to: 'GlobalTradeItem',
        needed: true,
        shows: ['globalTradeItemNumber', 'productId', 'productNumber', 'productName', 'productVariantKey']
          .concat('numUnitsContained', 'productUnit', 'harmonizedSystemCode', 'importExportText')
          .concat('countryOfOriginCode', 'standardCostPrice', 'weight'),
      },
    ],
    defaults: { abandoned: false, numItemsPacked: 0, reservationId: null },
  },
  table: (store) => store.shipmentLines,
  creating: (ims, contextId, { given }) => {
    const shipment = ims.store.shipments.find(contextId, Number(given['shipmentId']));
    if (shipment !== null) refuseClosed(shipment);
    return {};
  },
  changing: (ims, row, changes) => {
    const { numItemsOrdered, abandoned } = changes;
    if (typeof numItemsOrdered === 'number' && numItemsOrdered < row.numItemsPacked)
      throw new ImsRefusal('invalid', 'ShipmentLine', `${row.numItemsPacked} pieces have been packed already.`);
    if (numItemsOrdered !== undefined || abandoned !== undefined) refuseClosed(shipmentOfLine(ims, row));
    return {};
  },
  changed: (ims, _before, after) => reserveOne(ims, after),
  removing: (ims, row) => {
    const shipment = shipmentOfLine(ims, row);
    refuseClosed(shipment);
    if (row.numItemsPacked > 0)
      throw new ImsRefusal('invalid', 'ShipmentLine', `${row.numItemsPacked} pieces have been packed already.`);
    changeStock(ims, stockOfLine(ims, shipment, row), () => dropReservation(ims, row));
  },
  computed: (ims, row) => ({ ...amountOf(row), ...fromOthers(ims, row) }),
};

/** Updates the reservation of a line, and sends the stock events that follow. */
export function reserveOne(ims: Ims, row: ShipmentLineRow): void {
  const shipment = shipmentOfLine(ims, row);
  changeStock(ims, stockOfLine(ims, shipment, row), () => reserveLine(ims, shipment, row));
}

export function shipmentOfLine(ims: Ims, line: ShipmentLineRow): ShipmentRow {
  const shipment = ims.store.shipments.byId(line.shipmentId);
  if (shipment === null) throw new Error(`line ${line.id} has no shipment`);
  return shipment;
}

/** @throws ImsRefusal when the shipment is packed or cancelled */
export function refuseClosed(shipment: ShipmentRow): void {
  const { shipmentNumber, cancelled, deliveryNoteId } = shipment;
  if (cancelled === true) throw new ImsRefusal('invalid', 'Shipment', `Shipment ${shipmentNumber} is cancelled.`);
  if (typeof deliveryNoteId === 'number')
    throw new ImsRefusal('invalid', 'Shipment', `Shipment ${shipmentNumber} has a delivery note already.`);
}

function stockOfLine(ims: Ims, order: ShipmentRow, row: ShipmentLineRow) {
  return { contextId: order.contextId, itemIds: [row.globalTradeItemId], ...changedBySeller(ims, order) };
}

function amountOf(row: ShipmentLineRow): JsonMembers {
  const { salesPrice, discountPercentage } = row;
  if (typeof salesPrice !== 'number') return {};
  const share = 1 - Number(discountPercentage ?? 0) / 100;
  return { totalAmount: Math.round(salesPrice * row.numItemsOrdered * share * 10_000) / 10_000 };
}

function fromOthers(ims: Ims, row: ShipmentLineRow): JsonMembers {
  const shipment = ims.store.shipments.byId(row.shipmentId);
  const item = ims.store.globalTradeItems.byId(row.globalTradeItemId);
  const reservation = row.reservationId === null ? null : ims.store.reservations.byId(row.reservationId);
  const numItemsAvailable = item?.stocked === true ? levelsOf(ims, item).numItemsAvailable : null;
  return {
    numItemsReserved: reservation?.numItemsReserved ?? 0,
    numItemsAvailable,
    available: numItemsAvailable === null || numItemsAvailable >= 0,
    deliveryNoteId: shipment?.deliveryNoteId,
    costOfSalesListId: shipment?.['costOfSalesListId'],
    customsTariffNumber: tariffOf(ims, row, shipment),
    // Only for filters: responses do not show this field.
    shipmentCancelled: shipment?.cancelled === true,
  };
}

/** The item's customs tariff number in the country of delivery. */
function tariffOf(ims: Ims, row: ShipmentLineRow, shipment: ShipmentRow | null): JsonMembers[string] {
  const address = shipment?.['deliveryAddress'];
  const country =
    typeof address === 'object' && address !== null && 'countryCode' in address ? address.countryCode : null;
  const item = ims.store.globalTradeItems.byId(row.globalTradeItemId);
  const tariffs = ims.store.productCustomsInformations.where(row.contextId, 'productId', item?.productId ?? null);
  return tariffs.find((tariff) => tariff['countryCode'] === country)?.['tariffNumber'];
}
