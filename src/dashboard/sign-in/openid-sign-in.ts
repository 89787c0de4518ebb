import express, { type Request, type Response, type Router } from 'express';
import { type Departure, NotSignedIn, type OpenId } from '../../access/openid.js';
import { auditedAction } from '../../http/audited-action.js';
import { perAddress } from '../../http/rate-limit.js';
import type { GateDeps } from '../session-gate.js';
import { ownPathIn } from './place.js';

/** Departures and arrivals that failed, from one address. */
const FAILURES = { windowMs: 60_000, limit: 20, title: 'Too many failed sign-ins: wait a minute' };
const MAX_QUERY = 8_000;

const STATUS = { 'no-role': 403, refused: 403, unreachable: 502, 'other-departure': 400 } as const;

export interface OpenIdSignInDeps extends GateDeps {
  readonly openId: OpenId;
  /** Shows the sign-in page with a problem. */
  readonly refuse: (request: Request, response: Response, problem: string) => void;
}

/** What the cookie keeps while a person is at the provider. */
interface Kept extends Departure {
  readonly next: string;
}

/** `/sign-in/openid`: to the provider, and back from it. */
export function openIdRoutes(deps: OpenIdSignInDeps): Router {
  const { openId, cookies, sessions, audit } = deps;
  const router = express.Router();
  const count = perAddress(FAILURES);
  const failing = (work: (request: Request, response: Response) => Promise<void>) =>
    (async (request, response, next) => {
      try {
        await work(request, response);
      } catch (error) {
        if (!(error instanceof NotSignedIn)) throw error;
        await audit.refused(
          { operator: null, ...auditedAction(request) },
          { status: STATUS[error.because], detail: `openid: ${error.message}` },
        );
        const refuse = () => {
          response.status(STATUS[error.because]);
          deps.refuse(request, response, wordsOf(error, openId.host));
        };
        count(request, response, (tooMany?: unknown) => (tooMany === undefined ? refuse() : next(tooMany)));
      }
    }) satisfies express.RequestHandler;
  router.get(
    '/sign-in/openid',
    failing(async ({ query }, response) => {
      const { url, departure } = await openId.depart();
      const next = ownPathIn(typeof query['next'] === 'string' ? query['next'] : '');
      cookies.set(response, 'openid', packed({ ...departure, next }));
      response.set('cache-control', 'no-store').redirect(303, url);
    }),
  );
  router.get(
    '/sign-in/openid/callback',
    failing(async (request, response) => {
      const kept = unpacked(cookies.read(request, 'openid'));
      cookies.clear(response, 'openid');
      if (kept === null) throw new NotSignedIn('other-departure', 'there is no departure');
      const query = request.originalUrl.slice(request.originalUrl.indexOf('?'), MAX_QUERY);
      const operator = await openId.arrive(query, kept);
      const entry = await audit.begin({ operator: operator.name, ...auditedAction(request) });
      const id = await sessions.beginProvided(operator);
      await audit.end(entry, { result: 'done', status: 303 });
      cookies.set(response, 'session', id);
      response.set('cache-control', 'no-store').redirect(303, ownPathIn(kept.next));
    }),
  );
  return router;
}

function wordsOf({ because, message }: NotSignedIn, host: string): string {
  switch (because) {
    case 'no-role':
      return `${host} knows you, and gives you no role in Waybridge. Ask the person who runs Waybridge for one.`;
    case 'refused':
      return `${host} did not sign you in. It says: "${message}". Try again, or use a token.`;
    case 'unreachable':
      return `${host} does not answer as it should. Try again in a minute, or use a token.`;
    case 'other-departure':
      return 'This sign-in was begun in another browser, or too long ago. Begin again here.';
  }
}

function packed(kept: Kept): string {
  return Buffer.from(JSON.stringify(kept)).toString('base64url');
}

/** @returns `null`: there is none, or it is not ours */
function unpacked(text: string | null): Kept | null {
  if (text === null) return null;
  try {
    const { state, nonce, verifier, next }: Partial<Kept> = Object(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    const parts = [state, nonce, verifier, next];
    return parts.every((part) => typeof part === 'string') ? ({ state, nonce, verifier, next } as Kept) : null;
  } catch {
    return null;
  }
}
