import {
  boundedEvent,
  listAt,
  momentWithOffset,
  refusalOf,
  statusTable,
  textAt,
  tryParseJson,
} from 'waybridge/adapter';

/** "Events": what the codes mean. */
export const STATUSES = statusTable({
  REG: 'registered',
  ACC: 'handed-over',
  HUB: 'in-transit',
  VAN: 'out-for-delivery',
  SHOP: 'at-pickup-point',
  DLV: 'delivered',
  FAIL: 'delivery-failed',
  RTN: 'returned',
  RTD: 'returned',
  DMG: 'lost-or-damaged',
  LOST: 'lost-or-damaged',
  CAN: 'cancelled',
  TOLL: 'customs',
});

/** What has no barcode or no time is left out; a code that is not in the table is kept for a person to read. */
export function fromFjordpostEvents(events) {
  return events.flatMap((event) => {
    const trackingNumber = textAt(event, 'barcode');
    const at = momentWithOffset(textAt(event, 'at'));
    const code = textAt(event, 'code');
    if (trackingNumber === null || at === null || code === null) return [];
    const about = { trackingNumber, status: STATUSES.get(code) ?? 'unrecognised', code, at, zone: 'stated' };
    const place = textAt(event, 'place');
    return [
      boundedEvent({
        ...about,
        place,
        text: null,
        id: textAt(event, 'id'),
        estimatedDelivery: null,
        trackingUrl: null,
      }),
    ];
  });
}

/** Signed by Standard Webhooks; the same events as in answers. */
export function readFjordpostCallback(raw, delivery) {
  const refusal = refusalOf(raw, delivery);
  if (refusal !== null) return { kind: 'refused', because: refusal };
  const events = fromFjordpostEvents(listAt(tryParseJson(raw), 'events'));
  return events.length === 0 ? { kind: 'ignored', because: 'no event in it can be read' } : { kind: 'events', events };
}
