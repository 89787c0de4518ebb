import { randomUUID } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { HttpRequest } from '../../../carriers/contract/http-port.js';
import { keepShare } from '../../../src/ims/limits/instance-share.js';
import { usageStore } from '../../../src/ims/limits/usage-rows.js';
import type { Database } from '../../../src/db/database.js';
import { migrate } from '../../../src/db/migrate.js';
import { openPostgres } from '../../../src/db/postgres.js';
import type { ImsArea } from '../../../src/ims/calls/ims-area.js';
import { createImsClient } from '../../../src/ims/calls/client.js';
import type { Priority } from '../../../src/ims/operations.js';
import { connectSlotPool } from '../../../src/ims/limits/slot-pool.js';
import { wholeShare } from '../../../src/ims/limits/slots.js';
import type { LogFields, Log } from '../../../src/log.js';
import type { LoggedRequest } from '../../../src/sandbox/api/request-log.js';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.js';
import { createHttpPort } from '../../../src/transport/http-port.js';
import { memoryUsage } from '../ims-server.js';

const CALLERS = 60;

export interface Line {
  readonly event: string;
  readonly fields: LogFields;
}

/** One of several, with everything of its own that a process has: connections, clock, limits. */
export interface Instance {
  readonly area: ImsArea;
  readonly lines: readonly Line[];
  /** Calls as fast as it is let, sixty at a time. */
  work(priority?: Priority): void;
  /** Its time stands still and it asks and sends nothing, like a process that is stopped. */
  freeze(): void;
  thaw(): void;
  /** Without a word to anybody, like a process that is killed. */
  kill(): void;
  stop(): Promise<void>;
}

export interface Together {
  readonly sandbox: Sandbox;
  start(deps: { readonly databaseUrl?: string; readonly redisUrl?: string }): Promise<Instance>;
  /** Times of arrival by the sandbox's log, oldest first. */
  arrivals(): readonly number[];
  /** As many requests, with when each was sent as well. */
  journeys(): readonly Journey[];
  close(): Promise<void>;
}

/** A request between its instance and the sandbox. */
export interface Journey {
  readonly sentAt: number;
  /** Late where the sandbox, which has one thread with the instances, was busy. */
  readonly heardAt: number;
}

/** What the sandbox ignores and logs of a request: when it was sent. */
const SENT_AT = 'sentAt';

/** Instances that share a key of one sandbox, which sets no limit itself: what arrives is what they let out. */
export async function together(): Promise<Together> {
  const sandbox = await startSandbox({ port: 0, carriers: [], limits: { requestsPerSecond: null } });
  const instances: Instance[] = [];
  const heard = () => sandbox.control.requests({ target: 'ims' });
  return {
    sandbox,
    start: async (deps) => {
      const instance = await startInstance(sandbox, deps);
      instances.push(instance);
      return instance;
    },
    arrivals: () => heard().map(({ at }) => at),
    journeys: () => heard().map(journeyOf),
    close: async () => {
      await Promise.all(instances.map((instance) => instance.stop()));
      await sandbox.close();
    },
  };
}

async function startInstance(
  sandbox: Sandbox,
  { databaseUrl, redisUrl }: { readonly databaseUrl?: string; readonly redisUrl?: string },
): Promise<Instance> {
  const lines: Line[] = [];
  const note = (event: string, fields: LogFields = {}) => void lines.push({ event, fields });
  const log: Log = { debug: () => undefined, info: note, warn: note, error: note, child: () => log };
  const ice = createIce();
  const clock = { now: () => new Date() };
  const id = randomUUID();
  const database = databaseUrl === undefined ? null : openPostgres(databaseUrl, log);
  if (database) await migrate(database);
  const pool = redisUrl === undefined ? null : connectSlotPool(redisUrl, { log, owner: id });
  const onInstanceGone = async () => undefined;
  const kept = database && keepShare({ database: ice.around(database), pool, id, clock, log, onInstanceGone });
  const http = createHttpPort({ allowPrivateAddresses: 'allowed' });
  const client = createImsClient(
    { baseUrl: sandbox.imsBaseUrl, authUrl: sandbox.authUrl, clientId: 'full', clientSecret: 'full-secret' },
    {
      http: { ...http, send: (request) => http.send(stamped(request)) },
      clock,
      log,
      usage: database ? usageStore(database) : memoryUsage(),
      share: kept ? { perSecond: () => (ice.frozen() ? 0 : kept.perSecond()) } : wholeShare,
      pool,
      sleep: (ms) => sleepFor(ms, undefined, { ref: false }),
    },
  );
  await client.token();
  const areaFor = (priority: Priority) => client.area('1', 'area-1-key', priority);
  let ended = false;
  const call = async (area: ImsArea) => {
    while (!ended) await area.loadShipment('1').catch(() => sleepFor(20, undefined, { ref: false }));
  };
  let closing: Promise<void> | null = null;
  const close = async () => {
    ended = true;
    ice.thaw();
    await client.close().catch(() => undefined);
    await kept?.stop();
    pool?.close();
    http.close();
    await database?.close();
  };
  return {
    area: areaFor('booking'),
    lines,
    work: (priority = 'booking') => void Array.from({ length: CALLERS }, () => call(areaFor(priority))),
    freeze: ice.freeze,
    thaw: ice.thaw,
    kill: () => {
      ended = true;
      ice.freeze();
    },
    stop: () => (closing ??= close()),
  };
}

function journeyOf({ at, query }: LoggedRequest): Journey {
  const sentAt = query[SENT_AT];
  if (sentAt === undefined) throw new Error('a request does not say when it was sent');
  return { sentAt: Number(sentAt), heardAt: at };
}

function stamped(request: HttpRequest): HttpRequest {
  return { ...request, query: { ...request.query, [SENT_AT]: String(Date.now()) } };
}

/** Holds up everything that a beat asks of the database. */
function createIce() {
  let melted: Promise<void> = Promise.resolve();
  let melt = () => undefined as void;
  let frozen = false;
  return {
    frozen: () => frozen,
    freeze: () => {
      if (frozen) return;
      frozen = true;
      melted = new Promise((done) => (melt = done));
    },
    thaw: () => {
      frozen = false;
      melt();
    },
    around: (database: Database): Database => ({
      ...database,
      transaction: async (work) => {
        await melted;
        const result = await database.transaction(work);
        await melted;
        return result;
      },
    }),
  };
}

/** The most that have certainly arrived in one second, whichever: they were sent in it, and the sandbox has heard of them in it. */
export function busiestSecond(journeys: readonly Journey[]): number {
  const within = (from: number) => journeys.filter(({ sentAt, heardAt }) => sentAt >= from && heardAt < from + 1_000);
  return Math.max(0, ...journeys.map(({ sentAt }) => within(sentAt).length));
}

const MEASURED_MS = 3_000;
/** For a machine that is busy with much else. */
const PATIENCE_MS = 240_000;

/**
 * Looks at three seconds again and again until nine tenths of what is allowed came in them: a machine that is busy with
 * other things has slower ones in between.
 */
export async function reaches(all: Together, allowed: number): Promise<void> {
  const begin = Date.now();
  const enough = () => {
    const now = Date.now();
    const latest = all.arrivals().filter((at) => at >= now - MEASURED_MS).length;
    return now - begin >= MEASURED_MS && latest >= 0.9 * allowed * (MEASURED_MS / 1_000);
  };
  await until(`nine tenths of ${allowed} a second`, enough);
}

/** Looks again and again until it is so. @returns how many milliseconds that took */
export async function until(what: string, isSo: () => boolean, withinMs = PATIENCE_MS): Promise<number> {
  const begin = Date.now();
  while (!isSo()) {
    if (Date.now() - begin > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleepFor(25);
  }
  return Date.now() - begin;
}

/** Passes real time: the sliding second of the sandbox cannot be moved on. */
export const letRun = (ms: number) => sleepFor(ms);
