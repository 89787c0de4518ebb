import { globalTradeItemLotFields } from '../schema/stock-fields.js';
import type { ImsEndpoint } from '../api/endpoint.js';
import type { Ims, Kind } from '../ims.js';
import { FULL, PURCHASING } from '../api/endpoint.js';
import { timestamp } from '../schema/dates.js';
import type { JsonMembers } from '../store/json.js';
import { find } from '../store/kind.js';
import { ImsRefusal } from '../api/refusal.js';
import { restOf } from '../api/rest.js';
import { changeStock } from '../stock/change-stock.js';
import type { LotRow } from '../store/store.js';
import { lotFilters } from './filters/lot-filters.js';

const DAY_MS = 24 * 3_600_000;

/** A lot: pieces of one item that arrived together and lie at one location. */
export const lots: Kind<LotRow> = {
  resource: {
    name: 'GlobalTradeItemLot',
    fields: globalTradeItemLotFields,
    needed: ['numItemsRemaining'],
    references: [
      {
        id: 'globalTradeItemId',
        key: 'stockKeepingUnit',
        to: 'GlobalTradeItem',
        needed: true,
        shows: ['productId', 'productNumber', 'productName', 'productVariantKey', 'globalTradeItemNumber'].concat(
          'numUnitsContained',
          'productUnit',
          'standardCostPrice',
          'itemCategoryName',
          'oldWhenAgeInDaysExceeds',
        ),
      },
      { id: 'locationId', key: 'locationNumber', to: 'Location', needed: true, shows: ['zoneId', 'zoneName'] },
    ],
    defaults: { lotStatus: 'SALEABLE', numItemsPosted: 0 },
  },
  table: (store) => store.lots,
  creating: (ims, _contextId, { given }) => {
    if (Number(given['numItemsRemaining'] ?? 0) < 0)
      throw new ImsRefusal('invalid', 'GlobalTradeItemLot', 'numItemsRemaining must not be below 0.');
    return { inventorySortDate: sortDateOf(ims, given), timePlacedAtCurrentLocation: timestamp(ims) };
  },
  created: (ims, row) => {
    // A stock movement adds the pieces, so that every piece in stock belongs to a movement.
    const empty = ims.store.lots.put({ ...row, numItemsRemaining: 0 });
    const { contextId, globalTradeItemId, numItemsRemaining: numItems } = row;
    if (numItems === 0) return;
    changeStock(ims, { contextId, itemIds: [globalTradeItemId], tells: 'all' }, (move) =>
      move({ lot: empty, numItems, transactionType: 'STOCK_TAKING', because: {} }),
    );
  },
  changing: (ims, row, changes) => {
    const moves = changes['locationId'] !== undefined && changes['locationId'] !== row['locationId'];
    return moves ? { timePlacedAtCurrentLocation: timestamp(ims) } : {};
  },
  computed: (ims, row) => ({
    value: Number(row['costPrice'] ?? 0) * row.numItemsRemaining,
    ageInDays: Math.floor((ims.now().getTime() - timeOfArrival(ims, row)) / DAY_MS),
    // Only for a filter: responses do not show this field.
    stockTakingInterval: productGroupOf(ims, row)?.['stockTakingInterval'],
  }),
};

function productOf({ store }: Ims, globalTradeItemId: unknown) {
  const item = store.globalTradeItems.byId(Number(globalTradeItemId));
  return item === null ? null : store.products.byId(item.productId);
}

function productGroupOf(ims: Ims, { globalTradeItemId }: LotRow) {
  return ims.store.productGroups.byId(Number(productOf(ims, globalTradeItemId)?.['productGroupId']));
}

/**
 * When the pieces arrived, in milliseconds since 1970: the sort date if it is the date of receipt and earlier than the
 * creation of the lot, else the creation.
 */
function timeOfArrival(ims: Ims, row: LotRow): number {
  const created = Date.parse(String(row['timeCreated']));
  const mapping = productOf(ims, row.globalTradeItemId)?.['inventorySortDateMapping'];
  const came = mapping === 'DATE_RECEIVED' ? Date.parse(row.inventorySortDate) : NaN;
  return Number.isNaN(came) ? created : Math.min(came, created);
}

/**
 * The date that sorts lots for drawing, oldest first: the given one, else the expiration date if the product sorts by
 * it, else today.
 */
function sortDateOf(ims: Ims, given: JsonMembers) {
  const expires =
    productOf(ims, given['globalTradeItemId'])?.['inventorySortDateMapping'] === 'EXPIRATION_DATE'
      ? given['expirationDate']
      : null;
  const today = timestamp(ims).slice(0, 'yyyy-MM-dd'.length);
  return given['inventorySortDate'] ?? expires ?? today;
}

export function lotEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const lot = restOf(ims, lots);
  const change = lot.change('/globalTradeItemLots/:id', [FULL]);
  return [
    lot.list('/globalTradeItemLots', [FULL, PURCHASING], lotFilters(ims)),
    lot.create('/globalTradeItemLots', [FULL, PURCHASING]),
    { ...lot.create('/globalTradeItemLot', [FULL, PURCHASING]), beyondTables: 'guides' },
    lot.read('/globalTradeItemLots/:id', [FULL, PURCHASING]),
    {
      ...change,
      // A change of the lot's status changes the available stock.
      handle: (request) => {
        const { contextId, params } = request;
        const { globalTradeItemId } = find(ims, lots, { contextId, id: params['id'] });
        return changeStock(ims, { contextId, itemIds: [globalTradeItemId] }, () => change.handle(request));
      },
    },
  ];
}
