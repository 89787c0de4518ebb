//?{ ts
import type { Call } from 'waybridge/adapter'; //? oauth
import type { HttpAnswer, Problem, Tools } from 'waybridge/adapter';
//?}
import { jsonClient, listAt, textAt, tryParseJson } from 'waybridge/adapter'; //? !oauth
import { jsonClient, listAt, neededAt, textAt, tryParseJson } from 'waybridge/adapter'; //? oauth

//?{ ts
/** The settings of an account. */
export interface AcmeSettings {
  readonly apiKey: string; //? header query
  readonly user: string; //? basic
  readonly password: string; //? basic
  readonly clientId: string; //? oauth
  readonly clientSecret: string; //? oauth
}

//?}
// TODO the carrier's own paths and methods. `change`: an answer that is lost may have been a booking.
const ENDPOINTS = {
  book: { method: 'POST', path: '/shipments', effect: 'change', timeoutMs: 30_000 },
  find: { method: 'GET', path: '/shipments', effect: 'read' }, //? search
  labels: { method: 'GET', path: '/shipments/{number}/labels', effect: 'read', answer: 'pdf' },
  cancel: { method: 'DELETE', path: '/shipments/{number}', effect: 'change', answer: 'none' },
  events: { method: 'GET', path: '/events', effect: 'read' },
  ping: { method: 'GET', path: '/ping', effect: 'read', timeoutMs: 5_000 },
} /*ts as const */;

//?{ header
// TODO the header that the carrier asks for
export const acmeApi = ({ apiKey } /*ts: AcmeSettings */, tools /*ts: Tools */) =>
  jsonClient(tools, { headers: { 'x-api-key': apiKey }, problemsFrom }, ENDPOINTS);
//?}
//?{ query
// TODO the name of the parameter that the carrier asks for
export const acmeApi = ({ apiKey } /*ts: AcmeSettings */, tools /*ts: Tools */) => jsonClient(tools, { query: { key: apiKey }, problemsFrom }, ENDPOINTS);
//?}
//?{ basic
export const acmeApi = ({ user, password } /*ts: AcmeSettings */, tools /*ts: Tools */) => {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return jsonClient(tools, { headers: { authorization }, problemsFrom }, ENDPOINTS);
};
//?}
//?{ oauth
// TODO the address of the token, and what it is asked with
const TOKEN = { token: { method: 'POST', path: '/oauth2/token', effect: 'read', timeoutMs: 5_000 } } /*ts as const */;

/** Each call asks for a token of its own: an account keeps nothing between calls. */
export const acmeApi = ({ clientId, clientSecret } /*ts: AcmeSettings */, tools /*ts: Tools */) => {
  const login = jsonClient(tools, { problemsFrom }, TOKEN);
  const client = jsonClient(tools, { problemsFrom }, ENDPOINTS);
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const withToken = (call /*ts: (given: Call) => Promise<unknown> */) => async (given /*ts: Call */) => {
    const token = neededAt(await login.token({ form }), 'access_token');
    return call({ ...given, headers: { authorization: `Bearer ${token}` } });
  };
  return Object.fromEntries(Object.entries(client).map(([name, call]) => [name, withToken(call)])) /*ts as typeof client */;
};
//?}

/** `{ errors: [{ code, message, parcel? }] }`, where `parcel` is our own id. TODO as the carrier says it */
function problemsFrom(answer /*ts: HttpAnswer */) /*ts: readonly Problem[] */ {
  return listAt(tryParseJson(answer.body), 'errors').map((error) => ({
    code: textAt(error, 'code'),
    text: textAt(error, 'message') ?? 'no reason given',
    parcelId: textAt(error, 'parcel'),
  }));
}
