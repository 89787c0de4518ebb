import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ImsCredentials, ImsUnavailable } from '../../src/ims/errors.js';
import { readScopes } from '../../src/ims/scopes.js';
import { until } from '../support/until.js';
import type { Script, TestIms } from './ims-server.js';
import { API_KEY, fullToken, jwt, startTestIms } from './ims-server.js';

let ims: TestIms;

/** A server on loopback answers sooner. */
const TOKEN_IS_ANSWERED_MS = 50;

const shipment = { status: 200, json: { id: 1, shipmentNumber: '10045' } };
const answeredWith =
  (json: object): Script =>
  () => ({ status: 200, json });

describe('the access token', () => {
  afterEach(() => ims.close());

  it('is asked for with Basic credentials and the client credentials grant, and sent with the area key', async () => {
    ims = await startTestIms({ api: () => shipment });
    await ims.area().loadShipment('1');
    expect(ims.tokenRequests[0]).toMatchObject({
      method: 'POST',
      body: 'grant_type=client_credentials',
      headers: {
        authorization: `Basic ${Buffer.from('test:test-secret').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    expect(ims.calls[0]).toMatchObject({
      method: 'GET',
      url: '/2/shipments/1',
      headers: { authorization: `Bearer ${jwt('api/full', '1')}`, 'x-api-key': 'area-550-key' },
    });
  });

  it('carries a scope only when one is set', async () => {
    ims = await startTestIms({ settings: { scope: 'api/full' } });
    await ims.client.token();
    expect(ims.tokenRequests[0]?.body).toBe('grant_type=client_credentials&scope=api%2Ffull');
  });

  it('is asked for once by callers at the same time', async () => {
    ims = await startTestIms({ api: () => shipment });
    await Promise.all(Array.from({ length: 20 }, () => ims.area().loadShipment('1')));
    expect(ims.calls).toHaveLength(20);
    expect(ims.tokenRequests).toHaveLength(1);
  });

  it('is sent with the type as it was given', async () => {
    ims = await startTestIms({
      api: () => shipment,
      token: answeredWith({ token_type: 'bEaReR', access_token: 'opaque' }),
    });
    await ims.area().loadShipment('1');
    expect(ims.calls[0]?.headers.authorization).toBe('bEaReR opaque');
  });

  it.each([
    ['a minute before it ends', { expires_in: 600 }, 540_000],
    ['at half of a short life', { expires_in: 20 }, 10_000],
    ['when its end came as text', { expires_in: '600' }, 540_000],
    ['after an hour less a minute without expires_in', {}, 3_540_000],
  ])('is renewed %s, and nobody waits for it', async (_case, expiry, afterMs) => {
    ims = await startTestIms({ token: answeredWith({ token_type: 'Bearer', access_token: 'opaque', ...expiry }) });
    await ims.client.token();
    ims.clock.forward(afterMs - 1);
    await ims.client.token();
    expect(ims.tokenRequests).toHaveLength(1);
    ims.clock.forward(1);
    await ims.client.token();
    expect(ims.tokenRequests).toHaveLength(1);
    await until('it is renewed', () => ims.tokenRequests.length === 2);
  });

  it('is renewed by itself, while nothing is sent', async () => {
    ims = await startTestIms({
      token: answeredWith({ token_type: 'Bearer', access_token: 'opaque', expires_in: 0.5 }),
      tools: { clock: { now: () => new Date() } },
    });
    await ims.client.token();
    await until('it was renewed twice', () => ims.tokenRequests.length >= 3);
  });

  it('that will end soon is sent as long as it is valid, although it cannot be renewed', async () => {
    let isDown = false;
    ims = await startTestIms({ api: () => shipment, token: (...asked) => (isDown ? 'reset' : fullToken(...asked)) });
    await ims.area().loadShipment('1');
    isDown = true;
    ims.clock.forward(3_550_000);
    await ims.area().loadShipment('1');
    expect(ims.calls.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 2 }, () => `Bearer ${jwt('api/full', '1')}`),
    );
    ims.clock.forward(50_000);
    await expect(ims.area().loadShipment('1')).rejects.toThrow(ImsUnavailable);
  });

  it('that cannot be renewed yet is asked for once in ten seconds, however much is sent meanwhile', async () => {
    let isDown = false;
    const token: Script = (...asked) => (isDown ? { status: 503 } : fullToken(...asked));
    ims = await startTestIms({ api: () => shipment, token });
    const send = async () => {
      await ims.area().loadShipment('1');
      await pause(TOKEN_IS_ANSWERED_MS);
    };
    await send();
    isDown = true;
    ims.clock.forward(3_545_000);
    for (let n = 0; n < 5; n += 1) await send();
    expect(ims.tokenRequests).toHaveLength(2);
    ims.clock.forward(10_000);
    await send();
    expect(ims.tokenRequests).toHaveLength(3);
  });

  it('is renewed once when the IMS does not accept it, for all callers together', async () => {
    const first = `Bearer ${jwt('api/full', '1')}`;
    ims = await startTestIms({
      api: ({ headers }) =>
        headers.authorization === first ? { status: 401, json: { message: 'expired' } } : shipment,
    });
    await Promise.all(Array.from({ length: 5 }, () => ims.area().loadShipment('1')));
    expect(ims.tokenRequests).toHaveLength(2);
  });

  it('is renewed once a minute for a key that the IMS never accepts, however many calls are made', async () => {
    ims = await startTestIms({ api: () => ({ status: 401 }) });
    const callFiveTimes = async () => {
      for (let n = 0; n < 5; n += 1) await expect(ims.area().loadShipment('1')).rejects.toThrow(ImsCredentials);
    };
    await callFiveTimes();
    expect(ims.tokenRequests).toHaveLength(2);
    ims.clock.forward(61_000);
    await callFiveTimes();
    expect(ims.tokenRequests).toHaveLength(3);
  });

  it('is renewed at once each time that it is revoked', async () => {
    let accepted = 1;
    ims = await startTestIms({
      api: ({ headers }) =>
        headers.authorization === `Bearer ${jwt('api/full', String(accepted))}` ? shipment : { status: 401 },
    });
    for (; accepted <= 3; accepted += 1)
      await expect(ims.area().loadShipment('1')).resolves.toMatchObject({ shipmentNumber: '10045' });
    expect(ims.tokenRequests).toHaveLength(3);
  });

  it('that is revoked is renewed at once, also while the IMS does not accept the key of another area', async () => {
    let revoked = '';
    ims = await startTestIms({
      api: ({ headers }) =>
        headers['x-api-key'] !== API_KEY || headers.authorization === revoked ? { status: 401 } : shipment,
    });
    const other = ims.client.area('551', 'unknown-key');
    await expect(other.loadShipment('2')).rejects.toThrow(ImsCredentials);
    expect(ims.tokenRequests).toHaveLength(2);
    revoked = `Bearer ${jwt('api/full', '2')}`;
    await expect(ims.area().loadShipment('1')).resolves.toMatchObject({ shipmentNumber: '10045' });
    expect(ims.tokenRequests).toHaveLength(3);
  });

  it('is renewed on 403 only when it is not fresh', async () => {
    const first = `Bearer ${jwt('api/full', '1')}`;
    ims = await startTestIms({ api: ({ headers }) => (headers.authorization === first ? { status: 403 } : shipment) });
    await expect(ims.area().loadShipment('1')).rejects.toThrow(ImsCredentials);
    expect(ims.tokenRequests).toHaveLength(1);
    ims.clock.forward(6 * 60_000);
    await expect(ims.area().loadShipment('1')).resolves.toMatchObject({ shipmentNumber: '10045' });
    expect(ims.tokenRequests).toHaveLength(2);
  });

  it('that is refused although it is new is a matter of credentials, named with the area', async () => {
    ims = await startTestIms({ api: () => ({ status: 401 }) });
    const call = ims.area().loadShipment('1');
    await expect(call).rejects.toThrow(ImsCredentials);
    await expect(call).rejects.toThrow('Check the apiKey of area 550');
    expect(ims.calls).toHaveLength(2);
  });
});

describe('a token endpoint', () => {
  afterEach(() => ims.close());

  it.each([
    ['with status 400', 400, ImsCredentials],
    ['with status 401', 401, ImsCredentials],
    ['with status 500', 500, ImsUnavailable],
    ['with status 404', 404, ImsUnavailable],
  ])('that refuses %s fails the call so that the right person hears of it', async (_case, status, error) => {
    ims = await startTestIms({ token: () => ({ status, json: { error: 'invalid_client' } }) });
    await expect(ims.client.token()).rejects.toThrow(error);
  });

  it.each([
    ['a page of a proxy', { status: 200, text: '<html>maintenance</html>' } as const],
    ['no token', { status: 200, json: { token_type: 'Bearer' } } as const],
    ['nothing at all', 'reset' as const],
  ])('that answers with %s counts as down, and nothing is done', async (_case, scripted) => {
    ims = await startTestIms({ token: () => scripted });
    await expect(ims.client.token()).rejects.toMatchObject({ name: 'ImsUnavailable', effect: 'none' });
  });

  it('that is down for a moment does not fail a call', async () => {
    ims = await startTestIms({
      api: () => shipment,
      token: (request, count) => (count === 1 ? { status: 503 } : fullToken(request, count)),
    });
    await expect(ims.area().patchShipment('1', { carrierName: 'GLS' })).resolves.toBeUndefined();
  });

  it('never shows its secret in an error', async () => {
    ims = await startTestIms({ token: () => ({ status: 401 }) });
    await expect(ims.client.token()).rejects.not.toThrow('test-secret');
  });
});

describe('scopes of a token', () => {
  const claims = (payload: unknown) => `x.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.y`;

  it.each([
    ['a list in one text', claims({ scope: 'api/full api/consignment' }), ['api/full', 'api/consignment']],
    ['an array', claims({ scp: ['api/sales'] }), ['api/sales']],
    ['nothing about the IMS', claims({ scope: 'openid' }), null],
    ['no scopes', claims({ sub: 'x' }), null],
    ['a payload that is no object', claims('x'), null],
    ['an opaque token', 'f3a9', null],
    ['garbage between dots', 'a.b.c', null],
  ])('are read from %s', (_case, token, scopes) => {
    expect(readScopes(token)).toEqual(scopes);
  });
});
