import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { startApp } from '../../src/app/app.js';
import { eventTarget, sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { settingsFor } from '../../src/cli/settings-for.js';
import { describeOnServer } from '../db/postgres-server.js';
import { playOutage } from './carrier-outage.js';
import { type Service, startService } from '../support/harness.js';
import { keepLog } from '../support/log-lines.js';

const MAX_FOR_A_PERSON = 5;
const BOOKINGS = 18;

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A second instance of the service, beside the one of the harness. */
async function startBeside(service: Service, url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-beside-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const configFile = join(folder, 'waybridge.yaml');
  await writeFile(configFile, sandboxConfig(service.sandbox));
  const { settings, config } = await settingsFor({
    ...sandboxEnvironment(service.sandbox, { port: 0, configFile, dataDir: folder }),
    DATABASE_URL: url,
  });
  const app = await startApp(settings, config, keepLog().log);
  ends.push(app.stop);
  return app.url;
}

describeOnServer('two instances in an outage of 45 s', (url) => {
  it('leave at most five of 18 bookings for a person, together, at a carrier that cannot be asked', async () => {
    const service = await startService({ environment: { DATABASE_URL: url() } });
    ends.push(service.stop);
    const beside = await startBeside(service, url());
    service.control.setEventTargets([eventTarget(service.url), eventTarget(beside)]);
    const after = await playOutage(service, {
      fault: { kind: 'status', status: 503, body: 'down' },
      lastsMs: 45_000,
      bookings: BOOKINGS,
      arrive: 'at once',
    });
    expect(after.twice).toEqual([]);
    expect(after.forPerson).toBeLessThanOrEqual(MAX_FOR_A_PERSON);
    expect(after.done).toBe(BOOKINGS - after.forPerson);
  });
});
