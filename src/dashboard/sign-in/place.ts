const BASE = 'http://own.invalid';

/** A path of ours: an address elsewhere would lead a person away after signing in. */
export function ownPathIn(next: string): string {
  if (!next.startsWith('/') || !URL.canParse(next, BASE)) return '/';
  const { origin, pathname, search } = new URL(next, BASE);
  const isOurs = origin === BASE && !pathname.startsWith('//') && !pathname.startsWith('/sign-');
  return isOurs ? `${pathname}${search}` : '/';
}
