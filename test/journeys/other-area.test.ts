import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

/** Not configured; the events of the tests name no area, so they count as those of area 1. */
const OTHER_AREA = 7;

let service: Service;

beforeAll(async () => {
  service = await startService({ config: (config) => ({ ...config, areas: config.areas.slice(0, 1) }) });
});

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
});

describe('a shipment of an area that is not configured, whose event names no area', () => {
  it('is not booked, and the log says why, where there is no document', async () => {
    const { shipmentId, shipmentNumber } = await shipOfOtherArea();
    const eventId = randomUUID();
    await service.send({ eventId, eventType: 'packingCompleted', shipmentId });
    await until('it comes to rest', async () =>
      ['skipped', 'closed'].includes((await consignmentOf(shipmentId))?.state),
    );
    expect(service.bookings('gls-dk', shipmentNumber)).toEqual([]);
    expect(service.messages(eventId)).toEqual([]);
    const { id, state } = await consignmentOf(shipmentId);
    expect(state).toBe('skipped');
    const entry = service.lines.find(({ event }) => event === 'not ours to book');
    expect(entry).toMatchObject({ level: 'warn', fields: { consignment: id, shipmentOfArea: String(OTHER_AREA) } });
  });

  it('is not booked, and the worker is told, where the document was claimed', async () => {
    const { shipmentId, shipmentNumber } = await shipOfOtherArea();
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    await service.send({
      eventId,
      eventType: 'documentCreated',
      documentType: 'TRANSPORT_BOOKING',
      documentId,
      shipmentId,
    });
    expect(await service.ending(documentId)).toMatchObject({
      workStatus: 'FAILED',
      messages: [{ type: 'ERROR', text: expect.stringContaining(`area ${OTHER_AREA}`) }],
      consignment: { state: 'refused' },
    });
    expect(service.bookings('gls-dk', shipmentNumber)).toEqual([]);
  });

  it('gets no carrier', async () => {
    const { shipmentId } = await shipOfOtherArea(null);
    const mark = service.mark();
    const eventId = randomUUID();
    await service.send({ eventId, eventType: 'shipmentCreated', shipmentId });
    await until('the task is done', async () => {
      const { body } = await service.operator(`/events/${eventId}`);
      return body.tasks?.[0]?.state === 'done';
    });
    expect(service.requestsSince(mark, 'ims').map(({ method }) => method)).not.toContain('PATCH');
    expect(service.messages(eventId)).toEqual([]);
  });
});

/** The sandbox keeps areas apart by their keys, as the IMS does as far as known; here the answer is of another area. */
async function shipOfOtherArea(carrierName: string | null = 'GLS') {
  service.control.setEventTargets([]);
  const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName });
  service.listenAgain();
  const { body } = await service.ims(`PATCH /shipments/${shipmentId}`, { ourReference: 'seen' });
  const fault = { target: 'ims', method: 'GET', path: `/shipments/${shipmentId}$`, times: 'always' } as const;
  service.control.addFault({ ...fault, kind: 'status', status: 200, body: { ...body, contextId: OTHER_AREA } });
  return { shipmentId, shipmentNumber: String(body.shipmentNumber) };
}

const consignmentOf = async (shipmentId: number) =>
  (await service.operator(`/consignments?q=${shipmentId}`)).body.consignments[0] ?? null;
