import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { lchownSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateNow } from '../../src/cli/migrate.js';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

const OWNER = 54_321;
const CONFIG = `
areas: [{ contextId: 1, apiKey: area-1-key }]
accounts: { dao: { carrier: dao, imsCarrierName: DAO, config: { from: ims } } }
`;
let folder: string;
let said: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-migrate-'));
  said = [];
  jest.spyOn(console, 'log').mockImplementation((line: unknown) => void said.push(String(line)));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** `waybridge migrate`. */
function migrated(): Promise<void> {
  const [CONFIG_FILE, DATA_DIR] = [join(folder, 'waybridge.yaml'), join(folder, 'data')];
  writeFileSync(CONFIG_FILE, CONFIG);
  const ims = { IMS_BASE_URL: 'https://ims.test/2', IMS_AUTH_URL: 'https://ims.test', IMS_CLIENT_ID: 'full' };
  return migrateNow({ ...ims, ...sandboxSecrets, CONFIG_FILE, DATA_DIR });
}

/** The folder of `DATA_DIR`, and everything in it. */
function filesOfData(): readonly string[] {
  const data = join(folder, 'data');
  const inside = readdirSync(data, { recursive: true, encoding: 'utf8' }).map((file) => join(data, file));
  return [data, ...inside];
}

it('finds nothing to do in an embedded database of its own that has all tables', async () => {
  await placeEmptyDatabase(join(folder, 'data'));
  await migrated();
  expect(said).toEqual(['nothing to do: the tables are up to date']);
});

it('says what to do where DATA_DIR is a file', async () => {
  writeFileSync(join(folder, 'data'), '');
  await expect(migrated()).rejects.toThrow(/^DATA_DIR \S+\/data cannot be used: .*name a folder in DATA_DIR\.$/);
});

const mayGiveAway = process.getuid?.() === 0;
if (!mayGiveAway) process.stderr.write('a database of another user: skipped, only root can try it\n');

(mayGiveAway ? it : it.skip)(
  'leaves a database to the user whose folder it is, makes no file in it, and says whose it is',
  async () => {
    await placeEmptyDatabase(join(folder, 'data'));
    for (const file of filesOfData()) lchownSync(file, OWNER, OWNER);
    const ofOwner = filesOfData();
    await expect(migrated()).rejects.toThrow(
      /folder \S+\/data\/postgres of the database belongs to the user with id 54321, while migrate runs as 0: run migrate as that user$/,
    );
    expect(filesOfData()).toEqual(ofOwner);
    expect(new Set(ofOwner.map((file) => lstatSync(file).uid))).toEqual(new Set([OWNER]));
  },
);
