import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { eventTarget, sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import type { Database } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { describeOnServer } from '../db/postgres-server.js';
import { type RunningService, startService } from '../restart/running-service.js';
import { until } from '../support/harness.js';

const STOPS_WITHIN_MS = 20_000;
/** As many as are under way at a carrier that cannot be asked and of which nothing is known yet. */
const AT_ONCE = 2;
const IN_LINE = 8;
const HANGS_MS = 60_000;

const { oneParcel } = sampleShipments;

describeOnServer('stopping one of two', (databaseUrl) => {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-handover-'));
  const configFile = join(folder, 'waybridge.yaml');
  let sandbox: Sandbox;
  let database: Database;
  let first: RunningService;
  let second: RunningService | null = null;

  const begin = async () =>
    startService({
      ...sandboxEnvironment(sandbox, { port: await freePort(), configFile, dataDir: folder }),
      DATABASE_URL: databaseUrl(),
    });

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, carriers });
    writeFileSync(configFile, sandboxConfig(sandbox));
    database = openPostgres(databaseUrl(), silentLog);
  });

  beforeEach(async () => {
    first = await begin();
    sandbox.control.setEventTargets([eventTarget(first.url)]);
  });

  afterEach(async () => {
    sandbox.control.clearFaults();
    await Promise.all([first.end('SIGKILL'), second?.end('SIGKILL')]);
  });

  afterAll(async () => {
    await database.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function bookMany(count: number, carrierName: string): readonly number[] {
    return Array.from({ length: count }, () => {
      const { shipment, containers } = oneParcel;
      const { id } = sandbox.control.createShipment({ area: 1, shipment: { ...shipment, carrierName }, containers });
      return sandbox.control.createTransportBooking(id).id;
    });
  }

  function having(status: string, documents: readonly number[]): number {
    const rows = sandbox.control.state().documents;
    return rows.filter((row) => documents.includes(row.id) && row.workStatus === status).length;
  }

  const asked = (target: string, method: string, path: RegExp) =>
    sandbox.control.requests({ target }).filter((one) => one.method === method && path.test(one.path)).length;

  /** @returns which instances have a booking under way */
  async function atWork(): Promise<readonly string[]> {
    const rows = await database.query<{ owner: string }>(
      'select distinct lease_owner as owner from consignment where lease_owner is not null',
    );
    return rows.map(({ owner }) => owner);
  }

  it('gives what waits in line to the other at once, and what is at the carrier when it has certainly ended', async () => {
    sandbox.control.addFault({ target: 'gls-dk', method: 'POST', kind: 'delay', ms: HANGS_MS, times: AT_ONCE });
    const documents = bookMany(AT_ONCE + IN_LINE, 'GLS');
    await until('the carrier hangs', () => asked('gls-dk', 'POST', /CreateShipment/) === AT_ONCE);
    second = await begin();

    const from = Date.now();
    let endedAfterMs: number | null = null;
    const ended = first.end('SIGTERM').then((code) => {
      endedAfterMs = Date.now() - from;
      return code;
    });
    await until('the other has booked what was in line', () => having('DONE', documents) === IN_LINE);
    expect(endedAfterMs).toBeNull();
    expect(await ended).toBe(0);
    expect(endedAfterMs).toBeLessThan(STOPS_WITHIN_MS);

    // GLS cannot be asked: what was sent is for a person.
    await until('all have ended', () => having('FAILED', documents) === AT_ONCE);
    expect(having('DONE', documents)).toBe(IN_LINE);
    expect(sandbox.control.bookings('gls-dk')).toHaveLength(AT_ONCE + IN_LINE);
  });

  it('gives what hangs without harm to the other, which does not wait for a lease to end', async () => {
    second = await begin();
    const path = '^/shipments/\\d+$';
    sandbox.control.addFault({ target: 'ims', method: 'GET', path, kind: 'delay', ms: HANGS_MS, times: 'always' });
    const before = asked('ims', 'GET', new RegExp(path));
    const documents = bookMany(4, 'Pretend');
    const attempts = () => asked('ims', 'GET', new RegExp(path)) - before;
    await until('every shipment is asked for', () => attempts() === documents.length);
    const [owner = '', ...others] = await atWork();
    expect(others).toEqual([]);

    const from = Date.now();
    const ended = first.end('SIGTERM');
    // From here on they hang at the second try, for longer than whoever stops waits for them.
    await until('every shipment is asked for again', () => attempts() === 2 * documents.length);
    sandbox.control.clearFaults();
    expect(await ended).toBe(0);
    expect(Date.now() - from).toBeLessThan(STOPS_WITHIN_MS);
    expect(await atWork()).not.toContain(owner);
    expect(first.output()).toMatch(new RegExp(`"count":${documents.length},.*"left unfinished"`));
    await until('the other has ended them', () => having('DONE', documents) === documents.length);
    expect(sandbox.control.bookings('pretend')).toHaveLength(documents.length);
  });
});
