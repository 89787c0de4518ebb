import type { TrackingStatus } from '../../contract/index.js';

/**
 * `status` of a parcel in the group's Track & Trace: this folder's README, Tracking. There is none for customs, returns
 * and losses.
 */
export const GLS_STATUSES: ReadonlyMap<string, TrackingStatus> = new Map(
  Object.entries<TrackingStatus>({
    PREADVICE: 'registered',
    PLANNEDPICKUP: 'registered',
    INPICKUP: 'registered',
    // at the sender's: GLS has not got it
    NOTPICKEDUP: 'registered',
    INTRANSIT: 'in-transit',
    INWAREHOUSE: 'in-transit',
    INDELIVERY: 'out-for-delivery',
    DELIVEREDPS: 'at-pickup-point',
    DELIVERED: 'delivered',
    // its history is closed
    FINAL: 'delivered',
    NOTDELIVERED: 'delivery-failed',
    CANCELED: 'cancelled',
  }),
);

/** `code` of an event in a parcel's history, with the spelling of GLS; seen in answers that others have published. */
export const GLS_EVENTS: ReadonlyMap<string, TrackingStatus> = new Map(
  Object.entries<TrackingStatus>({
    'INTIAL.PREADVICE': 'registered',
    'INTIAL.NORMAL': 'handed-over',
    'INBOUD.NORMAL': 'in-transit',
    'OUTBOD.NORMAL': 'in-transit',
    'OUTDEL.NORMAL': 'out-for-delivery',
    'DELIVD.PARCELSHOP': 'at-pickup-point',
    'DELIVD.NORMAL': 'delivered',
    'CANCEL.NORMAL': 'cancelled',
  }),
);
