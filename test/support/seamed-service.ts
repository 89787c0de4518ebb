import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { type App, startAppWith } from '../../src/app/app.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { settingsFor } from '../../src/cli/settings-for.js';
import type { Database } from '../../src/db/database.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import { Service } from './harness.js';
import { type LogLine, keepLog } from './log-lines.js';
import { placeEmptyDatabase } from './prepared-database.js';

/** What a test puts between the service and its database. */
export type Seam = (database: Database) => Database;

/** A service that hears of nothing by itself: a test sends its events. */
export interface SeamedService {
  readonly service: Service;
  /** Without the seam. */
  readonly database: Database;
  /** From now on this one, instead of the one before. */
  put(seam: Seam): void;
  /** Of the embedded database. */
  readonly dataDir: string;
  /** Deletes old data now. */
  readonly deleteOld: App['deleteOld'];
  /** What was logged since the last `put`. */
  lines(): readonly LogLine[];
  close(): Promise<void>;
}

/** @param databaseUrl of a server; `null`: the embedded database */
export async function openSeamed(
  databaseUrl: string | null,
  { environment, config: more = '' }: { environment?: Readonly<Record<string, string>>; config?: string } = {},
): Promise<SeamedService> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-seamed-'));
  const sandbox = await startSandbox({ port: 0, carriers });
  const configFile = join(folder, 'waybridge.yaml');
  const dataDir = join(folder, 'data');
  await writeFile(configFile, `${sandboxConfig(sandbox)}\n${more}`);
  if (databaseUrl === null) await placeEmptyDatabase(dataDir);
  const { settings, config } = await settingsFor({
    ...sandboxEnvironment(sandbox, { port: 0, configFile, dataDir }),
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    ...environment,
  });
  const { log, lines } = keepLog();
  const { database, through, put } = changeable();
  const app = await startAppWith({ settings, config, log, seams: { database: through } });
  let from = 0;
  return {
    service: new Service({ sandbox, url: app.url, lines, stop: app.stop }),
    database: database(),
    dataDir,
    deleteOld: app.deleteOld,
    put: (seam) => {
      from = lines.length;
      put(seam);
    },
    lines: () => lines.slice(from),
    close: async () => {
      await app.stop();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A seam that can be exchanged while the service runs. */
function changeable() {
  let opened: Database | null = null;
  let current: Database | null = null;
  const isOpen = (database: Database | null): Database => {
    if (database === null) throw new Error('the service has no database yet');
    return database;
  };
  return {
    database: () => isOpen(opened),
    put: (seam: Seam) => void (current = seam(isOpen(opened))),
    through: (database: Database): Database => {
      opened = database;
      current = database;
      return {
        ...database,
        query: (text, values) => isOpen(current).query(text, values),
        transaction: (work) => isOpen(current).transaction(work),
      };
    },
  };
}
