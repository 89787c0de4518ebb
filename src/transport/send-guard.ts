import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<() => boolean>();

/**
 * Whatever `work` sends, and what it calls sends, leaves only while it is permitted: that is asked in the moment a request
 * leaves, since any wait before it may have been too long.
 */
export function whilePermitted<Result>(permitted: () => boolean, work: () => Promise<Result>): Promise<Result> {
  return current.run(permitted, work);
}

/** For shared reads: they must not fail because the first caller's lease has ended. */
export function withoutSendGuard<Result>(work: () => Promise<Result>): Promise<Result> {
  return current.run(always, work);
}

const always = () => true;

/** Work that asked for no permission needs none. */
export function sendGuard(): () => boolean {
  return current.getStore() ?? always;
}
