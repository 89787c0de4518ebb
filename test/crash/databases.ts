import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

/** A database of its own for one run. */
export interface FreshDatabase {
  readonly environment: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** Gives out databases that have their tables, so that a start takes a moment. */
export interface Databases {
  readonly kind: 'embedded' | 'server';
  fresh(): Promise<FreshDatabase>;
  close(): Promise<void>;
}

export async function embeddedDatabases(): Promise<Databases> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-crash-'));
  let count = 0;
  return {
    kind: 'embedded',
    fresh: async () => {
      count += 1;
      const dataDir = join(folder, `run-${count}`);
      await placeEmptyDatabase(dataDir);
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
  const database = openPostgres(at(url, template), silentLog);
  await migrate(database);
  await database.close();
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
