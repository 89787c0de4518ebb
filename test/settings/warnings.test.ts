import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doctor } from '../../src/cli/doctor.js';
import { prepare } from '../../src/cli/settings-for.js';
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
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-settings-'));
  writeFileSync(join(folder, 'fine.yaml'), yaml());
  writeFileSync(join(folder, 'more.yaml'), yaml({ accounts: UNKNOWN }));
  writeFileSync(join(folder, 'quotes.yaml'), yaml(QUOTES));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void jest.restoreAllMocks());

/** The lines that the log writes while `work` runs. */
function linesOf(work: () => unknown): readonly unknown[] {
  const lines: unknown[] = [];
  const stream = (console as unknown as { readonly _stdout?: NodeJS.WriteStream })._stdout ?? process.stdout;
  jest.spyOn(stream, 'write').mockImplementation((chunk) => lines.push(JSON.parse(String(chunk))) > 0);
  work();
  return lines;
}

const start = (file: string, changes: Readonly<Record<string, string>> = {}) =>
  linesOf(() => prepare({ ...environment, CONFIG_FILE: join(folder, file), ...changes }));

describe('the start', () => {
  it('is silent when all is well', () => {
    expect(start('fine.yaml')).toEqual([]);
    expect(start('fine.yaml', { EVENTS_SECRET: '8 chars.', OPERATOR_TOKEN: '8chars..' })).toEqual([]);
  });

  it.each(['EVENTS_SECRET', 'OPERATOR_TOKEN'])('warns of a short %s, without showing it', (variable) => {
    const lines = start('fine.yaml', { [variable]: 'x7x7x7x' });
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', message: 'short secret', variable })]);
    expect(JSON.stringify(lines)).not.toContain('x7x7x7x');
  });

  it.each(['EVENTS_SECRET', 'OPERATOR_TOKEN'])('warns when %s is still that of the example', (variable) => {
    const lines = start('fine.yaml', { [variable]: 'change-me-too' });
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', message: 'secret of the example', variable })]);
  });

  it('warns of settings that the carrier does not know', () => {
    expect(start('more.yaml')).toEqual([
      expect.objectContaining({ level: 'warn', where: 'accounts.main.config.instructions' }),
    ]);
  });

  it('warns of accounts that cannot give the quote a rule asks them for', () => {
    const warned = { level: 'warn', rule: expect.stringContaining('cannot give a quote') };
    expect(start('quotes.yaml')).toEqual([
      expect.objectContaining({ ...warned, where: 'rules[0].use.cheapest[1]' }),
      expect.objectContaining({ ...warned, where: 'rules[1].use.fastest[0]' }),
    ]);
  });

  it.each([
    ['more.yaml', 'without effect: accounts.main.config.instructions is not a known key'],
    ['quotes.yaml', 'without effect: rules[0].use.cheapest[1] cannot give a quote'],
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
