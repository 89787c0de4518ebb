import type { Service } from './harness.js';

/** A page of the dashboard, as an operator with this token sees it. */
export async function pageFor(service: Service, token: string, path: string): Promise<string> {
  const cookieOf = ({ headers }: Response) => headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const form = await fetch(`${service.url}/sign-in`);
  const formToken = /name="formToken" value="([^"]*)"/.exec(await form.text())?.[1] ?? '';
  const body = new URLSearchParams({ token, formToken, next: '/' });
  const signIn = { method: 'POST', redirect: 'manual', headers: { cookie: cookieOf(form) }, body } as const;
  const signedIn = await fetch(`${service.url}/sign-in`, signIn);
  return (await fetch(`${service.url}${path}`, { headers: { cookie: cookieOf(signedIn) } })).text();
}
