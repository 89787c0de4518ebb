import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serviceAt } from '../../src/cli/ask-service/ask-service.js';
import { environment } from '../config/config-samples.js';

const question = { method: 'GET', path: '/consignments', withinMs: 5_000 } as const;

let server: Server;
let url: string;

/** A program that knows nothing of Waybridge, as a proxy that answers in its place. */
beforeAll(async () => {
  server = createServer((_request, response) => response.end('<html>welcome</html>'));
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

it('says that another program answers at the address', async () => {
  await expect(serviceAt(url, environment)(question)).rejects.toThrow(
    `what answers at ${url} is not Waybridge: name the address of the service, with --url or WAYBRIDGE_URL`,
  );
});

it.each([
  ['--url', 'http://waybridge.example', {}],
  ['WAYBRIDGE_URL', undefined, { WAYBRIDGE_URL: 'waybridge.example' }],
  ['PUBLIC_URL', undefined, { PUBLIC_URL: 'http://waybridge.example' }],
])('names %s where the address in it is not protected', (where, option, more) => {
  expect(() => serviceAt(option, { ...environment, ...more })).toThrow(
    `${where} must be an https address (plain http only to this machine), e.g. https://waybridge.example`,
  );
});
