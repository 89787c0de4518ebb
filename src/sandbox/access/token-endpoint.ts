import express from 'express';
import type { ErrorRequestHandler, Request, Router } from 'express';
import type { JsonMembers } from '../store/json.js';
import type { Switches } from '../control/switches.js';
import type { Tokens } from './tokens.js';

/**
 * `POST /oauth2/token` for the client credentials grant. A token gets all scopes of its client; the endpoint ignores
 * `scope` in the request.
 * @see RFC 6749, sections 4.4 and 5.2
 */
export function tokenRouter(tokens: Tokens, switches: () => Switches): Router {
  const router = express.Router({ strict: true });
  const readForm = express.text({ type: 'application/x-www-form-urlencoded', inflate: false });
  router.post('/oauth2/token', readForm, (request, response) => {
    const answer = answerTo(request, tokens, switches());
    response.status(answer.status).set('Cache-Control', 'no-store').json(answer.body);
  });
  router.all('/oauth2/token', (_request, response) => void response.status(405).set('Allow', 'POST').end());
  router.use((_request, response) => void response.status(404).json({ error: 'not_found' }));
  router.use(answerError);
  return router;
}

/** Answers 400 to every error in reading the form, e.g. when it is too long or compressed. */
const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  response.status(400).json({ error: 'invalid_request' });
};

interface Answer {
  readonly status: number;
  readonly body: JsonMembers;
}

function answerTo(request: Request, tokens: Tokens, switches: Switches): Answer {
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  const grant = form.get('grant_type');
  if (grant === null) return { status: 400, body: { error: 'invalid_request' } };
  if (grant !== 'client_credentials') return { status: 400, body: { error: 'unsupported_grant_type' } };
  const [clientId, secret] = basicCredentials(request.headers.authorization);
  const token = tokens.issue(clientId, secret);
  if (token === null) return { status: 401, body: { error: 'invalid_client' } };
  const expiry = switches.omitExpiresIn ? {} : { expires_in: switches.tokenLifetimeSeconds };
  return { status: 200, body: { access_token: token, ...expiry, token_type: switches.tokenType } };
}

function basicCredentials(authorization: string | undefined): readonly [string, string] {
  const [, encoded = ''] = /^basic +(\S+)$/i.exec(authorization ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? ['', ''] : [text.slice(0, colon), text.slice(colon + 1)];
}
