import type { TrackingStatus } from '../../contract/index.js';
import { statusTable } from '../../toolkit/tracking/status-table.js';

/** Says nothing of where the parcel is; it is left out, where a code that nobody knows is kept. */
const ASIDE = null;

/** `status` of an event, in the Tracking API and in callbacks: this folder's README, Sources. */
export const BRING_STATUSES = statusTable<TrackingStatus | null>({
  PRE_NOTIFIED: 'registered',
  HANDED_IN: 'handed-over',
  COLLECTED: 'handed-over',
  IN_TRANSIT: 'in-transit',
  TERMINAL: 'in-transit',
  INTERNATIONAL: 'in-transit',
  CUSTOMS: 'customs',
  TRANSPORT_TO_RECIPIENT: 'out-for-delivery',
  READY_FOR_PICKUP: 'at-pickup-point',
  DELIVERED: 'delivered',
  ATTEMPTED_DELIVERY: 'delivery-failed',
  DEVIATION: 'delivery-failed', // something went wrong, and a delay is likely: a person ought to read it
  RETURN: 'returned',
  DELIVERED_SENDER: 'returned',
  // what the recipient and Bring agree on
  DELIVERY_ORDERED: ASIDE,
  DELIVERY_CHANGED: ASIDE,
  DELIVERY_CANCELLED: ASIDE,
  NOTIFICATION_SENT: ASIDE,
  UNKNOWN: ASIDE,
});

/** @returns `null`: nothing that concerns the parcel's whereabouts */
export function fromBringStatus(code: string): TrackingStatus | null {
  const status = BRING_STATUSES.get(code);
  return status === undefined ? 'unrecognised' : status;
}
