import { afterEach, expect, it } from '@jest/globals';
import { type Service, startService } from './harness.js';

/** After so many wrong tokens in a minute an address is not listened to. */
const WRONG_TOKENS = 60;
let service: Service;

afterEach(() => service.stop());

async function guess(times: number, from: (n: number) => string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push(await status('wrong', from(n)));
  return statuses;
}

async function status(token: string, from: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from };
  return (await service.ask('/api/v1/consignments', { headers })).status;
}

it('believes no stranger that a guess comes from somewhere else', async () => {
  service = await startService();
  const statuses = await guess(WRONG_TOKENS + 1, (n) => `192.0.2.${n}`);
  expect(new Set(statuses.slice(0, WRONG_TOKENS))).toEqual(new Set([401]));
  expect(statuses.at(-1)).toBe(429);
});

it('keeps guesses of one from shutting out others behind the same trusted proxy', async () => {
  service = await startService({ environment: { TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' } });
  expect((await guess(WRONG_TOKENS + 1, () => '192.0.2.1')).at(-1)).toBe(429);
  expect(await status('wrong', '192.0.2.2')).toBe(401);
});
