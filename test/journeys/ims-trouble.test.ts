import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;
/** As often as one call of the IMS is tried. */
const TRIES = 4;

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
  service.control.setSwitches({ tokenLifetimeSeconds: 3600 });
});

interface Asked {
  readonly documentId: number;
  readonly shipmentId: number;
  readonly containerId: number | undefined;
}

/** The calls of a booking: how to know one of them, and how many of its kind come before it. */
const CALLS: readonly (readonly [method: string, path: (ids: Asked) => string, after: number])[] = [
  ['PATCH', ({ documentId }) => `^/documents/${documentId}$`, 0],
  ['GET', ({ shipmentId }) => `^/shipments/${shipmentId}$`, 0],
  ['PATCH', ({ containerId }) => `^/shippingContainers/${containerId}$`, 0],
  ['PATCH', ({ shipmentId }) => `^/shipments/${shipmentId}$`, 0],
  ['POST', ({ documentId }) => `^/documents/${documentId}/attachments$`, 0],
  ['PATCH', ({ documentId }) => `^/documents/${documentId}$`, 1],
];

const TROUBLES = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, headers: { 'retry-after': '1' } },
  { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  { kind: 'drop-before' },
  { kind: 'drop-after' },
] as const;

describe('one call of the IMS that fails once', () => {
  it.each(TROUBLES)('delays a booking and nothing else, whichever call it is: %j', async (trouble) => {
    await Promise.all(CALLS.map((call) => bookWith(trouble, call)));
    expect(service.control.faults().map((fault) => fault.happened)).toEqual(CALLS.map(() => 1));
  });

  async function bookWith(trouble: (typeof TROUBLES)[number], [method, path, after]: (typeof CALLS)[number]) {
    const shipmentId = service.ship(oneParcel, { carrierName: 'Pretend' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    const ids = { documentId, shipmentId, containerId: service.containersOf(shipmentId)[0]?.id };
    service.control.addFault({ target: 'ims', method, path: path(ids), after, ...trouble });
    const detail = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
    await service.send({ ...detail, eventId, documentId, shipmentId });
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: [expect.any(String)] });
    expect(service.bookings('pretend', service.numberOf(documentId))).toHaveLength(1);
  }

  it('is not repeated when it was the print and nobody knows what came of it', async () => {
    service.control.addFault({ target: 'ims', path: 'printResource', kind: 'status', status: 500 });
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, prints: [], messages: [{ type: 'WARNING' }] });
  });

  it('is repeated when it was the print and it certainly was not done', async () => {
    const headers = { 'retry-after': '1' };
    service.control.addFault({ target: 'ims', path: 'printResource', kind: 'status', status: 429, headers });
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', messages: [] });
    expect(ending.prints).toHaveLength(1);
  });

  it('is repeated when it was the message', async () => {
    service.control.addFault({ target: 'ims', path: '/messages$', kind: 'status', status: 503 });
    const ending = await service.run(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', messages: [{ type: 'ERROR' }] });
  });
});

describe('a message to a worker', () => {
  const MESSAGES = { target: 'ims', path: '/messages$', kind: 'status', status: 503 } as const;

  it('is sent again after a call that failed in all of its tries', async () => {
    service.control.addFault({ ...MESSAGES, times: TRIES });
    const ending = await service.run(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', messages: [{ type: 'ERROR' }] });
  });

  it('waits for an IMS that is away', async () => {
    const mark = service.mark();
    const shipmentId = service.ship(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    service.control.addFault({ ...MESSAGES, times: 'always' });
    service.control.addFault({ ...MESSAGES, method: 'GET', path: `^/documents/${documentId}$`, times: 'always' });
    const detail = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
    await service.send({ ...detail, eventId, documentId, shipmentId });
    const sent = () => service.requestsSince(mark, 'ims').filter(({ path }) => path.endsWith('/messages')).length;
    await until('it is tried in a second call', () => sent() > TRIES);
    service.control.clearFaults();
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'FAILED', messages: [{ type: 'ERROR' }] });
  });
});

describe('a token', () => {
  it('that is revoked between two calls is fetched anew', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'slow:600' });
    const mark = service.mark();
    const documentId = service.book(shipmentId);
    await until('the carrier is asked', () => service.requestsSince(mark, 'pretend').length > 0);
    service.control.revokeTokens();
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [] });
    expect(service.bookings('pretend', service.numberOf(documentId))).toHaveLength(1);
  });

  it('that the IMS does not give at once is asked for again', async () => {
    service.control.revokeTokens();
    service.control.addFault({ target: 'token', kind: 'status', status: 503 });
    expect(await service.run(oneParcel, { carrierName: 'Pretend' })).toMatchObject({ workStatus: 'DONE', pages: 1 });
  });
});

describe('the key of an area that is wrong', () => {
  it('books nothing, says so in the log, and does not keep other areas from working', async () => {
    const wrong = await startService({
      config: (config) => ({
        ...config,
        areas: config.areas.map((area) => (area['contextId'] === 1 ? { ...area, apiKey: 'wrong-key' } : area)),
      }),
    });
    const documentId = wrong.book(wrong.ship(oneParcel, { carrierName: 'Pretend' }));
    const other = await wrong.run(oneParcel, { carrierName: 'Pretend', shipmentNumber: 'in-area-2' }, 2);
    expect(other.workStatus).toBe('DONE');
    const said = () => wrong.lines.find((line) => line.event === 'postponed');
    await until('the log says it', () => said() !== undefined);
    expect(String(said()?.fields['because'])).toContain('Check the apiKey of area 1');
    expect(wrong.document(documentId).workStatus).toBe('PENDING');
    const { body } = await wrong.operator(`/consignments?q=${documentId}`);
    expect(body.consignments[0].reason).toMatch(
      /does not accept our key of area 1\. .*tell the person who runs Waybridge/,
    );
    expect(wrong.bookings('pretend', wrong.numberOf(documentId))).toEqual([]);
    expect(JSON.stringify(wrong.lines)).not.toContain('wrong-key');
    await wrong.stop();
  });
});
