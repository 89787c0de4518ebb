import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doctor } from '../../src/cli/doctor/doctor.js';
import { settingsFor } from '../../src/cli/settings-for.js';
import { environment, yaml } from './config-samples.js';

const UNKNOWN = '{ main: { carrier: pretend, imsCarrierName: P, config: { apiKey: x, instructions: y } } }';
const QUOTES = {
  accounts: `{
    main: { carrier: pretend, imsCarrierName: P, config: { apiKey: x } },
    dao: { carrier: dao, imsCarrierName: DAO, config: { customerId: 1, code: x } } }`,
  rules: `[
    { name: one, when: { isEu: true }, use: { cheapest: [main, dao] } },
    { name: two, when: {}, use: { fastest: [dao, main] } }]`,
};
const SECRETS = {
  accounts: `{ gls: { carrier: gls-dk, imsCarrierName: GLS, callbacks: { secret: change-me-as-well, previousSecret: 0123456789abcdef },
    config: { userName: change-me, password: "\${GLS_PASSWORD}", customerId: 1,
      tracking: { clientId: c1, clientSecret: change-me-2 } } } }`,
};
const ALERTS_TO = (url: string) => yaml({ alerts: `{ url: "${url}", secret: whsec_${'a'.repeat(32)} }` });
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-settings-'));
  writeFileSync(join(folder, 'fine.yaml'), yaml());
  writeFileSync(join(folder, 'more.yaml'), yaml({ accounts: UNKNOWN }));
  writeFileSync(join(folder, 'quotes.yaml'), yaml(QUOTES));
  writeFileSync(join(folder, 'secrets.yaml'), yaml(SECRETS));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void jest.restoreAllMocks());

/** The lines that the log writes while `work` runs. */
async function linesOf(work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  const { _stdout: out, _stderr: errors } = console as unknown as Partial<Record<string, NodeJS.WriteStream>>;
  for (const stream of new Set([out ?? process.stdout, errors ?? process.stderr]))
    jest.spyOn(stream, 'write').mockImplementation((chunk) => lines.push(JSON.parse(String(chunk))) > 0);
  await work();
  return lines;
}

const start = (file: string, changes: Readonly<Record<string, string>> = {}) =>
  linesOf(() =>
    settingsFor({ ...environment, HOST: '127.0.0.1', CONFIG_FILE: join(folder, file), ...changes }, 'listen'),
  );

describe('the start', () => {
  it('is silent when all is well', async () => {
    expect(await start('fine.yaml')).toEqual([]);
    expect(await start('fine.yaml', { EVENTS_SECRET: '8 chars.', OPERATOR_TOKEN: '8chars..' })).toEqual([]);
  });

  it.each(['EVENTS_SECRET', 'OPERATOR_TOKEN'])('warns of a short %s, without showing it', async (variable) => {
    const lines = await start('fine.yaml', { [variable]: 'x7x7x7x' });
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', message: 'short secret', variable })]);
    expect(JSON.stringify(lines)).not.toContain('x7x7x7x');
  });

  it.each(['EVENTS_SECRET', 'OPERATOR_TOKEN'])('warns when %s is still that of the example', async (variable) => {
    const lines = await start('fine.yaml', { [variable]: 'change-me-too' });
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', message: 'secret of the example', variable })]);
  });

  it('refuses every secret and user of the examples that nobody has filled in beyond loopback, in one message with the path of each', async () => {
    const left = { IMS_CLIENT_SECRET: 'change-me', OPERATOR_TOKEN: 'change-me-3', IMS_API_KEY_550: 'change-me' };
    const more = { GLS_PASSWORD: 'Change-Me', DATABASE_URL: 'postgres://waybridge:change-me@127.0.0.1/waybridge' };
    const starts = (changes: Readonly<Record<string, string>>) =>
      settingsFor(
        { ...environment, CONFIG_FILE: join(folder, 'secrets.yaml'), ...left, ...more, ...changes },
        'listen',
      );
    let said = '';
    try {
      await starts({ LOG_FORMAT: 'paper' });
    } catch (error) {
      said = (error as Error).message;
    }
    const places = said.split('\n').slice(1);
    expect(places.map((line) => line.trim().split(' ')[0])).toEqual([
      'LOG_FORMAT',
      'IMS_CLIENT_SECRET',
      'DATABASE_URL',
      'OPERATOR_TOKEN',
      'areas[0].apiKey',
      'accounts.gls.callbacks.secret',
      'accounts.gls.config.userName',
      'accounts.gls.config.password',
      'accounts.gls.config.tracking.clientSecret',
      'accounts.gls.config.contactId',
      'accounts.gls.callbacks.form',
    ]);
    expect(said).not.toMatch(/change-me/i);
    expect(await linesOf(() => starts({ HOST: '127.0.0.1', CONFIG_FILE: join(folder, 'fine.yaml') }))).toEqual([
      expect.objectContaining({ message: 'secret of the example', variable: 'OPERATOR_TOKEN' }),
    ]);
  });

  it('refuses the examples as they are, with all that a person has to fill in, also in comments', async () => {
    const lines = readFileSync('.env.example', 'utf8').matchAll(/^(?:# )?([A-Z_0-9]+)=(.*)$/gm);
    const given: Readonly<Record<string, string>> = Object.fromEntries(
      [...lines].map(([, name = '', value = '']) => [name, value]),
    );
    const secret = Object.keys(given).filter((name) => /change-me/.test(given[name] ?? '') && name !== 'IMS_CLIENT_ID');
    const starting = settingsFor({ ...given, OPERATORS_FILE: '', CONFIG_FILE: 'waybridge.example.yaml' }, 'listen');
    const said = await starting.then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
    const places = said
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(' ')[0]);
    const inFile = ['areas[0].apiKey', 'areas[1].apiKey'];
    const ofCarriers = ['bring.config.apiKey', 'gls.config.userName', 'gls.config.password', 'dao.config.code'].map(
      (path) => `accounts.${path}`,
    );
    const variables = secret.filter(
      (name) => !/^(IMS_API_KEY|BRING|GLS|DAO|BUDBEE|POSTNORD|DF|HOMERUNNER|WEBSHIPPER|SHIPMONDO|NSHIFT)_/.test(name),
    );
    expect([...places].sort()).toEqual([...variables, ...inFile, ...ofCarriers].sort());
  });

  it('names the secrets of the examples together with what else is wrong', async () => {
    const given = { ...environment, HOST: '0.0.0.0', OPERATOR_TOKEN: 'change-me-as-well', CONFIG_FILE: 'no-such.yaml' };
    await expect(settingsFor(given)).rejects.toThrow(
      /^settings: 2 problems\n +OPERATOR_TOKEN +is still the one of \.env\.example[^]*CONFIG_FILE +no-such\.yaml cannot be read/,
    );
  });

  it('names a variable that may be a required one misspelt', async () => {
    const { IMS_CLIENT_SECRET: IMS_CLIENT_SECRT, ...others } = environment;
    const without = { ...others, IMS_CLIENT_SECRT: `${IMS_CLIENT_SECRT}`, CONFIG_FILE: join(folder, 'fine.yaml') };
    await expect(settingsFor(without)).rejects.toThrow(
      /IMS_CLIENT_SECRET +missing; [^]*IMS_CLIENT_SECRT +is not a setting; did you mean IMS_CLIENT_SECRET\?/,
    );
  });

  it('warns where links and callbacks lead to the machine that follows them', async () => {
    const listening = (changes: Readonly<Record<string, string>>) =>
      linesOf(() => settingsFor({ ...environment, CONFIG_FILE: join(folder, 'fine.yaml'), ...changes }, 'listen'));
    const message = 'PUBLIC_URL is not set: links in messages and callbacks of carriers lead to localhost';
    for (const HOST of ['0.0.0.0', '::', '203.0.113.7', 'waybridge.internal'])
      expect(await listening({ HOST })).toEqual([expect.objectContaining({ message })]);
    expect(await listening({ HOST: '127.0.0.1' })).toEqual([]);
    expect(await listening({ PUBLIC_URL: 'https://waybridge.example' })).toEqual([]);
  });

  it('warns of settings that the carrier does not know', async () => {
    expect(await start('more.yaml')).toEqual([
      expect.objectContaining({ level: 'warn', where: 'accounts.main.config.instructions' }),
    ]);
  });

  it.each([
    'http://localhost:9093/services/tok3n',
    'https://127.0.0.1/services/tok3n',
    'https://10.1.2.3/services/tok3n',
    'https://user:word@chat.example/services/tok3n',
  ])('warns of an address that takes no alert, without showing it: %s', async (url) => {
    writeFileSync(join(folder, 'alerts.yaml'), ALERTS_TO(url));
    const lines = await start('alerts.yaml');
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', where: 'alerts.url' })]);
    expect(JSON.stringify(lines)).not.toMatch(/tok3n|word@/);
  });

  it('is silent about an address of alerts that alerts go to', async () => {
    writeFileSync(join(folder, 'alerts.yaml'), ALERTS_TO('https://chat.example/services/tok3n#channel'));
    expect(await start('alerts.yaml')).toEqual([]);
    writeFileSync(join(folder, 'alerts.yaml'), ALERTS_TO('http://10.1.2.3/services/tok3n'));
    expect(await start('alerts.yaml', { ALLOW_PRIVATE_ADDRESSES: 'true' })).toEqual([]);
  });

  it('warns of accounts that cannot give the quote a rule asks them for', async () => {
    const warned = { level: 'warn', rule: expect.stringContaining('cannot give a quote') };
    expect(await start('quotes.yaml')).toEqual([
      expect.objectContaining({ ...warned, where: 'rules[0].use.cheapest[1]' }),
      expect.objectContaining({ ...warned, where: 'rules[1].use.fastest[0]' }),
    ]);
  });

  it.each([
    ['more.yaml', 'without effect: accounts.main.config.instructions is not a known key'],
    ['quotes.yaml', 'without effect: rules[0].use.cheapest[1] cannot give a quote: the account dao never wins'],
  ])('shows them in doctor too, for %s', async (file, line) => {
    const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const before = { ...process.env };
    const nowhere = { IMS_BASE_URL: 'http://127.0.0.1:9/2', IMS_AUTH_URL: 'http://127.0.0.1:9' };
    Object.assign(process.env, environment, nowhere, { CONFIG_FILE: join(folder, file), LOG_LEVEL: 'error' });
    try {
      await doctor();
    } finally {
      process.env = before;
      process.exitCode = undefined;
    }
    expect(said.mock.calls.join('\n')).toContain(line);
  });
});
