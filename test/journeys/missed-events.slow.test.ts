import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, until } from '../support/harness.js';
import { type Life, type Lives, openLives } from '../support/lives.js';

const { oneParcel, toSweden, toPickUpPoint } = sampleShipments;
/** Old enough to be lost, young enough to be booked unasked. */
const LATER = 3;
const NOTHING = { bookings: 0, shipments: 0, statuses: 0 };

let lives: Lives;
let life: Life;
let service: Service;

async function begin(): Promise<void> {
  lives = await openLives((config) => ({
    ...config,
    areas: config.areas.map((area) => (area['contextId'] === 2 ? { ...area, bookOn: 'delivery-note' } : area)),
    rules: config.rules.filter((rule) => rule['name'] !== 'without a carrier, abroad'),
  }));
  life = await lives.begin();
  service = life.service;
  const areas = () => service.requestsSince(0).filter(({ path, status }) => /^\/contexts\//.test(path) && status);
  await until('both areas are read, which is done beside what comes in', () => areas().length === 2);
  await service.ims('POST /carriers', { carrierName: 'Pigeon' });
}

async function end(): Promise<void> {
  await life.end();
  await lives.end();
}

function shipmentRow(id: number) {
  return service.control.state().shipments.find((row) => row.id === id);
}

describe('a booking whose event never came', () => {
  beforeAll(begin);
  afterAll(end);

  it('is recovered as if it had come, and the event that comes late after all is a duplicate', async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    expect(await life.look(LATER)).toMatchObject({ ...NOTHING, bookings: 1 });
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [] });
    const [shipmentId] = service.document(documentId).shipmentIds;
    const event = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
    const { body } = await service.send({ ...event, eventId: service.eventOf(documentId), documentId, shipmentId });
    expect(body.results).toEqual([{ eventId: service.eventOf(documentId), outcome: 'duplicate' }]);
    expect(service.bookings('gls-dk', service.numberOf(documentId))).toHaveLength(1);
    expect(service.lines).toContainEqual({
      level: 'warn',
      event: 'missed event recovered',
      fields: expect.objectContaining({
        area: '1',
        document: String(documentId),
        waitedMs: expect.any(Number),
        inDoubt: false,
      }),
    });
  });

  it('may still be on its way for two minutes', async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    expect(await life.look(1)).toMatchObject(NOTHING);
    expect(await service.consignmentOf(documentId)).toBeNull();
    service.control.cancelDocument(documentId);
  });

  it('is not booked unasked after a week', async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    expect(await life.look(8 * 24 * 60)).toMatchObject(NOTHING);
    expect(service.document(documentId).workStatus).toBe('PENDING');
    service.control.cancelDocument(documentId);
  });

  it('is recovered once by two that look at the same time', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'Pretend' });
    const documentId = service.book(shipmentId);
    const reports = await Promise.all([life.look(LATER), life.look(LATER)]);
    expect(reports.reduce((sum, report) => sum + report.bookings, 0)).toBe(1);
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE' });
    // A shipment of another area may have the same number.
    const [container] = service.containersOf(shipmentId);
    const booked = service.bookings('pretend', service.numberOf(documentId));
    expect(booked.filter(({ parcelIds }) => parcelIds?.includes(String(container?.['id'])))).toHaveLength(1);
  });

  it('is found on its delivery note where the area books on that', async () => {
    const shipmentId = service.ship(toPickUpPoint, { carrierName: 'Pretend' }, 2);
    const { body } = await service.ims('POST /invocations/createDeliveryNote', { shipmentId }, 'area-2-key');
    expect(await life.look(LATER, '2')).toMatchObject({ ...NOTHING, bookings: 1 });
    expect(await service.ending(body.id)).toMatchObject({ workStatus: 'DONE', pages: 1 });
  });

  it('is left alone when it is cancelled, or of a cancelled shipment, or of a carrier that is none of ours', async () => {
    const cancelled = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    service.control.cancelDocument(cancelled);
    const ofCancelled = service.ship(oneParcel, { carrierName: 'GLS' });
    const second = service.book(ofCancelled);
    await service.ims(`PATCH /shipments/${ofCancelled}`, { cancelled: true });
    const foreign = service.book(service.ship(oneParcel, { carrierName: 'Pigeon' }));
    expect(await life.look(LATER)).toMatchObject({ ...NOTHING, leftAlone: 2 });
    for (const documentId of [cancelled, second, foreign]) expect(await service.consignmentOf(documentId)).toBeNull();
    expect(service.document(foreign).workStatus).toBe('PENDING');
  });

  it('whose ignored event came before its area was ours is new once it is', async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    const event = { eventId: service.eventOf(documentId), eventType: 'documentCreated', documentId, contextId: '7' };
    const { body } = await service.send({ ...event, documentType: 'TRANSPORT_BOOKING' });
    expect(body.results).toMatchObject([{ outcome: 'ignored' }]);
    expect(await life.look(LATER)).toMatchObject({ bookings: 1 });
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE' });
  });
});

describe('a shipment whose creation we never heard of', () => {
  beforeAll(begin);
  afterAll(end);

  it('gets its carrier', async () => {
    const id = service.ship(oneParcel, { carrierName: null });
    expect(await life.look(LATER)).toMatchObject({ ...NOTHING, shipments: 1 });
    await until('it has a carrier', () => shipmentRow(id)?.['carrierName'] === 'GLS');
    expect(await life.look(LATER)).toMatchObject(NOTHING);
  });

  it('for which there is no rule is told once', async () => {
    const id = service.ship(toSweden, { carrierName: null });
    expect(await life.look(LATER)).toMatchObject({ shipments: 1 });
    const eventId = String(shipmentRow(id)?.['shipmentCreatedEventId']);
    await until('it is told', () => service.lines.some(({ fields }) => fields['task'] === eventId));
    expect(await life.look(LATER)).toMatchObject(NOTHING);
    expect(await life.look(LATER)).toMatchObject(NOTHING);
    expect(service.lines.filter(({ fields }) => fields['task'] === eventId)).toHaveLength(1);
  });
});

describe('a consignment note whose event never came', () => {
  beforeAll(begin);
  afterAll(end);

  const leave = async (documentId: number) => {
    const shipmentIds = service.document(documentId).shipmentIds;
    for (const shipmentId of shipmentIds) await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    return service.control.handOver(1, shipmentIds).id;
  };

  it('is found, once, where something of ours waits for it', async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    expect(await life.look(LATER)).toMatchObject({ bookings: 1 });
    await service.ending(documentId);
    const note = await leave(documentId);
    expect(await life.look(1)).toMatchObject({ handovers: 0 });
    expect(await life.look(LATER)).toMatchObject({ ...NOTHING, handovers: 1 });
    await until('its list is made', async () => (await service.operator(`/handovers/${note}`)).status === 200);
    expect(await service.consignmentOf(documentId)).toMatchObject({ handedOverBy: String(note) });
    expect(await life.look(LATER)).toMatchObject({ ...NOTHING, handovers: 0 });
  });

  it('that cannot be looked for keeps no booking from being recovered', async () => {
    const waiting = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    await life.look(LATER);
    await service.ending(waiting);
    const lost = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    const lists = { target: 'ims', method: 'GET', path: '/documents$' } as const;
    service.control.addFault({ ...lists, kind: 'status', status: 400, after: 2, times: 'always' });
    await expect(life.look(LATER)).rejects.toThrow('list documents');
    service.control.clearFaults();
    expect(await service.consignmentOf(lost)).not.toBeNull();
    expect(await service.ending(lost)).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [] });
  });

  it('of shipments that others carry is looked up once', async () => {
    const waiting = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    await life.look(LATER);
    await service.ending(waiting);
    const shipmentId = service.ship(oneParcel, { carrierName: 'Pigeon' });
    await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    const note = service.control.handOver(1, [shipmentId]).id;
    const mark = service.mark();
    for (let looks = 0; looks < 3; looks += 1) expect(await life.look(LATER)).toMatchObject({ handovers: 0 });
    const lookedUp = service
      .requestsSince(mark, 'ims')
      .filter(({ query }) => query['consignmentNoteNumber'] === String(service.document(note)['documentNumber']));
    expect(lookedUp).toHaveLength(1);
  });
});

describe('looking for missed events', () => {
  // Each of these counts all that there is.
  beforeEach(begin);
  afterEach(end);

  const pathsOf = (mark: number) => service.requestsSince(mark, 'ims').map(({ method, path }) => `${method} ${path}`);

  it('costs three requests, one more where something waits for its carrier, and one where a booking is looked for in vain', async () => {
    const none = service.mark();
    await life.look(LATER);
    expect(pathsOf(none)).toEqual(['GET /documents', 'GET /documents', 'GET /shipments']);
    const waiting = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    await life.look(LATER);
    await service.ending(waiting);
    const mark = service.mark();
    await life.look(LATER);
    // What is booked has not left yet.
    const forNotes = 'GET /documents';
    expect(pathsOf(mark)).toEqual(['GET /documents', 'GET /documents', 'GET /shipments', forNotes]);
    const ofCancelled = service.ship(oneParcel, { carrierName: 'GLS' });
    service.book(ofCancelled);
    await service.ims(`PATCH /shipments/${ofCancelled}`, { cancelled: true });
    const next = service.mark();
    await life.look(LATER);
    expect(pathsOf(next)).toEqual(['GET /documents', 'GET /documents', 'GET /shipments', 'GET /shipments', forNotes]);
  });

  it('reads three pages of a list that is longer, says so, and goes on with the rest the next time', async () => {
    for (let count = 0; count < 3_100; count += 1) service.ship(oneParcel, { carrierName: 'Pigeon' });
    const beyond = service.ship(oneParcel, { carrierName: null });
    const pagesOfLook = async () => {
      const mark = service.mark();
      const report = await life.look(LATER);
      const pages = service.requestsSince(mark, 'ims').filter(({ query }) => query['onlyNoDeliveryNote'] === 'true');
      return [report.shipments, pages.map(({ query }) => query['firstRow'] ?? null)];
    };
    const fromTheBeginning = [0, [null, '999', '1998']];
    expect(await pagesOfLook()).toEqual(fromTheBeginning);
    const fields = { area: '1', list: 'unpacked', rows: 2_998 };
    expect(service.lines).toContainEqual({ level: 'warn', event: 'list too long for one look', fields });
    expect(await pagesOfLook()).toEqual([1, ['2997']]);
    await until('it has a carrier', () => shipmentRow(beyond)?.['carrierName'] === 'GLS');
    expect(await pagesOfLook()).toEqual(fromTheBeginning);
  });
});
