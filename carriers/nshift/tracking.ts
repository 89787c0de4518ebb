import type { TrackingChanges } from '../contract/index.js';
import { listAt, neededAt, neededList, numberAt, valueAt } from '../toolkit/json.js';
import { statusIn, statusTable } from '../toolkit/tracking/status-table.js';
import { parcelNumberAt, readEvents } from '../toolkit/tracking/tracking-event.js';

/** No account may ask more often. */
export const MIN_DELAY_MS = 5 * 60_000;

export const STATUSES = statusTable({
  ...{ registered: ['printed'], 'in-transit': ['dispatching', 'partdelivered'], delivered: ['delivered'] },
  ...{ 'out-for-delivery': ['outfordelivery'], 'at-pickup-point': ['delivering'] },
  ...{ returned: ['returned'], cancelled: ['cancelled'] },
});

/** A shipment has one status, which counts for each of its parcels. */
const CHANGE = { at: 'changed', code: 'status', statusOf: (code: string | null) => statusIn(STATUSES, code) };

export function fromNshiftChanges(json: unknown): TrackingChanges {
  const events = neededList(json, 'shipments').flatMap((shipment) =>
    listAt(shipment, 'parcels').flatMap((parcel) => {
      const trackingNumber = parcelNumberAt(parcel, 'parcelNo') ?? parcelNumberAt(parcel, 'returnParcelNo');
      return trackingNumber === null ? [] : readEvents([shipment], CHANGE, { trackingNumber });
    }),
  );
  const waitMs = valueAt(json, 'done') === false ? 0 : Math.max(MIN_DELAY_MS, numberAt(json, 'minDelay') ?? 0);
  return { events, cursor: neededAt(json, 'fetchId'), waitMs };
}
