import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { wrongSecrets } from './rate-limit.js';
import { sendProblem } from './problem.js';

/** Compares in constant time, also texts of different lengths. */
export function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

/** Lets in requests that show the secret as bearer token, as password of Basic, as `x-api-key`, or in the address. */
export function requireEventsSecret(secret: string): RequestHandler {
  const detail = 'Show the events secret as bearer token, password, x-api-key or in the address.';
  return requireSecret((request) => shown(request).some((given) => isSame(given, secret)), detail);
}

/** Lets in who may read the measures. */
export function requireMetricsToken(token: string): RequestHandler {
  const isRight = (request: Request) => {
    const given = bearerToken(request);
    return given !== null && isSame(given, token);
  };
  return requireSecret(isRight, 'Show METRICS_TOKEN: "Authorization: Bearer …".');
}

/** A request with the right secret always passes; the rate limit counts only requests with a wrong one. */
function requireSecret(isRight: (request: Request) => boolean, detail: string): RequestHandler {
  const count = wrongSecrets();
  return (request, response, next) => {
    if (isRight(request)) return next();
    const refuse = () => {
      response.set('www-authenticate', 'Bearer');
      sendProblem(response, 401, { title: 'Not authentic', detail });
    };
    return count(request, response, (error?: unknown) => (error === undefined ? refuse() : next(error)));
  };
}

function shown(request: Request): readonly string[] {
  const inAddress = request.params.secret;
  const key = request.get('x-api-key');
  return [
    bearerToken(request),
    basicPassword(request),
    key ?? null,
    typeof inAddress === 'string' ? inAddress : null,
  ].filter((given) => given !== null);
}

/** The token of `Authorization: Bearer`. */
export function bearerToken(request: Request): string | null {
  return /^Bearer\s+(\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? null;
}

function basicPassword(request: Request): string | null {
  const encoded = /^Basic\s+(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null;
}
