import { AsyncLocalStorage } from 'node:async_hooks';

type Values = Readonly<Record<symbol, unknown>>;

/** One for all: Node keeps each store up to date in every promise of the process. */
const current = new AsyncLocalStorage<Values>();

/** A value that belongs to one run of work, and that the functions see which this work calls. */
export interface Scoped<Value> {
  /** `undefined`: outside `during`. */
  value(): Value | undefined;
  /** Inside `work` the value is this one; outside, and after it, what it was. */
  during<Result>(value: Value, work: () => Promise<Result>): Promise<Result>;
}

/** @param name for debuggers */
export function scoped<Value>(name: string): Scoped<Value> {
  const key = Symbol(name);
  return {
    // `during` alone writes it.
    value: () => current.getStore()?.[key] as Value | undefined,
    during: (value, work) => current.run({ ...current.getStore(), [key]: value }, work),
  };
}

/**
 * Starts work in which no scoped value is set, also where the caller runs inside `during`: the caller only starts it, and the
 * values belong to the caller's own work.
 */
export function outsideAll(start: () => void): void {
  current.exit(start);
}
