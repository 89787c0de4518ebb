// A provider of OpenID Connect on loopback, in a process of its own, for tests. It writes its port. Arguments: the address
// that it sends browsers back to. `GET /become/<account>` says who is signed in there; everybody agrees to everything.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const ROLES = {
  mette: ['packer', 'waybridge-act'],
  anders: 'waybridge-view',
  stranger: ['packer'],
  operator: ['waybridge-view'],
};
let account = 'mette';

const server = createServer();
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: 'waybridge', client_secret: 'openid-client-secret-0001', redirect_uris: [process.argv[2]] }],
  claims: { openid: ['sub'], profile: ['preferred_username', 'roles'], email: ['email'] },
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: id, roles: ROLES[id] }),
  }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});
const handle = provider.callback();
server.on('request', async (request, response) => {
  const become = /^\/become\/(\w+)$/.exec(request.url)?.[1];
  if (become !== undefined) {
    account = become;
    return response.end();
  }
  if (!request.url.startsWith('/interaction/')) return handle(request, response);
  const result =
    account === 'nobody'
      ? { error: 'access_denied', error_description: 'no account' }
      : { login: { accountId: account } };
  await provider.interactionFinished(request, response, result);
});
process.stdout.write(`${server.address().port}\n`);
