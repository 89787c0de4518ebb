import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/sample-shipments.js';
import { type SeamedService, openSeamed } from '../consignment/seamed-service.js';
import { until } from './harness.js';

const { oneParcel } = sampleShipments;
const BOOKING_TAKES_MS = 2_000;

let seamed: SeamedService;

beforeAll(async () => {
  seamed = await openSeamed(null);
}, 120_000);

afterAll(() => seamed.close());

/** A booking that is at the carrier. @returns its document and consignment */
async function atCarrier(): Promise<{ readonly documentId: number; readonly id: string }> {
  const { service, database } = seamed;
  service.control.addFault({ target: 'gls-dk', path: 'CreateShipment', kind: 'delay', ms: BOOKING_TAKES_MS });
  const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
  const { documentId, eventId } = service.bookQuietly(shipmentId);
  await service.send({
    ...{ eventId, eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' },
    ...{ documentId, shipmentId },
  });
  let id = '';
  await until('it is at the carrier', async () => {
    const rows = await database.query<{ id: string }>(
      `select id from consignment where document_id = $1 and parts->0->>'state' = 'sending'`,
      [String(documentId)],
    );
    id = rows[0]?.id ?? '';
    return rows.length > 0;
  });
  return { documentId, id };
}

it('an answer is written although another instance has taken the row meanwhile, once that one has let go of it', async () => {
  const { documentId, id } = await atCarrier();
  await seamed.database.query(
    `update consignment set version = version + 1, lease_owner = 'another', lease_until = now() + interval '5 seconds'
      where id = $1`,
    [id],
  );
  const ending = await seamed.service.ending(documentId);
  expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: [expect.any(String)] });
  expect(ending.messages.filter(({ type }) => type === 'ERROR')).toEqual([]);
  expect(seamed.service.bookings('gls-dk', seamed.service.numberOf(documentId))).toHaveLength(1);
}, 60_000);

it('an answer ends the question that another instance has put to a person meanwhile', async () => {
  const { documentId, id } = await atCarrier();
  await seamed.database.query(
    `update consignment set version = version + 1, lease_owner = null, lease_until = null, due_at = null,
            waits_for_person = true, state = 'in-doubt', parts = jsonb_set(parts, '{0,state}', '"in-doubt"')
      where id = $1`,
    [id],
  );
  await until('it is booked', async () => (await seamed.service.consignmentOf(documentId)).state === 'closed', 20_000);
  const ending = await seamed.service.ending(documentId);
  expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: [expect.any(String)] });
  expect(seamed.service.bookings('gls-dk', seamed.service.numberOf(documentId))).toHaveLength(1);
}, 60_000);
