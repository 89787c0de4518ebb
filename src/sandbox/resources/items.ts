import {
  globalTradeItemFields,
  includedItemFields,
  locationFields,
  productCustomsInformationFields,
  productFields,
  productGroupFields,
} from '../schema/items-fields.js';
import type { Ims, Kind } from '../ims.js';
import type { JsonMembers } from '../store/json.js';
import { find, viewOf } from '../store/kind.js';
import { ImsRefusal } from '../api/refusal.js';
import { changeStock } from '../stock/change-stock.js';
import { levelsOf, sum } from '../stock/levels.js';
import { reserveLine } from '../stock/reserve.js';
import type { ItemRow } from '../store/store.js';
import { listsOfItem, listsOfProduct, resolveComponents, withIds } from './embedded-lists.js';

export const productGroups: Kind = {
  resource: {
    name: 'ProductGroup',
    fields: productGroupFields,
    needed: ['productGroupName'],
    unique: ['productGroupName'],
    defaults: {
      defaultProductUnit: 'PCS',
      batchNumberRequired: false,
      expirationDateRequired: false,
      countRequiredMin: 0,
    },
  },
  table: (store) => store.productGroups,
};

export const products: Kind = {
  resource: {
    name: 'Product',
    fields: productFields,
    needed: ['productNumber', 'productName'],
    unique: ['productNumber'],
    references: [{ id: 'productGroupId', key: 'productGroupName', to: 'ProductGroup', needed: true }],
    defaults: {
      productUnit: 'PCS',
      inventorySortDateMapping: 'DATE_RECEIVED',
      batchNumberRequired: false,
      expirationDateRequired: false,
      serialNumberRequired: false,
    },
  },
  table: (store) => store.products,
  creating: (ims, contextId, { given }) => withIds(ims, contextId, given, ['activeSubstances', 'hazards']),
  computed: (ims, row) => listsOfProduct(ims, row),
  children: (ims, row) => ({
    customsInformation: ims.store.productCustomsInformations
      .where(row.contextId, 'productId', row.id)
      .map((each) => viewOf(ims, productCustomsInformations, each)),
  }),
};

export const productCustomsInformations: Kind = {
  resource: {
    name: 'ProductCustomsInformation',
    fields: productCustomsInformationFields,
    needed: ['countryCode', 'tariffNumber'],
    references: [{ id: 'productId', key: 'productNumber', to: 'Product', needed: true }],
  },
  table: (store) => store.productCustomsInformations,
};

export const locations: Kind = {
  resource: {
    name: 'Location',
    fields: locationFields,
    needed: ['locationNumber'],
    unique: ['locationNumber'],
    defaults: { locationType: 'SHELF', containerTypeName: 'Shelf', containerTypeId: 1 },
  },
  table: (store) => store.locations,
  computed: (ims, row) => {
    const lots = ims.store.lots.in(row.contextId).filter((lot) => lot['locationId'] === row.id);
    const filled = lots.filter((lot) => lot.numItemsRemaining > 0);
    return {
      numGlobalTradeItemLots: filled.length,
      numGlobalTradeItems: new Set(filled.map((lot) => lot.globalTradeItemId)).size,
    };
  },
};

/** A trade item: a product in one variant and packaging, as it is bought, stocked and sold. */
export const globalTradeItems: Kind<ItemRow> = {
  resource: {
    name: 'GlobalTradeItem',
    fields: globalTradeItemFields,
    needed: ['stockKeepingUnit'],
    unique: ['stockKeepingUnit'],
    references: [
      {
        id: 'productId',
        key: 'productNumber',
        to: 'Product',
        needed: true,
        shows: [
          'productName',
          'productGroupId',
          'productGroupName',
          'productUnit',
          'harmonizedSystemCode',
          'season',
          'brand',
        ]
          .concat('productLine', 'design', 'batchNumberRequired', 'expirationDateRequired', 'serialNumberRequired')
          .concat(
            'dangerousGoodsNumber',
            'hazardousPackingGroup',
            'inventorySortDateMapping',
            'importExportText',
            'hazards',
          ),
      },
      { id: 'locationId', key: 'locationNumber', to: 'Location' },
      { id: 'supplierId', key: 'supplierNumber', to: 'Supplier' },
    ],
    defaults: { numUnitsContained: 1, stocked: true, crossDock: false, active: true, reorderingAllowed: true },
  },
  table: (store) => store.globalTradeItems,
  creating: (ims, contextId, { given }) => ({
    ...withIds(ims, contextId, given, ['logisticVariants']),
    ...withIds(ims, contextId, resolveComponents(ims, contextId, given), ['bundleComponents']),
  }),
  computed: (ims, row) => ({ ...stockOf(ims, row), ...listsOfItem(ims, row) }),
  children: (ims, row) => ({
    includedItems: ims.store.includedItems
      .where(row.contextId, 'globalTradeItemId', row.id)
      .map((each) => viewOf(ims, includedItems, each)),
  }),
  created: (ims, row) => {
    const { id: globalTradeItemId, contextId } = row;
    ims.events.emit({ contextId, type: 'globalTradeItemCreated', detail: { globalTradeItemId } });
  },
  changed: (ims, before, after) => {
    if (before.stocked !== after.stocked) reserveItem(ims, after);
  },
};

/** Updates all reservations of an item after `stocked` changed. */
function reserveItem(ims: Ims, { id, contextId }: ItemRow): void {
  changeStock(ims, { contextId, itemIds: [id] }, () => {
    for (const line of ims.store.shipmentLines.where(contextId, 'globalTradeItemId', id)) {
      const shipment = ims.store.shipments.byId(line.shipmentId);
      if (shipment !== null) reserveLine(ims, shipment, line);
    }
  });
}

/** An item that is packed along with another one, e.g. a leaflet. */
export const includedItems: Kind = {
  resource: {
    name: 'IncludedItem',
    fields: includedItemFields,
    needed: ['numItems'],
    references: [
      { id: 'globalTradeItemId', key: 'stockKeepingUnit', to: 'GlobalTradeItem', needed: true },
      {
        id: 'includedItemId',
        key: 'includedItemStockKeepingUnit',
        theirKey: 'stockKeepingUnit',
        to: 'GlobalTradeItem',
        needed: true,
      },
    ],
  },
  table: (store) => store.includedItems,
  computed: (ims, row) => {
    const item = find(ims, globalTradeItems, { contextId: row.contextId, id: row['includedItemId'] });
    const { productNumber, productName, productVariantKey } = viewOf(ims, globalTradeItems, item);
    return {
      includedItemProductNumber: productNumber,
      includedItemProductName: productName,
      includedItemProductVariantKey: productVariantKey,
    };
  },
  creating: (_ims, _contextId, { given }) => {
    if (given['includedItemId'] === given['globalTradeItemId'])
      throw new ImsRefusal('invalid', 'IncludedItem', 'An item cannot include itself.');
    return {};
  },
};

function stockOf(ims: Ims, item: ItemRow): JsonMembers {
  const levels = levelsOf(ims, item);
  const lots = ims.store.lots.where(item.contextId, 'globalTradeItemId', item.id);
  const price = Number(item['standardCostPrice'] ?? 0);
  const upTo = Number(item['orderUpToLevel'] ?? item['reorderLevel'] ?? 0);
  const isDue = item['reorderingAllowed'] === true && levels.numItemsAvailable < Number(item['reorderLevel'] ?? 0);
  return {
    ...levels,
    numItemsPickable: levels.numItemsSaleable,
    numItemsToOrder: isDue ? upTo - levels.numItemsAvailable : 0,
    value: levels.numItems * price,
    available: !item.stocked || levels.numItemsAvailable > 0,
    lotLocationNumbers: [...new Set(lots.filter((lot) => lot.numItemsRemaining > 0).map((lot) => lot.locationNumber))],
    ...historyOf(ims, item, levels.numItemsAvailable),
  };
}

const SALES_WEEKS = 12;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Fields only for filters: responses do not show them. */
function historyOf(ims: Ims, { id, contextId }: ItemRow, available: number): JsonMembers {
  const since = new Date(ims.now().getTime() - SALES_WEEKS * WEEK_MS).toISOString();
  const sold = ims.store.transactions
    .where(contextId, 'globalTradeItemId', id)
    .filter((row) => row.transactionType === 'SHIPPING' && String(row['timeMade']) >= since);
  const soldAWeek = -sum(sold.map((row) => row.numItems)) / SALES_WEEKS;
  const packed = ims.store.instances.where(contextId, 'globalTradeItemId', id).filter((row) => row['undone'] !== true);
  const notDrawn = packed.map((row) => Number(row['instanceCount']) - Number(row['numItemsDrawn']));
  const expected = ims.store.inboundShipmentLines.where(contextId, 'globalTradeItemId', id);
  return {
    estimatedSalesWeeks: soldAWeek > 0 ? available / soldAWeek : Infinity,
    numItemsNotDrawn: sum(notDrawn),
    inboundShipmentNumbers: expected.map((row) => row['inboundShipmentNumber'] ?? null),
  };
}
