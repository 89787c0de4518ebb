import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/database.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { applyEvents, lockTracking } from '../../src/tracking/events/apply-events.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../support/harness.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';

const { oneParcel } = sampleShipments;
const DAY = 24 * 3_600_000;
/** In no other table than those of the booking. */
const NAME = 'Ragnhild Tindborg';

let seamed: SeamedService;
let count = 0;

/** A booked shipment, with a name of its own for its recipient. */
interface Booked {
  readonly name: string;
  readonly shipmentId: number;
  readonly documentId: number;
  readonly id: string;
  readonly number: string;
  /** The event that asked for it. */
  readonly event: object;
}

async function booked(carrierName = 'GLS'): Promise<Booked> {
  const { service } = seamed;
  const name = `${NAME} ${(count += 1)}`;
  const shipmentId = service.ship(oneParcel, {
    carrierName,
    deliveryAddress: { ...(oneParcel.shipment['deliveryAddress'] as object), addressee: name },
    contactPerson: { name, mobileNumber: '+4522334455' },
  });
  const { documentId } = service.bookQuietly(shipmentId);
  const about = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
  const event = { ...about, eventId: randomUUID(), documentId, shipmentId, deliveryAddress: { addressee: name } };
  await service.send(event);
  const { consignment, workStatus } = await service.ending(documentId);
  expect(workStatus).toBe('DONE');
  await until(
    'its parcels are followed and its requests are stored',
    async () => (await rowOf(consignment.id))?.followed === true,
  );
  return { name, shipmentId, documentId, id: consignment.id, number: consignment.shipmentNumber, event };
}

async function rowOf(id: string): Promise<{ readonly followed: boolean } | null> {
  const [row] = await seamed.database.query<{ followed: boolean }>(
    `select tracked_version is not distinct from version
            and exists (select from consignment_request where consignment_id = id) as followed
       from consignment where id = $1`,
    [id],
  );
  return row ?? null;
}

/** Has the booking end, and its parcel arrive, so many days ago. */
async function age({ id }: Booked, days: number): Promise<void> {
  const { database } = seamed;
  const at = new Date(Date.now() - days * DAY);
  await database.query('update consignment set updated_at = $2, created_at = $2 where id = $1', [id, at]);
  await database.query('update label set created_at = $2 where consignment_id = $1', [id, at]);
  await database.query('update tracked_parcel set ended_at = $2 where consignment_id = $1', [id, at]);
  await database.query(
    'update event set received_at = $2 where event_id in (select event_id from consignment where id = $1)',
    [id, at],
  );
}

/** The tables in which a text stands, also in bytes. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const { database } = seamed;
  const tables = await database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  );
  const hex = Buffer.from(text).toString('hex');
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(`select 1 from ${name} t where t::text like $1 or t::text like $2 limit 1`, [
      `%${text}%`,
      `%${hex}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

function bookings({ number }: Booked): number {
  return seamed.service.bookings('gls-dk', number).length;
}

/** Gives the turn of deleting old data to another instance. */
async function giveTurnAway(until: string): Promise<void> {
  await seamed.database.query(
    `insert into retention_turn (one, owner, until) values (1, 'another', now() + $1::interval)
     on conflict (one) do update set owner = excluded.owner, until = excluded.until`,
    [until],
  );
}

/** Only now: the service itself, which begins with it a minute after its start, finds that it is another one's turn. */
async function deleteOld(): ReturnType<SeamedService['deleteOld']> {
  await giveTurnAway('-1 second');
  try {
    return await seamed.deleteOld();
  } finally {
    await giveTurnAway('1 hour');
  }
}

/** One event of its parcel comes, without a callback. */
async function carrierSays({ id }: Booked, text: string): Promise<void> {
  const now = new Date();
  await seamed.database.transaction(async (sql) => {
    await lockTracking(sql);
    const parcels = await sql.query<{ account: string; trackingNumber: string }>(
      'select account, tracking_number as "trackingNumber" from tracked_parcel where consignment_id = $1',
      [id],
    );
    const said = { status: 'delivered', code: null, text, place: 'Ry', at: now.toISOString(), zone: 'stated' } as const;
    const events = parcels.map(({ account, trackingNumber }) => ({
      ...{ account, event: { ...said, trackingNumber, estimatedDelivery: null, id: null } },
    }));
    await applyEvents(sql, events, { options: new Map(), now });
  });
}

function forget(shipment: string, query = '') {
  return seamed.service.operator(`/shipments/${shipment}/forget${query}`, { method: 'POST' });
}

function cases(databaseUrl: () => string | null): void {
  beforeAll(async () => {
    seamed = await openSeamed(databaseUrl());
    await giveTurnAway('1 hour');
  });
  afterAll(async () => seamed?.close());

  it('removes names, addresses and labels 90 days after the end, and keeps the numbers', async () => {
    const one = await booked();
    expect(await tablesWith(one.name)).toEqual(expect.arrayContaining(['consignment', 'event']));
    await age(one, 91);
    expect(await deleteOld()).toMatchObject({ addresses: 1, bodies: 1 });
    expect(await tablesWith(one.name)).toEqual([]);
    const { body } = await seamed.service.operator(`/consignments/${one.id}`);
    expect(body).toMatchObject({ state: 'closed', shipmentNumber: one.number, labels: [] });
    expect(body.parcels).toHaveLength(1);
    expect(seamed.lines()).toContainEqual(expect.objectContaining({ event: 'old data deleted' }));
    expect(await deleteOld()).toEqual({});
  });

  it('leaves what is not at rest, needs a person, or waits for its manifest or a message', async () => {
    const all = [await booked(), await booked(), await booked(), await booked()] as const;
    const [moving, doubtful, handedOver, untold] = all;
    for (const each of all) await age(each, 500);
    const { database } = seamed;
    // A due time that no sweeper finds before the test has ended.
    await database.query("update consignment set due_at = now() + interval '1 hour' where id = $1", [moving.id]);
    await database.query('update consignment set waits_for_person = true where id = $1', [doubtful.id]);
    await database.query("update consignment set handed_over_by = 'note' where id = $1", [handedOver.id]);
    await database.query(
      `insert into handover (area, document_id, account, list, close_out, attachment, created_at)
       values ('1', 'note', 'gls', '{}', 'open', 'done', now())`,
    );
    await database.query(
      `insert into tracking_outbox (parcel_id, kind, status, area, created_at)
       select id, 'message', 'lost', '1', now() from tracked_parcel where consignment_id = $1`,
      [untold.id],
    );
    const done = await deleteOld();
    expect([done.consignments, done.addresses]).toEqual([undefined, undefined]);
    for (const { name } of all) expect(await tablesWith(name)).toContain('consignment');
    const answer = await forget(doubtful.number);
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('not at rest') } });
    await database.query("delete from handover where document_id = 'note'");
    await database.query("update tracking_outbox set state = 'done'");
    await database.query('update consignment set due_at = null, waits_for_person = false');
    expect(await deleteOld()).toMatchObject({ consignments: 4 });
  });

  it('shows a refused booking without the texts that quoted the address', async () => {
    const { service, database } = seamed;
    const address = { ...(oneParcel.shipment['deliveryAddress'] as object), addressee: NAME, postalCode: null };
    const { documentId } = service.bookQuietly(
      service.ship(oneParcel, { carrierName: 'GLS', deliveryAddress: address, deliverToPickUpPoint: false }),
    );
    const about = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
    await service.send({ ...about, eventId: randomUUID(), documentId });
    const { consignment } = await service.ending(documentId);
    expect(consignment).toMatchObject({ state: 'refused', reason: expect.stringContaining('postal code') });
    await database.query("update consignment set updated_at = now() - interval '91 days' where id = $1", [
      consignment.id,
    ]);
    expect(await deleteOld()).toMatchObject({ addresses: 1 });
    const { status, body } = await service.operator(`/consignments/${consignment.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'refused', reason: expect.stringContaining('(deleted)') });
    expect(JSON.stringify(body)).not.toContain('postal code');
  });

  it('books nothing again when the event of a deleted booking comes again, and uses no reference twice', async () => {
    const one = await booked();
    await age(one, 401);
    expect(await deleteOld()).toMatchObject({ consignments: 1, events: 1 });
    expect(await rowOf(one.id)).toBeNull();
    expect(await tablesWith(one.name)).toEqual([]);
    expect((await seamed.service.send(one.event)).body.results).toMatchObject([{ outcome: 'accepted' }]);
    await seamed.service.send({ ...one.event, eventId: randomUUID() });
    expect(await seamed.service.consignmentOf(one.documentId)).toBeNull();
    expect(bookings(one)).toBe(1);
    // A person asks for another booking of the same shipment: a new document.
    const again = seamed.service.bookQuietly(one.shipmentId).documentId;
    await seamed.service.send({ ...one.event, eventId: randomUUID(), documentId: again });
    const { consignment } = await seamed.service.ending(again);
    expect(consignment.state).toBe('closed');
    expect(consignment.reference).not.toBe(one.number);
    expect(bookings(one)).toBe(2);
  });

  it('does a batch as a whole or not at all, and another instance continues after one that failed', async () => {
    const [one, other] = [await booked(), await booked()];
    await age(one, 91);
    await age(other, 91);
    const failing = (database: Database): Database => ({
      ...database,
      transaction: (work) =>
        database.transaction((sql) =>
          work({
            ...sql,
            query: async (text, values) => {
              if (text.includes('update journal')) throw new Error('it fails here');
              return sql.query(text, values);
            },
          }),
        ),
    });
    seamed.put(failing);
    expect(await deleteOld()).not.toHaveProperty('addresses');
    seamed.put((database) => database);
    for (const { name } of [one, other]) expect(await tablesWith(name)).toContain('consignment');
    await giveTurnAway('1 minute');
    expect(await seamed.deleteOld()).toEqual({});
    // The turn of the other one has ended.
    expect(await deleteOld()).toMatchObject({ addresses: 2 });
    for (const { name } of [one, other]) expect(await tablesWith(name)).toEqual([]);
  });

  it('does not wait for an instance that took its turn while its clock was ahead', async () => {
    const one = await booked();
    await age(one, 91);
    await giveTurnAway('2 days');
    expect(await seamed.deleteOld()).toMatchObject({ addresses: 1 });
    await giveTurnAway('1 hour');
  });

  it('forgets a person on request, says what stays, and can be asked again', async () => {
    const one = await booked();
    expect(await forget(one.number)).toMatchObject({ status: 409 });
    await age(one, 1);
    const answer = await forget(one.number);
    expect(answer).toMatchObject({
      status: 200,
      body: { shipmentNumber: one.number, area: '1', removed: { requests: 1, labels: 2, events: 1 } },
    });
    expect(answer.body.kept.map(({ what }: { what: string }) => what)).toContain('manifests');
    expect(await tablesWith(one.name)).toEqual([]);
    const { body } = await seamed.service.operator(`/consignments/${one.id}`);
    expect(body.history.at(-1)).toMatchObject({ what: 'forgotten', fields: { by: 'operator' } });
    const audit = (await seamed.service.operator('/audit')).body.entries;
    expect(audit).toContainEqual(expect.objectContaining({ action: 'forget', target: `shipments/${one.number}` }));
    expect((await forget(one.id)).body.removed).toMatchObject({ labels: 0, events: 0 });
    const returned = await seamed.service.act(one, 'return-label');
    expect(returned.status).toBe(409);
  });

  it('removes what a carrier says of a parcel after its recipient was forgotten, and says so', async () => {
    const one = await booked();
    await age(one, 1);
    const onItsWay = 'update tracked_parcel set ended_at = null where consignment_id = $1';
    await seamed.database.query(onItsWay, [one.id]);
    const { status, body } = await forget(one.number);
    expect([status, JSON.stringify(body.kept)]).toEqual([200, expect.stringContaining('on its way')]);
    await seamed.database.query(
      `insert into tracking_event (account, tracking_number, dedupe, status, text, place, at, zone, moment, received_at)
       select account, tracking_number, 'later', 'delivered', $2, 'Ry', '', 'stated', greatest(events_from, now()), now()
         from tracked_parcel where consignment_id = $1`,
      [one.id, `taken by ${one.name}`],
    );
    expect(await tablesWith(one.name)).toEqual(['tracking_event']);
    await age(one, 91);
    await seamed.database.query(onItsWay, [one.id]);
    expect(await deleteOld()).not.toHaveProperty('addresses');
    await age(one, 91);
    expect(await deleteOld()).toMatchObject({ addresses: 1 });
    expect(await tablesWith(one.name)).toEqual([]);
    expect(await deleteOld()).toEqual({});
    expect(JSON.stringify((await forget(one.number)).body.kept)).not.toContain('on its way');
  });

  it('removes what a carrier says of a parcel after the end, when the addresses are gone', async () => {
    const one = await booked();
    await age(one, 91);
    expect(await deleteOld()).toMatchObject({ addresses: 1 });
    await carrierSays(one, `taken by ${one.name}`);
    expect(await tablesWith(one.name)).toEqual(['tracking_event']);
    expect(await deleteOld()).toEqual({ addresses: 1 });
    expect(await tablesWith(one.name)).toEqual([]);
    expect(await deleteOld()).toEqual({});
  });

  it('removes the path of a link to a label, also where both sides of its request were deleted before', async () => {
    const one = await booked();
    const { database } = seamed;
    const key = `key-to-the-label-${count}`;
    const because = `GET https://labels.example/labels/${key}: no answer`;
    const fetched = { method: 'GET', path: `/labels/${key}`, name: `Fetch label: ${key}`, status: null, because };
    await database.query(
      `update consignment_request set requests = jsonb_build_array(
          requests->0 || $2::jsonb || '{"step": "fetch-labels"}', requests->0 || $2::jsonb || '{"step": "return"}'), at = $3
        where consignment_id = $1`,
      [one.id, fetched, new Date(Date.now() - 91 * DAY)],
    );
    await age(one, 80);
    expect(await deleteOld()).toMatchObject({ 'request-bodies': expect.any(Number) });
    expect(await tablesWith(key)).toEqual(['consignment_request']);
    await age(one, 91);
    expect(await deleteOld()).toMatchObject({ addresses: 1 });
    expect(await tablesWith(key)).toEqual([]);
    for (const n of ['0.0', '0.1'])
      expect((await seamed.service.operator(`/consignments/${one.id}/requests/${n}`)).body.name).toBe('Fetch label');
    expect((await forget(one.number)).body.removed).toMatchObject({ requestBodies: 0 });
  });

  it('removes the worker of the tasks of a booking that have ended', async () => {
    const one = await booked();
    await age(one, 91);
    const worker = `${one.name} at the desk`;
    await seamed.database.query(
      `insert into task (id, kind, area, shipment_id, document_id, user_id, device_name, state, created_at)
       select 'task of ' || id, 'choose-carrier', area, shipment_id, document_id, to_jsonb($2::text), $2, 'done', now()
         from consignment where id = $1`,
      [one.id, worker],
    );
    expect(await deleteOld()).toMatchObject({ addresses: 1 });
    expect(await tablesWith(worker)).toEqual([]);
  });

  it('removes the worker of the handover of a booking', async () => {
    const one = await booked();
    await age(one, 91);
    const worker = `${one.name} at the gate`;
    await seamed.database.query("update consignment set handed_over_by = 'note of ' || id where id = $1", [one.id]);
    await seamed.database.query(
      `insert into task (id, kind, area, document_id, user_id, device_name, state, created_at)
       values ($1, 'hand-over', '1', $1, to_jsonb($2::text), $2, 'done', now())`,
      [`note of ${one.id}`, worker],
    );
    expect(await deleteOld()).toMatchObject({ addresses: 1 });
    expect(await tablesWith(worker)).toEqual([]);
  });

  it('removes what the IMS said of the tasks and messages of a booking', async () => {
    const one = await booked();
    await age(one, 91);
    const said = `The IMS says: "${one.name} is no address"`;
    const { database } = seamed;
    await database.query(
      `insert into task (id, kind, area, shipment_id, state, note, created_at)
       select 'refused of ' || id, 'choose-carrier', area, shipment_id, 'given-up', $2, now() from consignment where id = $1`,
      [one.id, said],
    );
    await database.query(
      `insert into tracking_outbox (parcel_id, kind, status, area, state, note, created_at)
       select id, 'message', 'lost-or-damaged', area, 'given-up', $2, now() from tracked_parcel where consignment_id = $1`,
      [one.id, said],
    );
    expect(await tablesWith(one.name)).toEqual(expect.arrayContaining(['task', 'tracking_outbox']));
    expect(await deleteOld()).toMatchObject({ addresses: 1 });
    expect(await tablesWith(one.name)).toEqual([]);
  });

  it('forgets nobody when a number means several shipments', async () => {
    const [one, other] = [await booked(), await booked()];
    await age(one, 1);
    await age(other, 1);
    await seamed.database.query('update consignment set shipment_id = $2 where id = $1', [other.id, one.number]);
    const answer = await forget(one.number);
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining(other.id) } });
    for (const { name } of [one, other]) expect(await tablesWith(name)).toContain('consignment');
    expect(await forget(one.id)).toMatchObject({ status: 200, body: { consignments: [{ id: one.id }] } });
    expect(await tablesWith(other.name)).toContain('consignment');
  });

  it('says of which shipment it knows nothing', async () => {
    expect(await forget('nothing')).toMatchObject({ status: 404 });
    expect(await forget('10045', '?arae=1')).toMatchObject({ status: 400 });
  });
}

describe('old data in the embedded database', () => cases(() => null));
describeOnServer('old data', (url) => cases(url));
