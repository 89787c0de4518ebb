import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readPostedEvents } from '../../src/ims/events.js';

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

const detail = {
  eventId: '2f0c9a52-6a3d-4e0b-9c1e-000000000001',
  eventType: 'documentCreated',
  subscriberId: '77',
  contextId: '550',
  userId: 12,
  deviceName: 'Packing table 3',
  documentId: 30000001,
  documentType: 'TRANSPORT_BOOKING',
  shipmentId: 20000001,
  carrierName: 'GLS',
};
const envelope = {
  version: '0',
  id: '9d9d0000-0000-0000-0000-00000000000a',
  'detail-type': 'documentCreated',
  source: 'ims.example',
  time: '2026-03-02T10:00:00Z',
  resources: [],
  detail,
};
const event = {
  kind: 'event',
  eventId: detail.eventId,
  eventType: 'documentCreated',
  contextId: '550',
  documentType: 'TRANSPORT_BOOKING',
  documentId: '30000001',
  shipmentId: '20000001',
  shipmentIds: ['20000001'],
  carrierName: 'GLS',
  userId: 12,
  deviceName: 'Packing table 3',
  occurredAt: null,
};
const nothing = {
  eventType: null,
  contextId: null,
  documentType: null,
  documentId: null,
  shipmentId: null,
  shipmentIds: [],
  carrierName: null,
  userId: null,
  deviceName: null,
};

describe('an event is read', () => {
  it.each<[string, unknown, object]>([
    ['from an envelope', envelope, { ...event, occurredAt: new Date('2026-03-02T10:00:00Z') }],
    ['from the bare detail', detail, event],
    [
      'from three fields',
      { eventId: 'e-1', documentId: 30000001, shipmentId: 20000001 },
      {
        ...nothing,
        kind: 'event',
        eventId: 'e-1',
        documentId: '30000001',
        shipmentId: '20000001',
        shipmentIds: ['20000001'],
        occurredAt: null,
      },
    ],
    ['with nothing but an id', { eventId: 'e-1' }, { ...nothing, kind: 'event', eventId: 'e-1', occurredAt: null }],
    ['with numbers as text', { ...detail, documentId: '30000001', userId: '12' }, { ...event, userId: '12' }],
    ['with text as numbers', { ...detail, contextId: 550 }, event],
    [
      'with null for what is not said',
      { ...detail, userId: null, deviceName: null },
      { ...event, userId: null, deviceName: null },
    ],
    ['with the device that has no name', { ...detail, deviceName: '-' }, { ...event, deviceName: '-' }],
    [
      'by the type of its envelope',
      { ...envelope, 'detail-type': 'packingCompleted' },
      { ...event, eventType: 'packingCompleted', occurredAt: new Date('2026-03-02T10:00:00Z') },
    ],
    [
      'by the type in its detail when the envelope has none',
      { detail, time: 'yesterday' },
      { ...event, occurredAt: null },
    ],
    [
      'with all shipments of a consignment note',
      { ...detail, shipmentId: undefined, shipmentIds: [1, '2', 2, 3] },
      { ...event, shipmentId: null, shipmentIds: ['1', '2', '3'] },
    ],
    [
      'with the only shipment of a list as its shipment',
      { ...detail, shipmentId: undefined, shipmentIds: ['2', 2] },
      { ...event, shipmentId: '2', shipmentIds: ['2'] },
    ],
    [
      'without what is no name',
      { ...detail, carrierName: { a: 1 }, deviceName: 'x\u0007' },
      { ...event, carrierName: null, deviceName: null },
    ],
  ])('%s', (_case, body, expected) => {
    expect(readPostedEvents(bytes(body))).toEqual([expected]);
  });

  it.each([
    ['2000-01-01T00:00:00Z', new Date('2000-01-01T00:00:00Z')],
    ['2200-12-31T23:59:59Z', new Date('2200-12-31T23:59:59Z')],
    ['1999-12-31T23:59:59Z', null],
    ['2201-01-01T00:00:00Z', null],
    ['0001-01-01T00:00:00Z', null],
    ['-000044-03-15T00:00:00Z', null],
    ['+275760-09-13T00:00:00Z', null],
  ])('with the time %s only when it can be one', (time, occurredAt) => {
    expect(readPostedEvents(bytes({ ...envelope, time }))).toMatchObject([{ kind: 'event', occurredAt }]);
  });

  it.each(['carrierName', 'deviceName', 'documentType', 'eventType', 'userId'])(
    'without half of a character in %s, and with a whole one',
    (key) => {
      const [half] = readPostedEvents(bytes(`{"eventId":"e-1","${key}":"x\\ud83d"}`));
      expect(JSON.stringify(half)).not.toMatch(/\\ud83d/i);
      expect(readPostedEvents(bytes(`{"eventId":"e-1","${key}":"x\\ud83d\\ude00"}`))).toMatchObject([{ [key]: 'x😀' }]);
    },
  );

  it('one by one from an array, good and bad', () => {
    const read = readPostedEvents(bytes([envelope, 7, { ...detail, eventId: undefined }, detail]));
    expect(read.map(({ kind }) => kind)).toEqual(['event', 'unreadable', 'unreadable', 'event']);
  });

  it('without rounding long ids', () => {
    expect(readPostedEvents(bytes('{"eventId":"e-1","documentId":12345678901234567890}'))).toMatchObject([
      { documentId: '12345678901234567890' },
    ]);
  });

  it('without being touched by the names of prototypes', () => {
    const body = '{"eventId":"e-1","__proto__":{"documentId":"1"},"constructor":{"prototype":{"shipmentId":"2"}}}';
    expect(readPostedEvents(bytes(body))).toMatchObject([{ kind: 'event', documentId: null, shipmentId: null }]);
    expect(({} as Record<string, unknown>)['documentId']).toBeUndefined();
  });
});

describe('what cannot be read says why', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  it.each<[string, unknown, string]>([
    ['no JSON', 'eventId=1', 'not JSON'],
    ['an empty body', '', 'not JSON'],
    ['JSON cut short', '{"eventId":"e-1"', 'not JSON'],
    ['a number', '7', 'must be a JSON object'],
    ['no eventId', { documentId: 1 }, 'eventId is missing'],
    ['an eventId of spaces', { eventId: '   ' }, 'eventId is not an id'],
    ['an id that is too long', { eventId: 'x'.repeat(101) }, 'eventId is not an id'],
    ['an id with a line break', { ...detail, documentId: '1\n2' }, 'documentId is not an id'],
    ['a fraction as an id', { ...detail, shipmentId: 1.5 }, 'shipmentId is not an id'],
    ['an object as an id', { ...detail, contextId: {} }, 'contextId is not an id'],
    ['shipments that are no array', { ...detail, shipmentIds: 'all' }, 'shipmentIds is not an array'],
    ['one wrong shipment', { ...detail, shipmentIds: [1, {}] }, 'shipmentIds is not an id'],
    ['deep nesting', nested(33), 'nested deeper than 32'],
    ['absurd nesting', nested(1_000_000), 'nested deeper than 32'],
    ['too many events', `[${'{},'.repeat(20_000)}{}]`, 'more than 20000 events'],
  ])('for %s', (_case, body, problem) => {
    expect(readPostedEvents(bytes(body))).toEqual([
      expect.objectContaining({ kind: 'unreadable', problems: [expect.stringContaining(problem)] }),
    ]);
  });

  it('with the id of the event where there is one', () => {
    expect(readPostedEvents(bytes({ eventId: 'e-1', documentId: {} }))).toMatchObject([
      { kind: 'unreadable', eventId: 'e-1' },
    ]);
  });

  it('and brackets inside of texts are no nesting', () => {
    const deviceName = `\\"${'['.repeat(40)}`;
    expect(readPostedEvents(bytes({ eventId: 'e-1', deviceName }))).toMatchObject([{ kind: 'event', deviceName }]);
  });
});

it('never throws, whatever comes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytes)), (body) => {
      for (const { kind } of readPostedEvents(body)) expect(['event', 'unreadable']).toContain(kind);
    }),
  );
});
