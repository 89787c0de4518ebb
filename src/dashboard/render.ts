import { Eta } from 'eta';
import type { Response } from 'express';
import type { Role } from '../access/operators.js';
import { pagesFolder } from '../program-files.js';

/** Scripts, styles, fonts and pictures come from here only, and none stands in the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
};

/** What every page with a session shows. */
export interface Frame {
  readonly operator: { readonly name: string; readonly role: Role };
  readonly formToken: string;
  readonly theme: 'light' | 'dark' | null;
  /** Path and query of the page, for links back. */
  readonly address: string;
}

export interface Renderer {
  /** Sends `templates/pages/<name>.eta`. */
  send(response: Response, name: string, data: object): void;
}

/** Reads the templates when they are first used. */
export function createRenderer(): Renderer {
  const eta = new Eta({ views: pagesFolder(), cache: true, autoEscape: true, useWith: false });
  return {
    send: (response, name, data) => {
      const html = eta.render(name, data);
      response.set(HEADERS).type('html').send(html);
    },
  };
}
