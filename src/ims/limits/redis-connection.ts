import { Redis } from 'ioredis';
import type { Log } from '../../log.js';
import { withTimeout } from '../../worker/with-timeout.js';

const CONNECT_TIMEOUT_MS = 2_000;
/** A slower Redis counts as away. */
const COMMAND_TIMEOUT_MS = 1_000;
const RECONNECT_AFTER_MS = 1_000;
/** A connection of this age counts as back. */
const STEADY_AFTER_MS = 5_000;

/** A connection that reconnects by itself. */
export interface RedisConnection {
  readonly redis: Redis;
  /** The time since it works without a failure; `null`: it does not work. */
  usableForMs(): number | null;
  /** A command failed: reconnects. */
  failed(error: unknown): void;
  close(): void;
}

const PING_WITHIN_MS = CONNECT_TIMEOUT_MS + 2 * COMMAND_TIMEOUT_MS;

/**
 * Asks once, with a connection of its own.
 * @throws Error with the reason, never with the address: no answer in time, refused, wrong password
 */
export async function pingRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    ...{ connectTimeout: CONNECT_TIMEOUT_MS, commandTimeout: COMMAND_TIMEOUT_MS, maxRetriesPerRequest: 0 },
    ...{ lazyConnect: true, retryStrategy: () => null, connectionName: 'waybridge-doctor' },
  });
  let heard: Error | undefined;
  redis.on('error', (error: Error) => (heard ??= error));
  const late = () => {
    throw new Error('no answer in time');
  };
  try {
    await withTimeout(
      Promise.resolve(redis.connect()).then(() => redis.ping()),
      PING_WITHIN_MS,
      late,
    );
  } catch (error) {
    throw heard ?? error;
  } finally {
    // After the end of a connection, `disconnect` would wait for that end for 2 s more, and keep the process alive.
    if (redis.status !== 'end') redis.disconnect();
  }
}

/** Commands without a connection fail at once; the caller decides what to do. */
export function connectRedis(url: string, log: Log, elapsedMs: () => number): RedisConnection {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_AFTER_MS,
    connectionName: 'waybridge',
  });
  let readyAtMs: number | null = null;
  let told: 'there' | 'gone' | null = null;
  let closed = false;

  /** Logs once for each outage, never with the address, which contains a password. */
  function gone(error: unknown): void {
    readyAtMs = null;
    if (told === 'gone' || closed) return;
    told = 'gone';
    const because = error instanceof Error ? error.message : String(error);
    log.warn('redis unavailable', { because, effect: 'each instance keeps to its share of the requests to the IMS' });
  }

  function ready(): void {
    const at = elapsedMs();
    readyAtMs = at;
    const steady = () => {
      if (readyAtMs !== at || closed || told === 'there') return;
      if (told === 'gone') log.info('redis available', {});
      told = 'there';
    };
    setTimeout(steady, STEADY_AFTER_MS).unref();
  }

  redis.on('ready', ready);
  redis.on('error', gone);
  redis.on('close', () => gone('the connection was lost'));
  return {
    redis,
    usableForMs: () => (readyAtMs === null ? null : elapsedMs() - readyAtMs),
    failed: (error) => {
      const wasReady = readyAtMs !== null;
      gone(error);
      if (wasReady && !closed) redis.disconnect(true);
    },
    close: () => {
      closed = true;
      redis.disconnect();
    },
  };
}
