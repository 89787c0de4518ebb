import type { FilterContext, Filters } from '../../schema/resource.js';
import { equal, match, only, value, word } from '../../schema/resource.js';
import type { JsonMembers } from '../../store/json.js';

const DAY_MS = 24 * 3_600_000;

const isNone = (row: JsonMembers, name: string) => (row[name] ?? null) === null;
const dayOf = (row: JsonMembers, name: string) => String(row[name] ?? '').slice(0, 'yyyy-MM-dd'.length);

/** The UTC date `days` days from now, as `yyyy-MM-dd`. */
function dayIn(days: number, now: Date): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 'yyyy-MM-dd'.length);
}

/** Keeps rows whose date is at most this many days from now; past dates included. */
export function withinDays(field: string) {
  return (row: JsonMembers, wanted: string, { now }: FilterContext) =>
    !isNone(row, field) && dayOf(row, field) <= dayIn(Number(wanted), now);
}

export function onDay(field: string) {
  return (row: JsonMembers, wanted: string) => dayOf(row, field) === wanted;
}

/**
 * Interval name to its length in days, counted back from now. The interface does not list the intervals; these four are
 * an assumption.
 */
const COMMON_INTERVALS: Readonly<Record<string, number>> = { hour: 1 / 24, day: 1, week: 7, month: 31 };

const deliveryNoteWithinCommonTimeInterval = word(
  Object.keys(COMMON_INTERVALS),
  'whose delivery note was made in this interval, counted back from now',
  (row, wanted, { now }) => {
    const made = Date.parse(String(row['deliveryNoteTimeCreated'] ?? ''));
    return !Number.isNaN(made) && made >= now.getTime() - (COMMON_INTERVALS[wanted] ?? 0) * DAY_MS;
  },
);

export const shipmentFilters: Filters = {
  onlyNotCancelled: only('that are not cancelled', (row) => row['cancelled'] !== true),
  customerNumberMatch: match('customerNumber'),
  pickingListNumber: equal('pickingListNumber'),
  postalCodeMatch: match('deliveryAddress.postalCode'),
  onlyPartlyDelivered: only('with a delivery note for fewer pieces than were ordered', (row) => {
    return row['isPartlyDelivered'] === true;
  }),
  onlyOnHold: only('that are on hold', (row) => row['onHold'] === true),
  onlyNotOnHold: only('that are not on hold', (row) => row['onHold'] !== true),
  ourReferenceMatch: match('ourReference'),
  sellersReferenceMatch: match('sellersReference'),
  onlyNoDeliveryNote: only('without a delivery note', (row) => isNone(row, 'deliveryNoteId')),
  onlyNoPickingList: only('without a picking list', (row) => isNone(row, 'pickingListId')),
  onlyNoConsignmentNote: only('without a consignment note', (row) => isNone(row, 'consignmentNoteId')),
  carriersShipmentNumberMatch: match('carriersShipmentNumber'),
  carrierName: equal('carrierName'),
  deliveryNoteNumber: equal('deliveryNoteNumber'),
  consignmentNoteNumber: equal('consignmentNoteNumber'),
  countryCode: value('text', 'delivered to this country', (row, wanted) => {
    const address = row['deliveryAddress'];
    return (
      typeof address === 'object' && address !== null && 'countryCode' in address && address.countryCode === wanted
    );
  }),
  deliveryDate: value('date', 'to be delivered on this day', onDay('deliveryDate')),
  deliveryHorizonInDays: value(
    'days',
    'to be delivered within this number of days from today',
    withinDays('deliveryDate'),
  ),
  shippingStatus: equal('shippingStatus'),
  sellerNumberMatch: match('sellerNumber'),
  shipmentNumberMatch: match('shipmentNumber'),
  deliveryNoteWithinCommonTimeInterval,
  onlyPackingFinished: only('of which every piece is packed, or with a delivery note', (row) => {
    return row['isPacked'] === true || !isNone(row, 'deliveryNoteId');
  }),
  dateDeliveryNoteCreated: value('date', 'whose delivery note was made on this day', onDay('deliveryNoteTimeCreated')),
  deliveryAddressMatch: match('deliveryAddress'),
};

export const shipmentLineFilters: Filters = {
  onlyNotAvailable: only('whose pieces are not all in stock', (row) => row['available'] === false),
  customerNumberMatch: match('customerNumber'),
  onlyNoDeliveryNote: only('of shipments without a delivery note', (row) => isNone(row, 'deliveryNoteId')),
  onlyNotCancelled: only('of shipments that are not cancelled', (row) => row['shipmentCancelled'] !== true),
  stockKeepingUnitMatch: match('stockKeepingUnit'),
  globalTradeItemNumber: equal('globalTradeItemNumber'),
  shipmentNumberMatch: match('shipmentNumber'),
  onlyShowAbandoned: only('that were abandoned', (row) => row['abandoned'] === true),
};

export const containerFilters: Filters = {
  trackingNumberMatch: match('trackingNumber'),
  customerNumberMatch: match('customerNumber'),
};

export const reservationFilters: Filters = {
  onlyOpen: only('with pieces that are still reserved', (row) => Number(row['numItemsReserved']) > 0),
  onlyNotAvailable: only(
    'of items with more ordered than available pieces',
    (row) => Number(row['numItemsAvailable']) < 0,
  ),
  onlyBundles: only('of bundles', (row) => row['isBundle'] === true),
  stockKeepingUnitMatch: match('stockKeepingUnit'),
  shipmentNumberMatch: match('shipmentNumbers'),
  textMatch: match('text'),
  onlyNoShipmentLines: only('without a shipment line', (row) => row['numShipmentLines'] === 0),
};
