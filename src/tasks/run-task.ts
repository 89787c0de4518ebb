import { ImsForbidden, ImsRefused, ImsUnavailable } from '../ims/errors.js';
import type { BookingContext } from '../consignment/context.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { whilePermitted } from '../transport/send-guard.js';
import { delayMs } from '../worker/backoff.js';
import { type Task, type TaskEnding, claimTask, saveTask } from './task-rows.js';
import { type TaskHandler, type TaskHandlers, type Unfinished, isOld } from './task.js';

/** Spreads what waited for the new day. */
const SPREAD_AFTER_MIDNIGHT_MS = 10 * 60_000;

/**
 * Runs one task; running it again does no harm.
 * @param handlers the handler of each kind of task
 * @returns rows to look at next
 */
export async function runTask(world: BookingContext, handlers: TaskHandlers, id: string): Promise<readonly string[]> {
  const now = world.clock.now();
  const until = new Date(now.getTime() + world.lease.lengthMs);
  const { owner, held } = world.lease;
  const errand = await claimTask(world.database, id, { owner, now, until });
  if (!errand) return [];
  held.take(id, until);
  try {
    return await whilePermitted(
      () => held.holds(id, world.clock.now()),
      () => run(world, handlers[errand.kind], errand),
    );
  } finally {
    held.drop(id);
  }
}

async function run(world: BookingContext, handler: TaskHandler, errand: Task): Promise<readonly string[]> {
  const { id } = errand;
  try {
    const { note, wake, unfinished } = await handler.perform(world, errand);
    if (unfinished) {
      await goOnLater(world, errand, unfinished);
      return wake;
    }
    await save(world, errand, { state: 'done', note, dueAt: null });
    world.log.info('task done', { task: id, kind: errand.kind, area: errand.area, note });
    return wake;
  } catch (error) {
    await failed(world, { handler, errand }, error instanceof Error ? error : new Error(String(error)));
    return [];
  }
}

async function failed(
  world: BookingContext,
  { handler, errand }: { readonly handler: TaskHandler; readonly errand: Task },
  error: Error,
): Promise<void> {
  const now = world.clock.now();
  const final = error instanceof ImsRefused || error instanceof ImsForbidden;
  const old = isOld(errand, now);
  const newDayAt = error instanceof ImsUnavailable ? error.newDayAt : null;
  if (newDayAt !== null) return waitForNewDay(world, errand, newDayAt);
  const delay = delayMs(errand.tries, null, world.random());
  const dueAt = final || old ? null : new Date(now.getTime() + delay);
  if (dueAt === null) await handler.giveUp?.(world, errand, error.message);
  await save(world, errand, { state: dueAt ? 'open' : 'given-up', note: error.message, dueAt });
  logFailure(world, errand, { error, again: dueAt !== null, unheard: old && !final });
}

interface Failure {
  readonly error: Error;
  readonly again: boolean;
  /** It is given up because the IMS did not answer, so only the log can tell. */
  readonly unheard: boolean;
}

function logFailure({ log }: BookingContext, { id, kind, area }: Task, { error, again, unheard }: Failure): void {
  log[unheard ? 'error' : 'warn']('task failed', { task: id, kind, area, error, again });
}

/** Part of it is done; the earliest of the rest sets the due time. */
async function goOnLater(world: BookingContext, errand: Task, { failures, waitsFor }: Unfinished): Promise<void> {
  const { id, kind, area } = errand;
  const soon = world.clock.now().getTime() + delayMs(errand.tries, null, world.random());
  const times = failures.map((error) => {
    const newDayAt = error instanceof ImsUnavailable ? error.newDayAt : null;
    return newDayAt === null ? soon : duringNewDay(world, newDayAt).getTime();
  });
  const dueAt = new Date(Math.min(...times, ...(waitsFor === 'bookings' ? [soon] : [])));
  const [error] = failures;
  await save(world, errand, { state: 'open', note: error?.message ?? `waits for ${waitsFor}`, dueAt });
  if (error) world.log.warn('task failed', { task: id, kind, area, error, again: true });
  else world.log.info('task waits', { task: id, kind, area, for: waitsFor });
}

function duringNewDay(world: BookingContext, newDayAt: Date): Date {
  return new Date(newDayAt.getTime() + Math.round(SPREAD_AFTER_MIDNIGHT_MS * world.random()));
}

/** The rest of the day's requests belongs to bookings; no worker waits for this task. */
async function waitForNewDay(world: BookingContext, errand: Task, newDayAt: Date): Promise<void> {
  const dueAt = duringNewDay(world, newDayAt);
  await save(world, errand, { state: 'open', note: 'waits for the requests of a new day', dueAt });
  world.log.info('task waits for the new day', { task: errand.id, kind: errand.kind, area: errand.area, dueAt });
}

function save(world: BookingContext, { id }: Task, ending: TaskEnding): Promise<void> {
  return retryWhileDatabaseAway(world, { task: id }, () =>
    saveTask(world.database, { id, owner: world.lease.owner }, ending),
  );
}
