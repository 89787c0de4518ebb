import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import type { Database } from '../../src/db/database.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { carriers } from '../../carriers/index.js';
import { stories, storiesOfOthers } from '../../src/cli/demo/demo-stories.js';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';

const DEMO_WITHIN_MS = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'waybridge-demo-test-'));
const output = join(folder, 'output');
const data = join(folder, 'data');
let run: { status: number | null; stdout: string; stderr: string };

beforeAll(() => {
  const command = ['bin/waybridge.js', 'demo', '--output', output, '--data', data];
  run = spawnSync(process.execPath, command, { encoding: 'utf8', timeout: DEMO_WITHIN_MS });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function filesBelow(place: string): string[] {
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => join(place, name))
    .filter((name) => statSync(name).isFile());
}

/** Tables with a row in which a text stands, in any column. */
async function tablesHolding(database: Database, text: string): Promise<readonly string[]> {
  const tables = await database.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema = 'public'`,
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text]);
    if (rows.length > 0) holding.push(name);
  }
  return holding;
}

/** Every story, with one for each carrier that no other names. */
const played = [...stories, ...storiesOfOthers(carriers.map(({ adapter }) => adapter.name))];

describe('the demo', () => {
  it('ends well, with every story as it should be', () => {
    expect(run.stderr).not.toMatch(/error/i);
    expect(run.stdout).toContain(`${played.length} of ${played.length} ended as expected`);
    expect(run.status).toBe(0);
  });

  it('shows a carrier that a rule has chosen, what it would refuse, and a shipment that no rule fits, before packing', () => {
    expect(run.stdout).toMatch(/10901 +before packing: a rule chooses the carrier +GLS/);
    expect(run.stdout).toMatch(/10902: GLS will refuse shipment 10902/);
    expect(run.stdout).toMatch(/20903: .*"without a carrier, abroad" \(er undtaget/);
  });

  it('shows parcels that are delivered and one that comes back, a forged callback that is refused, and a list to sign', () => {
    expect(run.stdout.match(/^ {2}\d+ {2}\w+ {2}delivered$/gm)?.length).toBeGreaterThanOrEqual(4);
    expect(run.stdout.match(/^ {2}\d+ {2}\w+ {2}returned$/gm)).toHaveLength(1);
    expect(run.stdout).toMatch(/A forged callback .*: refused \(401\)/);
    expect(run.stdout).toContain('all parcels ended as expected');
    expect(filesBelow(output).filter((name) => /handover-\d+\.pdf$/.test(name))).toHaveLength(1);
  });

  it('leaves a label with one page for each parcel', async () => {
    const pages = await Promise.all(
      filesBelow(output)
        .filter((name) => /\d+\.pdf$/.test(name) && !name.includes('handover'))
        .map(async (name) => (await PDFDocument.load(readFileSync(name))).getPageCount()),
    );
    const labelled = played.filter(({ ending }) => ending === 'labelled' || ending === 'cancelled');
    expect(pages.sort()).toEqual(labelled.map(({ sample }) => sample.containers.length).sort());
  });

  it('tells workers what went wrong in the language of their area', () => {
    expect(run.stdout).toContain('Could not book shipment');
    expect(run.stdout).toContain('kunne ikke bookes');
  });

  it.each(Object.entries(sandboxSecrets))('shows %s in no line, no message and no file', (_name, secret) => {
    expect(run.stdout + run.stderr).not.toContain(secret);
    expect(filesBelow(output).filter((name) => readFileSync(name).includes(secret))).toEqual([]);
  });

  // Rows are compressed on disk: they are asked for, not searched in the files.
  it('keeps none of them in its database, where what it does keep is found', async () => {
    const database = await openEmbedded(data);
    try {
      const tables = await tablesHolding(database, '90000000001');
      expect(tables).toContain('public.consignment');
      for (const secret of Object.values(sandboxSecrets)) expect(await tablesHolding(database, secret)).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it('writes no token into its log', () => {
    expect(readFileSync(join(output, 'service.log'), 'utf8')).not.toMatch(/eyJ[\w-]+\.|Bearer |Basic /);
  });
});
