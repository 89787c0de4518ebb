import type { Request, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { problem } from './problem.js';

/** What one address may do in a while. */
export interface PerAddress {
  readonly windowMs: number;
  readonly limit: number;
  /** Title of the answer 429. */
  readonly title: string;
  /** Whether a request counts, known from its answer; without it each does. */
  readonly counts?: (response: Response) => boolean;
}

/** An address is what a trusted proxy says, else who is connected: what a stranger's header says is not looked at. */
export function perAddress({ windowMs, limit, title, counts }: PerAddress): RequestHandler {
  return rateLimit({
    windowMs,
    limit,
    standardHeaders: false,
    legacyHeaders: false,
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    skipSuccessfulRequests: counts !== undefined,
    requestWasSuccessful: (_request: Request, response: Response) => counts?.(response) === false,
    handler: (_request, response) => {
      response.set('retry-after', String(Math.ceil(windowMs / 1_000)));
      problem(response, 429, { title });
    },
  });
}
