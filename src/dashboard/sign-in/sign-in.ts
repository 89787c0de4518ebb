import { randomBytes } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { OpenId } from '../../access/openid.js';
import { operatorWith } from '../../access/operators.js';
import { auditedAction } from '../../http/audited-action.js';
import { isSame } from '../../http/authentication.js';
import type { OperatorAccess } from '../../http/operator-access.js';
import { perAddress } from '../../http/rate-limit.js';
import { type GateDeps, themeOf } from '../session-gate.js';
import { openIdRoutes } from './openid-sign-in.js';
import { ownPathIn } from './place.js';
import type { Renderer } from '../render.js';

const MAX_BODY_BYTES = 10_000;
const MAX_FIELDS = 10;
/** Wrong tokens from one address. */
const WRONG_TOKENS = { windowMs: 60_000, limit: 10, title: 'Too many wrong tokens: wait a minute' };
const NONCE_BYTES = 24;

const ENDED: Readonly<Record<string, string>> = {
  idle: 'Your session ended after 8 hours without use. After signing in you are back on the page you were on.',
  'too-old': 'Your session ended after a day. After signing in you are back on the page you were on.',
  out: 'You are signed out.',
};
const PROBLEMS = {
  token: 'This token is not known. Look it up again, or ask the person who runs Waybridge for one.',
  form: 'This page was open for too long. Enter the token again.',
} as const;

export interface SignInDeps extends GateDeps {
  readonly access: OperatorAccess;
  readonly renderer: Renderer;
  /** As people know the service. */
  readonly host: string;
  readonly budget: RequestHandler;
  /** `null`: operators sign in with tokens only. */
  readonly openId: OpenId | null;
}

/** `/sign-in`: an operator's token for a session. */
export function signInRoutes(deps: SignInDeps): Router {
  const router = express.Router();
  const body = express.urlencoded({ extended: false, limit: MAX_BODY_BYTES, parameterLimit: MAX_FIELDS });
  const count = perAddress(WRONG_TOKENS);
  router.get('/sign-in', (request, response) => sendForm(deps, request, response));
  const { openId } = deps;
  const back = (request: Request, response: Response, problem: string) => sendForm(deps, request, response, problem);
  if (openId !== null) router.use(openIdRoutes({ ...deps, openId, refuse: back }));
  router.post('/sign-in', deps.budget, body, async (request, response, next) => {
    const { token, formToken, next: place } = fieldsOf(request);
    const expected = deps.cookies.read(request, 'form');
    if (expected === null || !isSame(formToken, expected)) return refuse(deps, { request, response, because: 'form' });
    const operator = operatorWith(deps.access.operators, token);
    if (operator === null) {
      const refused = () => refuse(deps, { request, response, because: 'token' });
      return count(request, response, (error?: unknown) => (error === undefined ? void refused() : next(error)));
    }
    const entry = await deps.audit.begin({ operator: operator.name, ...auditedAction(request) });
    const id = await deps.sessions.begin(operator);
    await deps.audit.end(entry, { result: 'done', status: 303 });
    deps.cookies.set(response, 'session', id);
    deps.cookies.clear(response, 'form');
    response.set('cache-control', 'no-store').redirect(303, ownPathIn(place));
  });
  return router;
}

interface Refusal {
  readonly request: Request;
  readonly response: Response;
  readonly because: keyof typeof PROBLEMS;
}

async function refuse(deps: SignInDeps, { request, response, because }: Refusal): Promise<void> {
  const detail = because === 'token' ? 'wrong token' : 'no form token';
  await deps.audit.refused({ operator: null, ...auditedAction(request) }, { status: 401, detail });
  response.status(401);
  sendForm(deps, request, response, PROBLEMS[because]);
}

function sendForm(
  { cookies, renderer, host, openId }: SignInDeps,
  request: Request,
  response: Response,
  problem = '',
): void {
  const formToken = randomBytes(NONCE_BYTES).toString('base64url');
  cookies.set(response, 'form', formToken);
  const { ended } = request.query;
  const next = request.method === 'POST' ? fieldsOf(request).next : request.query['next'];
  renderer.send(response, 'sign-in', {
    ...{ formToken, problem, host, theme: themeOf(request, cookies), provider: openId?.host ?? null },
    notice: (typeof ended === 'string' && Object.hasOwn(ENDED, ended) ? ENDED[ended] : undefined) ?? '',
    next: ownPathIn(typeof next === 'string' ? next : ''),
  });
}

function fieldsOf(request: Request): { readonly token: string; readonly formToken: string; readonly next: string } {
  const given = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : '');
  return { token: text('token').trim(), formToken: text('formToken'), next: text('next') };
}
