import { expect, it } from '@jest/globals';
import { defineCarrier } from '../../carriers/contract/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import { connectAccounts } from '../../src/accounts/connect-accounts.js';
import { testHttpPort } from '../carriers/test-http-port.js';
import { keepLog } from '../support/log-lines.js';

/** The lines that are logged when an account of a carrier with these secrets is connected. */
function loggedWith(secrets: (config: object) => readonly string[]) {
  const adapter = defineCarrier({ ...pretend, name: 'Acme', secrets });
  const config = Object.assign(new pretend.Config(), { apiKey: 'key-0001', tokenUrl: 'https://tokens.acme.example' });
  const account = { name: 'acme', adapter, imsCarrierName: 'Acme', baseUrl: pretend.baseUrl, config };
  const { log, lines } = keepLog();
  const deps = { http: testHttpPort, log, clock: { now: () => new Date() }, hide: () => undefined };
  connectAccounts([{ ...account, callbacks: null, trackingCallsPerDay: null }], deps);
  return lines;
}

it('warns at the start of a setting with the name of a secret that the carrier does not declare, and shows no text of it', () => {
  const lines = loggedWith(() => []);
  expect(lines).toMatchObject([
    { level: 'warn', event: 'secret not declared', fields: { carrier: 'Acme', account: 'acme', setting: 'apiKey' } },
  ]);
  expect(lines[0]?.fields['todo']).toContain('must return apiKey from secrets');
  expect(JSON.stringify(lines)).not.toContain('key-0001');
});

it('warns of no setting that the carrier declares, and of no address', () => {
  expect(loggedWith((config) => [String(Reflect.get(config, 'apiKey'))])).toEqual([]);
});
