import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { requireMetricsToken } from './authentication.js';
import { sendProblem } from './problem.js';

/** The measures as Prometheus reads them. */
export interface MeasuresShown {
  readonly contentType: string;
  text(): Promise<string>;
}

const INSIDE: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'linkLocal'];

/** @param token `null`: callers from this machine or a private network need none, and all others are refused */
export function metricsRoute(measures: MeasuresShown, token: string | null): readonly RequestHandler[] {
  const show: RequestHandler = async (_request, response) => {
    const text = await measures.text();
    response.set('cache-control', 'no-store').set('content-type', measures.contentType).send(text);
  };
  return [token === null ? requireInside : requireMetricsToken(token), show];
}

const requireInside: RequestHandler = (request, response, next) => {
  if (isInside(request)) return next();
  sendProblem(response, 403, {
    title: 'Not from here',
    detail:
      'Set METRICS_TOKEN and show it as bearer token, or ask from this machine or a private network, without proxy.',
  });
};

/** A proxy stands inside itself and passes on what comes from outside, so a request that came through one is outside. */
function isInside(request: Request): boolean {
  const passedOn = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => request.get(name) !== undefined);
  const from = request.socket.remoteAddress ?? '';
  return !passedOn && ipaddr.isValid(from) && INSIDE.includes(ipaddr.process(from).range());
}
