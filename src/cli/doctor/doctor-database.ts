import { existsSync } from 'node:fs';
import { access, constants, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Settings } from '../../config/environment.js';
import { whyNotStoring } from '../../db/access.js';
import { type Database, DatabaseUnavailable } from '../../db/database.js';
import { isDataDirInUse } from '../../db/embedded/data-dir-lock.js';
import { isSystemError, storageFailure } from '../../db/embedded/storage-failure.js';
import { missingMigrations } from '../../db/migrate.js';
import { ServerUnusable } from '../../db/server-unusable.js';
import { silentLog } from '../../log.js';
import { withTimeout } from '../../worker/with-timeout.js';
import { type Check, ToLookAt } from './report.js';

/** All questions to the server together. */
const SERVER_ANSWERS_WITHIN_MS = 10_000;
const STATEMENT_MS = 5_000;
/** More than a folder holds in its own entry. */
const TRIED_BYTES = 65_536;

/** Whether the service can store: it reads from a server, and writes and removes a file in the folder of an embedded database. */
export async function checkDatabase({ DATABASE_URL, DATA_DIR }: Settings, check: Check): Promise<void> {
  await check('database', () =>
    DATABASE_URL === undefined ? folderState(resolve(DATA_DIR)) : atServer(DATABASE_URL, serverFindings),
  );
}

/** Without Redis, each instance keeps to its share of the requests to the IMS: bookings work. */
export async function checkRedis({ REDIS_URL }: Settings, check: Check): Promise<void> {
  if (REDIS_URL === undefined) return;
  await check('redis', async () => {
    const { pingRedis } = await import('../../ims/limits/redis-connection.js');
    await pingRedis(REDIS_URL).catch((error: Error) => {
      throw new ToLookAt(
        `REDIS_URL cannot be used: "${error.message}". Each instance keeps to its share of the requests to the IMS until it answers`,
      );
    });
    return 'fine: answers';
  });
}

/** @throws ServerUnusable it does not answer, or not in time */
export async function atServer<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const { openPostgres } = await import('../../db/postgres.js');
  const database = openPostgres(url, silentLog, { statementMs: STATEMENT_MS });
  const late = (): never => {
    throw new DatabaseUnavailable(`no answer within ${SERVER_ANSWERS_WITHIN_MS / 1_000} s`);
  };
  try {
    return await withTimeout(work(database), SERVER_ANSWERS_WITHIN_MS, late);
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? new ServerUnusable(error) : error;
  } finally {
    // Not waited for: a connection that hangs ends by its own timeouts.
    void database.close().catch(() => undefined);
  }
}

async function serverFindings(database: Database): Promise<string> {
  const notStoring = await whyNotStoring(database);
  if (notStoring !== null) throw new Error(notStoring);
  const missing = await missingMigrations(database);
  const [rights] = await database.query<{ mayCreate: boolean | null }>(
    `select has_schema_privilege(current_schema(), 'create') as "mayCreate"`,
  );
  if (rights?.mayCreate !== true)
    throw new Error('the user of DATABASE_URL may not create tables: grant it create on the schema');
  if (missing.length === 0) return 'fine: the server answers, and its tables are up to date';
  return `fine: the server answers; the next start, or waybridge migrate, applies ${missing.length} migrations: ${missing.join(', ')}`;
}

/** Looks at the folder only; `checkDataKey` opens the embedded database, where no process uses it. */
async function folderState(dataDir: string): Promise<string> {
  const folder = existing(dataDir);
  await requireWritable(folder);
  if (folder !== dataDir) return 'fine: embedded; the first start makes DATA_DIR';
  await tryToWrite(dataDir);
  const inside = join(dataDir, 'postgres');
  if (existsSync(inside)) await requireWritable(inside);
  if (await isDataDirInUse(dataDir)) return 'fine: embedded, and in use by the running service';
  return 'fine: embedded; DATA_DIR can be written, and no process uses it';
}

/** A full disk lets a file begin, and then has no room for what is in it. @throws StorageFailure */
async function tryToWrite(folder: string): Promise<void> {
  const path = join(folder, `doctor-tries-to-write-${process.pid}`);
  try {
    const file = await open(path, 'w');
    try {
      await file.writeFile(Buffer.alloc(TRIED_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw isSystemError(error) ? storageFailure(folder, error) : error;
  } finally {
    await rm(path, { force: true });
  }
}

/** @throws StorageFailure */
async function requireWritable(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(`${folder} is a file`), { code: 'ENOTDIR' });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw isSystemError(error) ? storageFailure(folder, error) : error;
  }
}

/** The folder, or the nearest one above it that is there. */
export function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}
