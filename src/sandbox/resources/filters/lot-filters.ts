import type { FilterContext, Filters } from '../../schema/resource.js';
import { equal, match, only, value } from '../../schema/resource.js';
import type { Ims } from '../../ims.js';
import type { JsonMembers } from '../../store/json.js';

const DAY_MS = 24 * 3_600_000;
/** The number of days when neither the item nor its product group gives one. */
const USUAL_DAYS = 365;

const number = (row: JsonMembers, name: string) => Number(row[name] ?? 0);

/** Days from now until the date in a field, rounded up; `null` when the field has no date. */
function daysUntil(row: JsonMembers, name: string, { now }: FilterContext): number | null {
  const time = Date.parse(String(row[name] ?? ''));
  return Number.isNaN(time) ? null : Math.ceil((time - now.getTime()) / DAY_MS);
}

const expiresWithin = (row: JsonMembers, wanted: string, asked: FilterContext) =>
  (daysUntil(row, 'expirationDate', asked) ?? Infinity) <= Number(wanted);

/** Whole days since the lot was last counted; `null` when it never was. */
function daysSinceCounted(row: JsonMembers, asked: FilterContext): number | null {
  const days = daysUntil(row, 'timeLastStockTaking', asked);
  return days === null ? null : -days;
}

export function lotFilters(ims: Ims): Filters {
  return {
    ...ofItems,
    ...ofAge,
    maxNumItemsRemaining: value('number', 'with at most this number of pieces', (row, wanted) => {
      return number(row, 'numItemsRemaining') <= Number(wanted);
    }),
    maxNumItemsPosted: value('number', 'with at most this number of pieces in the accounts', (row, wanted) => {
      return number(row, 'numItemsPosted') <= Number(wanted);
    }),
    onlyRemaining: only('with pieces left', (row) => number(row, 'numItemsRemaining') > 0),
    onlyValue: only('with a value above 0', (row) => number(row, 'value') > 0),
    batchNumberMatch: match('batchNumber'),
    locationNumberMatch: match('locationNumber'),
    lotStatus: equal('lotStatus'),
    onlyNotPickable: only('that cannot be picked from', (row) => row['lotStatus'] !== 'SALEABLE'),
    trackingNumberMatch: value(
      'text',
      'from which pieces were drawn for a shipment with a parcel whose tracking number contains this text',
      (row, wanted) => trackingNumbersOf(ims, row).some((each) => each.includes(wanted.toLowerCase())),
    ),
  };
}

/**
 * The tracking numbers of all parcels of the shipments that pieces of the lot were drawn for, in lower case; a lot has
 * none of its own.
 */
function trackingNumbersOf({ store }: Ims, { id, contextId }: JsonMembers): readonly string[] {
  const drawn = store.transactions.where(Number(contextId), 'globalTradeItemLotId', Number(id));
  const shipmentIds = new Set(drawn.flatMap(({ shipmentId }) => (typeof shipmentId === 'number' ? [shipmentId] : [])));
  const containers = [...shipmentIds].flatMap((each) =>
    store.shippingContainers.where(Number(contextId), 'shipmentId', each),
  );
  return containers.flatMap(({ trackingNumber }) =>
    typeof trackingNumber === 'string' ? [trackingNumber.toLowerCase()] : [],
  );
}

const ofItems: Filters = {
  productNumberMatch: match('productNumber'),
  globalTradeItemNumber: equal('globalTradeItemNumber'),
  stockKeepingUnitMatch: match('stockKeepingUnit'),
  itemCategoryNameMatch: match('itemCategoryName'),
  sizeMatch: match('productVariantKey.size'),
  productNameMatch: match('productName'),
};

const ofAge: Filters = {
  onlyDueForStockTaking: only(
    `that were not counted for the days in the product group's \`stockTakingInterval\`, or ${USUAL_DAYS} days`,
    (row, asked) => {
      const days = daysSinceCounted(row, asked) ?? number(row, 'ageInDays');
      return days >= Number(row['stockTakingInterval'] ?? USUAL_DAYS);
    },
  ),
  onlyOld: only(
    `that are older than the days in the item's \`oldWhenAgeInDaysExceeds\`, or ${USUAL_DAYS} days`,
    (row) => number(row, 'ageInDays') > Number(row['oldWhenAgeInDaysExceeds'] ?? USUAL_DAYS),
  ),
  daysToExpirationDate: value('days', 'that expire within this number of days', expiresWithin),
  daysToBestBeforeDate: value(
    'days',
    'that expire within this number of days; a lot has one date for both',
    expiresWithin,
  ),
  inventorySortDateBefore: value('date', 'whose sort date is before this day', (row, wanted) => {
    return String(row['inventorySortDate']).slice(0, wanted.length) < wanted;
  }),
  minDaysSinceLastStockTaking: value(
    'days',
    'that were not counted for at least this number of days',
    (row, wanted, asked) => {
      return (daysSinceCounted(row, asked) ?? Infinity) >= Number(wanted);
    },
  ),
};
