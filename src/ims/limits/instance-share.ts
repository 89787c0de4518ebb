import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Database } from '../../db/database.js';
import type { SlotPool } from './slot-pool.js';
import type { Share } from './slots.js';
import { ARRIVED_AFTER_MS, REQUESTS_PER_WINDOW, WINDOW_MS } from './window.js';
import type { Fields, Log } from '../../log.js';
import { type InstanceRow, forgetInstances, instancesOn, leaveInstances, writeHeartbeat } from './instance-rows.js';

const BEAT_EVERY_MS = 1_200;
/** What left before a share was smaller has arrived by then, and the second that it counts in is over. */
const KEPT_TO_AFTER_MS = ARRIVED_AFTER_MS + WINDOW_MS;
/** Well before the others take us for dead: our last requests are over by then. */
const VALID_FOR_MS = 5_000;
const ANSWERS_WITHIN_MS = 2_500;
/** What a predecessor sent before it was killed is over by then. */
const PREDECESSOR_OVER_MS = 1_500;

export interface ShareTools {
  readonly database: Database;
  /** `null`: there is no Redis. */
  readonly pool: Pick<SlotPool, 'usable' | 'settled'> | null;
  /** Names this run of the process among all. */
  readonly id: string;
  readonly clock: Clock;
  /** Milliseconds that only ever grow. */
  readonly elapsedMs?: () => number;
  readonly log: Log;
  /** Of a process of this machine that was killed: nobody else may give back what was its. */
  readonly onInstanceGone: (id: string) => Promise<void>;
}

export interface KeptShare extends Share {
  /** Nothing may be sent any more; the others take over what was ours. */
  stop(): Promise<void>;
}

/** What the last beat that was answered said. */
interface View {
  readonly sentAtMs: number;
  readonly sentAtClockMs: number;
  readonly stamp: number;
  readonly instances: number;
  readonly pooled: 'all' | 'some';
  /** Whether every other instance has taken into account that we are there, and how. */
  readonly known: 'yes' | 'not-yet';
}

/**
 * What of the requests to the IMS is ours, while several instances share a database. Each writes every second that it is
 * there, and reads who else is.
 *
 * - Each has the same part of 50 requests a second. It begins with it when every other one has read of it, and what that one
 *   sent before is over.
 * - An answer is good for some seconds. Who was stopped, or cannot write, sends nothing after them, and begins anew.
 * - While every one of them reaches Redis, all take from the 50 there. As soon as one does not, all keep to their parts,
 *   and that one sends nothing before the others have read of it.
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
  // The others take from the pool as if we did: they have to know first that we do not.
  if (view.known === 'not-yet' || (view.pooled === 'all' && view.instances > 1)) return 0;
  return Math.floor(REQUESTS_PER_WINDOW / view.instances);
}

/** Says that we are there, and reads who else is. */
function createBeats(tools: Required<ShareTools>) {
  const { database, pool, id, clock, elapsedMs, onInstanceGone } = tools;
  const host = hostName();
  const kept = createKept();
  let last: View | null = null;
  let notBeforeMs = 0;
  let beats = 0;

  /** @returns the last answer, while it is good */
  function fresh(): View | null {
    if (last === null) return null;
    // A machine that slept has stopped one of the two clocks, an administrator moved the other.
    const ageMs = Math.max(elapsedMs() - last.sentAtMs, Math.abs(clock.now().getTime() - last.sentAtClockMs));
    return ageMs < VALID_FOR_MS ? last : null;
  }

  async function beat(): Promise<void> {
    if (beats === 0) await succeed();
    beats += 1;
    const sent = { sentAtMs: elapsedMs(), sentAtClockMs: clock.now().getTime() };
    const standing = fresh() === null ? 'new' : 'known';
    const knows = standing === 'known' ? kept.upTo(elapsedMs()) : 0;
    const pooled = pool?.settled() === true;
    const ours = { id, host, pid: process.pid, beat: beats, knows, pooled, standing } as const;
    const { stamp, rows } = await database.transaction((sql) => writeHeartbeat(sql, ours));
    const seen = viewOf(rows, ours);
    // An answer that comes after a later one's says nothing.
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

/** Up to which stamp our share has been kept to for so long that nothing of an earlier one counts any more. */
function createKept() {
  let over = 0;
  let recent: readonly { readonly atMs: number; readonly stamp: number }[] = [];
  return {
    from: (atMs: number, stamp: number) => {
      recent = [...recent, { atMs, stamp }];
    },
    upTo: (nowMs: number) => {
      over = recent.findLast(({ atMs }) => nowMs - atMs >= KEPT_TO_AFTER_MS)?.stamp ?? over;
      recent = recent.filter(({ stamp }) => stamp > over);
      return over;
    },
  };
}

/**
 * A process that was killed here cannot send any more: its successor need not wait until the others forget it, nor until its
 * leases end, unless something of it may still be under way.
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

/** @returns ends it, when what runs has ended */
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
    known: others.every((row) => row.knows >= own.changed) ? 'yes' : 'not-yet',
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error('the database does not answer')), ANSWERS_WITHIN_MS).unref();
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** This machine and its space of process ids, where ids of processes mean something; `null`: not known. */
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
