import { afterEach, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { Switches } from '../../src/sandbox/control/switches.js';
import { Store, Table } from '../../src/sandbox/store/store.js';
import { clientOf, closeAll, getBare, openListener, openSandbox, read, tinyCarrier } from './support.js';

afterEach(closeAll);

/** Sends to the control interface; `request` is e.g. `POST /areas`. */
function handOf({ url }: Sandbox) {
  return async (request: string, body?: unknown) => {
    const [method = 'GET', path = ''] = request.split(' ');
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    return read(await fetch(`${url}/control${path}`, { method, ...sent }));
  };
}

async function open() {
  const sandbox = await openSandbox({ carriers: [tinyCarrier] });
  return { sandbox, hand: handOf(sandbox), ask: await clientOf(sandbox) };
}

const fault = { target: 'ims', kind: 'status', status: 503 };
const target = { url: 'http://127.0.0.1:9/' };
const deep = (levels: number): unknown => (levels === 0 ? [1] : { in: deep(levels - 1) });

describe('the control interface refuses', () => {
  it.each([
    ['an area that is there', 'POST /areas', { contextId: 1, apiKey: 'x' }, 'There is an area 1 already'],
    ['the key of another area', 'POST /areas', { contextId: 7, apiKey: 'area-1-key' }, 'Another area has this apiKey'],
    ['an empty key', 'POST /areas', { contextId: 7, apiKey: '' }, 'apiKey: must be text'],
    ['a key that no header holds', 'POST /areas', { contextId: 7, apiKey: 'a b' }, 'apiKey must be'],
    [
      'a document of no known type',
      'POST /documents',
      { area: 1, documentType: 'POEM' },
      'must be one of PICKING_LIST',
    ],
    ['an area that is not there', 'POST /documents', { area: 7, documentType: 'PICKING_LIST' }, 'There is no area 7'],
    ['a shipment in no area', 'POST /shipments', { area: 7, shipment: {} }, 'There is no area 7'],
    ['an event in no area', 'POST /events', { area: 7, type: 'x' }, 'There is no area 7'],
    ['a hand-over in no area', 'POST /handovers', { area: 7 }, 'There is no area 7'],
    [
      'a document about a shipment that is not there',
      'POST /documents',
      { area: 1, documentType: 'PICKING_LIST', shipmentIds: [9] },
      'There is no Shipment with id 9',
    ],
    [
      'a cost variance list about nothing',
      'POST /documents',
      { area: 1, documentType: 'COST_VARIANCE_LIST' },
      'needs inboundShipmentId',
    ],
    ['a delivery note of nothing', 'POST /documents', { area: 1, documentType: 'DELIVERY_NOTE' }, 'needs shipmentIds'],
    ['a booking of nothing', 'POST /bookings', { shipmentId: 9 }, 'There is no shipment with id 9'],
    ['an unknown member', 'POST /bookings', { shipmentId: 9, area: 1 }, 'area: is not known'],
    ['another unknown member', 'POST /shipments', { area: 1, shipmnt: {} }, 'shipmnt: is not known'],
    ['containers that are no objects', 'POST /shipments', { area: 1, containers: [1] }, 'must be a list of objects'],
    ['a fault at no known target', 'POST /faults', { ...fault, target: 'moon' }, 'must be one of ims, token, tiny'],
    ['a fault in no area', 'POST /faults', { ...fault, area: 7 }, 'There is no area 7'],
    [
      'a header that cannot be sent',
      'POST /faults',
      { ...fault, headers: { 'a b': 'x' } },
      'headers.a b: is no header',
    ],
    ['a header of two lines', 'POST /faults', { ...fault, headers: { a: 'x\ny' } }, 'headers.a: is no header'],
    ['a type that cannot be sent', 'POST /faults', { ...fault, contentType: 'a\r\nb: c' }, 'contentType: must be text'],
    ['a place that cannot be sent', 'POST /faults', { ...fault, kind: 'redirect', location: '☃' }, 'location: must be'],
    [
      'a wait of hours',
      'POST /faults',
      { target: 'ims', kind: 'delay', ms: 1e9 },
      'ms: must be a number from 0 to 600000',
    ],
    [
      'a scope that is not known',
      'POST /clients',
      { clientId: 'a', secret: 'b', scopes: ['api/ful'] },
      '"api/ful" is none',
    ],
    ['a client without a secret', 'POST /clients', { clientId: 'a', secret: '', scopes: [] }, 'secret: must be text'],
    ['a switch that is not known', 'POST /switches', { coffee: 1 }, 'coffee is not known'],
    ['a limit of nothing', 'POST /switches', { requestsPerSecond: 0 }, 'requestsPerSecond must not be less than 1'],
    ['tokens for ever', 'POST /switches', { tokenLifetimeSeconds: 1e12 }, 'must not be greater than 315360000'],
    ['a header of two lines for a target', 'POST /targets', { ...target, headers: { a: 'x\ny' } }, 'headers.a: is no'],
    ['a header that is not theirs', 'POST /targets', { ...target, headers: { Host: 'x' } }, 'headers.Host: is set by'],
    ['an address of another kind', 'POST /targets', { url: 'file:///etc/passwd' }, 'url: must be an address'],
    ['a target in no area', 'POST /targets', { ...target, areas: [7] }, 'There is no area 7'],
    ['a target that wants no type', 'POST /targets', { ...target, eventTypes: [] }, 'eventTypes: must be a list'],
    ['a pattern without end', 'POST /targets', { ...target, pattern: deep(1000) }, 'nested'],
    ['nothing at all', 'POST /targets', undefined, 'send it with the header content-type: application/json'],
    ['a list of requests of no area', 'GET /requests?area=x', undefined, 'area: must be a whole number'],
  ])('%s', async (...row) => {
    const [, request, body, words] = row;
    const { hand, sandbox } = await open();
    const before = JSON.stringify(sandbox.control.state());
    expect(await hand(request, body)).toMatchObject({ status: 400, body: { error: expect.stringContaining(words) } });
    expect(JSON.stringify(sandbox.control.state())).toBe(before);
    expect(sandbox.control.switches()).toEqual({ ...new Switches(), requestsPerSecond: null });
  });

  it('what was sent without saying that it is JSON', async () => {
    const { sandbox } = await open();
    const answer = await read(await fetch(`${sandbox.url}/control/targets`, { method: 'POST', body: '{"url":"x"}' }));
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('content-type: application/json');
  });

  it('what is no JSON', async () => {
    const { sandbox } = await open();
    const headers = { 'content-type': 'application/json' };
    const answer = await read(await fetch(`${sandbox.url}/control/areas`, { method: 'POST', headers, body: '{' }));
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('the body is no JSON') } });
  });
});

describe('a fault that cannot be sent', () => {
  it('cuts the connection, and the sandbox goes on', async () => {
    const { sandbox } = await open();
    const url = sandbox.carrierUrl('tiny');
    const about = { target: 'tiny', kind: 'status', status: 503 } as const;
    sandbox.control.addFault({ ...about, headers: { 'no header': 'x' } });
    sandbox.control.addFault({ target: 'tiny', kind: 'content-type', contentType: 'two\nlines' });
    expect(await getBare(url)).toMatchObject({ status: null, end: 'cut' });
    expect(await getBare(url)).toMatchObject({ status: null, end: 'cut' });
    expect(await getBare(url)).toMatchObject({ status: 200, end: 'complete' });
  });
});

describe('targets of events', () => {
  it('are listed without what is secret about them, and can be removed', async () => {
    const { sandbox, hand } = await open();
    const listener = await openListener();
    const auth = { kind: 'oauth2', authUrl: 'http://127.0.0.1:9/hush', clientId: 'hush', clientSecret: 'hush' };
    const headers = { 'X-Hook': 'hush' };
    await hand('POST /targets', [{ url: `${listener.url}?hush`, headers, auth, areas: [2], eventTypes: ['counted'] }]);
    const { body } = await hand('GET /targets');
    const { origin } = new URL(listener.url);
    expect(body).toEqual([{ origin, headers: ['X-Hook'], auth: 'oauth2', areas: [2], eventTypes: ['counted'] }]);
    expect((await hand('DELETE /targets')).status).toBe(204);
    expect((await hand('GET /targets')).body).toEqual([]);
    sandbox.control.emitEvent({ contextId: 2, type: 'counted', detail: {} });
    await sandbox.control.eventsDelivered();
    expect(listener.heard).toEqual([]);
  });

  it('get headers in the place of those that are sent anyway', async () => {
    const { sandbox, hand } = await open();
    const listener = await openListener();
    await hand('POST /targets', { url: listener.url, headers: { 'Content-Type': 'application/cloudevents+json' } });
    sandbox.control.emitEvent({ contextId: 1, type: 'counted', detail: {} });
    await sandbox.control.eventsDelivered();
    expect(listener.headers).toMatchObject([{ 'content-type': 'application/cloudevents+json' }]);
  });
});

describe('handing over', () => {
  it('takes each shipment once that has a delivery note and no consignment note', async () => {
    const { sandbox, hand, ask } = await open();
    const { id } = sandbox.control.createShipment({ area: 1, shipment: {} });
    const early = await hand('POST /handovers', { area: 1, shipmentIds: [id] });
    expect(early).toMatchObject({ status: 400, body: { error: expect.stringContaining('has no delivery note') } });
    await ask('POST /invocations/createDeliveryNote', { body: { shipmentId: id } });
    expect((await hand('POST /handovers', { area: 1, shipmentIds: [id, id] })).status).toBe(200);
    expect(sandbox.control.state().events.at(-1)).toMatchObject({ detail: { shipmentIds: [id] } });
    const again = await hand('POST /handovers', { area: 1, shipmentIds: [id] });
    expect(again).toMatchObject({ status: 400, body: { error: expect.stringContaining('consignment note already') } });
    const byDocument = { area: 1, documentType: 'CONSIGNMENT_NOTE', shipmentIds: [id] };
    expect((await hand('POST /documents', byDocument)).status).toBe(400);
  });
});

describe('the event of a document made by hand', () => {
  async function eventOf(documentType: string) {
    const { sandbox, hand, ask } = await open();
    const shipment = sandbox.control.createShipment({ area: 1, shipment: { carrierName: 'Tiny' } });
    await ask('POST /suppliers', { body: { supplierNumber: 'S' } });
    await ask('POST /customers', { body: { customerNumber: 'C' } });
    const inbound = await ask('POST /inboundShipments', { body: { supplierNumber: 'S' } });
    const returned = await ask('POST /returnShipments', { body: { customerNumber: 'C' } });
    const list = await hand('POST /documents', { area: 1, documentType: 'STOCK_TAKING_LIST' });
    const stockTakingId = sandbox.control.state().stockTakings[0]?.id;
    const subjects = new Map<string, object>([
      ['shipment', { shipmentIds: [shipment.id] }],
      ['inbound', { inboundShipmentId: inbound.body.id }],
      ['return', { returnShipmentId: returned.body.id }],
      ['stock', { stockTakingId }],
    ]);
    const kind = new Map([
      ...['TRANSPORT_BOOKING', 'DELIVERY_NOTE', 'PICKING_LIST'].map((type) => [type, 'shipment'] as const),
      ...['GOODS_RECEIPT', 'COST_VARIANCE_LIST'].map((type) => [type, 'inbound'] as const),
      ...[['RETURN_RECEIPT', 'return'] as const, ['ADJUSTMENT_LIST', 'stock'] as const],
    ]).get(documentType);
    const made = await hand('POST /documents', { area: 1, documentType, ...subjects.get(kind ?? '') });
    expect([list.status, made]).toMatchObject([200, { status: 200, body: { documentType } }]);
    const [event] = sandbox.control.state().events.filter(({ detail }) => detail['documentId'] === made.body.id);
    return { detail: event?.detail, shipment, inbound: inbound.body, returned: returned.body, stockTakingId };
  }

  it('of a shipment says which', async () => {
    const booking = await eventOf('TRANSPORT_BOOKING');
    expect(booking.detail).toMatchObject({ shipmentId: booking.shipment.id, carrierName: 'Tiny' });
    const note = await eventOf('DELIVERY_NOTE');
    expect(note.detail).toMatchObject({
      shipmentId: note.shipment.id,
      shipmentNumber: note.shipment['shipmentNumber'],
    });
    const list = await eventOf('PICKING_LIST');
    expect(list.detail).toMatchObject({ shipmentId: list.shipment.id });
  });

  it.each(['GOODS_RECEIPT', 'COST_VARIANCE_LIST'])('of type %s says which inbound shipment', async (documentType) => {
    const { detail, inbound } = await eventOf(documentType);
    const { id: inboundShipmentId, inboundShipmentNumber } = inbound;
    expect(detail).toMatchObject({ inboundShipmentId, inboundShipmentNumber });
    expect(inboundShipmentNumber).toEqual(expect.anything());
  });

  it('of other types says what it is about', async () => {
    const { detail, returned } = await eventOf('RETURN_RECEIPT');
    expect(detail).toMatchObject({ returnShipmentNumber: returned.returnShipmentNumber });
    const list = await eventOf('ADJUSTMENT_LIST');
    expect(list.detail).toMatchObject({ stockTakingId: list.stockTakingId });
  });
});

describe('the event of a file', () => {
  it('says what kind of file it is, and where it lies', async () => {
    const { sandbox, ask } = await open();
    const { id } = sandbox.control.createShipment({ area: 1, shipment: {} });
    const file = { fileName: 'mål 1.txt', base64EncodedContent: 'aGVq' };
    await ask(`POST /shipments/${id}/attachments`, { body: { ...file, attachmentType: 'LABEL' } });
    await ask(`POST /shipments/${id}/attachments`, { body: { ...file, fileName: 'other.txt' } });
    const [labelled, plain] = sandbox.control.state().events.slice(-2);
    const key = `Shipment/${id}/mål 1.txt`;
    expect(labelled?.detail).toMatchObject({ attachmentType: 'LABEL', key, bucketName: expect.any(String) });
    expect(plain?.detail).not.toHaveProperty('attachmentType');
    const url = new URL(String(labelled?.detail['url']));
    expect(decodeURIComponent(url.pathname)).toBe(`/files/${key}`);
    expect((await read(await fetch(url))).body).toBe('hej');
    url.searchParams.delete('signature');
    expect((await fetch(url)).status).toBe(403);
  });
});

describe('the sandbox', () => {
  it('shows all that it stores', async () => {
    const { sandbox, hand, ask } = await open();
    await ask('POST /suppliers', { body: { supplierNumber: 'S' } });
    const { body } = await hand('GET /state');
    const tables = Object.entries(new Store()).flatMap(([name, part]) => (part instanceof Table ? [name] : []));
    expect(tables.length).toBeGreaterThan(20);
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...tables, 'areas', 'events']));
    expect(body.suppliers).toMatchObject([{ supplierNumber: 'S' }]);
    expect(sandbox.control.state().suppliers).toHaveLength(1);
  });

  it('leads whoever looks at its address to its page', async () => {
    const { sandbox } = await open();
    expect(await getBare(sandbox.url)).toMatchObject({ status: 302, headers: { location: '/docs' } });
    expect((await fetch(sandbox.url)).headers.get('content-type')).toContain('html');
  });
});
