import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Log } from '../log.js';
import { BadRequest } from './bad-request.js';
import { DatabaseUnavailable } from '../db/database.js';

const RETRY_AFTER_SECONDS = 5;

/** Sends an error as `application/problem+json` (RFC 9457). */
export function sendProblem(
  response: Response,
  status: number,
  { title, detail }: { readonly title: string; readonly detail?: string },
): void {
  response.status(status).type('application/problem+json');
  if (status === 503) response.set('retry-after', String(RETRY_AFTER_SECONDS));
  response.send(JSON.stringify({ type: 'about:blank', title, status, ...(detail === undefined ? {} : { detail }) }));
}

/** Answers every error that no route has handled: the answer says what to do where it has not begun, the log says what happened. */
export function answerErrors(log: Log): ErrorRequestHandler {
  const failed = ({ method, route }: Request, error: unknown) =>
    log.error('request failed', { method, path: (route as { path?: unknown } | undefined)?.path ?? 'unknown', error });
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      failed(request, error);
      // Express breaks the connection, which says that the rest is missing; the error itself it would print past the log.
      return next();
    }
    if (error instanceof DatabaseUnavailable) {
      log.warn('database unavailable', { path: request.path, error });
      return sendProblem(response, 503, { title: 'Not now', detail: 'The database does not answer; send it again.' });
    }
    if (error instanceof BadRequest) {
      return sendProblem(response, 400, { title: 'The request cannot be read', detail: error.message });
    }
    const status = clientStatus(error);
    if (status !== null) return sendProblem(response, status, { title: TITLES[status] ?? 'Bad request' });
    failed(request, error);
    sendProblem(response, 500, { title: 'Something went wrong on our side', detail: 'It is in the log.' });
  };
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  413: 'The body is too large',
  415: 'The encoding of the body is not supported',
};

/** An error of the body parser has the status to answer. */
function clientStatus(error: unknown): number | null {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null;
}
