import type { Ims } from '../ims.js';
import type { JsonMembers } from '../store/json.js';
import { viewOf } from '../store/kind.js';
import { linesOf } from '../stock/reserve.js';
import type { DocumentRow, ItemRow } from '../store/store.js';
import { globalTradeItems } from './items.js';
import { lots } from './lots.js';
import { shipmentLines } from './shipment-lines.js';
import { stockTakingLines } from './stock-books.js';

/** The work lists of documents. Each function gives an empty list for documents of other types. */

export function stockTakingLinesToDo(
  ims: Ims,
  { documentType, contextId, about }: DocumentRow,
): readonly JsonMembers[] {
  if (documentType !== 'STOCK_TAKING_LIST') return [];
  return ims.store.stockTakingLines
    .where(contextId, 'stockTakingId', about.stockTakingId ?? null)
    .filter((line) => line['counted'] !== true)
    .map((line) => {
      const lot = ims.store.lots.byId(Number(line['globalTradeItemLotId']));
      return { ...(lot === null ? {} : viewOf(ims, lots, lot)), ...viewOf(ims, stockTakingLines, line) };
    });
}

/** Lots that do not lie at the location of their item. */
export function lotsToPutAway(ims: Ims, { documentType, contextId }: DocumentRow): readonly JsonMembers[] {
  if (documentType !== 'PUT_AWAY_LIST') return [];
  return ims.store.lots
    .in(contextId)
    .filter((lot) => lot.numItemsRemaining > 0)
    .flatMap((lot) => {
      const item = ims.store.globalTradeItems.byId(lot.globalTradeItemId);
      const home = item?.['locationNumber'] ?? null;
      if (home === null || home === lot.locationNumber) return [];
      const toDo = {
        numItems: lot.numItemsRemaining,
        globalTradeItemLocationId: item?.['locationId'],
        globalTradeItemLocationNumber: home,
        weightEach: item?.['weight'],
        volumeEach: item?.['volume'],
      };
      return [{ ...viewOf(ims, lots, lot), ...toDo }];
    });
}

export function itemsToOrder(ims: Ims, { documentType, contextId, about }: DocumentRow): readonly JsonMembers[] {
  if (documentType !== 'ORDER_PROPOSAL') return [];
  return (about.globalTradeItemIds ?? [])
    .flatMap((id) => ims.store.globalTradeItems.find(contextId, id) ?? [])
    .map((item) => viewOf(ims, globalTradeItems, item));
}

export function linesToPack(ims: Ims, { documentType, shipmentIds }: DocumentRow): readonly JsonMembers[] {
  if (documentType !== 'PICKING_LIST' && documentType !== 'MULTI_PICKING_LIST') return [];
  return shipmentIds
    .flatMap((id) => ims.store.shipments.byId(id) ?? [])
    .filter((shipment) => shipment.cancelled !== true && typeof shipment.deliveryNoteId !== 'number')
    .flatMap((shipment) => linesOf(ims, shipment))
    .filter((line) => !line.abandoned && line.numItemsPacked < line.numItemsOrdered)
    .map((line) => viewOf(ims, shipmentLines, line));
}

/** Items with fewer pickable pieces than their replenish level. */
export function itemsToReplenish(ims: Ims, { documentType, contextId }: DocumentRow): readonly JsonMembers[] {
  if (documentType !== 'REPLENISHMENT_LIST') return [];
  return (
    ims.store.globalTradeItems
      .in(contextId)
      .map((item: ItemRow) => viewOf(ims, globalTradeItems, item))
      .filter((item) => Number(item['numItemsPickable']) < Number(item['replenishLevel'] ?? 0))
      // In this list `logisticVariants` is text of an unknown form, so it is null.
      .map((item) => ({ ...item, logisticVariants: null }))
  );
}

/** Active items that may be reordered and whose available stock is below the reorder level. */
export function itemsDue(ims: Ims, contextId: number): readonly number[] {
  return ims.store.globalTradeItems
    .in(contextId)
    .filter((item) => item['active'] === true && Number(viewOf(ims, globalTradeItems, item)['numItemsToOrder']) > 0)
    .map((item) => item.id);
}
