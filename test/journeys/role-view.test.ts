import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf } from '../../src/access/operators.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { until } from '../support/harness.js';
import { pageFor } from '../support/page-for.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';

const ACT = 'token-of-mette';
const VIEW = 'token-of-anders';
const NAMES = /Signe Lund|Birkevej|signe\.lund/;
const SAID = 'The IMS says: "Signe Lund, Birkevej 12, signe.lund@example.dk is not known"';

let folder: string;
let seamed: SeamedService;
const service = () => seamed.service;
const insert = async (text: string, values: readonly unknown[]) => void (await seamed.database.query(text, values));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-role-view-'));
  const file = join(folder, 'operators.yaml');
  const operators = [
    { name: 'Mette Krogh', role: 'act', tokenHash: hashOf(ACT) },
    { name: 'Anders', role: 'view', tokenHash: hashOf(VIEW) },
  ];
  await writeFile(file, JSON.stringify({ operators }));
  seamed = await openSeamed(null, { environment: { OPERATORS_FILE: file } });
});
afterAll(async () => {
  await seamed.close();
  await rm(folder, { recursive: true, force: true });
});

async function shownTo(token: string, path: string): Promise<string> {
  const { bytes } = await service().operator(path, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  });
  return bytes.toString();
}

/** A booked shipment whose parcel is followed. */
async function followed() {
  const shipmentId = service().ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  const { documentId, eventId } = service().bookQuietly(shipmentId);
  const of = { eventId, documentId, contextId: '1', eventType: 'documentCreated' };
  await service().send({ ...of, documentType: 'TRANSPORT_BOOKING' });
  const { consignment, trackingNumbers } = await service().ending(documentId);
  const number = String(trackingNumbers[0]);
  const find = () =>
    seamed.database.query<{ id: string }>('select id::text from tracked_parcel where tracking_number = $1', [number]);
  await until('it is followed', async () => (await find()).length === 1);
  return { shipmentId, documentId, consignment, parcelId: (await find())[0]?.id ?? '' };
}

/** The note of a handover whose manifest the carrier refuses. */
async function refusedManifest(shipmentId: number): Promise<number> {
  await service().ims('POST /invocations/createDeliveryNote', { shipmentId });
  service().control.addFault({
    ...({ target: 'pretend', method: 'POST', path: '/manifests', kind: 'status', status: 422, times: 1 } as const),
    body: { errors: [{ code: 'late', text: 'The parcel of Signe Lund, Birkevej, is not here' }] },
  });
  const note = service().control.handOver(1, [shipmentId]).id;
  const left = { eventId: service().eventOf(note), documentId: note, contextId: '1', shipmentIds: [shipmentId] };
  await service().send({ ...left, eventType: 'documentCreated', documentType: 'CONSIGNMENT_NOTE' });
  await until('it is refused', async () => (await shownTo(ACT, `/manifests/${note}`)).includes('"state":"failed"'));
  return note;
}

describe('an operator who may only look', () => {
  it('reads no names in what was given up: of an update, a task, a callback or a manifest', async () => {
    const { shipmentId, parcelId } = await followed();
    const update = `insert into tracking_outbox (parcel_id, kind, status, area, state, note, tries, created_at, shipment_id)
      values ($1, 'message', 'delivered', '1', 'given-up', $2, 30, now(), $3)`;
    await insert(update, [parcelId, SAID, String(shipmentId)]);
    const eventId = randomUUID();
    await insert(
      `insert into task (id, kind, area, shipment_id, state, note, tries, due_at, created_at)
       values ($1, 'choose-carrier', '1', $2, 'given-up', $3, 30, null, now())`,
      [eventId, String(shipmentId), SAID],
    );
    await insert(
      `insert into event (event_id, outcome, body, received_at, area, event_type, document_type)
       values ($1, 'accepted', '{}', now(), '1', 'shipmentCreated', null)`,
      [eventId],
    );
    await insert(
      `insert into callback (account, hash, body, outcome, state, note, received_at)
       values ('pretend', 'h', '\\x7b7d', '{"ask":[],"events":[]}', 'failed', $1, now())`,
      ['invalid input: Signe Lund'],
    );
    const note = await refusedManifest(shipmentId);
    const lists = ['/dead-letters', '/tracking/given-up', '/tracking/failed', '/overview', '/events'];
    for (const path of [...lists, `/events/${eventId}`, '/manifests', `/manifests/${note}`]) {
      expect([path, await shownTo(ACT, path)]).toEqual([path, expect.stringMatching(NAMES)]);
      const hidden = await shownTo(VIEW, path);
      expect([path, hidden]).toEqual([path, expect.not.stringMatching(NAMES)]);
      expect([path, hidden]).toEqual([path, expect.stringContaining('••••••')]);
    }
    for (const path of ['/', '/dead-letters', '/manifests', `/manifests/${note}`, '/inbox', `/inbox/${eventId}`]) {
      expect([path, await pageFor(service(), ACT, path)]).toEqual([path, expect.stringMatching(NAMES)]);
      const hidden = await pageFor(service(), VIEW, path);
      expect([path, hidden]).toEqual([path, expect.not.stringMatching(NAMES)]);
      expect([path, hidden]).toEqual([path, expect.stringContaining('••••••')]);
    }
  });
});
