import { describe, expect, it } from '@jest/globals';
import { type EventAction, actionFor } from '../../src/intake/classify-event.js';
import type { ImsEvent } from '../../src/ims/events.js';

const NOTHING: EventAction = { kind: 'nothing' };

function event(
  eventType: string | null,
  documentType: string | null = null,
  changes: Partial<ImsEvent> = {},
): ImsEvent {
  return {
    kind: 'event',
    eventId: 'e-1',
    eventType,
    contextId: '1',
    documentType,
    documentId: 'd-1',
    shipmentId: 's-1',
    shipmentIds: ['s-1'],
    carrierName: null,
    userId: null,
    deviceName: null,
    occurredAt: null,
    ...changes,
  };
}

describe('what an event asks for', () => {
  it.each<[string, ImsEvent, EventAction]>([
    ['a new shipment: a carrier', event('shipmentCreated'), { kind: 'task', task: 'choose-carrier' }],
    [
      'a transport booking: a booking',
      event('documentCreated', 'TRANSPORT_BOOKING'),
      { kind: 'book', bookedOn: 'transport-booking' },
    ],
    [
      'a transport booking whose event has no type',
      event(null, 'TRANSPORT_BOOKING'),
      { kind: 'book', bookedOn: 'transport-booking' },
    ],
    [
      'a transport booking whose event has neither type nor document: a look at its shipment',
      event(null, 'TRANSPORT_BOOKING', { documentId: null }),
      { kind: 'task', task: 'identify-document' },
    ],
    [
      'a transport booking that was created, whose event names its shipment only: a booking',
      event('documentCreated', 'TRANSPORT_BOOKING', { documentId: null }),
      { kind: 'book', bookedOn: 'transport-booking' },
    ],
    ['a document whose type is not said: a look at it', event(null), { kind: 'task', task: 'identify-document' }],
    ['packing that ended: a booking', event('packingCompleted'), { kind: 'book', bookedOn: 'packing-completed' }],
    [
      'a label that was asked for: a booking',
      event('shippingLabelRequest'),
      { kind: 'book', bookedOn: 'packing-completed' },
    ],
    [
      'a delivery note: a look at its numbers',
      event('documentCreated', 'DELIVERY_NOTE'),
      { kind: 'task', task: 'check-delivery-note' },
    ],
    [
      'a delivery note whose event has no type: a look at it',
      event(null, 'DELIVERY_NOTE'),
      { kind: 'task', task: 'identify-document' },
    ],
    [
      'a delivery note whose event has neither type nor document: a look at its numbers',
      event(null, 'DELIVERY_NOTE', { documentId: null }),
      { kind: 'task', task: 'check-delivery-note' },
    ],
    ['a consignment note: the goods have left', event('documentCreated', 'CONSIGNMENT_NOTE'), { kind: 'handover' }],
    [
      'a consignment note whose event has no type: the goods have left',
      event(null, 'CONSIGNMENT_NOTE'),
      { kind: 'handover' },
    ],
    [
      'a cancelled transport booking: a cancellation',
      event('documentCancelled', 'TRANSPORT_BOOKING'),
      { kind: 'cancel' },
    ],
    ['a cancelled delivery note: a cancellation', event('documentCancelled', 'DELIVERY_NOTE'), { kind: 'cancel' }],
    [
      'a cancelled document whose type is not said: a look at it',
      event('documentCancelled'),
      { kind: 'task', task: 'identify-document' },
    ],
    [
      'a cancellation that names neither a document nor its type: a look at its shipments',
      event('documentCancelled', null, { documentId: null }),
      { kind: 'task', task: 'identify-document' },
    ],
    [
      'a cancelled transport booking whose event names nothing else: a word to its worker',
      event('documentCancelled', 'TRANSPORT_BOOKING', { documentId: null, shipmentId: null, shipmentIds: [] }),
      { kind: 'task', task: 'identify-document' },
    ],
    [
      'a cancelled delivery note whose event names its shipments in a list: a cancellation',
      event('documentCancelled', 'DELIVERY_NOTE', { documentId: null, shipmentId: null }),
      { kind: 'cancel' },
    ],
    [
      'a cancelled delivery note whose event names no shipment: a look at it',
      event('documentCancelled', 'DELIVERY_NOTE', { shipmentId: null, shipmentIds: [] }),
      { kind: 'task', task: 'identify-document' },
    ],
    [
      'a new shipment whose event names a document only: nothing, and the log says so',
      event('shipmentCreated', null, { shipmentId: null, shipmentIds: [] }),
      { kind: 'nothing', problems: ['it names no shipment'] },
    ],
    [
      'a transport booking of several shipments, whose event names no document: a word to its worker',
      event('documentCreated', 'TRANSPORT_BOOKING', {
        documentId: null,
        shipmentId: null,
        shipmentIds: ['s-1', 's-2'],
      }),
      { kind: 'task', task: 'identify-document' },
    ],
    [
      'packing of several shipments: a word to its worker',
      event('packingCompleted', null, { documentId: null, shipmentId: null, shipmentIds: ['s-1', 's-2'] }),
      { kind: 'task', task: 'identify-document' },
    ],
    ['a cancelled goods receipt: nothing', event('documentCancelled', 'GOODS_RECEIPT'), NOTHING],
    ['another document: nothing', event('documentCreated', 'INVOICE'), NOTHING],
    ['a kind of event we do not know: nothing', event('stockCounted', 'TRANSPORT_BOOKING'), NOTHING],
    ['an event that says nothing: nothing', event(null, null, { documentId: null }), NOTHING],
  ])('%s', (_case, some, demand) => {
    expect(actionFor(some, { bookOn: 'transport-booking' })).toEqual(demand);
  });

  it('books on delivery notes where the area does, and on transport bookings as well', () => {
    const area = { bookOn: 'delivery-note' } as const;
    expect(actionFor(event('documentCreated', 'DELIVERY_NOTE'), area)).toEqual({
      kind: 'book',
      bookedOn: 'delivery-note',
    });
    expect(actionFor(event('documentCreated', 'TRANSPORT_BOOKING'), area)).toMatchObject({ kind: 'book' });
  });

  it('says what is missing when a booking is asked for and nothing is named', () => {
    const nameless = event('packingCompleted', null, { documentId: null, shipmentId: null });
    expect(actionFor(nameless, { bookOn: 'transport-booking' })).toMatchObject({
      kind: 'nothing',
      problems: [expect.any(String)],
    });
  });
});
