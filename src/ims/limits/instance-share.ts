import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Database } from '../../db/database.js';
import type { SlotPool } from './slot-pool.js';
import type { Share } from './slots.js';
import { databaseAnswersWithin } from '../../worker/with-timeout.js';
import type { LogFields, Log } from '../../log.js';
import { type Heartbeat, forgetInstances, instancesOn, leaveInstances, writeHeartbeat } from './instance-rows.js';
import {
  HEARTBEAT_EVERY_MS,
  type Membership,
  VALID_FOR_MS,
  createAcknowledgment,
  membershipIn,
  requestsPerSecond,
  shareState,
} from './share-protocol.js';

/** How long the database has for a heartbeat. */
const ANSWERS_WITHIN_MS = 2_500;
/** When the requests of a killed process of this machine have left the window. */
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

/** The answer to a heartbeat. */
interface Answer extends Membership {
  readonly sentAtMs: number;
  readonly sentAtClockMs: number;
  readonly stamp: number;
}

/**
 * Keeps this instance's share of the requests to the IMS while several instances share a database: `share-protocol.ts`
 * has the rules. An instance that was stopped, or cannot write, sends nothing once its last heartbeat has ended, and joins anew.
 */
export function keepShare(tools: ShareTools): KeptShare {
  const { database, pool, id, log, elapsedMs = () => performance.now() } = tools;
  const heartbeats = createHeartbeats({ ...tools, elapsedMs });
  let stopped = false;
  const perSecond = () => {
    if (stopped) return 0;
    const membership = heartbeats.membership();
    return requestsPerSecond(shareState(membership, pool?.usable() === true), membership?.instances ?? 1);
  };
  const stopHeartbeats = repeatedly(heartbeats.send, {
    log,
    done: () => {
      const instances = heartbeats.membership()?.instances ?? null;
      say({ requestsPerSecond: perSecond(), instances, redis: stateOf(pool) });
    },
  });
  let said = '';
  function say(state: LogFields): void {
    const text = JSON.stringify(state);
    if (text !== said) log.info('share of the requests to the IMS', state);
    said = text;
  }
  return {
    perSecond,
    stop: async () => {
      stopped = true;
      await stopHeartbeats();
      await databaseAnswersWithin(ANSWERS_WITHIN_MS, leaveInstances(database, id)).catch(() => undefined);
    },
  };
}

function stateOf(pool: ShareTools['pool']): 'none' | 'shared' | 'unreachable' {
  if (pool === null) return 'none';
  return pool.usable() ? 'shared' : 'unreachable';
}

/** Sends heartbeats and reads the other instances. */
function createHeartbeats(tools: Required<ShareTools>) {
  const { database, pool, id, clock, elapsedMs, onInstanceGone } = tools;
  const host = hostName();
  const acknowledgment = createAcknowledgment();
  let last: Answer | null = null;
  let notBeforeMs = 0;
  let sequence = 0;

  /** @returns the last answer, while it is valid */
  function validAnswer(): Answer | null {
    if (last === null) return null;
    // Uses the larger age: sleep stops one of the clocks, and an administrator may set the other.
    const ageMs = Math.max(elapsedMs() - last.sentAtMs, Math.abs(clock.now().getTime() - last.sentAtClockMs));
    return ageMs < VALID_FOR_MS ? last : null;
  }

  async function send(): Promise<void> {
    if (sequence === 0) await removePredecessors();
    sequence += 1;
    const sent = { sentAtMs: elapsedMs(), sentAtClockMs: clock.now().getTime() };
    const membership = validAnswer() === null ? 'joining' : 'member';
    const ackedEpoch = acknowledgedAs(membership);
    const pooled = pool?.settled() === true;
    const ours = { id, host, pid: process.pid, sequence, ackedEpoch, pooled, membership } as const;
    const { stamp, rows } = await database.transaction((sql) => writeHeartbeat(sql, ours));
    const found = membershipIn(rows, ours);
    // An answer that is older than the last one is ignored.
    if (found === null || stamp <= (last?.stamp ?? 0)) return;
    last = { ...found, ...sent, stamp };
    acknowledgment.read(stamp, elapsedMs());
  }

  /** All epochs before the first answer, since nothing was sent; none while the instance joins anew. */
  function acknowledgedAs(membership: Heartbeat['membership']): Heartbeat['ackedEpoch'] {
    if (last === null) return 'all';
    return membership === 'member' ? acknowledgment.ackedEpoch(elapsedMs()) : 0;
  }

  async function removePredecessors(): Promise<void> {
    if (host === null || (await clearPredecessors(database, host, onInstanceGone)) === 0) return;
    notBeforeMs = elapsedMs() + PREDECESSOR_OVER_MS;
  }

  return { send, membership: () => (elapsedMs() < notBeforeMs ? null : validAnswer()) };
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
  const round = async (): Promise<void> => {
    try {
      await databaseAnswersWithin(ANSWERS_WITHIN_MS, work());
      failing = false;
    } catch (error) {
      if (!failing) tools.log.warn('share not renewed', { error, validMs: VALID_FOR_MS });
      failing = true;
    }
    if (stopped) return;
    tools.done();
    timer = setTimeout(() => (running = round()), HEARTBEAT_EVERY_MS).unref();
  };
  let running = round();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
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
