import type { TrackingEvent, TrackingStatus } from '../contract/index.js';
import { listAt, neededAt, textAt, valueAt } from '../toolkit/json.js';
import { danishMoment } from '../toolkit/local-time.js';
import { statusIn, statusTable } from '../toolkit/tracking/status-table.js';
import { boundedEvents, readEvents } from '../toolkit/tracking/tracking-event.js';
import { OK } from './api.js';
import type { DaoCodes } from './config.js';

/**
 * `haendelse` of an event. DAO's own list is not public; these are one client's, which doubts them itself (this folder's
 * README, Tracking). What DAO's list says otherwise goes into the account's `trackingCodes`, or here.
 */
export const STATUSES = statusTable({
  registered: ['70'],
  'in-transit': ['10', '20'],
  'out-for-delivery': ['60'],
  delivered: ['30'],
  'delivery-failed': ['40'],
  returned: ['50'],
});

const EVENT = { at: 'tidspunkt', momentOf: danishMoment, code: 'haendelse', text: 'beskrivelse', place: ['sted'] };

/** @param group as `pakketype` names it, e.g. `pakkeshop`; `null` where it is not told */
function statusOf(code: string | null, group: string | null, own: DaoCodes): TrackingStatus {
  const configured = new Map(Object.entries(own));
  return configured.get(`${group}/${code}`) ?? configured.get(code ?? '') ?? statusIn(STATUSES, code);
}

/**
 * What happened to a parcel. DAO tells local times without a zone.
 * @throws Error the answer is no tracking
 */
export function fromDaoTracking(barcode: string, json: unknown, codes: DaoCodes): readonly TrackingEvent[] {
  if (neededAt(json, 'status') !== OK || typeof valueAt(json, 'resultat') !== 'object')
    throw new Error("DAO's answer is no tracking");
  const group = textAt(json, 'resultat', 'pakketype');
  const meant = (code: string | null, event: unknown) => statusOf(code, textAt(event, 'pakketype') ?? group, codes);
  const estimatedDelivery = textAt(json, 'resultat', 'eta');
  const known = { trackingNumber: barcode, estimatedDelivery, zone: 'assumed' } as const;
  return boundedEvents(readEvents(listAt(json, 'resultat', 'haendelser'), { ...EVENT, statusOf: meant }, known));
}
