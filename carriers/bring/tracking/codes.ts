import type { TrackingStatus } from '../../contract/index.js';
import { statusTable } from '../../toolkit/tracking/status-table.js';

/** `status` of an event, in the Tracking API and in callbacks: this folder's README, Sources. */
export const BRING_STATUSES = statusTable({
  registered: ['PRE_NOTIFIED'],
  'handed-over': ['HANDED_IN', 'COLLECTED'],
  'in-transit': ['IN_TRANSIT', 'TERMINAL', 'INTERNATIONAL'],
  customs: ['CUSTOMS'],
  'out-for-delivery': ['TRANSPORT_TO_RECIPIENT'],
  'at-pickup-point': ['READY_FOR_PICKUP'],
  delivered: ['DELIVERED'],
  'delivery-failed': ['ATTEMPTED_DELIVERY', 'DEVIATION'], // a deviation is likely to delay: a person ought to read it
  returned: ['RETURN', 'DELIVERED_SENDER'],
  // what the recipient and Bring agree on
  skipped: ['DELIVERY_ORDERED', 'DELIVERY_CHANGED', 'DELIVERY_CANCELLED', 'NOTIFICATION_SENT', 'UNKNOWN'],
});

/** @returns `null`: nothing that concerns the parcel's whereabouts */
export function fromBringStatus(code: string): TrackingStatus | null {
  const status = BRING_STATUSES.get(code);
  return status === undefined ? 'unrecognised' : status;
}
