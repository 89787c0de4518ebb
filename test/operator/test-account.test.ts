import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pretend } from '../../carriers/pretend/index.js';
import { testHttpPort } from '../carriers/test-http-port.js';
import { connectAccounts } from '../../src/accounts/connect-accounts.js';
import { silentLog } from '../../src/log.js';
import { type TestResult, accountTester } from '../../src/operator/carriers/test-account.js';

let server: Server;
let status = 200;

beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(status).end('[]'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => void server.close());

async function tested(): Promise<TestResult> {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = Object.assign(new pretend.Config(), { apiKey: 'a key' });
  const account = { name: 'pretend', adapter: pretend, imsCarrierName: 'Pretend', baseUrl, config };
  const clock = { now: () => new Date() };
  const deps = { http: testHttpPort, log: silentLog, clock, hide: () => undefined };
  const accounts = connectAccounts([{ ...account, callbacks: null, trackingCallsPerDay: null }], deps);
  return accountTester({ accounts, clock, log: silentLog, withSettings: async (each) => each })('pretend');
}

it.each([
  [200, { kind: 'answers' }],
  [404, { kind: 'answers' }],
  [401, { kind: 'login-refused', status: 401 }],
  [403, { kind: 'login-refused', status: 403 }],
  [503, { kind: 'no-answer' }],
])('a test of an account says of status %i what the doctor says', async (given, expected) => {
  status = given;
  expect(await tested()).toMatchObject(expected);
});
