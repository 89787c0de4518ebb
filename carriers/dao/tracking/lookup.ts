import type { HttpAnswer, TrackingEvent } from '../../contract/index.js';
import { parseJson } from '../../contract/index.js';
import { listAt, textAt, valueAt } from '../../toolkit/json.js';
import { boundedEvents } from '../../toolkit/tracking-event.js';
import { danishMoment } from '../danish-time.js';
import { type DaoCodes, fromDaoCode } from './codes.js';
import { OK } from '../wire.js';

/**
 * What happened to a parcel. DAO tells local times without a zone.
 * @throws Error the answer is no tracking
 */
export function fromDaoTracking(barcode: string, answer: HttpAnswer, codes: DaoCodes): readonly TrackingEvent[] {
  const json = parseJson(answer.body);
  if (textAt(json, 'status') !== OK || typeof valueAt(json, 'resultat') !== 'object')
    throw new Error("DAO's answer is no tracking");
  const group = textAt(json, 'resultat', 'pakketype');
  const estimatedDelivery = textAt(json, 'resultat', 'eta');
  const events = listAt(json, 'resultat', 'haendelser').flatMap((event) => {
    const code = textAt(event, 'haendelse');
    const at = danishMoment(textAt(event, 'tidspunkt') ?? '');
    if (at === null) return [];
    const status = code === null ? 'unrecognised' : fromDaoCode(code, textAt(event, 'pakketype') ?? group, codes);
    return {
      trackingNumber: barcode,
      status,
      code,
      text: textAt(event, 'beskrivelse'),
      place: textAt(event, 'sted'),
      at,
      zone: 'assumed' as const,
      estimatedDelivery,
      id: null,
    };
  });
  return boundedEvents(events);
}
