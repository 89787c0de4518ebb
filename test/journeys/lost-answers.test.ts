import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;
/** As often as one call of the IMS is tried. */
const TRIES = 4;
const CLAIM = { target: 'ims', method: 'PATCH', path: '^/documents/\\d+$', times: TRIES } as const;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterEach(() => service.control.clearFaults());
afterAll(() => service.stop());

it('books a document that became ON_GOING by our hand, although no answer said so', async () => {
  service.control.addFault({ ...CLAIM, kind: 'reset-after' });
  const ending = await service.run(oneParcel, { carrierName: 'GLS' });
  expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, consignment: { state: 'closed' } });
  expect(ending.consignment.history.map((entry: { what: string }) => entry.what)).not.toContain('postponed');
  expect(service.bookings('gls-dk', service.numberOf(ending.documentId))).toHaveLength(1);
});

it('tries again when the document says that nothing was done', async () => {
  service.control.addFault({ ...CLAIM, kind: 'drop-before' });
  const ending = await service.run(oneParcel, { carrierName: 'GLS' });
  expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1 });
  expect(ending.consignment.history.map((entry: { what: string }) => entry.what)).toContain('postponed');
});

it('sets aside a document that was cancelled while the answers were lost', async () => {
  service.control.addFault({ ...CLAIM, kind: 'drop-before' });
  const mark = service.mark();
  const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
  const documentId = service.book(shipmentId);
  const claims = () => service.requestsSince(mark, 'ims').filter(({ method }) => method === 'PATCH').length;
  await until('it is asked for', () => claims() > 0);
  // Nobody is told of it by an event: only the document says so.
  service.control.setEventTargets([]);
  service.control.cancelDocument(documentId);
  service.listenAgain();
  expect((await service.ending(documentId)).consignment.state).toBe('skipped');
  expect(service.bookings('gls-dk', service.numberOf(documentId))).toHaveLength(0);
});

it('tells nobody that DONE was refused where a call without an answer had set it', async () => {
  const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
  const { documentId, eventId } = service.bookQuietly(shipmentId);
  service.control.addFault({ ...CLAIM, path: `^/documents/${documentId}$`, after: 1, kind: 'reset-after' });
  const detail = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
  await service.send({ ...detail, eventId, documentId, shipmentId });
  expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [] });
});
