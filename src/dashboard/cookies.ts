import type { CookieOptions, Request, Response } from 'express';
import { MAX_AGE_MS } from '../access/sessions.js';

/** `session`: signed in. `form`: of the sign-in form. `openid`: a person is at the OpenID provider. `theme`: light or dark, where it is not the system's choice. */
export type CookieName = 'session' | 'form' | 'openid' | 'theme';

const FORM_MS = 3_600_000;
const AT_PROVIDER_MS = 15 * 60_000;
const THEME_MS = 365 * 24 * 3_600_000;
/** `lax`: a link from elsewhere opens the page of a person who is signed in. Forms of other sites do not send the cookie. */
const KINDS: Readonly<Record<CookieName, Pick<CookieOptions, 'sameSite' | 'maxAge'>>> = {
  session: { sameSite: 'lax', maxAge: MAX_AGE_MS },
  form: { sameSite: 'strict', maxAge: FORM_MS },
  // The browser comes back from another site.
  openid: { sameSite: 'lax', maxAge: AT_PROVIDER_MS },
  theme: { sameSite: 'lax', maxAge: THEME_MS },
};

export interface Cookies {
  read(request: Request, name: CookieName): string | null;
  set(response: Response, name: CookieName, value: string): void;
  clear(response: Response, name: CookieName): void;
}

/** @param publicUrl with https the cookies are `Secure` */
export function createCookies(publicUrl: string): Cookies {
  const common: CookieOptions = { httpOnly: true, path: '/', secure: publicUrl.startsWith('https:') };
  const full = (name: CookieName) => `waybridge_${name}`;
  return {
    read: (request, name) => valueIn(request.get('cookie') ?? '', full(name)),
    set: (response, name, value) => void response.cookie(full(name), value, { ...common, ...KINDS[name] }),
    clear: (response, name) => void response.clearCookie(full(name), { ...common, sameSite: KINDS[name].sameSite }),
  };
}

function valueIn(header: string, name: string): string | null {
  const pair = header.split(';').find((one) => one.trim().startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(pair.indexOf('=') + 1).trim();
}
