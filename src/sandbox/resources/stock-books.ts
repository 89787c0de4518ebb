import {
  inventoryPostingFields,
  inventoryTransactionFields,
  stockTakingFields,
  stockTakingLineFields,
} from '../schema/stock-fields.js';
import type { Kind } from '../ims.js';
import { show } from '../store/kind.js';
import type { TransactionRow } from '../store/store.js';

const OF_ITEM = ['productId', 'productNumber', 'productName', 'productVariantKey', 'globalTradeItemNumber'];

/** Stock movements. Only the service writes them. */
export const transactions: Kind<TransactionRow> = {
  resource: {
    name: 'InventoryTransaction',
    fields: inventoryTransactionFields,
    references: [
      {
        id: 'globalTradeItemId',
        key: 'stockKeepingUnit',
        to: 'GlobalTradeItem',
        shows: [...OF_ITEM, 'harmonizedSystemCode', 'numUnitsContained', 'productUnit'],
      },
    ],
  },
  table: (store) => store.transactions,
  computed: (ims, row) => {
    const price = Number(ims.store.globalTradeItems.byId(row.globalTradeItemId)?.['standardCostPrice'] ?? 0);
    return { value: price * row.numItems };
  },
};

/** Postings of documents to the inventory accounts. Only the service writes them. */
export const postings: Kind = {
  resource: {
    name: 'InventoryPosting',
    fields: inventoryPostingFields,
    references: [
      {
        id: 'globalTradeItemId',
        key: 'stockKeepingUnit',
        to: 'GlobalTradeItem',
        shows: [...OF_ITEM, 'productGroupId', 'productGroupName'],
      },
    ],
  },
  table: (store) => store.postings,
};

export const stockTakings: Kind = {
  resource: { name: 'StockTaking', fields: stockTakingFields, unique: ['stockTakingNumber'] },
  table: (store) => store.stockTakings,
  children: (ims, row) => ({
    stockTakingLines: ims.store.stockTakingLines
      .where(row.contextId, 'stockTakingId', row.id)
      .map((line) => show(ims, stockTakingLines, line)),
  }),
};

export const stockTakingLines: Kind = {
  resource: {
    name: 'StockTakingLine',
    fields: stockTakingLineFields,
    references: [
      { id: 'globalTradeItemId', key: 'stockKeepingUnit', to: 'GlobalTradeItem', shows: OF_ITEM },
      {
        id: 'globalTradeItemLotId',
        key: 'globalTradeItemLotId',
        theirKey: 'id',
        to: 'GlobalTradeItemLot',
        shows: ['batchNumber', 'expirationDate', 'locationNumber', 'inventorySortDate', 'lotStatus'],
      },
      { id: 'stockTakingId', key: 'stockTakingNumber', to: 'StockTaking', shows: ['stockTakingType'] },
    ],
  },
  table: (store) => store.stockTakingLines,
};
