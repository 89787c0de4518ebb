import type { Service } from './harness.js';

/** The cookie of an operator who has signed in to the dashboard with this token. */
export async function cookieFor(service: Service, token: string): Promise<string> {
  const cookieOf = ({ headers }: Response) => headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const form = await fetch(`${service.url}/sign-in`);
  const formToken = /name="formToken" value="([^"]*)"/.exec(await form.text())?.[1] ?? '';
  const body = new URLSearchParams({ token, formToken, next: '/' });
  const signIn = { method: 'POST', redirect: 'manual', headers: { cookie: cookieOf(form) }, body } as const;
  return cookieOf(await fetch(`${service.url}/sign-in`, signIn));
}

/** A page of the dashboard, as an operator with this token sees it. */
export async function pageFor(service: Service, token: string, path: string): Promise<string> {
  const cookie = await cookieFor(service, token);
  return (await fetch(`${service.url}${path}`, { headers: { cookie } })).text();
}

/** The hidden fields of a page. */
export function hiddenIn(page: string): Readonly<Record<string, string>> {
  const fields = [...page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, ...field]) => field));
}
