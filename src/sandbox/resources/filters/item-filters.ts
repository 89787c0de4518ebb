import type { Filters } from '../../schema/resource.js';
import { equal, match, only, value } from '../../schema/resource.js';
import type { JsonMembers } from '../../store/json.js';
import { isJsonArray } from '../../store/json.js';

const number = (row: JsonMembers, name: string) => Number(row[name] ?? 0);

/**
 * This parameter has no effect without `onlyChosenProductGroups`, so a client may keep its choice in the URL while it
 * lists all groups.
 */
const chosenProductGroups = value(
  'text',
  'of these product groups, when onlyChosenProductGroups is true: ids or names, separated by commas',
  () => true,
);

const onlyChosenProductGroups = only(
  'of the product groups in chosenProductGroups; none when nothing is chosen',
  (row, { query }) => {
    const chosen = (query.get('chosenProductGroups') ?? '').split(',').map((each) => each.trim());
    return chosen.includes(String(row['productGroupId'])) || chosen.includes(String(row['productGroupName']));
  },
);

export const productFilters: Filters = {
  activeSubstanceNameMatch: match('activeSubstances.activeSubstanceName'),
  season: equal('season'),
  productNumberMatch: match('productNumber'),
  chosenProductGroups,
  brand: equal('brand'),
  onlyChosenProductGroups,
  productNameMatch: match('productName'),
  productGroupNameMatch: match('productGroupName'),
};

export const itemFilters: Filters = {
  onlyMoreThanOneLocation: only('that are stored in more than one location', ({ lotLocationNumbers: places }) => {
    return isJsonArray(places) && places.length > 1;
  }),
  stockKeepingUnitMatch: match('stockKeepingUnit'),
  businessItemNumberMatch: match('businessItemNumber'),
  onlyChosenProductGroups,
  chosenProductGroups,
  onlyActive: only('that are active', (row) => row['active'] === true),
  locationNumberMatch: match('locationNumber', 'lotLocationNumbers'),
  itemCategoryNameMatch: match('itemCategoryName'),
  productGroupNameMatch: match('productGroupName'),
  sizeMatch: match('productVariantKey.size'),
  materialMatch: match('productVariantKey.material'),
  colorMatch: match('productVariantKey.color'),
  packagingTypeMatch: match('productVariantKey.packagingType'),
  descriptionMatch: match('productVariantKey.description', 'productVariantKey.fullDescription'),
  maxEstimatedSalesWeeks: value(
    'number',
    'whose available stock lasts at most this number of weeks, at the sales rate of the last twelve weeks',
    (row, wanted) => number(row, 'estimatedSalesWeeks') <= Number(wanted),
  ),
  inboundShipmentNumberMatch: match('inboundShipmentNumbers'),
  supplierNumberMatch: match('supplierNumber'),
  productNameMatch: match('productName'),
  onlyHasNotDrawnItems: only(
    'that were packed without being drawn from stock',
    (row) => number(row, 'numItemsNotDrawn') > 0,
  ),
  maxNumItemsSaleable: value('number', 'with at most this number of saleable pieces', (row, wanted) => {
    return number(row, 'numItemsSaleable') <= Number(wanted);
  }),
  minNumItemsSaleable: value('number', 'with at least this number of saleable pieces', (row, wanted) => {
    return number(row, 'numItemsSaleable') >= Number(wanted);
  }),
  seasonMatch: match('season'),
  hazardClassMatch: match('dangerousGoodsNumber', 'hazardousPackingGroup', 'hazards.hazardCode'),
  productNumberMatch: match('productNumber'),
  brandMatch: match('brand'),
  onlyMissing: only('with more ordered than available pieces', (row) => number(row, 'numItemsAvailable') < 0),
  onlyReorderingAllowed: only('that may be reordered', (row) => row['reorderingAllowed'] === true),
  suppliersItemNumberMatch: match('businessItemNumber'),
  globalTradeItemNumberMatch: match('globalTradeItemNumber'),
  onlyStockLevelBelowAverage: only('with fewer pieces than the mean of the two reorder levels', (row) => {
    return number(row, 'numItems') < (number(row, 'reorderLevel') + number(row, 'orderUpToLevel')) / 2;
  }),
  onlyDueForReordering: only('whose available stock is below the reorder level', (row) => {
    return number(row, 'numItemsToOrder') > 0;
  }),
};
