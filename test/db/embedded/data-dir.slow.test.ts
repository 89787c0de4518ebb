import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from '../../../src/db/embedded/data-dir-lock.js';
import { openEmbedded } from '../../../src/db/embedded/embedded.js';
import { migrate } from '../../../src/db/migrate.js';
import { freePort } from '../../../src/cli/sandbox/child-service.js';
import { startService } from '../../restart/running-service.js';
import { environment, yaml } from '../../config/config-samples.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-data-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A command as a user runs it, without anything of this process's environment but what finds programs. */
function run(command: string, variables: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'] ?? '', ...variables };
  const child = spawn(process.execPath, ['bin/waybridge.js', command], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise<{ readonly code: number | null; readonly output: string }>((done) =>
    child.once('close', (code) => done({ code, output })),
  );
}

describe('the folder of the embedded database', () => {
  it('is for one at a time, and free again afterwards', async () => {
    const path = join(folder, 'lock');
    const unlock = await lockDataDir(path, () => undefined);
    await expect(lockDataDir(path, () => undefined)).rejects.toThrow(
      /is used by another running process.*DATABASE_URL/,
    );
    await unlock();
    await (
      await lockDataDir(path, () => undefined)
    )();
  });

  it('can have a very long name', async () => {
    const path = join(folder, 'x'.repeat(120));
    const unlock = await lockDataDir(path, () => undefined);
    await expect(lockDataDir(path, () => undefined)).rejects.toThrow('is used by another');
    await unlock();
  });

  it('keeps its tables, which are made once', async () => {
    const path = join(folder, 'twice');
    const first = await openEmbedded(path);
    expect(await migrate(first)).toContain('ledger');
    await first.close();
    const second = await openEmbedded(path);
    expect(await migrate(second)).toEqual([]);
    // Also a folder of before: Postgres wrote 128 MB into the configuration that lies in it.
    expect(await second.query('show shared_buffers')).toEqual([{ shared_buffers: '32MB' }]);
    await second.close();
  });

  it('is refused to a second process with words, and free at once when the first was killed', async () => {
    const configFile = join(folder, 'waybridge.yaml');
    writeFileSync(configFile, yaml());
    const variables = {
      ...environment,
      PATH: process.env['PATH'] ?? '',
      IMS_BASE_URL: 'http://127.0.0.1:9/2',
      IMS_AUTH_URL: 'http://127.0.0.1:9',
      HOST: '127.0.0.1',
      CONFIG_FILE: configFile,
      DATA_DIR: join(folder, 'data'),
    };
    const first = await startService({ ...variables, PORT: String(await freePort()) });
    const second = await run('serve', { ...variables, PORT: String(await freePort()) });
    expect(second).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^DATA_DIR .* is used by another running process/m),
    });
    expect(second.output).not.toMatch(/^ +at /m);
    await first.end('SIGKILL');
    const third = await startService({ ...variables, PORT: String(await freePort()) });
    expect(await third.end('SIGTERM')).toBe(0);
  });
});

describe('a service that cannot be started', () => {
  it('ends with 78 and every problem of the environment and of the file in one message, without a value', async () => {
    const configFile = join(folder, 'broken.yaml');
    writeFileSync(configFile, yaml({ areas: '[{ contextId: 1, apiKey: "${NOT_THERE}", language: klingon }]' }));
    const { code, output } = await run('serve', {
      IMS_BASE_URL: 'http://ims.example/hidden-0001',
      EVENTS_SECRET: 'hid-2',
      PRETEND_KEY: 'hidden-0003',
      CONFIG_FILE: configFile,
      DATA_DIR: join(folder, 'never'),
    });
    expect(code).toBe(78);
    const where = ['IMS_BASE_URL', 'IMS_CLIENT_SECRET', 'OPERATOR_TOKEN', 'areas[0].apiKey', 'areas[0].language'];
    for (const name of where) expect(output).toContain(name);
    expect(output).toContain('NOT_THERE');
    expect(output).toContain('e.g. https://ims.example/2');
    expect(output).not.toMatch(/hid-2|hidden|klingon|^ +at /m);
    expect(output.match(/^settings: \d+ problems$/gm)).toHaveLength(1);
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });

  it('says the same for every command that needs settings', async () => {
    for (const command of ['migrate', 'doctor']) {
      const { output } = await run(command, { CONFIG_FILE: join(folder, 'nowhere.yaml') });
      expect(output).toContain('OPERATOR_TOKEN');
      expect(output).toContain('CONFIG_FILE');
    }
  });
});
