import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/db/migrate.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { openPostgres } from '../../src/db/postgres.js';
import type { Database } from '../../src/db/database.js';
import { silentLog } from '../../src/log.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

/** A database of its own for one run. */
export interface FreshDatabase {
  readonly environment: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** Gives out databases in which the service has been once, so that a start takes a moment. */
export interface Databases {
  readonly kind: 'embedded' | 'server';
  fresh(): Promise<FreshDatabase>;
  close(): Promise<void>;
}

export async function embeddedDatabases(): Promise<Databases> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-crash-'));
  const prepared = join(folder, 'prepared');
  await placeEmptyDatabase(prepared);
  await setUp(await openEmbedded(prepared));
  let count = 0;
  return {
    kind: 'embedded',
    fresh: async () => {
      count += 1;
      const dataDir = join(folder, `run-${count}`);
      await mkdir(dataDir);
      await cp(join(prepared, 'postgres'), join(dataDir, 'postgres'), { recursive: true });
      return {
        environment: { DATA_DIR: dataDir },
        drop: () => rm(dataDir, { recursive: true, force: true }),
      };
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function serverDatabases(url: string): Promise<Databases> {
  const template = `prepared_${randomUUID().slice(0, 8)}`;
  await onServer(url, `create database ${template}`);
  await setUp(openPostgres(at(url, template), silentLog));
  let count = 0;
  return {
    kind: 'server',
    fresh: async () => {
      count += 1;
      const name = `${template}_${count}`;
      await onServer(url, `create database ${name} template ${template}`);
      return {
        environment: { DATABASE_URL: at(url, name) },
        drop: () => onServer(url, `drop database if exists ${name} with (force)`),
      };
    },
    close: async () => undefined,
  };
}

async function setUp(database: Database): Promise<void> {
  await migrate(database);
  await database.close();
}

function at(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
