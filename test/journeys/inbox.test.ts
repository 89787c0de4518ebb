import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { until } from '../support/harness.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';

const { oneParcel } = sampleShipments;

let seamed: SeamedService;
const service = () => seamed.service;

beforeAll(async () => {
  seamed = await openSeamed(null);
});
afterEach(() => service().control.clearFaults());
afterAll(() => seamed.close());

const get = async (path: string) => (await service().operator(path)).body;
const post = (path: string, body?: object) => service().operator(path, { method: 'POST', ...(body && { body }) });
const replay = async (eventId: string, body?: object) => (await post(`/events/${eventId}/replay`, body)).body;
const people = { userId: 10000000, deviceName: 'Packing table 1' };

/** A booking in area 1 whose event is not sent. */
function asked() {
  const shipmentId = service().ship(oneParcel, { carrierName: 'GLS', shipmentNumber: `i-${randomUUID().slice(0, 8)}` });
  const { documentId, eventId } = service().bookQuietly(shipmentId);
  const event = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1', ...people };
  return { eventId, documentId, shipmentId, detail: { eventId, documentId, shipmentId, ...event } };
}

async function storeIgnored(id: string, body: string): Promise<void> {
  await seamed.database.query(
    `insert into event (event_id, outcome, body, received_at) values ($1, 'ignored', $2, now())`,
    [id, body],
  );
}

describe('the events that came in', () => {
  it('are listed with what became of them, and one is shown as it came and as it is understood', async () => {
    const { detail, eventId, documentId, shipmentId } = asked();
    await service().send(detail);
    const { consignment } = await service().ending(documentId);
    const listed = (await get(`/events?q=${documentId}`)).events;
    expect(listed).toEqual([
      expect.objectContaining({
        ...{ id: eventId, area: '1', type: 'documentCreated', documentType: 'TRANSPORT_BOOKING', outcome: 'accepted' },
        ...{ documentId: String(documentId), shipmentId: String(shipmentId), tasks: [], problems: null },
        consignment: { id: consignment.id, state: 'closed', shipmentNumber: service().numberOf(documentId) },
      }),
    ]);
    for (const q of [eventId, shipmentId, service().numberOf(documentId), consignment.id])
      expect([q, (await get(`/events?q=${q}`)).events]).toEqual([q, listed]);
    expect(await get(`/events/${eventId}`)).toMatchObject({
      ...{ cameBy: 'post', action: { kind: 'book', bookedOn: 'transport-booking' }, consignment: { state: 'closed' } },
      understood: { kind: 'event', documentId: String(documentId), deviceName: people.deviceName },
      body: JSON.stringify(detail),
    });
  });

  it('say why they were ignored, or could not be read', async () => {
    const eventId = randomUUID();
    await service().send({
      eventId,
      eventType: 'documentCreated',
      documentType: 'TRANSPORT_BOOKING',
      contextId: '999',
    });
    await service().send('{"eventId":"cut o');
    const [unreadable] = (await get('/events?outcome=unreadable')).events;
    expect(unreadable).toMatchObject({ outcome: 'unreadable', problems: ['the body is not JSON'], consignment: null });
    expect(await get(`/events/${unreadable.id}`)).toMatchObject({
      body: '{"eventId":"cut o',
      understood: { kind: 'unreadable' },
    });
    expect((await get('/events?area=999')).events).toMatchObject([
      { id: eventId, outcome: 'ignored', problems: ['area 999 is not configured'] },
    ]);
    expect(await replay(unreadable.id)).toMatchObject({ outcome: 'unreadable', because: 'the body is not JSON' });
    expect(await replay(eventId)).toMatchObject({ outcome: 'nothing', because: 'area 999 is not configured' });
  });

  it('come page by page, each once, and by type, outcome and time', async () => {
    const since = new Date();
    const sent = Array.from({ length: 5 }, () => randomUUID());
    await service().send(sent.map((eventId) => ({ eventId, eventType: 'shelfMoved', contextId: '2' })));
    const seen: string[] = [];
    let path: string | null = `/events?type=shelfMoved&area=2&outcome=ignored&since=${since.toISOString()}&limit=2`;
    while (path !== null) {
      const { events, cursor } = (await get(path)) as { events: { id: string }[]; cursor: string | null };
      seen.push(...events.map(({ id }) => id));
      path = cursor && `/events?type=shelfMoved&limit=2&cursor=${encodeURIComponent(cursor)}`;
    }
    expect(seen).toEqual([...sent].sort().reverse());
    expect((await get(`/events?type=shelfMoved&until=${since.toISOString()}`)).events).toEqual([]);
  });

  it('are not found under an id that none has, and a parameter that none is gets the nearest one', async () => {
    expect((await service().operator('/events/none')).status).toBe(404);
    expect((await post('/events/none/replay')).status).toBe(404);
    expect((await get('/events?outcom=ignored')).detail).toContain('do you mean "outcome"?');
    expect((await post('/events/none/replay', { dry: true })).status).toBe(400);
  });
});

describe('an event that is replayed', () => {
  it('is done now where it was ignored before, with the packer that it names', async () => {
    const { detail, eventId, documentId } = asked();
    await storeIgnored(eventId, JSON.stringify(detail));
    expect(await replay(eventId, { dryRun: true })).toEqual({
      ...{ dryRun: true, eventId, outcome: 'accepted', because: null, resultAt: `/api/v1/events/${eventId}` },
    });
    expect(await service().consignmentOf(documentId)).toBeNull();
    expect(await replay(eventId)).toMatchObject({ dryRun: false, outcome: 'accepted' });
    expect(await service().ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect((await get(`/events/${eventId}`)).outcome).toBe('accepted');
  });

  it('changes nothing where it was done, says what became of it, and is in the audit log', async () => {
    const { detail, eventId, documentId } = asked();
    await service().send(detail);
    await service().ending(documentId);
    expect(await replay(eventId)).toMatchObject({ outcome: 'known', because: expect.stringContaining('closed') });
    expect(service().bookings('gls-dk', service().numberOf(documentId))).toHaveLength(1);
    expect((await get('/audit?limit=1')).entries).toMatchObject([
      { action: 'replay event', target: `events/${eventId}`, result: 'done' },
    ]);
  });

  it('has its task done again that was given up', async () => {
    const eventId = randomUUID();
    const shipmentId = service().ship(oneParcel, { carrierName: null });
    const refusal = { messageType: 'ERROR', messageCode: 'closed', messageText: 'closed for today' };
    service().control.addFault({
      ...({ target: 'ims', method: 'GET', path: `/shipments/${shipmentId}`, kind: 'status', status: 422 } as const),
      ...{ times: 'always', body: refusal },
    });
    await service().send({ eventId, eventType: 'shipmentCreated', contextId: '1', shipmentId });
    const taskOf = async () => (await get(`/events/${eventId}`)).tasks[0];
    await until('it is given up', async () => (await taskOf())?.state === 'given-up');
    service().control.clearFaults();
    expect(await replay(eventId)).toMatchObject({
      outcome: 'retried',
      because: expect.stringContaining('closed for today'),
    });
    await until('it is done', async () => (await taskOf()).state === 'done');
  });
});
