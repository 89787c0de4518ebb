import { carriers } from '../../carriers/index.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { WORKER } from '../../src/sandbox/events/events.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, parcels, startService, until } from '../support/harness.js';
import { handWrittenPdf } from '../labels/pdfs.js';
import type { LogLine } from '../support/log-lines.js';

const { oneParcel, toPickUpPoint } = sampleShipments;

let service: Service;
/** The size of each label of Pretend; `null`: as it draws them. */
let labelBytes: number | null = null;

beforeAll(async () => {
  service = await startService({ account: withLabelsOfAnySize });
});

function withLabelsOfAnySize(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  if (adapter.id !== 'pretend') return account;
  const connect: typeof adapter.connect = (config, tools) => {
    const carrier: CarrierAccount = adapter.connect(config, tools);
    const fetchLabels: CarrierAccount['fetchLabels'] = async (booking) =>
      labelBytes === null
        ? ((await carrier.fetchLabels?.(booking)) ?? [])
        : booking.parcels.map(() => ({ format: 'pdf', bytes: labelOf(labelBytes ?? 0) }));
    return { ...carrier, fetchLabels };
  };
  return { ...account, adapter: { ...adapter, connect } };
}

/** A page that is framed, and has a long comment. */
function labelOf(size: number): Uint8Array {
  const drawing = Buffer.from(`20 20 240 380 re S\n%${'x'.repeat(size)}\n`);
  const stream = Buffer.concat([
    Buffer.from(`<< /Length ${drawing.length} >>\nstream\n`),
    drawing,
    Buffer.from('\nendstream'),
  ]);
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] /Contents 4 0 R >>';
  const tree = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
  return handWrittenPdf(['<< /Type /Catalog /Pages 2 0 R >>', tree, page, stream]);
}

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
});

describe('two documents for one shipment', () => {
  it('are booked one after the other, however slow the carrier is', async () => {
    service.control.addFault({ target: 'gls-dk', kind: 'delay', ms: 1_500, times: 2 });
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS', shipmentNumber: 'asked-twice' });
    const mark = service.mark();
    const first = service.book(shipmentId);
    await until('the carrier is asked', () => service.requestsSince(mark, 'gls-dk').length > 0);
    const second = service.book(shipmentId);
    const endings = [await service.ending(first), await service.ending(second)];
    expect(endings).toMatchObject([
      { workStatus: 'DONE', pages: 1, messages: [], consignment: { reference: 'asked-twice' } },
      { workStatus: 'DONE', pages: 1, messages: [], consignment: { reference: 'asked-twice.2' } },
    ]);
    const references = service.bookings('gls-dk', 'asked-twice').map((booking) => booking.reference);
    expect(references).toEqual(['asked-twice', 'asked-twice.2']);
    const [one, two, ...more] = service.requestsSince(mark, 'gls-dk');
    expect(more).toEqual([]);
    expect(two?.at).toBeGreaterThanOrEqual((one?.at ?? Infinity) + (one?.durationMs ?? Infinity));
  });

  it('that come at the same moment are never at the carrier together', async () => {
    service.control.addFault({ target: 'gls-dk', kind: 'delay', ms: 1_500, times: 2 });
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS', shipmentNumber: 'both-at-once' });
    const mark = service.mark();
    const documents = [service.book(shipmentId), service.book(shipmentId)];
    for (const documentId of documents) expect((await service.ending(documentId)).workStatus).toBe('DONE');
    const references = service.bookings('gls-dk', 'both-at-once').map((booking) => booking.reference);
    expect(references).toEqual(['both-at-once', 'both-at-once.2']);
    const [one, two] = service.requestsSince(mark, 'gls-dk');
    expect(two?.at).toBeGreaterThanOrEqual((one?.at ?? Infinity) + (one?.durationMs ?? Infinity));
  });
});

describe('a document that the IMS does not let us finish', () => {
  it('is closed all the same, and a warning says what the IMS said', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    service.control.addFault({
      target: 'ims',
      method: 'PATCH',
      path: `^/documents/${documentId}$`,
      after: 1,
      kind: 'status',
      status: 422,
      // A busy machine may get the answer too late, and sets the status again.
      times: 'always',
      body: { messageType: 'ERROR', messageCode: 'illegal_WorkStatus', messageText: 'It is being counted.' },
    });
    await service.send(bookingEvent({ documentId, eventId }));
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'ON_GOING', pages: 1, consignment: { state: 'closed' } });
    expect(ending.trackingNumbers).toEqual([expect.any(String)]);
    expect(ending.prints).toHaveLength(1);
    expect(ending.messages).toEqual([
      { type: 'WARNING', text: expect.stringMatching(/DONE[^]*"It is being counted\."/), ...WORKER },
    ]);
  });
});

describe('a claim that the IMS accepts', () => {
  it('counts where its answer shows the document as it was before', async () => {
    const { documentId, eventId } = service.bookQuietly(service.ship(oneParcel, { carrierName: 'GLS' }));
    const path = `^/documents/${documentId}$`;
    const body = { id: documentId, workStatus: 'PENDING', cancelled: false };
    service.control.addFault({ target: 'ims', method: 'PATCH', path, kind: 'status', status: 200, body });
    await service.send(bookingEvent({ documentId, eventId }));
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [] });
  });
});

describe('a label file that is too large for the IMS', () => {
  it('is sent once, and the worker gets a link to it', async () => {
    labelBytes = 4_000_000;
    const documentId = service.book(service.ship(parcels(2), { carrierName: 'Pretend' }));
    const errors = () => service.messages(service.eventOf(documentId)).filter(({ type }) => type === 'ERROR');
    await until('the worker is told', () => errors().length > 0);
    labelBytes = null;
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({
      workStatus: 'FAILED',
      pages: null,
      prints: [],
      consignment: { state: 'incomplete' },
    });
    const [message, ...more] = errors();
    expect(more).toEqual([]);
    expect(message?.text).toMatch(/did not take it\. It says: ".*status 413.*Open and print it here: http/);
    const path = `/documents/${documentId}/attachments`;
    expect(service.requestsSince(0, 'ims').filter((each) => each.path === path)).toMatchObject([{ status: 413 }]);
    const [link = ''] = /http\S+/.exec(message?.text ?? '') ?? [];
    const { pathname, search } = new URL(link);
    expect((await service.ask(`${pathname}${search}`)).bytes.length).toBeGreaterThan(8_000_000);
  });
});

describe('an event of some fields', () => {
  it.each([
    ['Pretend', 'pretend'],
    ['DAO', 'dao'],
  ])('cancels at %s what is booked for a document that was cancelled meanwhile', async (carrierName, id) => {
    const { documentId } = await service.run(oneParcel, { carrierName });
    service.control.setEventTargets([]);
    service.control.cancelDocument(documentId);
    service.listenAgain();
    const eventId = String(service.document(documentId)['documentCancelledEventId']);
    const [shipmentId] = service.document(documentId).shipmentIds;
    const fields = { contextId: '1', eventId, documentId, shipmentId, documentType: 'TRANSPORT_BOOKING' };
    expect((await service.send(fields)).body).toEqual({ results: [{ eventId, outcome: 'accepted' }] });
    await until('it is cancelled', async () => (await service.consignmentOf(documentId)).state === 'cancelled');
    expect(service.bookings(id, service.numberOf(documentId))).toMatchObject([{ state: 'cancelled' }]);
    expect(service.messages(eventId)).toMatchObject([{ type: 'INFO' }]);
  });

  it('cancels what is booked for the shipment of a delivery note that was cancelled', async () => {
    const { documentId } = await service.run(oneParcel, { carrierName: 'Pretend' });
    const [shipmentId] = service.document(documentId).shipmentIds;
    const { body: note } = await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    service.control.setEventTargets([]);
    service.control.cancelDocument(note.id);
    service.listenAgain();
    const eventId = String(service.document(note.id)['documentCancelledEventId']);
    await service.send({ contextId: '1', eventId, documentId: note.id, shipmentId, documentType: 'DELIVERY_NOTE' });
    await until('it is cancelled', async () => (await service.consignmentOf(documentId)).state === 'cancelled');
    expect(service.messages(eventId)).toMatchObject([{ type: 'INFO' }]);
  });

  it('changes nothing where the document is as it was', async () => {
    const { documentId } = await service.run(oneParcel, { carrierName: 'Pretend' });
    const fields = { contextId: '1', eventId: randomUUID(), documentId, documentType: 'TRANSPORT_BOOKING' };
    const mark = service.mark();
    expect((await service.send(fields)).status).toBe(202);
    await until('the document is read', () => service.requestsSince(mark, 'ims').length > 0);
    expect((await service.ending(documentId)).consignment.state).toBe('closed');
    expect(service.bookings('pretend', service.numberOf(documentId))).toMatchObject([{ state: 'booked' }]);
  });
});

describe('an event with an odd field', () => {
  it.each<readonly [string, (detail: object) => object]>([
    ['a time that no calendar has', (detail) => ({ time: '99999-01-01T00:00:00Z', detail })],
    ['a time that is far away', (detail) => ({ time: '+099999-01-01T00:00:00Z', detail })],
    ['half a character as user', (detail) => ({ ...detail, userId: '\ud800' })],
    ['half a character as device', (detail) => ({ ...detail, deviceName: 'table \udfff' })],
  ])('is taken, and so is the one beside it: %s', async (_what, makeOdd) => {
    const [odd, good] = [asked(), asked()];
    const answer = await service.send([makeOdd(bookingEvent(odd)), bookingEvent(good)]);
    expect(answer.status).toBe(202);
    expect(answer.body.results).toEqual([
      { eventId: odd.eventId, outcome: 'accepted' },
      { eventId: good.eventId, outcome: 'accepted' },
    ]);
    for (const { documentId } of [odd, good]) {
      expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [] });
      expect(service.bookings('gls-dk', service.numberOf(documentId))).toHaveLength(1);
    }
  });
});

describe('an IMS that has no contexts', () => {
  const NEW_AREA = 3;
  let without: Service;

  beforeAll(async () => {
    const area = { contextId: NEW_AREA, apiKey: 'area-3-key', language: 'en' };
    without = await startService({ config: (config) => ({ ...config, areas: [...config.areas, area] }) });
    // What is read at the start is not there: neither from the new area, nor later on from any other.
    await until('the new area was looked for', () => without.lines.some(isUnread));
    without.control.addFault({
      target: 'ims',
      method: 'GET',
      path: '^/contexts',
      times: 1_000,
      kind: 'status',
      status: 404,
      body: { messageCode: 'unknown_Path', messageText: 'There is nothing here.' },
    });
    without.control.addArea({
      contextId: NEW_AREA,
      apiKey: area.apiKey,
      carriers: carriers.map(({ adapter }) => adapter.name),
    });
  });

  afterAll(() => without.stop());

  it.each([1, 3])('costs a shipment with the address of its seller nothing, with %i parcels', async (count) => {
    const calls = await callsOf(without.ship(parcels(count), { carrierName: 'GLS' }, NEW_AREA));
    expect(calls).toHaveLength(count + 5 + 1);
    expect(calls.filter((call) => call === 'POST /invocations/printResource')).toHaveLength(1);
    expect(calls.filter((call) => call.includes('/contexts'))).toEqual([]);
  });

  it('keeps no shipment without seller from being booked, and is not asked for each of them', async () => {
    const shipments = [1, 2].map(() => without.ship(toPickUpPoint, { carrierName: 'Pretend' }, NEW_AREA));
    const calls = [];
    for (const shipmentId of shipments) calls.push(...(await callsOf(shipmentId)));
    const forContexts = calls.filter((call) => call.includes('/contexts'));
    expect(forContexts.length).toBeLessThan(shipments.length);
    expect(calls.length - forContexts.length).toBe(shipments.length * (1 + 5 + 1));
  });

  function isUnread({ event, fields }: LogLine): boolean {
    return event === 'area cannot be read yet' && String(fields['area']) === String(NEW_AREA);
  }

  /** What a booking that goes well asks of the IMS. */
  async function callsOf(shipmentId: number): Promise<readonly string[]> {
    const mark = without.mark();
    const ending = await without.ending(without.book(shipmentId));
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: ending.trackingNumbers.length, messages: [] });
    return without.requestsSince(mark, 'ims').map((request) => `${request.method} ${request.path}`);
  }
});

interface Asked {
  readonly eventId: string;
  readonly documentId: number;
}

/** A booking in area 1 whose event is posted by the test. */
function asked(): Asked {
  return service.bookQuietly(service.ship(oneParcel, { carrierName: 'GLS' }));
}

function bookingEvent(ids: Asked): object {
  const [shipmentId] = service.document(ids.documentId).shipmentIds;
  const about = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1', ...WORKER };
  return { ...ids, shipmentId, ...about };
}
