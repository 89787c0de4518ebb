import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { HttpPort } from '../../carriers/contract/http-port.js';
import { NoAnswer } from '../../carriers/contract/http-port.js';
import { plainHeaders } from '../../src/consignment/requests/keep-exchange.js';
import { masking } from '../../src/consignment/requests/mask-secrets.js';
import { createRequestRecording } from '../../src/consignment/requests/request-recording.js';
import { silentLog } from '../../src/log.js';
import { fieldNames } from '../../src/operator/requests/field-names.js';
import { requestQueries } from '../../src/operator/requests/request-queries.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import { recordedHttp } from '../../src/transport/recorded-http.js';
import { startHttp } from '../transport/servers.js';
import { type Stage, insertReceived, trackingStage } from '../tracking/tracking-stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage({});
});
afterAll(() => stage.database.close());

/** What operators of every role see of a request to this path, which gets no answer. */
async function shownOf(path: string) {
  const unanswered = () => Promise.reject(new NoAnswer(`GET https://api.example${path}: closed`, 'perhaps'));
  const url = `https://api.example${path}?token=abcd`;
  const {
    path: shown,
    name,
    because,
  } = await keptOf({ send: unanswered, fetchLink: unanswered }, (http) =>
    http.send({ method: 'GET', url, timeoutMs: 1 }),
  );
  return { path: shown, name, because };
}

/** The request of `work` as it is shown to an operator who may only look. */
async function keptOf(port: HttpPort, work: (http: HttpPort) => Promise<unknown>) {
  const { database, clock } = stage;
  const id = await insertReceived(stage);
  const known = masking((text) => text, ['kode']);
  const recording = createRequestRecording({ ...known, database, clock, log: silentLog, plain: plainHeaders([]) });
  const http = recordedHttp(port, { kind: 'carrier', account: 'it' }, clock);
  await recording.during(id, () => work(http)).catch(() => undefined);
  await recording.stop();
  return requestQueries(database, fieldNames({})).request(id, '0.0', 'hidden');
}

it.each([
  ['stands behind its name', '/labels/token/abcd', '/labels/token/***', 'GET: ***'],
  ['stands in the same part as its name', '/labels/sessionId=abcd/1.pdf', '/labels/sessionId=***/1.pdf', 'GET: 1.pdf'],
  ['is a parameter of a part', '/labels;v=1;sig=abcd;w=2/1.pdf', '/labels;v=1;sig=***;w=2/1.pdf', 'GET: 1.pdf'],
  ['is encoded with its name', '/labels/api%5Fkey%3Dabcd', '/labels/api_key=***', 'GET: api_key=***'],
  ['has a name that says it in addresses only', '/subscription-key/abcd/1', '/subscription-key/***/1', 'GET: 1'],
  ['has a name that a carrier declares', '/Kode/abcd/1', '/Kode/***/1', 'GET: 1'],
])('a secret in the path of a request is shown to nobody where it %s', async (_where, ...[path, masked, name]) => {
  const because = `GET https://api.example${masked}: closed`;
  expect(await shownOf(path)).toEqual({ path: masked, name, because });
});

it.each(['/oauth2/token', '/shipments/601/labels', '/v1/bookings;v=2/7', '/'])(
  'a path without a secret is shown as it is: %s',
  async (path) => {
    expect(await shownOf(path)).toMatchObject({ path, because: `GET https://api.example${path}: closed` });
  },
);

it.each(['answers', 'does not answer'])(
  'a link to a label, which may be the key to it, is shown with its host only: its host %s',
  async (what) => {
    const server = await startHttp((_request, response) => response.end('label'));
    const port = createHttpPort({ allowPrivateAddresses: 'allowed' });
    if (what === 'does not answer') await server.close();
    const link = `${server.url}/labels/secret-0001?id=secret-0002`;
    const kept = await keptOf(port, (http) => http.fetchLink(link, { timeoutMs: 5_000, maxBytes: 100 }));
    expect(kept).toMatchObject({ origin: server.url, path: '/***', status: what === 'answers' ? 200 : null });
    expect(JSON.stringify(kept)).not.toContain('secret-');
    port.close();
    if (what === 'answers') await server.close();
  },
);
