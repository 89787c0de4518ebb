import type { Clock } from '../../carriers/contract/adapter.js';
import type { Log } from '../log.js';
import { ImsUnavailable } from './errors.js';

/** Contexts, sellers and carriers change by hand, a few times a year. */
const FRESH_FOR_MS = 5 * 60_000;
/** While the IMS is down a stale value is used this long before somebody waits for a new try. */
const RETRY_AFTER_MS = 30_000;
const MAX_ENTRIES = 1_000;

interface Entry<T> {
  readonly value: T;
  readonly freshUntilMs: number;
}

/**
 * Remembers what was read, by key; callers at the same time share one request. A stale value is better than none while
 * the IMS cannot be reached. Other errors are not remembered.
 */
export function createCache<T>(tools: { readonly clock: Clock; readonly log: Log }) {
  const entries = new Map<string, Entry<T>>();
  const loading = new Map<string, Promise<T>>();

  function remember(key: string, value: T, freshForMs: number): T {
    entries.delete(key);
    entries.set(key, { value, freshUntilMs: tools.clock.now().getTime() + freshForMs });
    const [oldest] = entries.keys();
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    return value;
  }

  async function refresh(key: string, load: () => Promise<T>): Promise<T> {
    try {
      return remember(key, await load(), FRESH_FOR_MS);
    } catch (error) {
      const stale = entries.get(key);
      if (!stale || !(error instanceof ImsUnavailable)) throw error;
      tools.log.warn('ims-cache-stale', { entry: key, error });
      return remember(key, stale.value, RETRY_AFTER_MS);
    }
  }

  return async function cached(key: string, load: () => Promise<T>): Promise<T> {
    const entry = entries.get(key);
    if (entry && tools.clock.now().getTime() < entry.freshUntilMs) return entry.value;
    const running = loading.get(key) ?? refresh(key, load).finally(() => loading.delete(key));
    loading.set(key, running);
    return running;
  };
}
