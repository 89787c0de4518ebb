import { afterEach, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { Switches } from '../../src/sandbox/control/switches.js';
import { clientOf, closeAll, openListener, openSandbox, read } from './support.js';

afterEach(closeAll);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOW = new Date('2026-03-02T08:15:30.250Z');

async function listening(switches: Partial<Switches> = {}, statuses: readonly number[] = []) {
  const listener = await openListener(statuses);
  const sandbox = await openSandbox({
    now: () => NOW,
    switches: { eventRetryFirstMs: 1, eventRetryLongestMs: 4, ...switches },
    eventTargets: [{ url: listener.url, headers: { authorization: 'Bearer hush' } }],
  });
  return { sandbox, listener, ask: await clientOf(sandbox) };
}

function shipmentIn(sandbox: Sandbox, shipment = {}): number {
  return sandbox.control.createShipment({ area: 1, shipment }).id;
}

describe('a shipment from order to truck', () => {
  it('is told of in envelopes, in order', async () => {
    const { sandbox, listener, ask } = await listening();
    const order = { customerNumber: 'C-1', shipmentNumber: 'S-1', carrierName: 'GLS' };
    await ask('POST /customers', { body: { customerNumber: 'C-1' } });
    const shipment = (await ask('POST /shipments', { body: order })).body;
    const shipmentId = shipment.id;
    const booking = (await ask('POST /invocations/createTransportBooking', { body: { shipmentId } })).body;
    const note = await ask('POST /invocations/createDeliveryNote', { body: { shipmentId, postingDate: '2026-03-01' } });
    const consignment = sandbox.control.handOver(1);
    sandbox.control.cancelDocument(booking.id);
    await sandbox.control.eventsDelivered();

    expect(listener.heard.map((event) => event['detail-type'])).toEqual([
      'shipmentCreated',
      'documentCreated',
      'documentCreated',
      'documentCreated',
      'documentCancelled',
    ]);
    expect(listener.heard[1]).toEqual({
      version: '0',
      id: expect.stringMatching(UUID),
      'detail-type': 'documentCreated',
      source: 'public.thetis-ims.com',
      account: expect.stringMatching(/^\d{12}$/),
      time: '2026-03-02T08:15:30Z',
      region: 'eu-west-1',
      resources: [],
      detail: {
        eventId: booking.documentCreatedEventId,
        eventType: 'documentCreated',
        subscriberId: expect.stringMatching(/^\d+$/),
        contextId: '1',
        userId: expect.any(Number),
        deviceName: expect.any(String),
        documentId: booking.id,
        documentType: 'TRANSPORT_BOOKING',
        shipmentId,
        carrierName: 'GLS',
      },
    });
    const details = listener.heard.map((event) => event.detail);
    expect(details[0]).toMatchObject({ shipmentId, eventId: shipment.shipmentCreatedEventId });
    expect(details[2]).toMatchObject({
      documentType: 'DELIVERY_NOTE',
      documentId: note.body.id,
      shipmentNumber: 'S-1',
    });
    expect(details[3]).toMatchObject({ documentType: 'CONSIGNMENT_NOTE', shipmentIds: [shipmentId] });
    expect(details[4]).toMatchObject({ documentType: 'TRANSPORT_BOOKING', documentId: booking.id, shipmentId });
    expect(listener.headers[0]).toMatchObject({ authorization: 'Bearer hush', 'content-type': 'application/json' });

    expect(note.body).toMatchObject({ postingDate: '2026-03-01', timeCreated: NOW.toISOString() });
    expect((await ask(`GET /shipments/${shipmentId}`)).body).toMatchObject({
      shippingStatus: 'CONSIGNED',
      deliveryNoteId: note.body.id,
      consignmentNoteId: consignment.id,
    });
  });

  it('refers to its newest booking, and to none when that is cancelled', async () => {
    const { sandbox, ask } = await listening();
    const id = shipmentIn(sandbox);
    const first = sandbox.control.createTransportBooking(id);
    const second = sandbox.control.createTransportBooking(id);
    sandbox.control.cancelDocument(first.id);
    expect((await ask(`GET /shipments/${id}`)).body).toMatchObject({ transportBookingId: second.id });
    sandbox.control.cancelDocument(second.id);
    expect((await ask(`GET /shipments/${id}`)).body).toMatchObject({ transportBookingId: null });
  });

  it.each([
    ['a booking', 'createTransportBooking'],
    ['a delivery note', 'createDeliveryNote'],
  ])('gets no %s once it is cancelled', async (_case, invocation) => {
    const { sandbox, ask } = await listening();
    const shipmentId = shipmentIn(sandbox, { cancelled: true });
    const answer = await ask(`POST /invocations/${invocation}`, { body: { shipmentId } });
    expect(answer).toMatchObject({ status: 422, body: { messageCode: 'invalid_Shipment' } });
  });
});

describe('the work status of a document', () => {
  it.each([
    ['PENDING', 'ON_GOING', 200],
    ['ON_GOING', 'DONE', 200],
    ['ON_GOING', 'FAILED', 200],
    ['FAILED', 'ON_GOING', 200],
    ['ON_GOING', 'ON_GOING', 422],
    ['DONE', 'ON_GOING', 422],
    ['DONE', 'DONE', 422],
    ['CANCELLED', 'ON_GOING', 422],
  ])('from %s to %s is answered %s', async (from, to, status) => {
    const { sandbox, ask } = await listening();
    const { id } = sandbox.control.createTransportBooking(shipmentIn(sandbox));
    expect((await ask(`GET /documents/${id}`)).body).toMatchObject({ workStatus: 'PENDING', cancelled: false });
    if (from === 'CANCELLED') sandbox.control.cancelDocument(id);
    else if (from !== 'PENDING') await ask(`PATCH /documents/${id}`, { body: { workStatus: from } });
    expect((await ask(`PATCH /documents/${id}`, { body: { workStatus: to } })).status).toBe(status);
    expect((await ask(`GET /documents/${id}`)).body.workStatus).toBe(status === 200 ? to : from);
  });

  it.each([
    ['refuseChangesOfCancelledDocument', 'CANCELLED'],
    ['refuseChangesOfDoneDocument', 'DONE'],
    ['refuseOngoingTwice', 'ON_GOING'],
  ])('may be set again without %s', async (name, from) => {
    const { sandbox, ask } = await listening({ [name]: false });
    const { id } = sandbox.control.createTransportBooking(shipmentIn(sandbox));
    if (from === 'CANCELLED') sandbox.control.cancelDocument(id);
    else await ask(`PATCH /documents/${id}`, { body: { workStatus: from } });
    expect((await ask(`PATCH /documents/${id}`, { body: { workStatus: 'ON_GOING' } })).status).toBe(200);
  });
});

describe('events', () => {
  it('are sent again until they are taken, and hold up the later ones of their area', async () => {
    const { sandbox, listener } = await listening({}, [503, 500, 202]);
    const first = shipmentIn(sandbox);
    sandbox.control.createTransportBooking(first);
    const second = shipmentIn(sandbox);
    sandbox.control.createTransportBooking(second);
    await sandbox.control.eventsDelivered();
    expect(listener.heard.map((event) => event.detail.shipmentId)).toEqual([first, first, first, second]);
    expect(sandbox.control.state().events[0]?.deliveries).toMatchObject([
      { attempts: 3, tries: 3, status: 202, outcome: 'delivered' },
    ]);
  });

  it('are given up after so many tries, and the next one has its turn', async () => {
    const { sandbox, listener } = await listening({ eventTries: 2 }, [503, 503]);
    sandbox.control.createTransportBooking(shipmentIn(sandbox));
    sandbox.control.createTransportBooking(shipmentIn(sandbox));
    await sandbox.control.eventsDelivered();
    const outcomes = sandbox.control.state().events.map((event) => event.deliveries[0]?.outcome);
    expect(outcomes).toEqual(['given up', 'delivered']);
    expect(listener.heard).toHaveLength(3);
  });

  it('reach every target, also when another one is not there', async () => {
    const { sandbox, listener } = await listening({ eventTries: 1 });
    sandbox.control.setEventTargets([{ url: 'http://127.0.0.1:9/events' }, { url: listener.url }]);
    sandbox.control.createTransportBooking(shipmentIn(sandbox));
    await sandbox.control.eventsDelivered();
    expect(listener.heard).toHaveLength(1);
    expect(sandbox.control.state().events[0]?.deliveries).toMatchObject([
      { outcome: 'given up', status: null },
      { outcome: 'delivered' },
    ]);
  });

  it('can be sent twice, with the same ids', async () => {
    const { sandbox, listener } = await listening({ sendEventsTwice: true });
    sandbox.control.createTransportBooking(shipmentIn(sandbox));
    await sandbox.control.eventsDelivered();
    expect(listener.heard).toHaveLength(2);
    expect(listener.heard[0]).toEqual(listener.heard[1]);
  });

  it('can lack what is optional', async () => {
    const { sandbox, listener } = await listening({
      dropEventFields: ['userId', 'deviceName', 'carrierName', 'shipmentId'],
    });
    sandbox.control.createTransportBooking(shipmentIn(sandbox, { carrierName: 'GLS' }));
    await sandbox.control.eventsDelivered();
    expect(Object.keys(listener.heard[0].detail)).toEqual([
      'eventId',
      'eventType',
      'subscriberId',
      'contextId',
      'documentId',
      'documentType',
    ]);
  });

  it.each([
    ['detail', expect.objectContaining({ eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING' })],
    [
      'flat',
      { eventId: expect.any(String), contextId: '1', documentId: expect.any(Number), shipmentId: expect.any(Number) },
    ],
  ] as const)('can come without an envelope: %s', async (eventShape, expected) => {
    const { sandbox, listener } = await listening({ eventShape });
    sandbox.control.createTransportBooking(shipmentIn(sandbox));
    await sandbox.control.eventsDelivered();
    expect(listener.heard).toEqual([expected]);
  });

  it('of any other type are sent on request, and take messages', async () => {
    const { sandbox, listener, ask } = await listening();
    const eventId = sandbox.control.emitEvent({
      contextId: 1,
      type: 'packingCompleted',
      detail: { shipmentId: 10000031 },
    });
    await sandbox.control.eventsDelivered();
    expect(listener.heard).toMatchObject([
      { 'detail-type': 'packingCompleted', detail: { eventId, shipmentId: 10000031 } },
    ]);
    const body = {
      time: NOW.getTime(),
      source: 'Waybridge',
      messageType: 'ERROR',
      messageText: 'No carrier.',
      userId: 7,
    };
    const answer = await ask(`POST /events/${eventId}/messages`, { body });
    expect(answer.body).toMatchObject({
      eventId,
      time: '2026-03-02T08:15:30.250Z',
      messageText: 'No carrier.',
      userId: 7,
    });
    expect(sandbox.control.state().messages).toMatchObject([{ eventId, contextId: 1, messageType: 'ERROR' }]);
    const elsewhere = await ask(`POST /events/${eventId}/messages`, { body, apiKey: 'area-2-key' });
    expect(elsewhere.body).toMatchObject({ messageCode: 'unknown_Event' });
  });
});

describe('prints', () => {
  it('are kept, of documents and of whatever else', async () => {
    const { sandbox, ask } = await listening();
    const { id } = sandbox.control.createTransportBooking(shipmentIn(sandbox));
    expect((await ask('POST /invocations/printDocument', { body: { documentId: id } })).body).toMatchObject({ id });
    expect((await ask('POST /invocations/printResource', { body: { any: ['thing'] } })).status).toBe(200);
    expect(sandbox.control.state().prints).toMatchObject([
      { invocation: 'printDocument', body: { documentId: id } },
      { invocation: 'printResource', body: { any: ['thing'] } },
    ]);
  });
});

describe('the control interface', () => {
  async function post(sandbox: Sandbox, path: string, body: unknown) {
    const headers = { 'content-type': 'application/json' };
    return read(await fetch(`${sandbox.url}/control${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  it('does over HTTP what it does in the process', async () => {
    const { sandbox, listener } = await listening();
    expect((await post(sandbox, '/targets', { url: listener.url })).status).toBe(204);
    expect((await post(sandbox, '/areas', { contextId: 7, apiKey: 'area-7-key' })).status).toBe(204);
    expect((await post(sandbox, '/switches', { nulls: 'explicit' })).body).toMatchObject({ nulls: 'explicit' });
    const shipment = await post(sandbox, '/shipments', {
      area: 7,
      shipment: { shipmentNumber: 'S-7' },
      containers: [{ grossWeight: 2 }, { grossWeight: 3 }],
      event: 'send',
    });
    expect(shipment.body).toMatchObject({ contextId: 7, shippingContainers: [{ grossWeight: 2 }, { grossWeight: 3 }] });
    const booking = await post(sandbox, '/bookings', { shipmentId: shipment.body.id });
    await post(sandbox, '/cancellations', { documentId: booking.body.id });
    await post(sandbox, '/events', { area: 7, type: 'packingCompleted', detail: { shipmentId: 1 } });
    await sandbox.control.eventsDelivered();
    expect(listener.heard.map((event) => event.detail.eventType)).toEqual([
      'shipmentCreated',
      'documentCreated',
      'documentCancelled',
      'packingCompleted',
    ]);
    const state = await read(await fetch(`${sandbox.url}/control/state`));
    expect(state.body).toMatchObject({ shipments: [{ shipmentNumber: 'S-7' }], documents: [{ cancelled: true }] });
  });

  it('creates a shipment without telling anyone, unless asked', async () => {
    const { sandbox, listener } = await listening();
    shipmentIn(sandbox);
    await sandbox.control.eventsDelivered();
    expect(listener.heard).toEqual([]);
  });

  it.each([
    ['an unknown switch', { path: '/switches', body: { coffee: true } }, 'coffee'],
    ['a value a switch cannot have', { path: '/switches', body: { firstRowOrigin: 2 } }, 'firstRowOrigin'],
    ['a target without address', { path: '/targets', body: {} }, 'url'],
    ['a shipment without area', { path: '/shipments', body: { shipment: {} } }, 'area'],
    [
      'a shipment the service would refuse',
      { path: '/shipments', body: { area: 1, shipment: { carrierName: 'Pigeon' } } },
      'Pigeon',
    ],
    ['a booking of nothing', { path: '/bookings', body: { shipmentId: 1 } }, '1'],
  ])('refuses %s, saying what is wrong', async (_case, { path, body }, word) => {
    const answer = await post(await openSandbox(), path, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(word) } });
  });
});
