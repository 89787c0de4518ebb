import { type IncomingMessage, type Server, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CarrierAdapter, GivenTools } from '../../carriers/contract/index.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;
/** How long the service waits for an answer to a booking. */
const DEADLINE_MS = 1_000;
/** How much later than that the carrier reads the request: longer than its search needs to show a booking. */
const READ_AFTER_MS = 3_000;

let gateway: Gateway;
let service: Service;

beforeAll(async () => {
  gateway = await openGateway();
  service = await startService({
    config: (config) => {
      gateway.target = new URL(String(config.accounts['pretend']?.['baseUrl']));
      const pretend = { ...config.accounts['pretend'], baseUrl: gateway.url };
      return { ...config, accounts: { ...config.accounts, pretend } };
    },
    account: (account) =>
      account.adapter.id === 'pretend' ? { ...account, adapter: impatient(account.adapter) } : account,
  });
});

afterAll(async () => {
  await service.stop();
  gateway.server.close();
});

it('books once where a carrier reads the request only after the service has stopped waiting for its answer', async () => {
  gateway.holdNext();
  const documentId = service.book(service.ship(oneParcel, { carrierName: 'Pretend' }));
  await until('the request has arrived late', () => gateway.delivered() > 0);
  await until('it is done', () => service.document(documentId).workStatus === 'DONE');
  expect(service.bookings('pretend', service.numberOf(documentId))).toHaveLength(1);
  expect(await service.look(documentId)).toMatchObject({ pages: 1, trackingNumbers: [expect.any(String)] });
});

function impatient(adapter: CarrierAdapter): CarrierAdapter {
  const hurried = ({ http, ...tools }: GivenTools): GivenTools => {
    const shorter = (timeoutMs: number) => Math.min(DEADLINE_MS, timeoutMs);
    const sendHurried: GivenTools['http']['send'] = (request) =>
      http.send(request.method === 'POST' ? { ...request, timeoutMs: shorter(request.timeoutMs) } : request);
    return { ...tools, http: { ...http, send: sendHurried } };
  };
  return { ...adapter, connect: (config, tools) => adapter.connect(config, hurried(tools)) };
}

interface Gateway {
  readonly server: Server;
  readonly url: string;
  target: URL;
  /** The next request that books waits in it, until long after its sender has gone. */
  holdNext(): void;
  /** How many requests have been passed on late. */
  delivered(): number;
}

/** Stands before the carrier, as a queue of it that is full does. */
async function openGateway(): Promise<Gateway> {
  let holds = false;
  let delivered = 0;
  const server = createServer((request, response) => {
    void readAll(request).then(async (body) => {
      const isHeld = holds && request.method === 'POST' && request.url?.endsWith('/bookings') === true;
      if (isHeld) {
        holds = false;
        await pause(DEADLINE_MS + READ_AFTER_MS);
      }
      const { hostname, port, pathname } = gate.target;
      const { method, headers, url: path = '' } = request;
      const passedOn = send({ hostname, port, method, headers, path: `${pathname}${path}` }, (answer) => {
        if (isHeld) delivered += 1;
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      passedOn.on('error', () => response.destroy());
      passedOn.end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const gate: Gateway = {
    server,
    url,
    target: new URL(url),
    holdNext: () => void (holds = true),
    delivered: () => delivered,
  };
  return gate;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
