import type { TrackingEvent } from 'waybridge/adapter'; //? ts
import { boundedEvent, momentWithOffset, statusTable, textAt } from 'waybridge/adapter';

/** TODO the carrier's codes, and what each means */
export const STATUSES = statusTable({
  registered: ['REG'],
  'handed-over': ['ACC'],
  'in-transit': ['HUB'],
  customs: ['TOLL'],
  'out-for-delivery': ['VAN'],
  'at-pickup-point': ['SHOP'],
  delivered: ['DLV'],
  'delivery-failed': ['FAIL'],
  returned: ['RTD'],
  'lost-or-damaged': ['LOST'],
  cancelled: ['CAN'],
});

/** What has no number or no time is left out; a code that is not in the table is kept for a person to read. */
export function fromAcmeEvents(events /*ts: readonly unknown[] */) /*ts: readonly TrackingEvent[] */ {
  return events.flatMap((event) => {
    const trackingNumber = textAt(event, 'barcode');
    const at = momentWithOffset(textAt(event, 'at'));
    const code = textAt(event, 'code');
    if (trackingNumber === null || at === null || code === null) return [];
    const about = { trackingNumber, status: STATUSES.get(code) ?? 'unrecognised', code, at, zone: 'stated' } /*ts as const */;
    const [place, id] = [textAt(event, 'place'), textAt(event, 'id')];
    return [boundedEvent({ ...about, place, id, text: null, estimatedDelivery: null, trackingUrl: null })];
  });
}
