import express, { type Request, type RequestHandler, type Router } from 'express';
import type { Log } from '../log.js';
import { InboxFull } from '../tracking/callbacks/inbox.js';
import type { Callbacks } from '../tracking/callbacks/receive.js';
import { DatabaseUnavailable } from '../db/database.js';
import { perAddress } from './rate-limit.js';
import { sendProblem } from './problem.js';

const MAX_BODY_BYTES = 1_000_000;
/** Calls from one address: many times what carriers send, and too few to guess a secret. */
const LIMIT = { windowMs: 1_000, limit: 3_000, title: 'Too many callbacks' };

const JSON_ANSWER = { 'content-type': 'application/json; charset=utf-8' };

/**
 * `POST /callbacks/{account}`: verified over the raw bytes, stored, answered, then applied.
 * @param budget memory for bodies
 */
export function callbackRoutes(callbacks: Callbacks, log: Log, budget: RequestHandler): Router {
  const router = express.Router();
  // Does not decompress, because the signature covers the bytes that were sent.
  const body = express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });
  router.post('/:account', perAddress(LIMIT), known(callbacks), budget, body, take(callbacks, log));
  return router;
}

/** Runs before the body is read. */
function known(callbacks: Callbacks): RequestHandler {
  return (request, response, next) => {
    if (callbacks.expected(String(request.params['account']))) return next();
    sendProblem(response, 404, {
      title: 'No such account',
      detail: 'There is none of this name that takes callbacks.',
    });
  };
}

function take(callbacks: Callbacks, log: Log): RequestHandler {
  return async (request, response) => {
    const account = String(request.params['account']);
    const body: unknown = request.body;
    const raw = Buffer.isBuffer(body) ? body : new Uint8Array();
    try {
      const from = request.ip ?? null;
      const outcome = await callbacks.take({ account, raw, headers: headersOf(request), from });
      if (outcome === 'refused') return sendProblem(response, 401, { title: 'Not authentic' });
      // Writes the answer without an entity tag, which `json` would add and which costs as much as the signature.
      response.writeHead(200, JSON_ANSWER).end(JSON.stringify({ outcome }));
    } catch (error) {
      if (!(error instanceof InboxFull || error instanceof DatabaseUnavailable)) throw error;
      log.warn('callback not stored', { account, error });
      sendProblem(response, 503, { title: 'Not stored', detail: 'Send it again.' });
    }
  };
}

function headersOf(request: Request): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
