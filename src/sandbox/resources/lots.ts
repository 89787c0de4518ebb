import { globalTradeItemLotFields } from '../declarations/stock-fields.js';
import type { Filters } from '../declare/resource.js';
import { equal, match, only, value } from '../declare/resource.js';
import type { Endpoint, Ims } from '../endpoint.js';
import { FULL, PURCHASING, timestamp } from '../endpoint.js';
import type { JsonObject } from '../json.js';
import type { Kind } from '../kind.js';
import { find } from '../kind.js';
import { Refusal } from '../refusal.js';
import { restOf } from '../rest.js';
import { changeStock } from '../stock/change-stock.js';
import type { LotRow } from '../store.js';

const DAY_MS = 24 * 3_600_000;

/** Pieces of one item that lie in one place and came together. */
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
        ),
      },
      { id: 'locationId', key: 'locationNumber', to: 'Location', needed: true, shows: ['zoneId', 'zoneName'] },
    ],
    defaults: { lotStatus: 'SALEABLE', numItemsPosted: 0 },
  },
  table: (store) => store.lots,
  creating: (ims, _contextId, { given }) => {
    if (Number(given['numItemsRemaining'] ?? 0) < 0)
      throw new Refusal('invalid', 'GlobalTradeItemLot', 'numItemsRemaining must not be below 0.');
    return { inventorySortDate: sortDateOf(ims, given), timePlacedAtCurrentLocation: timestamp(ims) };
  },
  created: (ims, row) => {
    // The pieces come by a movement like any other, so that every piece has one.
    const empty = ims.store.lots.put({ ...row, numItemsRemaining: 0 });
    const { contextId, globalTradeItemId, numItemsRemaining: numItems } = row;
    if (numItems === 0) return;
    changeStock(ims, { contextId, itemIds: [globalTradeItemId] }, (move) =>
      move({ lot: empty, numItems, transactionType: 'STOCK_TAKING', because: {} }),
    );
  },
  changing: (ims, row, changes) => {
    const moves = changes['locationId'] !== undefined && changes['locationId'] !== row['locationId'];
    return moves ? { timePlacedAtCurrentLocation: timestamp(ims) } : {};
  },
  computed: (ims, row) => ({
    value: Number(row['costPrice'] ?? 0) * row.numItemsRemaining,
    ageInDays: Math.floor((ims.now().getTime() - Date.parse(String(row['timeCreated']))) / DAY_MS),
  }),
};

/** By which pieces are drawn in order: the day they came, or the day they expire. */
function sortDateOf(ims: Ims, given: JsonObject) {
  const item = ims.store.globalTradeItems.byId(Number(given['globalTradeItemId']));
  const product = item === null ? null : ims.store.products.byId(item.productId);
  const expires = product?.['inventorySortDateMapping'] === 'EXPIRATION_DATE' ? given['expirationDate'] : null;
  const today = timestamp(ims).slice(0, 'yyyy-MM-dd'.length);
  return given['inventorySortDate'] ?? expires ?? today;
}

const number = (row: JsonObject, name: string) => Number(row[name] ?? 0);

/** Days from now until the date of a field; `null` without one. */
function daysUntil(row: JsonObject, name: string, now: Date): number | null {
  const time = Date.parse(String(row[name] ?? ''));
  return Number.isNaN(time) ? null : Math.ceil((time - now.getTime()) / DAY_MS);
}

function daysSince(row: JsonObject, name: string, now: Date): number {
  const days = daysUntil(row, name, now);
  return days === null ? Infinity : -days;
}

const expiresWithin = (row: JsonObject, wanted: string, now: Date) =>
  (daysUntil(row, 'expirationDate', now) ?? Infinity) <= Number(wanted);

const STOCK_TAKING_DAYS = 365;
const OLD_DAYS = 365;

const lotFilters: Filters = {
  onlyDueForStockTaking: only(`that were not counted within ${STOCK_TAKING_DAYS} days`, (row, now) => {
    const last = row['timeLastStockTaking'] ? 'timeLastStockTaking' : 'timeCreated';
    return daysSince(row, last, now) >= STOCK_TAKING_DAYS;
  }),
  maxNumItemsRemaining: value('number', 'with at most so many pieces', (row, wanted) => {
    return number(row, 'numItemsRemaining') <= Number(wanted);
  }),
  maxNumItemsPosted: value('number', 'with at most so many pieces in the accounts', (row, wanted) => {
    return number(row, 'numItemsPosted') <= Number(wanted);
  }),
  productNumberMatch: match('productNumber'),
  onlyRemaining: only('with pieces left', (row) => number(row, 'numItemsRemaining') > 0),
  batchNumberMatch: match('batchNumber'),
  globalTradeItemNumber: equal('globalTradeItemNumber'),
  stockKeepingUnitMatch: match('stockKeepingUnit'),
  trackingNumberMatch: match('trackingNumber'),
  onlyValue: only('that are worth something', (row) => number(row, 'value') > 0),
  onlyOld: only(`that are older than ${OLD_DAYS} days`, (row) => number(row, 'ageInDays') > OLD_DAYS),
  locationNumberMatch: match('locationNumber'),
  itemCategoryNameMatch: match('itemCategoryName'),
  daysToExpirationDate: value('days', 'that expire within so many days', expiresWithin),
  daysToBestBeforeDate: value('days', 'that expire within so many days: there is one such date only', expiresWithin),
  sizeMatch: match('productVariantKey.size'),
  productNameMatch: match('productName'),
  inventorySortDateBefore: value('date', 'whose sort date is before this day', (row, wanted) => {
    return String(row['inventorySortDate']) < wanted;
  }),
  minDaysSinceLastStockTaking: value('days', 'that were not counted for at least so many days', (row, wanted, now) => {
    return daysSince(row, 'timeLastStockTaking', now) >= Number(wanted);
  }),
  lotStatus: equal('lotStatus'),
  onlyNotPickable: only('that cannot be drawn from', (row) => row['lotStatus'] !== 'SALEABLE'),
};

export function lotEndpoints(ims: Ims): readonly Endpoint[] {
  const lot = restOf(ims, lots);
  const change = lot.change('/globalTradeItemLots/:id', [FULL]);
  return [
    lot.list('/globalTradeItemLots', [FULL, PURCHASING], lotFilters),
    lot.create('/globalTradeItemLots', [FULL, PURCHASING]),
    { ...lot.create('/globalTradeItemLot', [FULL, PURCHASING]), beyondTables: 'guides' },
    lot.read('/globalTradeItemLots/:id', [FULL, PURCHASING]),
    {
      ...change,
      // Another status changes what is available.
      handle: (request) => {
        const { contextId, params } = request;
        const { globalTradeItemId } = find(ims, lots, { contextId, id: params['id'] });
        return changeStock(ims, { contextId, itemIds: [globalTradeItemId] }, () => change.handle(request));
      },
    },
  ];
}
