import type { EventAuth, EventTarget } from './event-target.js';
import type { Json } from '../store/json.js';
import { membersOf, readJson } from '../store/json.js';

const TRY_TIMEOUT_MS = 30_000;

/**
 * Makes one attempt to post an event to a target.
 * @returns the HTTP status; `null` when the target did not answer in time, or the token endpoint gave no token
 */
export async function postEvent(target: EventTarget, body: Json, closing: AbortSignal): Promise<number | null> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TRY_TIMEOUT_MS)]);
  try {
    const authorization = target.auth === undefined ? {} : await headersFor(target.auth, signal);
    // `Headers` ignores the case of names: a later header overwrites an earlier one.
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const [name, value] of Object.entries({ ...target.headers, ...authorization })) headers.set(name, value);
    const answer = await fetch(target.url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    // Every error counts as a failed attempt, which the caller retries.
    return null;
  }
}

async function headersFor(auth: EventAuth, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  switch (auth.kind) {
    case 'bearer':
      return { authorization: `Bearer ${auth.token}` };
    case 'key':
      return { [auth.header ?? 'x-api-key']: auth.key };
    case 'oauth2':
      return { authorization: await askToken(auth, signal) };
  }
}

type OAuth2 = Extract<EventAuth, { kind: 'oauth2' }>;

async function askToken({ authUrl, clientId, clientSecret, scope }: OAuth2, signal: AbortSignal): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope === undefined ? {} : { scope }),
  });
  const answer = await fetch(authUrl, { method: 'POST', body, redirect: 'manual', signal });
  const { token_type: type, access_token: token } = membersOf(readJson(await answer.text()));
  if (!answer.ok || typeof type !== 'string' || typeof token !== 'string') throw new Error('there is no token');
  return `${type} ${token}`;
}
