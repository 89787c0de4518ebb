import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { type Service, parcels, startService, until } from '../support/harness.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
});

interface Asked {
  readonly eventId: string;
  readonly documentId: number;
  readonly shipmentId: number;
}

const people = { userId: 10000000, deviceName: 'Packing table 1' };

/** A booking in area 1 whose event is posted by the test. */
function asked(): Asked {
  const shipmentId = service.ship(parcels(1), { carrierName: 'GLS' });
  return { shipmentId, ...service.bookQuietly(shipmentId) };
}

function detailOf(ids: Asked): object {
  return { ...ids, eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1', ...people };
}

function envelopeOf(detail: object): object {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'documentCreated',
    source: 'public.example',
    account: '100000000001',
    time: '2026-01-14T09:30:00Z',
    region: 'eu-west-1',
    resources: [],
    detail,
  };
}

const accepted = (eventId: string) => ({ results: [{ eventId, outcome: 'accepted' }] });

describe('an event that asks for a booking', () => {
  it.each<readonly [string, (ids: Asked) => unknown]>([
    ['an envelope', (ids) => envelopeOf(detailOf(ids))],
    ['the bare detail', (ids) => detailOf(ids)],
    ['an array', (ids) => [detailOf(ids)]],
    ['a detail with its area as a number', (ids) => ({ ...detailOf(ids), contextId: 1 })],
    ['a detail with its ids as text', (ids) => ({ ...detailOf(ids), documentId: String(ids.documentId) })],
    ['a detail without user and device', (ids) => ({ ...detailOf(ids), userId: undefined, deviceName: undefined })],
    ['some fields without the type of the event', (ids) => ({ ...detailOf(ids), eventType: undefined })],
    ['some fields without both types', (ids) => ({ contextId: '1', ...ids })],
    ['a detail without its shipment', (ids) => ({ ...detailOf(ids), shipmentId: undefined })],
    ['the ids of area and document alone', ({ eventId, documentId }) => ({ contextId: 1, eventId, documentId })],
  ])('is understood as %s', async (_form, write) => {
    const ids = asked();
    const answer = await service.send(write(ids));
    expect([answer.status, answer.body]).toEqual([202, accepted(ids.eventId)]);
    const ending = await service.ending(ids.documentId);
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.bookings('gls-dk', service.numberOf(ids.documentId))).toHaveLength(1);
  });

  it('is a duplicate when it comes again, also beside others', async () => {
    const [first, second] = [asked(), asked()];
    await service.send(detailOf(first));
    const answer = await service.send([detailOf(first), detailOf(second), detailOf(second)]);
    expect(answer.body.results.map((result: { outcome: string }) => result.outcome)).toEqual([
      'duplicate',
      'accepted',
      'duplicate',
    ]);
    await service.ending(first.documentId);
    await service.ending(second.documentId);
    expect(service.bookings('gls-dk', service.numberOf(first.documentId))).toHaveLength(1);
  });

  it('is booked behind thousands of others in one array', async () => {
    const ids = asked();
    const other = () => ({ eventId: randomUUID(), eventType: 'availableStockChanged', contextId: '1', delta: -1 });
    const answer = await service.send([...Array.from({ length: 2_500 }, other), detailOf(ids)]);
    const outcomes = answer.body.results.map((result: { outcome: string }) => result.outcome);
    expect([answer.status, outcomes.length, outcomes[0], outcomes.at(-1)]).toEqual([202, 2_501, 'ignored', 'accepted']);
    expect(await service.ending(ids.documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
  });

  it('is one booking with another event for the same document, whatever comes first', async () => {
    const ids = asked();
    const events = [detailOf(ids), ...[1, 2, 3].map(() => ({ ...detailOf(ids), eventId: randomUUID() }))];
    const answers = await Promise.all(events.map((event) => service.send(event)));
    expect(answers.map((answer) => answer.body.results[0].outcome)).toEqual(events.map(() => 'accepted'));
    expect(await service.ending(ids.documentId)).toMatchObject({ workStatus: 'DONE', timesAttached: 1 });
    expect(service.bookings('gls-dk', service.numberOf(ids.documentId))).toHaveLength(1);
    const { body } = await service.operator(`/consignments?q=${ids.documentId}`);
    expect(body.consignments).toHaveLength(1);
  });

  it('does not take a document from whoever works on it, however many events tell of it', async () => {
    const ids = asked();
    await service.ims(`PATCH /documents/${ids.documentId}`, { workStatus: 'ON_GOING' });
    await service.send(detailOf(ids));
    await service.ending(ids.documentId);
    await service.send({ ...detailOf(ids), eventId: randomUUID() });
    expect((await service.ending(ids.documentId)).consignment.state).toBe('skipped');
    expect(service.bookings('gls-dk', service.numberOf(ids.documentId))).toEqual([]);
  });

  it.each<readonly [string, object]>([
    ['that it was cancelled', {}],
    ['its type', { flatEventFields: ['eventId', 'contextId', 'eventType', 'documentId', 'shipmentId'] }],
  ])('cancels where only the document tells %s', async (_what, fields) => {
    const shipmentId = service.ship(parcels(1), { carrierName: 'Pretend' });
    const documentId = service.book(shipmentId);
    await service.ending(documentId);
    service.control.setSwitches({ eventShape: 'flat', ...fields });
    service.control.cancelDocument(documentId);
    await service.control.eventsDelivered();
    service.control.setSwitches({ eventShape: 'envelope' });
    await until('it is cancelled', async () => (await service.consignmentOf(documentId)).state === 'cancelled');
    expect(service.bookings('pretend', service.numberOf(documentId))).toMatchObject([{ state: 'cancelled' }]);
  });

  it('books what was created, and cancels what was cancelled, where it names the shipment only', async () => {
    const shipmentId = service.ship(parcels(1), { carrierName: 'Pretend' });
    const flatEventFields = ['eventId', 'contextId', 'documentType', 'shipmentId'];
    service.control.setSwitches({ eventShape: 'flat', flatEventFields });
    const documentId = service.book(shipmentId);
    await service.ending(documentId);
    service.control.cancelDocument(documentId);
    await service.control.eventsDelivered();
    service.control.setSwitches({ eventShape: 'envelope' });
    await until('it is cancelled', async () => (await service.consignmentOf(documentId)).state === 'cancelled');
    expect(service.bookings('pretend', service.numberOf(documentId))).toMatchObject([{ state: 'cancelled' }]);
  });
});

describe('the older events', () => {
  it.each(['packingCompleted', 'shippingLabelRequest'])('%s books, with the label on the shipment', async (type) => {
    const shipmentId = service.ship(parcels(2), { carrierName: 'GLS' });
    const eventId = service.control.emitEvent({ contextId: 1, type, detail: { shipmentId } });
    await until('the labels are ready', () => service.messages(eventId).length > 0);
    expect(service.messages(eventId)[0]).toMatchObject({ type: 'INFO', ...people });
    const [file] = service.control.state().attachments.filter((row) => row.ownerId === shipmentId);
    expect(file).toMatchObject({ of: 'shipments', fileName: `SHIPPING_LABEL_${shipmentId}.pdf` });
    expect(service.containersOf(shipmentId).map((row) => row['trackingNumber'])).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  });

  it('are one booking with the newer one for the same shipment, and the label is on the document', async () => {
    const ids = asked();
    const old = { eventId: randomUUID(), eventType: 'packingCompleted', contextId: '1', shipmentId: ids.shipmentId };
    await service.send([old, detailOf(ids)]);
    expect(await service.ending(ids.documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.bookings('gls-dk', service.numberOf(ids.documentId))).toHaveLength(1);
  });

  it.each([
    ['the older one first', (old: object, young: object) => [old, young]],
    ['the newer one first', (old: object, young: object) => [young, old]],
  ])('are one booking also one after the other, %s', async (_order, inOrder) => {
    const ids = asked();
    const old = { eventId: randomUUID(), eventType: 'packingCompleted', contextId: '1', shipmentId: ids.shipmentId };
    for (const event of inOrder(old, detailOf(ids))) {
      await service.send(event);
      await atRest(ids.shipmentId);
    }
    expect(await service.ending(ids.documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.bookings('gls-dk', service.numberOf(ids.documentId))).toHaveLength(1);
  });

  it('do not hand a cancelled booking on to a new document', async () => {
    const shipmentId = service.ship(parcels(1), { carrierName: 'Pretend' });
    service.control.emitEvent({ contextId: 1, type: 'packingCompleted', detail: { shipmentId } });
    await atRest(shipmentId);
    const first = service.book(shipmentId);
    await service.ending(first);
    service.control.cancelDocument(first);
    await until('it is cancelled', async () => (await service.consignmentOf(first)).state === 'cancelled');
    const second = await service.ending(service.book(shipmentId));
    const bookings = service.bookings('pretend', service.numberOf(first));
    expect(bookings.map((booking) => booking.state)).toEqual(['cancelled', 'booked']);
    expect(second.trackingNumbers).toEqual(bookings[1]?.trackingNumbers);
    expect(second).toMatchObject({ workStatus: 'DONE', pages: 1 });
  });
});

async function atRest(shipmentId: number): Promise<void> {
  await until(`everything of shipment ${shipmentId} comes to rest`, async () => {
    const { consignments } = (await service.operator(`/consignments?q=${shipmentId}`)).body;
    return consignments.length > 0 && consignments.every((row: { dueAt: unknown }) => row.dueAt === null);
  });
}

describe('authentication', () => {
  const secret = sandboxSecrets.EVENTS_SECRET;
  const basic = (password: string) => `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`;
  const ignored = () => ({ eventId: randomUUID(), eventType: 'somethingNew', contextId: '1' });

  it.each([
    ['a bearer token', '/events', { authorization: `Bearer ${secret}` }],
    ['the password of Basic', '/events', { authorization: basic(secret) }],
    ['x-api-key', '/events', { 'x-api-key': secret }],
    ['the address', `/events/${secret}`, {}],
  ])('is shown by %s', async (_how, path, headers) => {
    const answer = await service.ask(path, { method: 'POST', headers, body: ignored() });
    expect(answer.status).toBe(202);
  });

  it.each<readonly [string, string, Record<string, string>]>([
    ['nothing', '/events', {}],
    ['another bearer token', '/events', { authorization: 'Bearer wrong-secret' }],
    ['another password', '/events', { authorization: basic('wrong-secret') }],
    [
      'a user name instead of a password',
      '/events',
      { authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
    ],
    ['another key', '/events', { 'x-api-key': `${secret}x` }],
    ['an empty key', '/events', { 'x-api-key': '' }],
    ['another address', '/events/wrong-secret', {}],
    ["the operator's token", '/events', { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}` }],
  ])('is not shown by %s', async (_how, path, headers) => {
    const answer = await service.ask(path, { method: 'POST', headers, body: ignored() });
    expect([answer.status, answer.type]).toEqual([401, expect.stringContaining('application/problem+json')]);
    expect(answer.bytes.toString()).not.toContain(secret);
  });

  it.each([
    ['events', '/events'],
    ['api', '/api/v1/replay'],
  ])('is logged where it is wrong, with the interface that was asked: %s', async (name, path) => {
    const headers = { authorization: 'Bearer wrong-secret' };
    await service.ask(path, { method: 'POST', headers, body: ignored() });
    const line = service.lines.findLast(({ event }) => event === 'not authentic');
    expect(line?.fields).toEqual({ interface: name, from: '127.0.0.1' });
  });
});

describe('what cannot be acted on', () => {
  const base = () => ({ eventId: randomUUID(), eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING' });

  it.each<readonly [string, unknown]>([
    ['no JSON', 'eventId=1'],
    ['an empty body', ''],
    ['JSON that ends too early', '{"eventId":"1"'],
    ['a number', '42'],
    ['null', 'null'],
    ['an event without id', { eventType: 'documentCreated', contextId: '1' }],
    ['an object as id', { ...base(), eventId: { a: 1 } }],
    ['an array as document', { ...base(), contextId: '1', documentId: [1] }],
    ['a fraction as shipment', { ...base(), contextId: '1', shipmentId: 1.5 }],
    ['a text as list of shipments', { ...base(), contextId: '1', shipmentIds: '1,2' }],
    ['control characters in an id', { ...base(), contextId: '1', documentId: '1\u00002' }],
    ['an id of many characters', { ...base(), eventId: 'x'.repeat(5000) }],
    ['brackets nested too deep', '['.repeat(5000) + ']'.repeat(5000)],
    ['objects nested too deep', `${'{"detail":'.repeat(2000)}1${'}'.repeat(2000)}`],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x01])],
  ])('is answered 202 and unreadable, with the problem: %s', async (_what, body) => {
    const answer = await service.send(body);
    expect(answer.status).toBe(202);
    expect(answer.body.results).toEqual([
      expect.objectContaining({ outcome: 'unreadable', problems: [expect.any(String)] }),
    ]);
    expect(answer.bytes.toString()).not.toMatch(/\bat .*\.[tj]s|node_modules/);
  });

  it('is unreadable again when it comes again, or a duplicate, and never an error', async () => {
    const body = { ...base(), documentId: {} };
    expect((await service.send(body)).status).toBe(202);
    expect((await service.send(body)).status).toBe(202);
  });

  it('does not hide a readable event that comes under the same id', async () => {
    const ids = asked();
    await service.send({ ...detailOf(ids), documentId: {} });
    expect((await service.send(detailOf(ids))).body).toEqual(accepted(ids.eventId));
    expect(await service.ending(ids.documentId)).toMatchObject({ workStatus: 'DONE' });
  });

  it('does not keep the other events of its array from being done', async () => {
    const ids = asked();
    const answer = await service.send([17, detailOf(ids), [18]]);
    expect(answer.body.results.map((result: { outcome: string }) => result.outcome)).toEqual([
      'unreadable',
      'accepted',
      'unreadable',
    ]);
    expect(await service.ending(ids.documentId)).toMatchObject({ workStatus: 'DONE' });
  });

  it.each([
    ['an unknown type', { eventType: 'documentPrinted', contextId: '1' }, undefined],
    ['another document', { eventType: 'documentCreated', documentType: 'INVOICE', contextId: '1' }, undefined],
    ['an area we do not know', { ...base(), contextId: '999' }, ['area 999 is not configured']],
    ['no area where there are several', { ...base(), documentId: 1 }, ['contextId is missing']],
  ])('is ignored: %s', async (_what, event, problems) => {
    const answer = await service.send({ ...event, eventId: randomUUID() });
    expect(answer.status).toBe(202);
    const [{ outcome, problems: said }] = answer.body.results;
    expect([outcome, said]).toEqual(['ignored', problems]);
  });

  it('takes NUL characters in texts that it only keeps', async () => {
    const answer = await service.send({ ...base(), eventType: 'someType', contextId: '1', note: 'a\u0000b' });
    expect(answer.body.results[0].outcome).toBe('ignored');
  });

  it('is refused with 413 when it is larger than any event', async () => {
    const answer = await service.send(JSON.stringify({ ...base(), note: 'x'.repeat(2_000_000) }));
    expect([answer.status, answer.type]).toEqual([413, expect.stringContaining('application/problem+json')]);
  });

  it.each(['GET', 'PUT', 'DELETE'])('is refused when it comes by %s', async (method) => {
    const answer = await service.ask('/events', { method });
    expect([answer.status, answer.type]).toEqual([405, expect.stringContaining('application/problem+json')]);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it('names the methods of a path that only answers', async () => {
    const answer = await service.ask('/healthz', { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
