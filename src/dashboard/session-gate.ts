import type { Request, RequestHandler, Response } from 'express';
import type { Audit } from '../access/audit.js';
import type { Ended, Session, Sessions } from '../access/sessions.js';
import { auditedAction } from '../http/audited-action.js';
import { isSame } from '../http/authentication.js';
import { setOperator } from '../http/operator-access.js';
import type { Cookies } from './cookies.js';
import type { Frame } from './render.js';

export interface GateDeps {
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly cookies: Cookies;
}

/** The session of a request that the gate has accepted. */
export function sessionIn(response: Response): Session {
  return response.locals['session'] as Session;
}

/** What every page with a session shows. */
export function frameOf(request: Request, response: Response, cookies: Cookies): Frame {
  const { operator, formToken } = sessionIn(response);
  const { name, role } = operator;
  return { operator: { name, role }, formToken, theme: themeOf(request, cookies), address: request.originalUrl };
}

export function themeOf(request: Request, cookies: Cookies): 'light' | 'dark' | null {
  const theme = cookies.read(request, 'theme');
  return theme === 'light' || theme === 'dark' ? theme : null;
}

/** Lets in browsers that are signed in; all others are sent to the sign-in page, and come back from there. */
export function requireSession({ sessions, audit, cookies }: GateDeps): RequestHandler {
  return async (request, response, next) => {
    const id = cookies.read(request, 'session');
    const found = id === null ? null : await sessions.find(id, isRefresh(request) ? 'look' : 'use');
    if (found !== null && typeof found !== 'string') {
      response.locals['session'] = found;
      setOperator(response, found.operator);
      return next();
    }
    if (found !== null)
      await audit.refused({ operator: null, ...auditedAction(request) }, { status: 401, detail: `session: ${found}` });
    sendToSignIn(request, response, found);
  };
}

/** A page that refreshes itself asks by htmx. */
function isRefresh(request: Request): boolean {
  return request.get('hx-request') === 'true' && request.method === 'GET';
}

function sendToSignIn(request: Request, response: Response, ended: Ended | null): void {
  const isPage = request.method === 'GET' && !isRefresh(request);
  const query = new URLSearchParams({
    ...(isPage && request.originalUrl !== '/' ? { next: request.originalUrl } : {}),
    ...(ended === 'idle' || ended === 'too-old' ? { ended } : {}),
  }).toString();
  const target = `/sign-in${query === '' ? '' : `?${query}`}`;
  response.set('cache-control', 'no-store');
  if (isRefresh(request)) return void response.status(401).set('hx-redirect', target).end();
  response.redirect(303, target);
}

/** Every form of a page holds the token of its session. Comes after the body is read. */
export function requireFormToken(audit: Audit): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'POST') return next();
    const { operator, formToken } = sessionIn(response);
    const given = (request.body as Readonly<Record<string, unknown>> | undefined)?.['formToken'];
    if (typeof given === 'string' && isSame(given, formToken)) return next();
    const refusal = { status: 403, detail: 'no form token' };
    await audit.refused({ operator: operator.name, ...auditedAction(request) }, refusal);
    response.status(403).set('cache-control', 'no-store').type('text');
    response.send('This form is not from your session, so nothing was done. Open the page again, and repeat it there.');
  };
}
