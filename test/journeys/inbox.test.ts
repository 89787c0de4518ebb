import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { until } from '../support/harness.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';
import { startReceiver } from '../webhooks/receiver.js';

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

  it('is done by what was read of it, where its body was deleted', async () => {
    const { eventId, documentId, shipmentId } = asked();
    await storeIgnored(eventId, '');
    await seamed.database.query(
      `update event set area = '1', event_type = 'documentCreated', document_type = 'TRANSPORT_BOOKING', document_id = $2,
              shipment_id = $3 where event_id = $1`,
      [eventId, String(documentId), String(shipmentId)],
    );
    expect(await get(`/events/${eventId}`)).toMatchObject({
      ...{ body: null, action: { kind: 'book' }, understood: { kind: 'event', documentId: String(documentId) } },
    });
    expect(await replay(eventId)).toMatchObject({ outcome: 'accepted' });
    expect(await service().ending(documentId)).toMatchObject({ workStatus: 'DONE' });
    await storeIgnored('unreadable:deleted', '');
    await seamed.database.query("update event set outcome = 'unreadable' where event_id = 'unreadable:deleted'");
    expect(await replay('unreadable:deleted')).toMatchObject({
      outcome: 'unreadable',
      because: 'its body was deleted',
    });
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
    expect((await get(`/dead-letters?kind=task&q=${shipmentId}`)).deadLetters).toMatchObject([
      { id: `task-${eventId}`, what: 'choose-carrier', reason: expect.stringContaining('closed for today') },
    ]);
    expect((await get('/overview')).needsPerson).toMatchObject({
      count: 1,
      notTold: [{ kind: 'given-up-task', count: 1, reason: expect.stringContaining('closed for today') }],
    });
    expect(await replay(eventId)).toMatchObject({
      outcome: 'retried',
      because: expect.stringContaining('closed for today'),
    });
    await until('it is done', async () => (await taskOf()).state === 'done');
  });
});

describe('what was given up', () => {
  const letters = async (query: string) => (await get(`/dead-letters?${query}`)).deadLetters;
  const insert = async (text: string, values: readonly unknown[]) => void (await seamed.database.query(text, values));

  /** A booked parcel that is followed. */
  async function followed(): Promise<{ readonly number: string; readonly id: string }> {
    const { detail, documentId } = asked();
    await service().send(detail);
    const number = String((await service().ending(documentId)).trackingNumbers[0]);
    const find = () =>
      seamed.database.query<{ id: string }>('select id::text from tracked_parcel where tracking_number = $1', [number]);
    await until('it is followed', async () => (await find()).length === 1);
    return { number, id: (await find())[0]?.id ?? '' };
  }

  it('is listed by kind, and one is tried again: an update that the IMS did not get', async () => {
    const { number, id } = await followed();
    await insert(
      `insert into tracking_outbox (parcel_id, kind, status, area, state, note, tries, created_at)
       values ($1, 'message', 'delivered', '1', 'given-up', 'the IMS did not answer', 30, now())`,
      [id],
    );
    const [letter] = await letters(`q=${number}`);
    expect(letter).toMatchObject({
      ...{ kind: 'update', what: 'message: delivered', area: '1', account: 'gls', trackingNumber: number },
      ...{ reason: 'the IMS did not answer', attempts: 30 },
    });
    expect((await letters('kind=webhook,task')).map(({ kind }: { kind: string }) => kind)).not.toContain('update');
    expect((await get('/tracking/given-up?q=none')).givenUp).toEqual([]);
    expect((await get(`/tracking/given-up?q=${number}&since=2026-01-01`)).givenUp).toHaveLength(1);
    expect((await get(`/tracking/given-up?q=${number}&until=2026-01-01`)).givenUp).toEqual([]);
    expect((await post(`/dead-letters/${letter.id}/retry`)).status).toBe(202);
    const told = () =>
      service()
        .control.state()
        .messages.some(({ messageText }) => String(messageText).includes(number));
    await until('the worker is told', told);
    expect((await post(`/dead-letters/${letter.id}/retry`)).status).toBe(404);
    expect((await get('/audit?limit=2')).entries).toMatchObject([
      { action: 'retry dead letter', target: `dead-letters/${letter.id}`, result: 'refused' },
      { action: 'retry dead letter', target: `dead-letters/${letter.id}`, result: 'done' },
    ]);
  });

  it('is tried again all at once: callbacks that could not be applied, then what a subscriber did not get', async () => {
    const { number, id } = await followed();
    const receiver = await startReceiver();
    const subscriber = (await post('/subscribers', { url: receiver.url })).body.id;
    const event = {
      trackingNumber: number,
      status: 'in-transit',
      code: 'T',
      text: null,
      place: 'Taulov',
      zone: 'stated',
    };
    const outcome = {
      ask: [],
      events: [{ ...event, at: '2026-03-04T12:00:00+01:00', estimatedDelivery: '2026-03-05' }],
    };
    await insert(
      `insert into callback (account, hash, body, outcome, state, note, received_at)
       values ('gls', 'h', '\\x7b7d', $1::jsonb, 'failed', 'index row too large', now())`,
      [JSON.stringify(outcome)],
    );
    const body = { filter: { kind: 'callback' } };
    expect((await get('/tracking/failed?q=INDEX')).callbacks).toHaveLength(1);
    expect((await get('/tracking/failed?q=other')).callbacks).toEqual([]);
    expect((await post('/dead-letters/retry', { ...body, dryRun: true })).body).toEqual({
      dryRun: true,
      retried: 1,
      more: false,
    });
    expect((await post('/dead-letters/retry', body)).body).toEqual({ dryRun: false, retried: 1, more: false });
    await until('it is applied', async () => (await get(`/parcels?q=${number}`)).parcels[0].status === 'in-transit');
    expect((await get('/parcels?late=true&status=in-transit')).parcels).toMatchObject([
      { trackingNumber: number, late: 'promised', account: 'gls', carrierName: 'GLS' },
    ]);
    expect((await get(`/parcels?late=false&q=${number}`)).parcels).toEqual([]);
    await until('the subscriber has it', () => receiver.received.length === 1);
    const noted = () =>
      seamed.database.query("select 1 from webhook_delivery where parcel_id = $1 and state = 'done'", [id]);
    await until('that is noted', async () => (await noted()).length === 1);
    await insert("update webhook_delivery set state = 'dead', note = 'answered 500' where parcel_id = $1", [id]);
    expect(await letters(`q=${subscriber}`)).toMatchObject([
      { kind: 'webhook', what: 'in-transit', reason: 'answered 500' },
    ]);
    expect((await post('/dead-letters/retry', { filter: { kind: 'webhook' } })).body).toMatchObject({ retried: 1 });
    await until('the subscriber has it again', () => receiver.received.length === 2);
    await service().operator(`/subscribers/${subscriber}`, { method: 'DELETE' });
    await receiver.close();
  });

  it('is a manifest that the carrier refused: its failed step is repeated, and found by a number of a consignment', async () => {
    const shipmentId = service().ship(oneParcel, { carrierName: 'Pretend' });
    const { documentId, eventId } = service().bookQuietly(shipmentId);
    await service().send({
      eventId,
      documentId,
      contextId: '1',
      eventType: 'documentCreated',
      documentType: 'TRANSPORT_BOOKING',
    });
    await service().ending(documentId);
    await service().ims('POST /invocations/createDeliveryNote', { shipmentId });
    service().control.addFault({
      ...({ target: 'pretend', method: 'POST', path: '/manifests', kind: 'status', status: 422, times: 1 } as const),
      body: { errors: [{ code: 'late', text: 'the day is closed' }] },
    });
    const note = service().control.handOver(1, [shipmentId]).id;
    const left = { eventId: service().eventOf(note), documentId: note, contextId: '1', shipmentIds: [shipmentId] };
    await service().send({ ...left, eventType: 'documentCreated', documentType: 'CONSIGNMENT_NOTE' });
    const manifest = async () => (await get(`/handovers?q=${service().numberOf(documentId)}`)).handovers[0];
    await until('it is refused', async () => (await manifest())?.state === 'failed');
    expect(await letters('kind=manifest')).toMatchObject([
      {
        id: `manifest-${(await manifest()).id}`,
        account: 'pretend',
        reason: expect.stringContaining('the day is closed'),
      },
    ]);
    expect((await get('/handovers?until=2026-01-01')).handovers).toEqual([]);
    expect((await post(`/dead-letters/manifest-${(await manifest()).id}/retry`)).status).toBe(202);
    await until('it is closed out', async () => (await manifest()).state === 'done');
    expect((await manifest()).closeOut.state).toBe('done');
  });

  it.each([
    ['an unknown kind', '?kind=webhok', 'do you mean "webhook"?'],
    ['an unknown parameter', '?sinc=2026-01-01', 'do you mean "since"?'],
  ])('is not listed with %s', async (_what, query, detail) => {
    const answer = await service().operator(`/dead-letters${query}`);
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(detail)]);
  });

  it('is not tried again without a filter, by a wrong one, or under an id that none has', async () => {
    const statuses = [{}, { filter: [] }, { filter: { kind: 'letter' } }, { filter: {}, count: 1 }];
    for (const body of statuses) expect([body, (await post('/dead-letters/retry', body)).status]).toEqual([body, 400]);
    for (const id of ['webhook-1', 'webhook-x', 'nothing', 'task-none'])
      expect([id, (await post(`/dead-letters/${id}/retry`)).status]).toEqual([id, 404]);
  });
});
