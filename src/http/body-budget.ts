import type { Request, RequestHandler, Response } from 'express';
import type { Log } from '../log.js';
import { sendProblem } from './problem.js';

/** The limit of all bodies together, from their first byte until they are answered. */
const MAX_BYTES = 64_000_000;
/** The time for a whole body: enough for 1 MB at 35 KB a second. */
const WITHIN_MS = 30_000;
/** The memory that each chunk takes beside its bytes, for senders that send tiny chunks. */
const PIECE_BYTES = 256;
/** The decompressed size at which the body parser refuses a compressed body. */
const UNPACKED_BYTES = 1_000_000;

export interface BodyLimits {
  readonly bytes: number;
  readonly withinMs: number;
}

interface Body {
  readonly request: Request;
  readonly response: Response;
  bytes: number;
}

/**
 * One memory budget for the bodies of all requests. Put this middleware directly before the body parser: a router in
 * between continues in a later turn of the event loop, and the body would be lost. When the budget is used up, the
 * oldest unfinished body gets 503, so that unfinished bodies do not keep out complete ones. A body that is not complete
 * in time gets 408.
 */
export function bodyBudget(log: Log, limits: BodyLimits = { bytes: MAX_BYTES, withinMs: WITHIN_MS }): RequestHandler {
  const { bytes: most, withinMs } = limits;
  const unfinished = new Set<Body>();
  let inUse = 0;

  function count(body: Body, bytes: number): void {
    body.bytes += bytes;
    inUse += bytes;
    for (const oldest of unfinished) {
      if (inUse <= most) return;
      end(oldest, 503);
    }
  }

  function giveBack(body: Body): void {
    unfinished.delete(body);
    inUse -= body.bytes;
    body.bytes = 0;
  }

  function end(body: Body, status: 408 | 503): void {
    giveBack(body);
    log.warn('body cut off', { status, from: body.request.ip });
    cutOff(body, status);
  }

  return (request, response, next) => {
    if (!hasBody(request)) return next();
    const body = { request, response, bytes: 0 };
    const late = setTimeout(() => end(body, 408), withinMs).unref();
    unfinished.add(body);
    response.once('close', () => {
      clearTimeout(late);
      giveBack(body);
    });
    request.once('end', () => {
      clearTimeout(late);
      unfinished.delete(body);
    });
    request.on('data', (piece: Buffer) => {
      if (unfinished.has(body)) count(body, piece.length + PIECE_BYTES);
    });
    if (request.headers['content-encoding'] !== undefined) count(body, UNPACKED_BYTES);
    if (unfinished.has(body)) next();
  };
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const WORDS = {
  408: { title: 'The body did not come in time', detail: 'Send it again.' },
  503: { title: 'Too much at once', detail: 'Send it again.' },
} as const;

/** Stops reading: a sender that never ends would otherwise keep the server reading. */
function cutOff({ request, response }: Body, status: 408 | 503): void {
  request.pause();
  if (response.headersSent) return void request.destroy();
  response.once('finish', () => request.destroy());
  response.set('connection', 'close');
  sendProblem(response, status, WORDS[status]);
}
