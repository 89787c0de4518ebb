import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { HttpPort } from '../../carriers/contract/http-port.js';
import { NoAnswer } from '../../carriers/contract/http-port.js';
import { plainHeaders } from '../../src/consignment/requests/keep-exchange.js';
import { masking } from '../../src/consignment/requests/mask-secrets.js';
import { createRequestRecording } from '../../src/consignment/requests/request-recording.js';
import { silentLog } from '../../src/log.js';
import { fieldNames } from '../../src/operator/requests/field-names.js';
import { requestQueries } from '../../src/operator/requests/request-queries.js';
import { recordedHttp } from '../../src/transport/recorded-http.js';
import { type Stage, insertReceived, trackingStage } from '../tracking/tracking-stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage({});
});
afterAll(() => stage.database.close());

/** What operators of every role see of a request to this path, which gets no answer. */
async function shownOf(path: string) {
  const { database, clock } = stage;
  const id = await insertReceived(stage);
  const known = masking((text) => text, ['kode']);
  const recording = createRequestRecording({ ...known, database, clock, log: silentLog, plain: plainHeaders([]) });
  const unanswered = () => Promise.reject(new NoAnswer(`GET https://api.example${path}: closed`, 'perhaps'));
  const http: HttpPort = { send: unanswered, fetchLink: unanswered };
  const url = `https://api.example${path}?token=abcd`;
  const send = () =>
    recordedHttp(http, { kind: 'carrier', account: 'it' }, clock).send({ method: 'GET', url, timeoutMs: 1 });
  await recording.during(id, send).catch(() => undefined);
  await recording.stop();
  const [request] = await requestQueries(database, fieldNames({})).requests(id);
  return { path: request?.path, name: request?.name, because: request?.because };
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
