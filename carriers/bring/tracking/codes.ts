import { statusIn, statusTable } from '../../toolkit/index.js';

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

/** How an event of Bring is read, in answers and in calls. Calls have no words. */
export const MEANING = {
  code: 'status',
  statusOf: (code: string | null) => statusIn(BRING_STATUSES, code),
  /** The same for an event that is called and for the one that is asked for: tracking does not show the ids of calls. */
  idOf: (code: string | null, at: string) =>
    code === null ? null : `${code} ${new Date(Math.floor(Date.parse(at) / 1_000) * 1_000).toISOString()}`,
} as const;
