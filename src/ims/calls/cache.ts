import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Log } from '../../log.js';
import { withoutSendGuard } from '../../transport/send-guard.js';
import { ImsUnavailable, isRefusal } from '../errors.js';

/** How long a value is fresh: people change contexts, sellers and carriers a few times a year. */
const FRESH_FOR_MS = 5 * 60_000;
/** While the IMS is down, the time between two attempts to refresh a stale value. */
const RETRY_AFTER_MS = 30_000;
/** How long a refusal is cached, because every booking asks for values that it can do without. */
const REFUSAL_REMEMBERED_MS = 30_000;
const MAX_ENTRIES = 1_000;

interface Entry<T> {
  readonly value: T;
  readonly freshUntilMs: number;
}

interface CacheTools {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a refusal is cached; any other error never is. */
  readonly refusals: 'remembered' | 'forgotten';
}

/**
 * Caches values by key; concurrent callers share one request. While the IMS cannot be reached, a stale value is
 * returned.
 */
export function createCache<T>(tools: CacheTools) {
  const entries = new Map<string, Entry<T>>();
  const refusals = new Map<string, Entry<unknown>>();
  const loading = new Map<string, Promise<T>>();

  function entryFor<V>(value: V, freshForMs: number): Entry<V> {
    return { value, freshUntilMs: tools.clock.now().getTime() + freshForMs };
  }

  function fresh<V>(entry: Entry<V> | undefined): Entry<V> | null {
    return entry && tools.clock.now().getTime() < entry.freshUntilMs ? entry : null;
  }

  function remember(key: string, value: T, freshForMs: number): T {
    put(entries, key, entryFor(value, freshForMs));
    return value;
  }

  async function refresh(key: string, load: () => Promise<T>): Promise<T> {
    try {
      return remember(key, await withoutSendGuard(load), FRESH_FOR_MS);
    } catch (error) {
      const stale = entries.get(key);
      if (stale && error instanceof ImsUnavailable) {
        tools.log.warn('IMS cache stale', { entry: key, error });
        return remember(key, stale.value, RETRY_AFTER_MS);
      }
      if (tools.refusals === 'remembered' && isRefusal(error))
        put(refusals, key, entryFor(error, REFUSAL_REMEMBERED_MS));
      throw error;
    }
  }

  return async function cached(key: string, load: () => Promise<T>): Promise<T> {
    const known = fresh(entries.get(key));
    if (known) return known.value;
    const refused = fresh(refusals.get(key));
    if (refused) throw refused.value;
    const running = loading.get(key) ?? refresh(key, load).finally(() => loading.delete(key));
    loading.set(key, running);
    return running;
  };
}

function put<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_ENTRIES && oldest !== undefined) map.delete(oldest);
}
