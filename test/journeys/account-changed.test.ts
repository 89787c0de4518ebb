import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { sandboxConfig } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Config, until } from '../support/harness.js';
import { type Lives, openLives } from '../support/lives.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

let lives: Lives;
let folder: string;

beforeAll(async () => {
  lives = await openLives();
  folder = await mkdtemp(join(tmpdir(), 'waybridge-account-changed-'));
});

afterAll(async () => {
  await lives.end();
  await rm(folder, { recursive: true, force: true });
});

it('asks a person about a booking in doubt whose account is one of another carrier by now, and books it there by no means', async () => {
  const { control } = lives.sandbox;
  const dataDir = join(folder, 'data');
  await placeEmptyDatabase(dataDir);
  const before = await lives.begin({ DATA_DIR: dataDir });
  before.service.listenAgain();
  control.addFault({ target: 'pretend', method: 'GET', kind: 'status', status: 503 });
  control.addFault({ target: 'pretend', method: 'POST', path: '^/bookings$', kind: 'drop-after' });
  const shipmentId = before.service.ship(sampleShipments.toSweden, { carrierName: 'Pretend' });
  const documentId = before.service.book(shipmentId);
  await until('it is in doubt', async () => (await before.service.consignmentOf(documentId))?.state === 'in-doubt');
  await before.end();

  const config = parse(sandboxConfig(lives.sandbox)) as Config;
  const configFile = join(folder, 'changed.yaml');
  const pretend = { ...config.accounts['bring'], imsCarrierName: 'Pretend' };
  await writeFile(configFile, stringify({ ...config, accounts: { ...config.accounts, pretend }, rules: [] }));
  const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE: configFile });
  const mark = after.service.mark();
  const { consignment, messages } = await after.service.ending(documentId);
  expect(consignment).toMatchObject({ state: 'in-doubt', needsOperator: true });
  expect(messages.at(-1)?.text).toContain('It may be booked or not');
  expect(after.service.requestsSince(mark, 'bring')).toEqual([]);
  await after.end();
});
