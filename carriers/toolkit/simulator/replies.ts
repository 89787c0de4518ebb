import type { Response } from 'express';

/** How a simulated carrier answers. */
export type Reply = (response: Response) => void;

export function json(body: unknown, status = 200): Reply {
  return (response) => void response.status(status).json(body);
}

export function text(body: string, status = 200): Reply {
  return (response) => void response.status(status).type('text').send(body);
}

export function pdf(bytes: Uint8Array): Reply {
  return (response) => void response.type('application/pdf').send(Buffer.from(bytes));
}

export function empty(status: number): Reply {
  return (response) => void response.status(status).end();
}

export function redirect(url: string): Reply {
  return (response) => response.redirect(302, url);
}

/** Breaks the connection instead of answering. */
export function noAnswer(): Reply {
  return (response) => void response.destroy();
}

export function later(ms: number, reply: Reply): Reply {
  return (response) => void setTimeout(() => reply(response), ms).unref();
}

/** @param seconds the value of `Retry-After` */
export function retryAfter(seconds: number, reply: Reply): Reply {
  return (response) => reply(response.set('retry-after', String(seconds)));
}
