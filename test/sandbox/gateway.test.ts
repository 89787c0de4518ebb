import { afterEach, describe, expect, it } from '@jest/globals';
import { askToken, clientOf, closeAll, openSandbox, tokenOf } from './support.js';

afterEach(closeAll);

describe('the token endpoint', () => {
  it('gives a JWT with the scopes of the client and the time it expires', async () => {
    const now = new Date('2026-03-02T08:00:00.000Z');
    const answer = await askToken(await openSandbox({ now: () => now }));
    expect(answer).toMatchObject({ status: 200, body: { expires_in: 3600, token_type: 'Bearer' } });
    const claims = JSON.parse(Buffer.from(answer.body.access_token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ scope: 'api/full api/consignment', exp: now.getTime() / 1000 + 3600 });
  });

  it.each([
    ['another grant', { form: 'grant_type=password' }, '400 unsupported_grant_type'],
    ['no grant', { form: '' }, '400 invalid_request'],
    ['a wrong secret', { secret: 'guessed' }, '401 invalid_client'],
    ['an unknown client', { client: 'stranger' }, '401 invalid_client'],
  ])('refuses %s', async (_case, request, expected) => {
    const { status, body } = await askToken(await openSandbox(), request);
    expect(`${status} ${body.error}`).toBe(expected);
  });

  it('can leave out the lifetime, spell the type otherwise and give opaque tokens that work', async () => {
    const sandbox = await openSandbox({
      switches: { omitExpiresIn: true, tokenType: 'bearer', tokenFormat: 'opaque' },
    });
    const { body } = await askToken(sandbox);
    expect(body).toEqual({ access_token: expect.stringMatching(/^[0-9a-f]{32}$/), token_type: 'bearer' });
    const ask = await clientOf(sandbox);
    expect(await ask('GET /shipments', { headers: { authorization: `bearer ${body.access_token}` } })).toMatchObject({
      status: 200,
    });
  });

  it('accepts no token longer than it lives', async () => {
    let now = new Date('2026-03-02T08:00:00.000Z');
    const sandbox = await openSandbox({ now: () => now, switches: { tokenLifetimeSeconds: 60 } });
    const ask = await clientOf(sandbox);
    now = new Date('2026-03-02T08:00:59.999Z');
    expect((await ask('GET /shipments')).status).toBe(200);
    now = new Date('2026-03-02T08:01:00.000Z');
    expect(await ask('GET /shipments')).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
  });

  it('can refuse tokens earlier than they say they expire', async () => {
    let now = new Date('2026-03-02T08:00:00.000Z');
    const sandbox = await openSandbox({ now: () => now, switches: { tokensRevokedAfterSeconds: 10 } });
    const { body } = await askToken(sandbox);
    const ask = await clientOf(sandbox);
    expect(body.expires_in).toBe(3600);
    now = new Date('2026-03-02T08:00:09.999Z');
    expect((await ask('GET /shipments', { token: body.access_token })).status).toBe(200);
    now = new Date('2026-03-02T08:00:10.000Z');
    expect((await ask('GET /shipments', { token: body.access_token })).status).toBe(401);
    expect((await ask('GET /shipments', { token: await tokenOf(sandbox) })).status).toBe(200);
  });

  it('accepts none of the tokens that were out when all were revoked, but new ones', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    sandbox.control.revokeTokens();
    expect((await ask('GET /shipments')).status).toBe(401);
    expect((await ask('GET /shipments', { token: await tokenOf(sandbox) })).status).toBe(200);
  });
});

describe('the gateway', () => {
  it.each([
    ['a token that was never given', { request: 'GET /shipments', token: 'made-up' }, '401 Unauthorized'],
    ['a wrong key', { request: 'GET /shipments', apiKey: 'area-9-key' }, '403 Forbidden'],
    ['an unknown path', { request: 'GET /pallets' }, '403 Missing Authentication Token'],
    ['an unknown method', { request: 'POST /shipments/10000001', body: {} }, '403 Missing Authentication Token'],
    ['a path in other letters', { request: 'GET /Shipments' }, '403 Missing Authentication Token'],
    ['a double slash', { request: 'GET //shipments' }, '403 Missing Authentication Token'],
    [
      'a body of another type',
      { request: 'POST /carriers', body: 'carrierName=X', headers: { 'content-type': 'text/plain' } },
      '415 Unsupported Media Type',
    ],
    ['a body that is no JSON', { request: 'POST /carriers', body: '{"carrierName"' }, '400 Bad Request'],
    ['a body above 10 MB', { request: 'POST /carriers', body: 'x'.repeat(10_500_000) }, '413 Request Too Long'],
  ])('rejects %s', async (_case, { request, ...call }, expected) => {
    const ask = await clientOf(await openSandbox());
    const { status, body } = await ask(request, call);
    expect(`${status} ${body.message}`).toBe(expected);
  });

  it('answers 429 to the request after the 50th in any sliding second, for that key only', async () => {
    let now = new Date('2026-03-02T08:00:00.000Z');
    const sandbox = await openSandbox({ now: () => now, limits: {} });
    const ask = await clientOf(sandbox);
    const many = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => ask('GET /carriers')));
      return answers.filter((answer) => answer.status === 429).length;
    };
    expect(await many(30)).toBe(0);
    now = new Date('2026-03-02T08:00:00.900Z');
    expect(await many(21)).toBe(1);
    expect((await ask('GET /carriers', { apiKey: 'area-2-key' })).status).toBe(200);
    now = new Date('2026-03-02T08:00:01.000Z');
    expect(await many(31)).toBe(1);
    expect((await ask('GET /carriers')).body).toEqual({ message: 'Too Many Requests' });
  });

  it('answers 429 after the last request of the day, until the next day', async () => {
    let now = new Date('2026-03-02T22:59:00.000Z');
    const sandbox = await openSandbox({ now: () => now, limits: { requestsPerSecond: null, requestsPerDay: 2 } });
    const statuses = async () => {
      const ask = await clientOf(sandbox);
      return [
        (await ask('GET /carriers')).status,
        (await ask('GET /carriers')).status,
        (await ask('GET /carriers')).status,
      ];
    };
    expect(await statuses()).toEqual([200, 200, 429]);
    now = new Date('2026-03-03T00:00:00.000Z');
    expect(await statuses()).toEqual([200, 200, 429]);
  });

  it('answers 429 to the surplus of what comes at once, and only to that', async () => {
    const now = new Date('2026-03-02T08:00:00.000Z');
    const sandbox = await openSandbox({ now: () => now, limits: {} });
    const ask = await clientOf(sandbox);
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask('GET /carriers')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('lets the same number through in every second, however many seconds there were', async () => {
    let ms = Date.parse('2026-03-02T08:00:00.000Z');
    const sandbox = await openSandbox({ now: () => new Date(ms), limits: { requestsPerSecond: 3 } });
    const ask = await clientOf(sandbox);
    for (let second = 0; second < 5; second += 1, ms += 1000) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => ask('GET /carriers')));
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    }
  });

  it('knows more areas once they are added', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    sandbox.control.addArea({ contextId: 550, apiKey: 'area-550-key' });
    expect((await ask('GET /contexts/550', { apiKey: 'area-550-key' })).body).toMatchObject({ id: 550 });
  });
});

describe('the start', () => {
  it('says so when the port is taken', async () => {
    const sandbox = await openSandbox();
    const port = Number(new URL(sandbox.url).port);
    await expect(openSandbox({ port })).rejects.toThrow(
      `The sandbox cannot listen on 127.0.0.1, port ${port}: something else listens there already.`,
    );
  });
});
