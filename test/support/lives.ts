import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { carriers } from '../../carriers/index.js';
import { type App, startAppWith } from '../../src/app/app.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { settingsFor } from '../../src/cli/settings-for.js';
import type { Database } from '../../src/db/database.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { Service } from './harness.js';
import { keepLog } from './log-lines.js';
import { placeEmptyDatabase } from './prepared-database.js';

export const MINUTE_MS = 60_000;

/** One run of the service, with records of its own; the IMS and the carriers outlive it. */
export interface Life {
  readonly service: Service;
  readonly app: App;
  readonly database: Database;
  /** Time passes at once; nothing may be at work meanwhile. */
  forward(ms: number): void;
  /** Looks for missed events as it will so many minutes from now. */
  look(minutes: number, area?: string): ReturnType<App['lookForMissed']>;
  end(): Promise<void>;
}

export interface Lives {
  readonly sandbox: Sandbox;
  /** Time passes at once for the IMS and the carriers, not for a service. */
  forward(ms: number): void;
  /** With empty records, unless a database is shared. */
  begin(environment?: Readonly<Record<string, string>>): Promise<Life>;
  end(): Promise<void>;
}

/** An IMS whose events reach nobody. @param change of `waybridge.yaml` */
export async function openLives(change: (config: Config) => object = (config) => config): Promise<Lives> {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const sandbox = await startSandbox({ port: 0, carriers, limits: { requestsPerSecond: null }, now });
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-lives-'));
  const configFile = join(folder, 'waybridge.yaml');
  await writeFile(configFile, stringify(change(parse(sandboxConfig(sandbox)) as Config)));
  return {
    sandbox,
    forward: (ms) => void (aheadMs += ms),
    begin: async (environment = {}) => {
      const dataDir = await mkdtemp(join(folder, 'data-'));
      if (environment['DATABASE_URL'] === undefined) await placeEmptyDatabase(dataDir);
      return beginLife(sandbox, { ...sandboxEnvironment(sandbox, { port: 0, configFile, dataDir }), ...environment });
    },
    end: async () => {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Config = Record<string, unknown> & {
  readonly areas: readonly Record<string, unknown>[];
  readonly rules: readonly Record<string, unknown>[];
};

async function beginLife(sandbox: Sandbox, environment: Readonly<Record<string, string>>): Promise<Life> {
  const { settings, config } = await settingsFor(environment);
  const { log, lines } = keepLog();
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  let opened: Database | null = null;
  const watched = (database: Database) => (opened = database);
  const app = await startAppWith({ settings, config, log, seams: { clock, database: watched } });
  if (opened === null) throw new Error('the service has opened no database');
  return {
    app,
    database: opened,
    service: new Service({ sandbox, url: app.url, lines, stop: app.stop }),
    forward: (ms) => (aheadMs += ms),
    look: (minutes, area = '1') => app.lookForMissed(area, new Date(clock.now().getTime() + minutes * MINUTE_MS)),
    end: () => app.stop(),
  };
}
