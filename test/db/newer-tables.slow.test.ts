import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { migrate } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { environment, yaml } from '../config/config-samples.js';
import { describeOnServer } from './postgres-server.js';

const FROM_TOMORROW = "insert into migration (n, name) values (999, 'tomorrow')";
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-newer-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the service as a user does. @returns how it ended */
function serve(variables: Readonly<Record<string, string>>) {
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, yaml());
  const own = { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', PORT: '0', CONFIG_FILE: configFile };
  const child = spawn(process.execPath, ['--liftoff-only', 'bin/waybridge.js', 'serve'], {
    env: { ...environment, ...own, ...variables },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise<{ readonly code: number | null; readonly output: string }>((done) =>
    child.once('close', (code) => done({ code, output })),
  );
}

describe('an older version that starts on the tables of a newer one', () => {
  it('ends with words and 78, with the embedded database', async () => {
    const dataDir = join(folder, 'data');
    const database = await openEmbedded(dataDir);
    await migrate(database);
    await database.query(FROM_TOMORROW);
    await database.close();
    const { code, output } = await serve({ DATA_DIR: dataDir });
    expect(output).toContain('999 (tomorrow)');
    expect(output).toContain('start that version');
    expect(code).toBe(78);
  });
});

describeOnServer('an older version that starts beside newer ones', (url) => {
  it('ends with words and 78', async () => {
    const database = openPostgres(url(), silentLog);
    await migrate(database);
    await database.query(FROM_TOMORROW);
    await database.close();
    const { code, output } = await serve({ DATABASE_URL: url() });
    expect(output).toContain('999 (tomorrow)');
    expect(code).toBe(78);
  });
});
