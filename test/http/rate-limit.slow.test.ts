import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { createLabelLinks } from '../../src/labels/signed-link.js';
import { type Service, startService } from '../support/harness.js';

/** After so many wrong tokens in a minute an address is not listened to. */
const WRONG_TOKENS = 60;
let service: Service;

/** All but the last at once: the minute must not end meanwhile. @returns their statuses, the last one's last */
async function guess(times: number, from: (n: number) => string): Promise<readonly number[]> {
  const first = await Promise.all(Array.from({ length: times - 1 }, (_, n) => status('wrong', from(n))));
  return [...first, await status('wrong', from(times - 1))];
}

async function status(token: string, from: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from };
  return (await service.ask('/api/v1/consignments', { headers })).status;
}

describe('a guess', () => {
  afterEach(() => service.stop());

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
});

const { EVENTS_SECRET, OPERATOR_TOKEN } = sandboxSecrets;
const statusesOf = (answers: readonly { readonly status: number }[]) => new Set(answers.map(({ status }) => status));

describe('after too many wrong secrets from an address', () => {
  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.stop());

  it('the right operator token passes, also many times at once', async () => {
    expect((await guess(WRONG_TOKENS + 1, () => '')).at(-1)).toBe(429);
    const all = await Promise.all(Array.from({ length: 3 * WRONG_TOKENS }, () => service.operator('/consignments')));
    expect(statusesOf(all)).toEqual(new Set([200]));
    expect(await status('wrong', '')).toBe(429);
  });

  it('the right secret of events passes in every form, and wrong ones in any form are sent away', async () => {
    const event = { eventType: 'unknown', eventId: 'some-event' };
    const send = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await service.ask(path, { method: 'POST', headers, body: event })).status;
    const basic = (password: string) => `Basic ${Buffer.from(`ims:${password}`).toString('base64')}`;
    const forms = (secret: string) => [
      () => send('/events', { authorization: `Bearer ${secret}` }),
      () => send('/events', { authorization: basic(secret) }),
      () => send('/events', { 'x-api-key': secret }),
      () => send(`/events/${secret}`, {}),
    ];
    for (const wrong of forms('wrong')) expect(await wrong()).toBe(401);
    const more = Array.from({ length: WRONG_TOKENS - forms('wrong').length }, (_, n) => n);
    await Promise.all(more.map((n) => send('/events', { 'x-api-key': `wrong-${n}` })));
    for (const wrong of forms('wrong')) expect(await wrong()).toBe(429);
    for (const right of forms(EVENTS_SECRET)) expect(await right()).toBe(202);
    expect(await status(OPERATOR_TOKEN, '')).toBe(200);
  });

  it('the right link to a label is followed, and wrong ones are sent away', async () => {
    const links = createLabelLinks({ secret: OPERATOR_TOKEN, publicUrl: service.url, now: () => new Date() });
    const follow = async (link: string) => (await service.ask(link)).status;
    const wrong = '/labels/none.pdf?expires=4000000000&signature=wrong';
    const all = await Promise.all(Array.from({ length: WRONG_TOKENS }, () => follow(wrong)));
    expect(new Set(all)).toEqual(new Set([403]));
    expect(await follow(wrong)).toBe(429);
    expect(await follow(links.link('none'))).toBe(404);
  });
});
