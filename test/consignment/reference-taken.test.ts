import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { type App, startAppWith } from '../../src/app.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox-config.js';
import { prepare } from '../../src/cli/settings-for.js';
import type { Database } from '../../src/db/database.js';
import { sampleShipments } from '../../src/sandbox/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { describeOnServer } from '../db/postgres-server.js';
import { Service } from '../service/harness.js';
import { keepLog } from '../service/log-lines.js';
import { placeEmptyDatabase } from '../service/prepared-database.js';

const LOOKS_WHICH_ARE_TAKEN = 'select reference from consignment';

/** Whoever asks which references are taken gets the answer when both have asked: then both choose the same. */
function together(database: Database): Database {
  let asked = 0;
  let bothAsked = () => undefined as void;
  const both = new Promise<void>((done) => (bothAsked = done));
  return {
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      const rows = await database.query<Row>(text, values);
      if (!text.includes(LOOKS_WHICH_ARE_TAKEN)) return rows;
      asked += 1;
      if (asked === 2) bothAsked();
      await both;
      return rows;
    },
  };
}

function twoAtOnce(databaseUrl: () => string | null): void {
  let sandbox: Sandbox;
  let app: App;
  let folder: string;

  async function start(): Promise<Service> {
    folder = mkdtempSync(join(tmpdir(), 'waybridge-reference-'));
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
    app = await startAppWith({ settings, config, log, seams: { database: together } });
    return new Service({ sandbox, url: app.url, lines, stop: app.stop });
  }

  afterEach(async () => {
    await app.stop();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives one of them another reference at once, and both are booked', async () => {
    const service = await start();
    const { oneParcel } = sampleShipments;
    const shipmentId = service.ship(oneParcel, { carrierName: 'Pretend' });
    const [earlier, later] = [service.book(shipmentId), service.book(shipmentId)];
    const event = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
    // Named by its document alone, its shipment is not known to be the same.
    const byDocument = { ...event, eventId: service.eventOf(later), documentId: later };
    const byShipment = { ...event, eventId: service.eventOf(earlier), documentId: earlier, shipmentId };
    // The first is the older one, so it does not wait for the other, which cannot see that they belong together.
    for (const one of [byDocument, byShipment]) expect((await service.send(one)).status).toBe(202);

    const endings = [await service.ending(earlier), await service.ending(later)];
    expect(endings).toMatchObject([{ workStatus: 'DONE' }, { workStatus: 'DONE' }]);
    const number = service.numberOf(later);
    const references = service.bookings('pretend', number).map(({ reference }) => reference);
    expect(references.toSorted()).toEqual([number, `${number}.2`]);
    const said = service.lines.map((line) => line.event);
    expect(said.filter((what) => what === 'overtaken')).toHaveLength(1);
    expect(said).not.toContain('consignment broke');
    for (const { consignment } of endings)
      expect(consignment.history.map((entry: { what: string }) => entry.what)).not.toContain('broke');
  }, 30_000);
}

describe('two bookings of one shipment that are prepared at once', () => {
  twoAtOnce(() => null);
});

describeOnServer('two bookings of one shipment that are prepared at once', (url) => twoAtOnce(url));
