import type { Redis } from 'ioredis';
import type { Log } from '../../log.js';
import { connectRedis } from './redis-connection.js';
import { ARRIVED_AFTER_MS, REQUESTS_PER_WINDOW, WINDOW_MS, type Wanted } from './window.js';

/** The slots that all instances share. */
export interface SlotPool {
  /** Whether it answers; while it does, every request needs one of its slots. */
  usable(): boolean;
  /** Whether it has been usable so long that no recent request was sent without one of its slots. */
  settled(): boolean;
  /** One round trip. Never rejects: a pool that fails has nothing and is not usable any more. */
  take(keyId: string, wanted: Wanted): Promise<{ readonly ids: readonly string[]; readonly retryMs: number }>;
  /** The request has arrived: its slot becomes free a little over a second later. */
  arrived(keyId: string, id: string): void;
  unused(keyId: string, id: string): void;
  close(): void;
}

/** When the slot of a dead process becomes free. */
const MAX_HELD_MS = 1_000 + ARRIVED_AFTER_MS + WINDOW_MS;
/** A Redis that lost its memory does not know its slots: by then they are over. */
const FORGOTTEN_AFTER_MS = MAX_HELD_MS;
/** How soon to ask again when all slots are taken. */
const RETRY_MS = 20;
/** Background requests let a waiting booking of another instance go first for this time. */
const BOOKING_WAITS_MS = 200;

/**
 * One atomic step, by the clock of Redis. KEYS: the slots with the times they become free, the flag that a booking
 * waits. ARGV: slots in all, bookings, background, how long a slot is held, how long the flag holds, the name of this
 * take.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local free = math.max(0, tonumber(ARGV[1]) - redis.call('ZCARD', KEYS[1]))
local bookings = math.min(free, tonumber(ARGV[2]))
local background = 0
if bookings < tonumber(ARGV[2]) then
  redis.call('SET', KEYS[2], '1', 'PX', ARGV[5])
elseif redis.call('EXISTS', KEYS[2]) == 0 then
  background = math.min(free - bookings, tonumber(ARGV[3]))
end
for n = 1, bookings + background do
  redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[6] .. n)
end
redis.call('PEXPIRE', KEYS[1], 60000)
return bookings + background
`;

/** ARGV: how long the slots are still held (negative: free now), their names. A slot that is gone stays gone. */
const RELEASE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for n = 2, #ARGV do
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[1], ARGV[n])
end
return 0
`;

export interface PoolTools {
  readonly log: Log;
  /** Identifies this instance. */
  readonly owner: string;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs?: () => number;
}

/** Connects in the background; until then, and while Redis is away, the pool is not usable. */
export function connectSlotPool(url: string, tools: PoolTools): SlotPool {
  const { log, owner, elapsedMs = () => performance.now() } = tools;
  const connection = connectRedis(url, log, elapsedMs);
  const releasing = new Map<string, string[]>();
  let takes = 0;

  async function attempt<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result | null> {
    try {
      return await work(connection.redis);
    } catch (error) {
      connection.failed(error);
      return null;
    }
  }

  /** Releases of one turn of the event loop are sent together. */
  function release(keyId: string, id: string, heldMs: number): void {
    const kind = `${heldMs} ${keyId}`;
    const ids = releasing.get(kind) ?? [];
    if (ids.push(id) > 1) return;
    releasing.set(kind, ids);
    setImmediate(() => {
      releasing.delete(kind);
      // Without a connection the slots become free when their longest time is over.
      if (connection.usableForMs() === null) return;
      void attempt((redis) => redis.eval(RELEASE, 1, slotsOf(keyId), heldMs, ...ids));
    });
  }

  return {
    usable: () => (connection.usableForMs() ?? -1) >= FORGOTTEN_AFTER_MS,
    settled: () => (connection.usableForMs() ?? -1) >= 2 * FORGOTTEN_AFTER_MS,
    take: async (keyId, { booking, background }) => {
      takes += 1;
      const name = `${owner}:${takes}:`;
      const keys = [slotsOf(keyId), `waybridge:{${keyId}}:booking-waits`];
      const values = [REQUESTS_PER_WINDOW, booking, background, MAX_HELD_MS, BOOKING_WAITS_MS, name];
      const startedMs = elapsedMs();
      const count = await attempt((redis) => redis.eval(TAKE, keys.length, ...keys, ...values));
      // The process was paused meanwhile, so its slots may be free again.
      const late = elapsedMs() - startedMs > MAX_HELD_MS - ARRIVED_AFTER_MS - WINDOW_MS;
      const length = typeof count === 'number' && !late ? count : 0;
      return { ids: Array.from({ length }, (_each, n) => `${name}${n + 1}`), retryMs: RETRY_MS };
    },
    arrived: (keyId, id) => release(keyId, id, WINDOW_MS),
    unused: (keyId, id) => release(keyId, id, -1),
    close: connection.close,
  };
}

/** The braces keep both keys of an area on one node. */
function slotsOf(keyId: string): string {
  return `waybridge:{${keyId}}:slots`;
}
