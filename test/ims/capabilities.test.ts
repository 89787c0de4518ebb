import { afterEach, describe, expect, it } from '@jest/globals';
import { ImsCredentials, ImsForbidden } from '../../src/ims/errors.js';
import type { Script, TestIms } from './ims-server.js';
import { jwt, startTestIms } from './ims-server.js';

let ims: TestIms;
afterEach(() => ims.close());

const token =
  (accessToken: string): Script =>
  () => ({ status: 200, json: { token_type: 'Bearer', access_token: accessToken } });
const message = { time: 0, source: 'Waybridge', messageType: 'INFO', messageText: 'x' } as const;
const forbidden = { status: 403, json: { message: 'Forbidden' } };

describe('a token that tells its scopes', () => {
  it('keeps back what they do not allow, and says what is lost and who can help', async () => {
    ims = await startTestIms({ token: token(jwt('api/consignment')) });
    const call = ims.area().setWorkStatus('7', 'ON_GOING');
    await expect(call).rejects.toThrow(ImsForbidden);
    await expect(call).rejects.toThrow(/its scopes are api\/consignment.*Ask the operator of the IMS.*api\/full/);
    expect(ims.calls).toHaveLength(0);
  });

  it.each(['api/consignment', 'api/consigment'])('lets messages be posted with %s', async (scope) => {
    ims = await startTestIms({ token: token(jwt(scope)) });
    await expect(ims.area().postEventMessage('2f0c', message)).resolves.toBeUndefined();
  });

  it('is not trusted with the spelling that is not listed', async () => {
    ims = await startTestIms({ token: token(jwt('api/consignment')), api: () => forbidden });
    await expect(ims.area().postEventMessage('2f0c', message)).rejects.toThrow(ImsForbidden);
    await expect(ims.area().postEventMessage('2f0c', message)).rejects.toThrow(ImsForbidden);
    expect(ims.calls).toHaveLength(1);
  });

  it('makes a 403 for what it allows a matter of the key', async () => {
    ims = await startTestIms({ api: () => forbidden });
    await expect(ims.area().setWorkStatus('7', 'DONE')).rejects.toThrow(ImsCredentials);
    expect(ims.area().can('setWorkStatus')).toBe(true);
  });

  it('shows doctor every operation', async () => {
    ims = await startTestIms({ token: token(jwt('api/consignment')) });
    const { scopes, operations } = await ims.area().capabilities();
    expect(scopes).toEqual(['api/consignment']);
    expect(Object.fromEntries(operations.map(({ operation, allowed }) => [operation, allowed]))).toEqual({
      setWorkStatus: 'no',
      loadDocument: 'no',
      listDocuments: 'no',
      listPackedItems: 'no',
      loadShipment: 'yes',
      listShipments: 'yes',
      patchShipment: 'no',
      patchShippingContainer: 'yes',
      attachToDocument: 'no',
      attachToShipment: 'no',
      postEventMessage: 'unknown',
      printResource: 'no',
      printDocument: 'no',
      loadContext: 'yes',
      loadSeller: 'no',
      listSellers: 'no',
      listCarriers: 'no',
    });
  });
});

describe('a token that tells nothing', () => {
  it('is asked about once, and the refusal is remembered for an hour', async () => {
    ims = await startTestIms({ token: token('opaque'), api: () => forbidden });
    const area = ims.area();
    expect(area.can('listCarriers')).toBe(true);
    await expect(area.listCarriers()).rejects.toThrow(ImsForbidden);
    expect(area.can('listCarriers')).toBe(false);
    await expect(area.listCarriers()).rejects.toThrow(ImsForbidden);
    expect(ims.calls).toHaveLength(1);
    ims.clock.forward(3_600_000);
    expect(area.can('listCarriers')).toBe(true);
  });

  it('forgets what it learned when the next one has other scopes', async () => {
    const first = token('opaque');
    const next = token(jwt('api/full'));
    ims = await startTestIms({
      token: (request, count) => (count === 1 ? first : next)(request, count),
      api: (_request, count) => (count === 1 ? forbidden : { status: 200, json: [] }),
    });
    await expect(ims.area().listCarriers()).rejects.toThrow(ImsForbidden);
    ims.clock.forward(3_600_000);
    await ims.client.token();
    await expect(ims.area().listCarriers()).resolves.toEqual([]);
  });

  it('does not let one area learn from the key of another', async () => {
    ims = await startTestIms({ token: token('opaque'), api: () => forbidden });
    await expect(ims.area().listCarriers()).rejects.toThrow(ImsForbidden);
    expect(ims.client.area('551', 'area-551-key').can('listCarriers')).toBe(true);
  });
});
