import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<() => boolean>();

/**
 * Requests of `work`, and of the functions that it calls, are sent only while `permitted` returns `true`. It is called
 * in the moment in which a request is sent, because every earlier wait may have taken too long.
 */
export function whilePermitted<Result>(permitted: () => boolean, work: () => Promise<Result>): Promise<Result> {
  return current.run(permitted, work);
}

/** For shared reads: they must not fail because the first caller's lease has ended. */
export function withoutSendGuard<Result>(work: () => Promise<Result>): Promise<Result> {
  return current.run(always, work);
}

const always = () => true;

/** Work outside `whilePermitted` needs no permission. */
export function sendGuard(): () => boolean {
  return current.getStore() ?? always;
}
