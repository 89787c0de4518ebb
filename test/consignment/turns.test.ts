import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { type App, startAppWith } from '../../src/app.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox-config.js';
import { prepare } from '../../src/cli/settings-for.js';
import type { Database, Sql } from '../../src/db/database.js';
import { sampleShipments } from '../../src/sandbox/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { describeOnServer } from '../db/postgres-server.js';
import { Service, until } from '../service/harness.js';
import { keepLog } from '../service/log-lines.js';
import { placeEmptyDatabase } from '../service/prepared-database.js';

const LOOKS_AT_THE_OTHERS = 'shipment_id = $2 and id <> $3';
const MINUTE_MS = 60_000;
/** Places of values in the statement that stores a new consignment. */
const ID = 0;
const BOOKED_ON = 2;
const SHIFT = `update consignment set created_at = created_at + $2 * interval '1 millisecond' where id = $1`;

type Seam = (database: Database) => Database;

/** Packing events are stored as if their transaction had begun so much later: earlier, when it is less than 0. */
const packedLaterBy =
  (ms: number): Seam =>
  (database) => {
    const shifting = (sql: Sql): Sql => ({
      ...sql,
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const rows = await sql.query<Row>(text, values);
        if (text.includes('insert into consignment') && values[BOOKED_ON] === 'packing-completed')
          await sql.query(SHIFT, [values[ID], ms]);
        return rows;
      },
    });
    return { ...database, transaction: (work) => database.transaction((sql) => work(shifting(sql))) };
  };

/** The first two who look at a shipment's other bookings see none, as if the other's row were not committed yet. */
const unseen: Seam = (database) => {
  let asked = 0;
  let bothAsked = () => undefined as void;
  const both = new Promise<void>((done) => (bothAsked = done));
  return {
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      const rows = await database.query<Row>(text, values);
      asked += text.includes(LOOKS_AT_THE_OTHERS) ? 1 : 0;
      if (!text.includes(LOOKS_AT_THE_OTHERS) || asked > 2) return rows;
      if (asked === 2) bothAsked();
      await both;
      return [];
    },
  };
};

function turns(databaseUrl: () => string | null): void {
  let sandbox: Sandbox;
  let app: App;
  let folder: string;
  let database: Database;

  async function start(seam: Seam): Promise<Service> {
    folder = mkdtempSync(join(tmpdir(), 'waybridge-turns-'));
    sandbox = await startSandbox({ port: 0, carriers });
    const configFile = join(folder, 'waybridge.yaml');
    const dataDir = join(folder, 'data');
    writeFileSync(configFile, sandboxConfig(sandbox));
    const url = databaseUrl();
    if (url === null) await placeEmptyDatabase(dataDir);
    const { settings, config } = prepare({
      ...sandboxEnvironment(sandbox, { port: 0, configFile, dataDir }),
      ...(url !== null && { DATABASE_URL: url }),
    });
    const { log, lines } = keepLog();
    const seams = { database: (opened: Database) => seam((database = opened)) };
    app = await startAppWith({ settings, config, log, seams });
    return new Service({ sandbox, url: app.url, lines, stop: app.stop });
  }

  afterEach(async () => {
    // Every sandbox counts its documents from the same number.
    await database.script('truncate event, consignment, label, journal, errand, carrier_setting');
    await app.stop();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A shipment that is packed and has a booking document; the events are sent by the test. */
  function shipped(service: Service) {
    const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
    const documentId = service.book(shipmentId);
    const about = { contextId: '1', shipmentId: String(shipmentId) };
    const packed = { ...about, eventId: `packed-${shipmentId}`, eventType: 'packingCompleted' };
    const created = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', documentId: String(documentId) };
    return { documentId, packed, asked: { ...about, ...created, eventId: service.eventOf(documentId) } };
  }

  const stateOf = async (eventId: string) => {
    const rows = await database.query<{ state: string; due_at: Date | null }>(
      'select state, due_at from consignment where event_id = $1',
      [eventId],
    );
    return rows[0]?.due_at === null ? rows[0].state : null;
  };

  async function send(service: Service, event: { readonly eventId: string }): Promise<void> {
    expect((await service.send(event)).status).toBe(202);
  }

  const atRest = ({ eventId }: { readonly eventId: string }) =>
    until(`${eventId} is at rest`, async () => (await stateOf(eventId)) !== null);

  async function expectOneBooking(service: Service, documentId: number): Promise<void> {
    const ending = await service.ending(documentId);
    const bookings = service.bookings('pretend', service.numberOf(documentId));
    expect(bookings).toMatchObject([{ reference: service.numberOf(documentId), state: 'booked' }]);
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: bookings[0]?.trackingNumbers });
  }

  it.each([
    ['that came a minute before it', -MINUTE_MS],
    ['that came a minute after it', MINUTE_MS],
  ])(
    'does not book for a packing event %s, seen after the document was booked',
    async (_when, ms) => {
      const service = await start(packedLaterBy(ms));
      const { documentId, packed, asked } = shipped(service);
      await send(service, asked);
      await atRest(asked);
      await send(service, packed);
      await atRest(packed);
      expect(await stateOf(packed.eventId)).toBe('set-aside');
      await expectOneBooking(service, documentId);
    },
    30_000,
  );

  it.each([
    ['that came a minute before it', -MINUTE_MS],
    ['that came a minute after it', MINUTE_MS],
  ])(
    'takes over for a document what a packing event %s has booked',
    async (_when, ms) => {
      const service = await start(packedLaterBy(ms));
      const { documentId, packed, asked } = shipped(service);
      await send(service, packed);
      await atRest(packed);
      await send(service, asked);
      await atRest(asked);
      await expectOneBooking(service, documentId);
    },
    30_000,
  );

  it('books once when neither sees the other until its plan is made', async () => {
    const service = await start(unseen);
    const { documentId, packed, asked } = shipped(service);
    await Promise.all([send(service, packed), send(service, asked)]);
    await Promise.all([atRest(packed), atRest(asked)]);
    await expectOneBooking(service, documentId);
    const said = service.lines.map((line) => line.event);
    expect(said.filter((what) => what === 'overtaken')).toHaveLength(1);
    expect(said).not.toContain('consignment broke');
  }, 30_000);
}

describe('an old event and a document of one shipment', () => {
  turns(() => null);
});

describeOnServer('an old event and a document of one shipment', (url) => turns(url));
