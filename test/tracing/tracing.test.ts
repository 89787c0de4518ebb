import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Tracing, startTracing } from '../../src/tracing/tracing.js';
import { recordedHttp } from '../../src/transport/recorded-http.js';
import { keepLog } from '../support/log-lines.js';
import { HandClock } from '../tracking/tracking-stage.js';

const CONSIGNMENT = '0b8f7a52-3c1e-4d55-9a0c-1f2e3d4c5b6a';
/** As OTLP numbers it. */
const ERROR = 2;

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code?: number };
}

let receiver: Server;
let spans: ReceivedSpan[] = [];
let tracing: Tracing;
const clock = new HandClock();
const settings = () => ({
  url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/traces`,
  ...{ serviceName: 'waybridge', serviceVersion: '1' },
});

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
});
afterAll(() => void receiver.close());
beforeEach(async () => {
  spans = [];
  const started = await startTracing(settings(), { clock, log: keepLog().log, owner: 'one' });
  if (started === null) throw new Error('nothing is traced');
  tracing = started;
});

const measures = () => tracing.measures({ step: () => undefined, ended: () => undefined });

/** The requests of a run, to a carrier that answers with this status; `null`: it does not answer. */
function carrier(status: number | null) {
  const send = async () => {
    if (status === null) throw new Error('no answer');
    return { status, headers: {}, body: Buffer.alloc(0) } as never;
  };
  const http = recordedHttp({ send, fetchLink: send }, { kind: 'carrier', account: 'main' }, clock);
  return () => http.send({ method: 'POST', url: 'https://api.example/of/Jane?key=1' } as never).catch(() => undefined);
}

/** What came of a run: it is sent when tracing stops. */
async function sentOf(work: () => Promise<unknown>): Promise<readonly ReceivedSpan[]> {
  const requests = tracing.around(undefined);
  await requests.during(CONSIGNMENT, work as () => Promise<void>);
  await requests.stop();
  return spans;
}

const insideOf = (all: readonly ReceivedSpan[], name: string) => {
  const outer = all.find((span) => span.name === name);
  return all.filter(({ parentSpanId }) => parentSpanId === outer?.spanId).map((span) => span.name);
};

it('without settings nothing is traced', async () => {
  expect(await startTracing(null, { clock, log: keepLog().log, owner: 'one' })).toBeNull();
});

it('a run is one trace, with its steps inside; what is sent after the last step stands beside the steps', async () => {
  const sent = await sentOf(async () => {
    await carrier(200)();
    measures().step('book', 10);
    measures().step('print', 10);
    await carrier(200)();
  });
  expect(new Set(sent.map(({ traceId }) => traceId))).toEqual(new Set([CONSIGNMENT.replaceAll('-', '')]));
  expect(insideOf(sent, 'consignment').sort()).toEqual(['POST main', 'book', 'print']);
  expect(insideOf(sent, 'book')).toEqual(['POST main']);
  expect(insideOf(sent, 'print')).toEqual([]);
});

it.each([
  ['an answer', 200, undefined],
  ['a refusal', 422, ERROR],
  ['no answer', null, ERROR],
])('a request with %s has its outcome, and tells its method and its host only', async (_case, status, code) => {
  const [sent] = await sentOf(carrier(status));
  expect(sent?.status.code || undefined).toBe(code);
  expect(JSON.stringify(spans)).toContain('api.example');
  expect(JSON.stringify(spans)).not.toMatch(/Jane|key=1/);
});

it('of the requests of one step, only the first 200 have a span, and those of the next step again', async () => {
  const sent = await sentOf(async () => {
    for (let n = 0; n < 201; n += 1) await carrier(200)();
    measures().step('book', 10);
    await carrier(200)();
    measures().step('print', 10);
  });
  expect([insideOf(sent, 'book').length, insideOf(sent, 'print').length]).toEqual([200, 1]);
});

it('a run that fails is traced as well, and its error comes through', async () => {
  const failed = sentOf(() => Promise.reject(new Error('no such row')));
  await expect(failed).rejects.toThrow('no such row');
  await tracing.around(undefined).stop();
  expect(spans.map(({ name }) => name)).toEqual(['consignment']);
});
