import type { TrackingStatus } from '../../contract/index.js';

/**
 * `haendelse` of an event. DAO's own list is not public; these are one client's, which doubts them itself (this folder's
 * README, Tracking). What DAO's list says otherwise goes into the account's `trackingCodes`, or here.
 */
export const DAO_STATUSES: ReadonlyMap<string, TrackingStatus> = new Map(
  Object.entries<TrackingStatus>({
    10: 'in-transit',
    20: 'in-transit',
    30: 'delivered',
    40: 'delivery-failed',
    50: 'returned',
    60: 'out-for-delivery',
    70: 'registered',
  }),
);

/** By `haendelse`, or by product group and `haendelse`: the same number can mean different things in two groups. */
export type DaoCodes = Readonly<Record<string, TrackingStatus>>;

/** @param group as `pakketype` names it, e.g. `pakkeshop`; `null` where it is not told */
export function fromDaoCode(code: string, group: string | null, own: DaoCodes): TrackingStatus {
  const configured = new Map(Object.entries(own));
  const ofGroup = group === null ? undefined : configured.get(`${group}/${code}`);
  return ofGroup ?? configured.get(code) ?? DAO_STATUSES.get(code) ?? 'unrecognised';
}
