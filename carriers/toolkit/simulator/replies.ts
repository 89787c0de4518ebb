import type { ServerResponse } from 'node:http';

/** How a simulated carrier answers. */
export type Reply = (response: ServerResponse) => void;

export function json(body: unknown, status = 200): Reply {
  return content('application/json; charset=utf-8', JSON.stringify(body), status);
}

export function text(body: string, status = 200): Reply {
  return content('text/plain; charset=utf-8', body, status);
}

export function pdf(bytes: Uint8Array): Reply {
  return content('application/pdf', bytes);
}

/** @param type a media type, e.g. `application/xml` */
export function content(type: string, body: string | Uint8Array, status = 200): Reply {
  return (response) => {
    response.statusCode = status;
    response.setHeader('content-type', type);
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
  };
}

/** @param headers what the answer has beside its own, e.g. the number of pages */
export function withHeaders(headers: Readonly<Record<string, string>>, reply: Reply): Reply {
  return (response) => {
    response.setHeaders(new Map(Object.entries(headers)));
    reply(response);
  };
}

export function empty(status: number): Reply {
  return (response) => {
    response.statusCode = status;
    response.end();
  };
}

export function redirect(url: string): Reply {
  return (response) => {
    response.setHeader('location', url);
    empty(302)(response);
  };
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
  return (response) => {
    response.setHeader('retry-after', String(seconds));
    reply(response);
  };
}
