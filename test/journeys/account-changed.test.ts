import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { sandboxConfig } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { allTexts, toldOf } from '../support/endings.js';
import { type Config, type Ending, type Service, until } from '../support/harness.js';
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

/** A configuration in which the account `pretend` is one of another carrier. @returns its path */
async function withPretendAs(account: string): Promise<string> {
  const config = parse(sandboxConfig(lives.sandbox)) as Config;
  const configFile = join(folder, `pretend-is-${account}.yaml`);
  const pretend = { ...config.accounts[account], imsCarrierName: 'Pretend' };
  await writeFile(configFile, stringify({ ...config, accounts: { ...config.accounts, pretend }, rules: [] }));
  return configFile;
}

/** A configuration without an account of the name `pretend`. @param renamed what it is called instead @returns its path */
async function withoutPretend(renamed?: string): Promise<string> {
  const config = parse(sandboxConfig(lives.sandbox)) as Config;
  const { pretend, ...others } = config.accounts;
  const accounts = renamed === undefined ? others : { ...others, [renamed]: pretend };
  const configFile = join(folder, `no-pretend-but-${renamed ?? 'none'}.yaml`);
  await writeFile(configFile, stringify({ ...config, accounts, rules: [] }));
  return configFile;
}

/** A configuration in which an account books for another customer. @returns its path */
async function withAnotherCustomer(account: string, number: string, setting = 'customerNumber'): Promise<string> {
  const config = parse(sandboxConfig(lives.sandbox)) as Config;
  const given = config.accounts[account];
  const changed = { ...given, config: { ...(given?.['config'] as object), [setting]: number } };
  const configFile = join(folder, `another-customer-${account}.yaml`);
  await writeFile(
    configFile,
    stringify({ ...config, accounts: { ...config.accounts, [account]: changed }, rules: [] }),
  );
  return configFile;
}

/** Messages of one moment are sent side by side. */
function textsOf(messages: Ending['messages']): string {
  return messages
    .map(({ text }) => text)
    .sort()
    .join(' ');
}

const CUSTOMERS = [
  { carrierName: 'Bring', account: 'bring', booking: 'booking', tracking: 'tracking', number: '7' },
  {
    carrierName: 'PostNord',
    account: 'postnord',
    booking: '/edi/labels',
    tracking: '/trackandtrace',
    number: '7000000',
  },
] as const;

it.each(CUSTOMERS)(
  'asks a person about a booking in doubt at $carrierName for another customer number by now: "not there" would be no answer',
  async ({ carrierName, account, booking, tracking, number }) => {
    const { control } = lives.sandbox;
    const dataDir = join(folder, `customer-${account}`);
    await placeEmptyDatabase(dataDir);
    const before = await lives.begin({ DATA_DIR: dataDir });
    before.service.listenAgain();
    control.addFault({ target: account, method: 'POST', path: booking, kind: 'drop-after' });
    control.addFault({ target: account, method: 'GET', path: tracking, kind: 'status', times: 'always', status: 503 });
    const shipmentId = before.service.ship(sampleShipments.oneParcel, { carrierName });
    const documentId = before.service.book(shipmentId);
    await until('it is in doubt', async () => (await before.service.consignmentOf(documentId))?.state === 'in-doubt');
    await before.end();

    const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE: await withAnotherCustomer(account, number) });
    const mark = after.service.mark();
    const { consignment, messages } = await after.service.ending(documentId);
    expect(consignment).toMatchObject({ state: 'in-doubt', needsOperator: true });
    expect(textsOf(messages)).toMatch(/It may be booked or not.*could not find out ourselves.*another customer/);
    expect(after.service.requestsSince(mark, account)).toEqual([]);
    control.clearFaults();
    await after.end();
  },
);

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

  const configFile = await withPretendAs('bring');
  const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE: configFile });
  const mark = after.service.mark();
  const { consignment, messages } = await after.service.ending(documentId);
  expect(consignment).toMatchObject({ state: 'in-doubt', needsOperator: true });
  expect(textsOf(messages)).toMatch(/It may be booked or not.*could not find out ourselves.*is one of Bring by now/);
  expect(after.service.requestsSince(mark, 'bring')).toEqual([]);
  await after.end();
});

it('tells the worker that a booking was not cancelled whose account is not in the configuration any more', async () => {
  const { control } = lives.sandbox;
  const dataDir = join(folder, 'removed');
  await placeEmptyDatabase(dataDir);
  const before = await lives.begin({ DATA_DIR: dataDir });
  before.service.listenAgain();
  const first = await before.service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  await before.end();

  const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE: await withoutPretend() });
  after.service.listenAgain();
  control.cancelDocument(first.documentId);
  await until('the cancellation is answered', () =>
    toldOf(after.service, first).some((text) => text.includes('is not in the configuration any more')),
  );
  expect(after.service.bookings('pretend', after.service.numberOf(first.documentId))).toMatchObject([
    { state: 'booked' },
  ]);
  await after.end();
});

it.each([
  { carrierName: 'Bring', account: 'bring', setting: 'customerNumber', number: '7' },
  { carrierName: 'DAO', account: 'dao', setting: 'customerId', number: '7777' },
])(
  'tells the worker that a booking at $carrierName was not cancelled whose account is one of another customer by now',
  async ({ carrierName, account, setting, number }) => {
    const { control } = lives.sandbox;
    const dataDir = join(folder, `cancelled-${account}`);
    await placeEmptyDatabase(dataDir);
    const before = await lives.begin({ DATA_DIR: dataDir });
    before.service.listenAgain();
    const first = await before.service.run(sampleShipments.oneParcel, { carrierName });
    await before.end();

    const CONFIG_FILE = await withAnotherCustomer(account, number, setting);
    const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE });
    after.service.listenAgain();
    const mark = after.service.mark();
    control.cancelDocument(first.documentId);
    const words = `"account '${account}' is one of another customer of ${carrierName} by now". As far as we know it is still booked`;
    await until('the cancellation is answered', () =>
      toldOf(after.service, first).some((text) => text.includes(words)),
    );
    expect(after.service.requestsSince(mark, account)).toEqual([]);
    expect(after.service.bookings(account, after.service.numberOf(first.documentId))).toMatchObject([
      { state: 'booked' },
    ]);
    await after.end();
  },
);

it('does not close out what was booked with an account that is one of another carrier by now, and tells the worker why', async () => {
  const { control } = lives.sandbox;
  const dataDir = join(folder, 'closed-out');
  await placeEmptyDatabase(dataDir);
  const before = await lives.begin({ DATA_DIR: dataDir });
  before.service.listenAgain();
  const shipmentId = before.service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  await before.service.ending(before.service.book(shipmentId));
  await before.service.ims('POST /invocations/createDeliveryNote', { shipmentId });
  await before.end();

  const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE: await withPretendAs('dao') });
  after.service.listenAgain();
  const mark = after.service.mark();
  const { id } = control.handOver(1, [shipmentId]);
  const told = () => allTexts(after.service).filter((text) => text.includes(`consignment note ${id}`));
  await until('the worker is told', () => told().length > 0);
  expect(told()).toEqual([
    expect.stringMatching(/^Could not tell Pretend .*account 'pretend' is one of DAO by now.*Already closed: -\.$/),
  ]);
  for (const carrier of ['pretend', 'dao']) expect(after.service.requestsSince(mark, carrier)).toEqual([]);
  await after.end();
});

it('says that the settings are being changed while a booking waits for an account, and names the account when it is given up', async () => {
  const { control } = lives.sandbox;
  const before = await lives.begin();
  before.service.listenAgain();
  control.addFault({ target: 'pretend', path: '^/bookings$', kind: 'status', times: 'always', status: 429 });
  const shipmentId = before.service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  const documentId = before.service.book(shipmentId);
  await until('it waits', () => before.service.lines.some(({ event }) => event === 'carrier unavailable'));
  const [row] = await before.database.query<{ readonly row: object }>('select to_jsonb(c) as row from consignment c');
  await before.end();
  control.clearFaults();

  // As if an instance with a newer configuration had planned it after this one began.
  const CONFIG_FILE = await withoutPretend();
  const config = parse(await readFile(CONFIG_FILE, 'utf8')) as Config;
  const areas = config.areas.map((area) => ({ ...area, giveUpAfterMinutes: 1 }));
  await writeFile(CONFIG_FILE, stringify({ ...config, areas }));
  const after = await lives.begin({ CONFIG_FILE });
  const now = new Date().toISOString();
  const younger = { ...row?.row, run_started_at: now, due_at: now, lease_until: null, lease_owner: null };
  await after.database.query('insert into consignment select * from jsonb_populate_record(null::consignment, $1)', [
    JSON.stringify(younger),
  ]);
  const mark = after.service.mark();
  const told = () => toldOf(after.service, { documentId });
  const reason = async () => (await after.service.consignmentOf(documentId))?.reason;
  await until('it waits', async () => /the settings for Pretend are being changed/.test(await reason()));
  after.forward(16_000);
  await until('the worker is told', () =>
    told().some((text) => text.includes('settings for Pretend are being changed')),
  );
  after.forward(60_000);
  const { consignment } = await after.service.ending(documentId);
  expect(consignment.state).toBe('refused');
  expect(told().at(-1)).toContain(
    `Could not book shipment ${after.service.numberOf(documentId)} with Pretend: "account 'pretend' is not in the configuration`,
  );
  expect(told().join()).not.toMatch(/did not answer|are waiting for/);
  expect(after.service.requestsSince(mark, 'pretend').filter(({ path }) => path.includes('/bookings'))).toEqual([]);
  await after.end();
});

it('gives no reference again that its account had used under another name', async () => {
  const dataDir = join(folder, 'renamed');
  await placeEmptyDatabase(dataDir);
  const before = await lives.begin({ DATA_DIR: dataDir });
  before.service.listenAgain();
  const shipmentId = before.service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  const first = await before.service.ending(before.service.book(shipmentId));
  await before.service.act(first.consignment, 'cancel');
  await until('it is cancelled', async () => {
    return (await before.service.consignmentOf(first.documentId))?.state === 'cancelled';
  });
  await before.end();

  const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE: await withoutPretend('practice') });
  after.service.listenAgain();
  const number = after.service.numberOf(first.documentId);
  await after.service.ending(after.service.book(shipmentId));
  const references = after.service.bookings('pretend', number).map(({ reference }) => reference);
  expect(new Set(references).size).toBe(2);
  await after.end();
});

it('leaves what is booked to a person when its account is one of another carrier by now, and mixes it with nothing', async () => {
  const { control } = lives.sandbox;
  const dataDir = join(folder, 'incomplete');
  await placeEmptyDatabase(dataDir);
  const before = await lives.begin({ DATA_DIR: dataDir });
  before.service.listenAgain();
  const [container] = sampleShipments.oneParcel.containers;
  const [taken, tried] = [await incomplete(before.service), await incomplete(before.service)];
  await before.end();
  const booked = control.bookings('dao')?.length ?? 0;

  const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE: await withPretendAs('dao') });
  const { service } = after;
  service.listenAgain();
  for (const { shipmentId } of [taken, tried])
    await service.ims('POST /shippingContainers', { ...container, shipmentId });
  const second = await service.ending(service.book(taken.shipmentId));
  expect(second.trackingNumbers).not.toContain(taken.first.trackingNumbers[0]);
  expect(second.messages.at(-1)?.text).toContain(`still booked with Pretend, as ${taken.first.trackingNumbers[0]}`);
  expect((await service.act(tried.first.consignment, 'retry')).status).toBe(202);
  const again = await service.ending(tried.first.documentId);
  expect(again.messages.at(-1)?.text).toContain(`still booked with Pretend, as ${tried.first.trackingNumbers[0]}`);
  expect(control.bookings('dao')).toHaveLength(booked + 2);
  await after.end();
});

it('leaves what is booked to a person when its account is one of another customer by now, and mixes it with nothing', async () => {
  const dataDir = join(folder, 'incomplete-customer');
  await placeEmptyDatabase(dataDir);
  const before = await lives.begin({ DATA_DIR: dataDir });
  before.service.listenAgain();
  const [container] = sampleShipments.oneParcel.containers;
  const made = [await incomplete(before.service, 'Bring'), await incomplete(before.service, 'Bring')] as const;
  const [taken, tried] = made;
  const plans = await before.database.query<{ readonly plan: object }>(`select plan->'plan' as plan from consignment`);
  await before.end();
  // An instance of an earlier version takes `customer` for one of settings in the IMS.
  for (const { plan } of plans) {
    expect(Object.keys(plan)).toContain('configuredCustomer');
    expect(Object.keys(plan)).not.toContain('customer');
  }

  const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE: await withAnotherCustomer('bring', '7') });
  const { service } = after;
  service.listenAgain();
  for (const { shipmentId } of made) await service.ims('POST /shippingContainers', { ...container, shipmentId });
  const second = await service.ending(service.book(taken.shipmentId));
  expect(second.trackingNumbers).not.toContain(taken.first.trackingNumbers[0]);
  expect(second.messages.at(-1)?.text).toContain(`still booked with Bring, as ${taken.first.trackingNumbers[0]}`);
  const mark = service.mark();
  expect((await service.act(tried.first.consignment, 'retry')).status).toBe(202);
  const again = await service.ending(tried.first.documentId);
  expect(again.messages.at(-1)?.text).toContain(`still booked with Bring, as ${tried.first.trackingNumbers[0]}`);
  expect(service.requestsSince(mark, 'bring')).toEqual([]);
  await after.end();
});

it('leaves what is booked to a person at once when its account is not in the configuration any more', async () => {
  const dataDir = join(folder, 'incomplete-removed');
  await placeEmptyDatabase(dataDir);
  const before = await lives.begin({ DATA_DIR: dataDir });
  before.service.listenAgain();
  const { first } = await incomplete(before.service);
  await before.end();

  const after = await lives.begin({ DATA_DIR: dataDir, CONFIG_FILE: await withoutPretend() });
  after.service.listenAgain();
  expect((await after.service.act(first.consignment, 'retry')).status).toBe(202);
  const again = await after.service.ending(first.documentId);
  expect(again.messages.at(-1)?.text).toContain(`still booked with Pretend, as ${first.trackingNumbers[0]}`);
  await after.end();
});

/** Its label could not be attached. */
async function incomplete(service: Service, carrierName = 'Pretend') {
  const body = { messageCode: 'invalid_Attachment', messageText: 'The file is too odd.' };
  // A busy machine may get the answer too late, and attaches the label again.
  const refused = { path: '/attachments', kind: 'status', status: 422, body, times: 'always' } as const;
  service.control.addFault({ target: 'ims', ...refused });
  const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName });
  const first = await service.ending(service.book(shipmentId));
  service.control.clearFaults();
  expect(first.consignment.state).toBe('incomplete');
  return { shipmentId, first };
}
