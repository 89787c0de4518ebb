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
  registered: ['REG'],
  'handed-over': ['ACC'],
  'in-transit': ['HUB'],
  customs: ['TOLL'],
  'out-for-delivery': ['VAN'],
  'at-pickup-point': ['SHOP'],
  delivered: ['DLV'],
  'delivery-failed': ['FAIL'],
  returned: ['RTN', 'RTD'],
  'lost-or-damaged': ['DMG', 'LOST'],
  cancelled: ['CAN'],
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
