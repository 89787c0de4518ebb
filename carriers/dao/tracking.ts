import type { TrackingEvent, TrackingStatus } from '../contract/index.js';
import { boundedEvents, danishMoment, listAt, neededAt, readEvents } from '../toolkit/index.js';
import { statusIn, statusTable, textAt, valueAt } from '../toolkit/index.js';
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

export const EVENT = { at: 'tidspunkt', code: 'haendelse', text: 'beskrivelse', place: ['sted'] };

/** What happened to a parcel. DAO tells local times without a zone. @throws Error the answer is no tracking */
export function fromDaoTracking(barcode: string, json: unknown, codes: DaoCodes): readonly TrackingEvent[] {
  if (neededAt(json, 'status') !== OK || typeof valueAt(json, 'resultat') !== 'object')
    throw new Error("DAO's answer is no tracking");
  const configured = new Map(Object.entries(codes));
  /** The product group stands at the event, or at the parcel. */
  const statusOf = (code: string | null, event: unknown): TrackingStatus => {
    const group = textAt(event, 'pakketype') ?? textAt(json, 'resultat', 'pakketype');
    return configured.get(`${group}/${code}`) ?? configured.get(code ?? '') ?? statusIn(STATUSES, code);
  };
  const estimatedDelivery = textAt(json, 'resultat', 'eta');
  const known = { trackingNumber: barcode, estimatedDelivery, zone: 'assumed' } as const;
  const fields = { ...EVENT, momentOf: danishMoment, statusOf };
  return boundedEvents(readEvents(listAt(json, 'resultat', 'haendelser'), fields, known));
}
