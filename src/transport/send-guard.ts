import { scoped } from './scoped.js';

const current = scoped<() => boolean>('send guard');

/**
 * Requests of `work`, and of the functions that it calls, are sent only while `permitted` returns `true`. It is called
 * in the moment in which a request is sent, because every earlier wait may have taken too long.
 */
export function whilePermitted<Result>(permitted: () => boolean, work: () => Promise<Result>): Promise<Result> {
  return current.during(permitted, work);
}

/** Runs shared reads without a guard: they must not fail because the first caller's lease has ended. */
export function withoutSendGuard<Result>(work: () => Promise<Result>): Promise<Result> {
  return current.during(always, work);
}

const always = () => true;

/** Work outside `whilePermitted` needs no permission. */
export function sendGuard(): () => boolean {
  return current.value() ?? always;
}
