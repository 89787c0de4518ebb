import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher } from '../../worker/batcher.js';
import { type Database, DatabaseUnavailable } from '../../db/database.js';
import { type NewCallback, callbackKey, insertCallbacks } from './callback-rows.js';

/** The limit of one statement. */
const MAX_AT_ONCE = 500;
const MAX_BYTES_AT_ONCE = 8_000_000;
/** Beyond this the sender is answered 503 instead of waiting in memory. */
const MAX_WAITING = 5_000;
const MAX_BYTES_WAITING = 64_000_000;
/**
 * Callbacks within this time of a write share the next one. Writing one takes nearly as long as writing fifty: without
 * this pause a burst would be written in twos and threes.
 */
const GATHER_MS = 15;
/** So many within `GATHER_MS` are a burst: 200 a second. */
const STORM = 10;
const WINDOW_MS = 50;

/** Too many callbacks wait for the database; nothing was stored. */
export class InboxFull extends Error {
  override readonly name = 'InboxFull';
}

export interface CallbackInbox {
  /**
   * Stores a callback together with those that come at the same time.
   * @returns when it is committed: whether it is new or was there before
   * @throws InboxFull | DatabaseUnavailable nothing was stored
   */
  put(callback: NewCallback): Promise<'new' | 'known'>;
  /** Waits during a burst of callbacks, for at most this time: storing goes before applying. */
  calm(atMostMs: number): Promise<void>;
}

/** Callbacks that arrive during a write share the next one. */
export function createInbox(database: Database): CallbackInbox {
  const batcher = createBatcher<NewCallback, 'new' | 'known'>({
    sizeOf: (callback) => ({ count: 1, bytes: callback.body.byteLength }),
    limit: { count: MAX_AT_ONCE, bytes: MAX_BYTES_AT_ONCE },
    storeAll: async (callbacks) => {
      const fresh = await insertCallbacks(database, callbacks);
      return callbacks.map((callback) => (fresh.has(callbackKey(callback)) ? 'new' : 'known'));
    },
    // One callback that cannot be stored does not block the others.
    storeAlone: async (callback, error) => {
      if (error instanceof DatabaseUnavailable) throw error;
      const fresh = await insertCallbacks(database, [callback]);
      return fresh.has(callbackKey(callback)) ? 'new' : 'known';
    },
    gatherMs: GATHER_MS,
  });
  /** The bytes of callbacks that are not stored yet. */
  let bytes = 0;
  let arrived = 0;
  let lastAt = 0;

  return {
    calm: async (atMostMs) => {
      const end = Date.now() + atMostMs;
      while (Date.now() - lastAt < WINDOW_MS && Date.now() < end) {
        const before = arrived;
        await pause(WINDOW_MS);
        if (arrived - before < STORM) return;
      }
    },
    put: async (callback) => {
      const size = callback.body.byteLength;
      if (batcher.waiting() >= MAX_WAITING || bytes + size > MAX_BYTES_WAITING)
        throw new InboxFull(`${batcher.waiting()} callbacks are waiting`);
      arrived += 1;
      lastAt = Date.now();
      bytes += size;
      return batcher.add(callback).finally(() => (bytes -= size));
    },
  };
}
