import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { problem } from './problem.js';

/** Compares in constant time, whatever the lengths. */
export function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

/** Lets in who shows the secret as bearer token, as password of Basic, as `x-api-key`, or in the address. */
export function requireEventsSecret(secret: string): RequestHandler {
  return (request, response, next) => {
    if (shown(request).some((given) => isSame(given, secret))) return next();
    response.set('www-authenticate', 'Bearer');
    problem(response, 401, {
      title: 'Not authentic',
      detail: 'Show the events secret as bearer token, password, x-api-key or in the address.',
    });
  };
}

/** Lets in the operator. */
export function requireOperator(token: string): RequestHandler {
  return (request, response, next) => {
    const given = bearer(request);
    if (given !== null && isSame(given, token)) return next();
    response.set('www-authenticate', 'Bearer');
    problem(response, 401, { title: 'Not authentic', detail: 'Show the operator token: "Authorization: Bearer …".' });
  };
}

function shown(request: Request): readonly string[] {
  const inAddress = request.params.secret;
  const key = request.get('x-api-key');
  return [
    bearer(request),
    basicPassword(request),
    key ?? null,
    typeof inAddress === 'string' ? inAddress : null,
  ].filter((given) => given !== null);
}

function bearer(request: Request): string | null {
  return /^Bearer\s+(\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? null;
}

function basicPassword(request: Request): string | null {
  const encoded = /^Basic\s+(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null;
}
