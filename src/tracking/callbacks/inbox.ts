import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/database.js';
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

interface Waiting {
  readonly callback: NewCallback;
  readonly stored: (how: 'new' | 'known') => void;
  readonly failed: (error: unknown) => void;
}

/** Callbacks that arrive during a write share the next one. */
export function createInbox(database: Database): CallbackInbox {
  const waiting: Waiting[] = [];
  let bytes = 0;
  let writing = false;
  let arrived = 0;
  let lastAt = 0;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, countOfFirst(waiting));
      await write(database, batch);
      bytes -= sizeOf(batch);
      if (waiting.length < MAX_AT_ONCE) await pause(GATHER_MS);
    }
    writing = false;
  }

  function begin(): void {
    if (writing) return;
    writing = true;
    // After everything else that arrived in this turn of the event loop.
    setImmediate(() => void writeAll());
  }

  return {
    calm: async (atMostMs) => {
      const end = Date.now() + atMostMs;
      while (Date.now() - lastAt < WINDOW_MS && Date.now() < end) {
        const before = arrived;
        await pause(WINDOW_MS);
        if (arrived - before < STORM) return;
      }
    },
    put: (callback) => {
      const size = callback.body.byteLength;
      if (waiting.length >= MAX_WAITING || bytes + size > MAX_BYTES_WAITING)
        return Promise.reject(new InboxFull(`${waiting.length} callbacks are waiting`));
      return new Promise((stored, failed) => {
        waiting.push({ callback, stored, failed });
        arrived += 1;
        lastAt = Date.now();
        bytes += size;
        begin();
      });
    },
  };
}

/** The number of callbacks in the next write; at least one. */
function countOfFirst(waiting: readonly Waiting[]): number {
  let bytes = 0;
  const end = waiting.findIndex(({ callback }, place) => {
    bytes += callback.body.byteLength;
    return place === MAX_AT_ONCE || (place > 0 && bytes > MAX_BYTES_AT_ONCE);
  });
  return end === -1 ? waiting.length : end;
}

function sizeOf(batch: readonly Waiting[]): number {
  return batch.reduce((sum, { callback }) => sum + callback.body.byteLength, 0);
}

/** Resolves or rejects every waiting callback. */
async function write(database: Database, batch: readonly Waiting[]): Promise<void> {
  try {
    const fresh = await insertCallbacks(
      database,
      batch.map(({ callback }) => callback),
    );
    for (const { callback, stored } of batch) stored(fresh.has(callbackKey(callback)) ? 'new' : 'known');
  } catch (error) {
    for (const { failed } of batch) failed(error);
  }
}
