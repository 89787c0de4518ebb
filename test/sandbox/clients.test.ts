import { afterEach, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { askToken, clientOf, closeAll, openSandbox, read } from './support.js';

afterEach(closeAll);

async function addClient(sandbox: Sandbox, client: unknown) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(client);
  return read(await fetch(`${sandbox.url}/control/clients`, { method: 'POST', headers, body }));
}

describe('a client', () => {
  it('that was added gets tokens with the scopes chosen for it, and no others', async () => {
    const sandbox = await openSandbox();
    const scopes = ['api/accounting', 'api/consignment'];
    expect((await addClient(sandbox, { clientId: 'shop', secret: 'shop-secret', scopes })).status).toBe(204);
    const { body } = await askToken(sandbox, { client: 'shop', form: 'grant_type=client_credentials&scope=api/full' });
    const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ client_id: 'shop', scope: 'api/accounting api/consignment' });
    const ask = await clientOf(sandbox, 'shop');
    expect((await ask('GET /shipments')).status).toBe(200);
    expect((await ask('GET /sellers')).status).toBe(403);
  });

  it('takes the place of the one with its id', async () => {
    const sandbox = await openSandbox();
    await addClient(sandbox, { clientId: 'sales', secret: 'another', scopes: ['api/full'] });
    expect((await askToken(sandbox, { client: 'sales' })).status).toBe(401);
    expect((await askToken(sandbox, { client: 'sales', secret: 'another' })).status).toBe(200);
  });

  it('is shown without its secret', async () => {
    const sandbox = await openSandbox();
    sandbox.control.addClient({ clientId: 'shop', secret: 'hush', scopes: [] });
    const { body } = await read(await fetch(`${sandbox.url}/control/clients`));
    expect(body).toContainEqual({ clientId: 'full', scopes: ['api/full', 'api/consignment'] });
    expect(body).toContainEqual({ clientId: 'shop', scopes: [] });
    expect(JSON.stringify(body)).not.toMatch(/hush|secret/);
  });

  it.each([
    ['a colon in its id', { clientId: 'a:b' }, 'clientId: must be text without a colon'],
    ['no secret', { secret: undefined }, 'secret: must be text'],
    ['one scope that is no list', { scopes: 'api/full' }, 'scopes: must be a list of texts'],
  ])('is refused with %s', async (_case, wrong, words) => {
    const answer = await addClient(await openSandbox(), { clientId: 'shop', secret: 'x', scopes: [], ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(words) } });
  });
});
