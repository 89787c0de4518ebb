import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { giveBackLeases, takeWaiting } from '../../src/consignment/ledger/due-rows.js';
import { dropAllLeases } from '../../src/worker/leased-rows.js';
import { knownDocuments, shipmentsChosenFor } from '../../src/reconciliation/known-rows.js';
import type { Database, Sql } from '../../src/db/database.js';
import { dropOldDeliveries, giveBackDeliveries } from '../../src/webhooks/delivery-rows.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { dropOldCallbacks } from '../../src/tracking/callbacks/callback-rows.js';
import { FIRST_EVENT, dropUnclaimedEvents } from '../../src/tracking/events/tracking-event-rows.js';
import { giveBackOutboxEntries } from '../../src/tracking/ims-updates/outbox-rows.js';
import { endOldParcels } from '../../src/tracking/parcels/parcel-rows.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';
import { until } from '../support/harness.js';

const { oneParcel, threeParcels } = sampleShipments;
/** Enough to tell tables that grow from those that stay small. */
const CONSIGNMENTS = 400;
const ROWS_OF_A_LARGE_TABLE = 300;
const MULTIPLY = readFileSync(new URL('../../bench/parts/many-consignments.sql', import.meta.url), 'utf8');

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

interface Seen {
  readonly text: string;
  /** Tables that are read from end to end although the planner was told to avoid it by all means. */
  readonly readWhole: readonly string[];
}

function readWhole(node: PlanNode): readonly string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [];
  return [...own, ...(node.Plans ?? []).flatMap(readWhole)];
}

/** Asks for the plan of every statement before it is run, once for each text. */
function explaining(database: Database, seen: Map<string, Seen>): Database {
  const through = (sql: Sql): Sql => ({
    script: (text) => sql.script(text),
    query: async (text, values) => {
      if (!seen.has(text) && /^\s*(select|insert|update|delete|with)\b/i.test(text)) {
        seen.set(text, { text, readWhole: [] });
        const [row] = await sql.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
          `explain (format json) ${text}`,
          values,
        );
        seen.set(text, { text, readWhole: (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => readWhole(Plan)) });
      }
      return sql.query(text, values);
    },
  });
  return {
    ...database,
    ...through(database),
    transaction: (work) => database.transaction((sql) => work(through(sql))),
  };
}

describe('with many consignments in the ledger', () => {
  const seen = new Map<string, Seen>();
  let seamed: SeamedService;
  let large: ReadonlySet<string>;

  async function booked(sample: typeof oneParcel, carrierName: string): Promise<number> {
    const { service } = seamed;
    const { id } = service.control.createShipment({
      area: 1,
      shipment: { ...sample.shipment, carrierName },
      containers: sample.containers,
    });
    await service.ending(service.book(id));
    return id;
  }

  async function registered(parcels: number): Promise<void> {
    await until('the parcels are followed', async () => {
      const rows = await seamed.database.query('select id from tracked_parcel where consignment_id not like $1', [
        'made-%',
      ]);
      return rows.length >= parcels;
    });
  }

  beforeAll(async () => {
    seamed = await openSeamed(null);
    const { service, database } = seamed;
    service.listenAgain();
    await service.operator('/subscribers', { method: 'POST', body: { url: 'http://127.0.0.1:9/hook' } });
    await booked(oneParcel, 'Pretend');
    await registered(1);
    await database.script(MULTIPLY.replaceAll(':count', String(CONSIGNMENTS)));
    await database.script('set enable_seqscan = off');
    const rows = await database.query<{ relname: string }>(
      "select relname from pg_class where relkind = 'r' and reltuples >= $1",
      [ROWS_OF_A_LARGE_TABLE],
    );
    large = new Set(rows.map(({ relname }) => relname));
    seamed.put((opened) => explaining(opened, seen));
  });

  afterAll(async () => seamed?.close());

  /** Statements that read a large table from end to end. */
  function offenders(): readonly string[] {
    return [...seen.values()]
      .filter((each) => each.readWhole.some((table) => large.has(table)))
      .map((each) => `${each.readWhole.join(', ')}: ${each.text.replace(/\s+/g, ' ')}`);
  }

  it('knows the tables that grow', () => {
    expect([...large]).toEqual(
      expect.arrayContaining(['consignment', 'event', 'journal', 'label', 'task', 'tracked_parcel', 'tracking_event']),
    );
  });

  it('books, cancels, hands over and follows parcels by indexes alone', async () => {
    const { service } = seamed;
    const shipments = [await booked(oneParcel, 'Pretend'), await booked(threeParcels, 'GLS')];
    const cancelled = await booked(oneParcel, 'Pretend');
    const document = service.control.state().documents.find((row) => row.shipmentIds.includes(cancelled));
    service.control.cancelDocument(document?.id ?? 0);
    service.control.createShipment({ area: 1, shipment: oneParcel.shipment, event: 'send' });
    for (const shipmentId of shipments)
      service.control.createDocument({ area: 1, documentType: 'DELIVERY_NOTE', shipmentIds: [shipmentId] });
    const note = service.control.handOver(1, shipments).id;
    await until('the list is made', async () => (await service.operator(`/handovers/${note}`)).status === 200);
    await registered(5);
    expect(seen.size).toBeGreaterThan(30);
    expect(offenders()).toEqual([]);
  });

  it.each([
    ...['limit=50', 'state=incomplete', 'area=7', 'area=7&state=refused', 'q=made-7', 'q=M1000007', 'q=70000007'],
    ...['q=50000007', 'q=MC100000007', 'q=MT100000007', 'q=nothing', 'q=M1000007&area=8'],
  ])('lists consignments by indexes alone: %s', async (query) => {
    const { status, body } = await seamed.service.operator(`/consignments?${query}`);
    expect(status).toBe(200);
    const numbers = body.consignments.map((each: { shipmentNumber: string }) => each.shipmentNumber);
    if (query.startsWith('q=')) expect(numbers).toEqual(query === 'q=nothing' ? [] : ['M1000007']);
    expect(offenders()).toEqual([]);
  });

  it.each([
    '/consignments/made-7',
    '/parcels/MT100000007',
    ...['/parcels', '/parcels?status=in-transit', '/parcels?late=true', '/parcels?q=M1000007', '/handovers?q=M1000007'],
    ...['/events', '/events/made-event-7', '/events?outcome=ignored', '/events?area=7', '/events?q=M1000007'],
    ...['/events?q=50000007', '/dead-letters', '/dead-letters?kind=task', '/tracking/given-up?q=MT100000007'],
    '/tracking/unrecognised',
    '/tracking/given-up',
    '/tracking/failed',
    '/tracking/accounts',
    '/subscribers',
  ])('shows %s by indexes alone', async (path) => {
    expect((await seamed.service.operator(path)).status).toBe(200);
    expect(offenders()).toEqual([]);
  });

  it('starts, stops, tidies and looks for missed events by indexes alone', async () => {
    const database = explaining(seamed.database, seen);
    const long = new Date('2000-01-01T00:00:00Z');
    await dropAllLeases(database);
    await giveBackLeases(database, 'nobody');
    await giveBackOutboxEntries(database, 'nobody');
    await giveBackDeliveries(database, 'nobody');
    await takeWaiting(database, { now: long, since: long, areas: ['1'], limit: 1 });
    await knownDocuments(database, '1', ['7']);
    await shipmentsChosenFor(database, '1', ['7']);
    await endOldParcels(database, long, long);
    await dropOldCallbacks(database, long, 1);
    await dropUnclaimedEvents(database, { after: FIRST_EVENT, before: long, size: 1, limit: 1 });
    await dropOldDeliveries(database, long, 1);
    expect(offenders()).toEqual([]);
  });

  it('deletes and forgets old data by indexes alone', async () => {
    const { service, database } = seamed;
    await database.query(
      "update consignment set updated_at = now() - interval '100 days' where id in ('made-7', 'made-8')",
    );
    await database.query("update consignment set updated_at = now() - interval '500 days' where id = 'made-9'");
    const done = await seamed.deleteOld();
    expect(done).toMatchObject({ addresses: 2, consignments: 1 });
    expect((await service.operator('/shipments/M1000011/forget', { method: 'POST' })).status).toBe(200);
    expect(offenders()).toEqual([]);
  });
});
