import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { type Unfinished, beginPost } from './unfinished.js';
import { SECRET, signed } from '../tracking/callers.js';
import { type Service, startService, until } from '../support/harness.js';

const NEARLY_ONE_MB = Buffer.alloc(999_000, ' ');
/** Half as much again as all bodies together may take. */
const MANY = 96;
let service: Service;
let begun: Unfinished[] = [];

beforeAll(async () => {
  service = await startService({
    config: (config) => ({
      ...config,
      accounts: { ...config.accounts, pretend: { ...config.accounts['pretend'], callbacks: { secret: SECRET } } },
    }),
  });
});

afterAll(() => service.stop());

it.each([
  ['callbacks, which nobody has to be known for,', '/callbacks/pretend', []],
  ['events', '/events', [`authorization: Bearer ${sandboxSecrets.EVENTS_SECRET}`]],
])('keeps 64 MB of bodies of %s that nobody finishes, and takes what comes whole', async (_case, path, headers) => {
  begun = [];
  for (let n = 0; n < MANY; n += 1) begun.push(beginPost(service.url, { path, headers, send: NEARLY_ONE_MB }));
  await until('a third is ended', () => begun.filter((one) => one.gone()).length >= MANY / 3);
  const event = { trackingNumber: 'never-booked', status: 'delivered', at: new Date().toISOString() };
  const call = signed({ events: [event] });
  const answer = await service.ask('/callbacks/pretend', { method: 'POST', ...call });
  expect([answer.status, answer.body]).toEqual([200, { outcome: 'stored' }]);
  expect((await service.send({ eventType: 'unknown', eventId: `e-${path}` })).status).toBe(202);
  expect(begun.filter((one) => one.gone()).length).toBeLessThan(MANY / 2);
  for (const { socket } of begun) socket.destroy();
});
