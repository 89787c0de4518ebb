import { ImsProblem, ImsUnavailable, isRefusal } from '../ims/errors.js';
import type { BookingContext } from '../consignment/context.js';
import { DatabaseUnavailable } from '../db/database.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { whilePermitted } from '../transport/send-guard.js';
import { delayMs } from '../worker/backoff.js';
import type { AttemptEnd } from '../worker/leased-rows.js';
import { type Task, claimTask, saveTask, unknownTasks } from './task-rows.js';
import { type TaskHandler, type TaskHandlers, type Unfinished, isOld } from './task.js';

/** Spreads what waited for the new day. */
const SPREAD_AFTER_MIDNIGHT_MS = 10 * 60_000;

/** Tells of the tasks that wait for an instance of another version, e.g. after a return to an older one. */
export async function logTasksOfOtherVersions({ database, log }: Pick<BookingContext, 'database' | 'log'>) {
  for (const { kind, count } of await unknownTasks(database)) log.warn('tasks of another version', { kind, count });
}

/**
 * Runs one task; running it again does no harm.
 * @param handlers the handler of each kind of task
 * @returns rows to look at next
 */
export async function runTask(context: BookingContext, handlers: TaskHandlers, id: string): Promise<readonly string[]> {
  const now = context.clock.now();
  const until = new Date(now.getTime() + context.lease.lengthMs);
  const { owner, held } = context.lease;
  const task = await claimTask(context.database, id, { owner, now, until });
  if (!task) return [];
  held.take(id, until);
  try {
    return await whilePermitted(
      () => held.holds(id, context.clock.now()),
      () => run(context, handlers[task.kind], task),
    );
  } finally {
    held.drop(id);
  }
}

async function run(context: BookingContext, handler: TaskHandler, task: Task): Promise<readonly string[]> {
  const { id } = task;
  try {
    const { note, wake, unfinished } = await handler.perform(context, task);
    if (unfinished) {
      await goOnLater(context, task, unfinished);
      return wake;
    }
    await save(context, task, { state: 'done', note, dueAt: null });
    context.log.info('task done', { task: id, kind: task.kind, area: task.area, note });
    return wake;
  } catch (error) {
    await failed(context, { handler, task }, error instanceof Error ? error : new Error(String(error)));
    return [];
  }
}

async function failed(
  context: BookingContext,
  { handler, task }: { readonly handler: TaskHandler; readonly task: Task },
  error: Error,
): Promise<void> {
  const now = context.clock.now();
  const final = isFinal(context, task, error);
  const old = isOld(task, now);
  const newDayAt = error instanceof ImsUnavailable ? error.newDayAt : null;
  if (newDayAt !== null) return waitForNewDay(context, task, newDayAt);
  const delay = delayMs(task.attempts, null, context.random());
  const dueAt = final || old ? null : new Date(now.getTime() + delay);
  if (dueAt === null) await giveUp(context, { handler, task }, error.message);
  await save(context, task, { state: dueAt ? 'open' : 'given-up', note: error.message, dueAt });
  logFailure(context, task, { error, again: dueAt !== null, unheard: old && !final });
}

/**
 * What fails here would fail at each attempt; without the database, the task is left to the next holder of its lease.
 */
async function giveUp(
  context: BookingContext,
  { handler, task }: { readonly handler: TaskHandler; readonly task: Task },
  why: string,
): Promise<void> {
  try {
    await handler.giveUp?.(context, task, why);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    context.log.error('task ending failed', { task: task.id, kind: task.kind, area: task.area, error });
  }
}

/**
 * Whether trying again would end in the same way. What the IMS does not show yet may be there a moment later: that is tried as
 * long as a booking is.
 */
function isFinal({ clock, areas }: BookingContext, { area, createdAt }: Task, error: Error): boolean {
  const age = clock.now().getTime() - createdAt.getTime();
  const mayAppear =
    error instanceof ImsProblem && error.status !== null && age <= (areas.get(area)?.giveUpAfterMs ?? 0);
  return isRefusal(error) && !mayAppear;
}

interface Failure {
  readonly error: Error;
  readonly again: boolean;
  /** Whether it is given up because the IMS did not answer, so that only the log can tell. */
  readonly unheard: boolean;
}

function logFailure({ log }: BookingContext, { id, kind, area }: Task, { error, again, unheard }: Failure): void {
  log[unheard ? 'error' : 'warn']('task failed', { task: id, kind, area, error, again });
}

/** Part of it is done; the earliest of the rest sets the due time. */
async function goOnLater(context: BookingContext, task: Task, { failures, waitsFor }: Unfinished): Promise<void> {
  const { id, kind, area } = task;
  const soon = context.clock.now().getTime() + delayMs(task.attempts, null, context.random());
  const times = failures.map((error) => {
    const newDayAt = error instanceof ImsUnavailable ? error.newDayAt : null;
    return newDayAt === null ? soon : duringNewDay(context, newDayAt).getTime();
  });
  const dueAt = new Date(Math.min(...times, ...(waitsFor === 'bookings' ? [soon] : [])));
  const [error] = failures;
  await save(context, task, { state: 'open', note: error?.message ?? `waits for ${waitsFor}`, dueAt });
  if (error) context.log.warn('task failed', { task: id, kind, area, error, again: true });
  else context.log.info('task waits', { task: id, kind, area, for: waitsFor });
}

function duringNewDay(context: BookingContext, newDayAt: Date): Date {
  return new Date(newDayAt.getTime() + Math.round(SPREAD_AFTER_MIDNIGHT_MS * context.random()));
}

/** The rest of the day's requests belongs to bookings; no worker waits for this task. */
async function waitForNewDay(context: BookingContext, task: Task, newDayAt: Date): Promise<void> {
  const dueAt = duringNewDay(context, newDayAt);
  await save(context, task, { state: 'open', note: 'waits for the requests of a new day', dueAt });
  context.log.info('task waits for the new day', { task: task.id, kind: task.kind, area: task.area, dueAt });
}

function save(context: BookingContext, { id }: Task, end: AttemptEnd): Promise<void> {
  return retryWhileDatabaseAway(context, { task: id }, () =>
    saveTask(context.database, { id, owner: context.lease.owner }, end),
  );
}
