import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Database } from '../../db/database.js';
import type { SlotPool } from './slot-pool.js';
import type { Share } from './slots.js';
import { ARRIVED_AFTER_MS, REQUESTS_PER_WINDOW, WINDOW_MS } from './window.js';
import { withTimeout } from '../../worker/with-timeout.js';
import type { Fields, Log } from '../../log.js';
import { type InstanceRow, forgetInstances, instancesOn, leaveInstances, writeHeartbeat } from './instance-rows.js';

const BEAT_EVERY_MS = 1_200;
/** When requests of an earlier, larger share have arrived and left the window. */
const KEPT_TO_AFTER_MS = ARRIVED_AFTER_MS + WINDOW_MS;
/** Ends well before the others consider this instance dead: its last requests have arrived by then. */
const VALID_FOR_MS = 5_000;
const ANSWERS_WITHIN_MS = 2_500;
/** When the requests of a killed predecessor have left the window. */
const PREDECESSOR_OVER_MS = 1_500;

export interface ShareTools {
  readonly database: Database;
  /** `null`: there is no Redis. */
  readonly pool: Pick<SlotPool, 'usable' | 'settled'> | null;
  /** Identifies this run of the process. */
  readonly id: string;
  readonly clock: Clock;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs?: () => number;
  readonly log: Log;
  /** Called with the id of a killed process of this machine, to release its leases. */
  readonly onInstanceGone: (id: string) => Promise<void>;
}

export interface KeptShare extends Share {
  /** Ends the share: nothing may be sent afterwards, and the others take over. */
  stop(): Promise<void>;
}

/** The answer to the last heartbeat. */
interface View {
  readonly sentAtMs: number;
  readonly sentAtClockMs: number;
  readonly stamp: number;
  readonly instances: number;
  readonly pooled: 'all' | 'some';
  /** Whether every other instance has read our row. */
  readonly known: 'yes' | 'not-yet';
}

/**
 * Keeps this instance's share of the requests to the IMS, while several instances share a database. Each stores a
 * heartbeat every second and reads the others.
 * - All have the same share of 50 requests a second. An instance uses its share when every other one has read its row,
 * and the requests that those sent before have left the window.
 * - A heartbeat is valid for some seconds. An instance that was stopped, or cannot write, sends nothing after them and
 * joins anew.
 * - While every instance reaches Redis, all take from the pool of 50 there. When one does not, all keep to their
 * shares, and that one sends nothing before the others have read it.
 */
export function keepShare(tools: ShareTools): KeptShare {
  const { database, pool, id, log, elapsedMs = () => performance.now() } = tools;
  const beats = createBeats({ ...tools, elapsedMs });
  let stopped = false;
  const perSecond = () => (stopped ? 0 : partOf(beats.view(), pool?.usable() === true));
  const stopBeating = repeatedly(beats.beat, {
    log,
    done: () => {
      const redis = pool === null ? 'none' : pool.usable() ? 'shared' : 'unreachable';
      say({ requestsPerSecond: perSecond(), instances: beats.view()?.instances ?? null, redis });
    },
  });
  let said = '';
  function say(state: Fields): void {
    const text = JSON.stringify(state);
    if (text !== said) log.info('share of the requests to the IMS', state);
    said = text;
  }
  return {
    perSecond,
    stop: async () => {
      stopped = true;
      await stopBeating();
      await inTime(leaveInstances(database, id)).catch(() => undefined);
    },
  };
}

function partOf(view: View | null, poolIs: boolean): number {
  if (view === null) return 0;
  if (view.pooled === 'all' && poolIs) return REQUESTS_PER_WINDOW;
  // The others still take from the pool as if this instance did too: they must read first that it does not.
  if (view.known === 'not-yet' || (view.pooled === 'all' && view.instances > 1)) return 0;
  return Math.floor(REQUESTS_PER_WINDOW / view.instances);
}

/** Sends heartbeats and reads the other instances. */
function createBeats(tools: Required<ShareTools>) {
  const { database, pool, id, clock, elapsedMs, onInstanceGone } = tools;
  const host = hostName();
  const kept = createKept();
  let last: View | null = null;
  let notBeforeMs = 0;
  let beats = 0;

  /** @returns the last answer, while it is valid */
  function fresh(): View | null {
    if (last === null) return null;
    // Uses the larger age: sleep stops one of the clocks, and an administrator may set the other.
    const ageMs = Math.max(elapsedMs() - last.sentAtMs, Math.abs(clock.now().getTime() - last.sentAtClockMs));
    return ageMs < VALID_FOR_MS ? last : null;
  }

  async function beat(): Promise<void> {
    if (beats === 0) await succeed();
    beats += 1;
    const sent = { sentAtMs: elapsedMs(), sentAtClockMs: clock.now().getTime() };
    const standing = fresh() === null ? 'new' : 'known';
    const ackedEpoch = standing === 'known' ? kept.upTo(elapsedMs()) : 0;
    const pooled = pool?.settled() === true;
    const ours = { id, host, pid: process.pid, sequence: beats, ackedEpoch, pooled, standing } as const;
    const { stamp, rows } = await database.transaction((sql) => writeHeartbeat(sql, ours));
    const seen = viewOf(rows, ours);
    // An answer that is older than the last one is ignored.
    if (seen === null || stamp <= (last?.stamp ?? 0)) return;
    last = { ...seen, ...sent, stamp };
    kept.from(elapsedMs(), stamp);
  }

  async function succeed(): Promise<void> {
    if (host === null || (await clearPredecessors(database, host, onInstanceGone)) === 0) return;
    notBeforeMs = elapsedMs() + PREDECESSOR_OVER_MS;
  }

  return { beat, view: () => (elapsedMs() < notBeforeMs ? null : fresh()) };
}

/**
 * The stamp up to which our share has been kept for so long that no earlier request counts. A heartbeat must have passed
 * since: a process that stood still sends what was on its way before the next one.
 */
function createKept() {
  let over = 0;
  let recent: readonly { readonly atMs: number; readonly stamp: number }[] = [];
  return {
    from: (atMs: number, stamp: number) => {
      recent = [...recent, { atMs, stamp }];
    },
    upTo: (nowMs: number) => {
      over = recent.slice(0, -1).findLast(({ atMs }) => nowMs - atMs >= KEPT_TO_AFTER_MS)?.stamp ?? over;
      recent = recent.filter(({ stamp }) => stamp > over);
      return over;
    },
  };
}

/**
 * Removes killed processes of this machine, which cannot send any more, so that a successor waits neither for their
 * rows nor for their leases, except leases of requests that may still be on their way.
 */
async function clearPredecessors(
  database: Database,
  host: string,
  onInstanceGone: ShareTools['onInstanceGone'],
): Promise<number> {
  const dead = (await instancesOn(database, host)).filter((row) => !isAlive(row.pid)).map((row) => row.id);
  if (dead.length === 0) return 0;
  for (const id of dead) await onInstanceGone(id);
  await forgetInstances(database, dead);
  return dead.length;
}

/** @returns stops it, after the running call */
function repeatedly(work: () => Promise<void>, tools: { readonly log: Log; readonly done: () => void }) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failing = false;
  const turn = async (): Promise<void> => {
    try {
      await inTime(work());
      failing = false;
    } catch (error) {
      if (!failing) tools.log.warn('share not renewed', { error, validMs: VALID_FOR_MS });
      failing = true;
    }
    if (stopped) return;
    tools.done();
    timer = setTimeout(() => (running = turn()), BEAT_EVERY_MS).unref();
  };
  let running = turn();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}

function viewOf(
  rows: readonly InstanceRow[],
  { id, pooled }: { readonly id: string; readonly pooled: boolean },
): Pick<View, 'instances' | 'pooled' | 'known'> | null {
  const own = rows.find((row) => row.id === id);
  if (own === undefined || own.pooled !== pooled) return null;
  const others = rows.filter((row) => row !== own);
  return {
    instances: rows.length,
    pooled: rows.every((row) => row.pooled) ? 'all' : 'some',
    known: others.every((row) => row.ackedEpoch >= own.epoch) ? 'yes' : 'not-yet',
  };
}

function inTime(work: Promise<void>): Promise<void> {
  return withTimeout(work, ANSWERS_WITHIN_MS, () => {
    throw new Error('the database does not answer');
  });
}

/** This machine and its process id namespace; `null`: unknown. */
function hostName(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
