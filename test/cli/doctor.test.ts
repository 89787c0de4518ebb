import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { carriers } from '../../carriers/index.js';
import { doctor } from '../../src/cli/doctor/doctor.js';
import { type FromImsCommand, doctorFromIms } from '../../src/cli/doctor/doctor-from-ims.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';

const GLS = { userName: 'warehouse', password: 'pw-of-warehouse', contactId: 'C0', customerId: 'K0' };
const SECRETS = /pw-of|bring-key|K0|C0|area-\d-key|full-secret/;
const BRING = {
  ...{ apiKey: 'bring-key-1', apiUid: 'lager@mail.example', customerNumber: '6', testIndicator: true },
  instructions: [
    {
      product: { id: 'PICKUP_PARCEL', additionalServices: [{ id: 'EVARSLING' }] },
      shipmentPattern: { deliveryAddress: { countryCode: ['SE', 'DK'] }, deliverToPickUpPoint: [true] },
    },
    { product: { id: '5800' }, shipmentPattern: { noSuchField: ['x'] } },
    { product: { id: 'BUSINESS_PARCEL' } },
  ],
};

const added = (...services: readonly string[]) => ({ use: { account: 'gls', options: { services } } });
const [DEPOSIT, SHOP, FLEX, PRIVATE] = ['deposit', 'direct-shop', 'flex-delivery', 'private-delivery'] as const;
/** Each word of `termsOfDelivery` counts: the rule for all that stand there comes before those for some of them. */
const WORD_RULES = [
  { name: 'GLS: Deposit DirectShop Flex Private', ...added(DEPOSIT, SHOP, FLEX, PRIVATE) },
  { name: 'GLS: Deposit DirectShop Flex', ...added(DEPOSIT, SHOP, FLEX) },
  { name: 'GLS: Deposit DirectShop Private', ...added(DEPOSIT, SHOP, PRIVATE) },
  { name: 'GLS: Deposit Flex Private', ...added(DEPOSIT, FLEX, PRIVATE) },
  { name: 'GLS: DirectShop Flex Private', ...added(SHOP, FLEX, PRIVATE) },
  { name: 'GLS: Deposit DirectShop', ...added(DEPOSIT, SHOP) },
  { name: 'GLS: Deposit Flex', ...added(DEPOSIT, FLEX) },
  { name: 'GLS: Deposit Private', ...added(DEPOSIT, PRIVATE) },
  { name: 'GLS: DirectShop Flex', ...added(SHOP, FLEX) },
  { name: 'GLS: DirectShop Private', ...added(SHOP, PRIVATE) },
  {
    when: {
      carrierName: 'GLS',
      $and: [{ termsOfDelivery: { $regex: 'Flex' } }, { termsOfDelivery: { $regex: 'Private' } }],
    },
    ...added(FLEX, PRIVATE),
  },
  { when: { carrierName: 'GLS', termsOfDelivery: { $regex: 'Deposit' } }, ...added(DEPOSIT) },
  { name: 'GLS: DirectShop', ...added(SHOP) },
  { name: 'GLS: Flex', ...added(FLEX) },
  { name: 'GLS: Private', ...added(PRIVATE) },
];

const folder = mkdtempSync(join(tmpdir(), 'waybridge-doctor-'));
let sandbox: Sandbox;
let lines: string[];
let files = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, carriers, limits: { requestsPerSecond: null } });
  const { control } = sandbox;
  for (const area of [1, 2]) control.setCarrierDataDocument(area, 'GLS', { GLSTransport: GLS });
  control.setCarrierDataDocument(1, 'Bring', { BringTransport: BRING as never });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  lines = [];
  jest.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
});
afterEach(() => {
  sandbox.control.clearFaults();
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

const newFile = () => join(folder, `waybridge-${(files += 1)}.yaml`);

function environment(configFile: string) {
  return sandboxEnvironment(sandbox, { port: 0, configFile, dataDir: join(folder, 'data') });
}

/** What `doctor` says of a configuration, and how it ends. */
async function examine(configFile: string) {
  lines = [];
  process.exitCode = undefined;
  await doctor(environment(configFile));
  return { text: lines.join('\n'), exitCode: process.exitCode ?? 0 };
}

async function written(command: FromImsCommand = {}) {
  const out = newFile();
  await doctorFromIms({ out, ...command }, environment(out));
  return { out, text: readFileSync(out, 'utf8') };
}

/** Answers one seller of area 1 with this data document. */
function sellerHas(sellerNumber: string, dataDocument: unknown): void {
  const rows = sandbox.control.state().sellers.filter((row) => row['contextId'] === 1);
  const body = rows.map((row) => (row['sellerNumber'] === sellerNumber ? { ...row, dataDocument } : row));
  const asked = { target: 'ims', method: 'GET', kind: 'status', path: '^/sellers$' } as const;
  sandbox.control.addFault({ ...asked, area: 1, times: 'always', status: 200, body: body as never } as never);
}

it('writes a configuration of the areas as they are set up, which doctor passes', async () => {
  const { out, text } = await written();
  expect(text).not.toMatch(SECRETS);
  expect(parse(text)).toMatchObject({
    areas: [
      { contextId: '1', apiKey: '${IMS_API_KEY_1}' },
      { contextId: '2', apiKey: '${IMS_API_KEY_2}' },
    ],
    accounts: {
      gls: {
        ...{ carrier: 'gls-dk', imsCarrierName: 'GLS' },
        config: { from: 'ims', servicesFromShipment: 'pick-up-point' },
      },
      bring: { carrier: 'bring', imsCarrierName: 'Bring', config: { from: 'ims' } },
    },
  });
  const { rules } = parse(text) as { readonly rules: readonly object[] };
  expect(rules).toMatchObject([
    {
      when: {
        ...{ contextId: 1, carrierName: 'Bring', 'deliveryAddress.countryCode': { $in: ['SE', 'DK'] } },
        deliverToPickUpPoint: { $in: [true] },
      },
      use: { account: 'bring', service: 'PICKUP_PARCEL', options: { additionalServices: [{ id: 'EVARSLING' }] } },
    },
    { when: { contextId: 1, carrierName: 'Bring' }, use: { account: 'bring', service: 'BUSINESS_PARCEL' } },
    ...WORD_RULES,
  ]);
  expect(text).toMatch(/# - Bring in area 1: instruction 2 cannot be a rule.*noSuchField/s);
  expect(text).toContain('# - carrier DAO of area 1 has no settings in the IMS that we know: no account');
  const found = await examine(out);
  expect(found.text).not.toContain('NOT WORKING: settings');
  // Area 2 has settings for GLS alone.
  expect(found.text).toMatch(/settings of gls +found in the IMS/);
});

it('says that the service would not start with the secrets of the example, and what to put there', async () => {
  const { out } = await written({ area: '1' });
  await doctor({
    ...environment(out),
    HOST: '0.0.0.0',
    OPERATOR_TOKEN: 'change-me-1',
    IMS_CLIENT_SECRET: 'change-me-2',
  });
  expect(process.exitCode).toBe(1);
  const text = lines.join('\n');
  expect(text).toMatch(/^settings +NOT WORKING: the service would not start:/m);
  expect(text).toMatch(/^ {2}OPERATOR_TOKEN is still the one of \.env\.example, which is public: .*openssl/m);
  expect(text).toMatch(/^ {2}IMS_CLIENT_SECRET is still the one of .*that the IMS or the carrier gave you$/m);
  expect(text).not.toContain('change-me');
});

it('says once that there is no token, and asks nothing of the IMS then', async () => {
  const { out } = await written({ area: '1' });
  lines = [];
  await doctor({ ...environment(out), IMS_CLIENT_SECRET: 'of another client' });
  const text = lines.join('\n');
  expect(process.exitCode).toBe(1);
  expect(text).toMatch(/^IMS token +NOT WORKING: /m);
  expect(text).toMatch(/^area 1 +NOT WORKING: not looked at: there is no token of the IMS$/m);
  expect(text).not.toMatch(/^ {2}(instructions|access)|found in no area/m);
});

it('says nothing more about an area whose key the IMS does not take', async () => {
  const { out } = await written({ area: '1' });
  lines = [];
  await doctor({ ...environment(out), IMS_API_KEY_1: 'of-another-area' });
  const text = lines.join('\n');
  expect(process.exitCode).toBe(1);
  expect(text).toMatch(/^area 1 +NOT WORKING: /m);
  expect(text).not.toMatch(/^ {2}access/m);
});

it('writes one area that doctor passes without a complaint', async () => {
  const { out, text } = await written({ area: '1' });
  expect(text).not.toContain('contextId: 1,');
  const found = await examine(out);
  expect(found).toMatchObject({ exitCode: 0 });
  expect(found.text).toContain('password (carrier)');
  expect(found.text).not.toMatch(SECRETS);
});

it("takes a seller's instructions before the carrier's, and an account that only sellers have settings for", async () => {
  const instructions = [{ product: { id: '5800' }, shipmentPattern: { privateDelivery: [true] } }];
  sandbox.control.setCarrierDataDocument(1, 'GLS', null);
  sellerHas('FJORD', JSON.stringify({ GLSTransport: GLS, BringTransport: { instructions } }));
  const { out, text } = await written({ area: '1' });
  sandbox.control.setCarrierDataDocument(1, 'GLS', { GLSTransport: GLS });
  const { rules, accounts } = parse(text) as { readonly rules: readonly { name: string }[]; readonly accounts: object };
  expect(rules[0]).toMatchObject({
    name: 'Bring, seller FJORD: instruction 1',
    when: { privateDelivery: { $in: [true] } },
  });
  expect(accounts).toHaveProperty('gls');
  expect((await examine(out)).text).toMatch(/seller FJORD: .*password \(seller\)/);
});

it('takes no text of the IMS for a variable of this machine', async () => {
  const shipmentPattern = { notesOnDelivery: '${IMS_CLIENT_SECRET}' };
  const instructions = [{ product: { id: '5800' }, shipmentPattern }, { product: { id: '5600' } }];
  sandbox.control.setCarrierDataDocument(1, 'Bring', { BringTransport: { ...BRING, instructions } as never });
  const { out, text } = await written({ area: '1' });
  sandbox.control.setCarrierDataDocument(1, 'Bring', { BringTransport: BRING as never });
  const { rules } = parse(text) as { readonly rules: readonly { name: string }[] };
  expect(rules.map(({ name }) => name)).toContain('Bring: instruction 2');
  expect(text).toContain('# - Bring: instruction 1 holds ${…}, which names a variable in this file: left out');
  expect(text).not.toContain('IMS_CLIENT_SECRET');
  expect((await examine(out)).exitCode).toBe(0);
});

it('never overwrites a configuration, and says so', async () => {
  const out = newFile();
  writeFileSync(out, 'mine');
  await expect(doctorFromIms({}, environment(out))).rejects.toThrow(/exists and was not changed/);
  expect(readFileSync(out, 'utf8')).toBe('mine');
});

it('says which key of an area is missing', async () => {
  const out = newFile();
  await expect(doctorFromIms({ area: '77' }, environment(out))).rejects.toThrow(/IMS_API_KEY_77 +missing/);
  expect(existsSync(out)).toBe(false);
});

it('shows which settings of a seller are missing or wrong, without a value, and fails', async () => {
  const { out } = await written({ area: '1' });
  sellerHas('FJORD', { GLSTransport: { ...GLS, password: 'pw-of-fjord-that-is-too-long', contactId: null } });
  const { text, exitCode } = await examine(out);
  expect(exitCode).toBe(1);
  expect(text).toMatch(
    /seller FJORD: .*GLSTransport\.password must be at most 20 characters; GLSTransport\.contactId missing/,
  );
  expect(text).not.toMatch(SECRETS);
});

it("says where the vendor's app may still be subscribed, also for accounts with settings of their own", async () => {
  const file = newFile();
  writeFileSync(file, sandboxConfig(sandbox));
  const { text } = await examine(file);
  expect(text).toMatch(/GLSTransport is in carrier GLS: its app may still be subscribed/);
  expect(text).not.toContain('DAOTransport');
});

it('names a template of a printing profile that is missing', async () => {
  const out = newFile();
  const printing = '{ mode: resource, profiles: { thermal: { format: zpl, template: tray-2 } } }';
  writeFileSync(out, sandboxConfig(sandbox).replace('printing: { mode: resource }', `printing: ${printing}`));
  const { text, exitCode } = await examine(out);
  expect(text).toMatch(/NOT WORKING: printing\.profiles\.thermal\.template: .*print-resource\.tray-2\.json is missing/);
  expect(exitCode).toBe(1);
});
