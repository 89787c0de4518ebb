import { advance } from '../consignment/advance.js';
import { logTasksOfOtherVersions, runTask } from '../tasks/run-task.js';
import { MAX_DUE_AT_ONCE, dueTasks, renewTaskLeases } from '../tasks/task-rows.js';
import { taskHandlers } from './task-handlers.js';
import { startReconciliation } from '../reconciliation/sweep.js';
import { createEventBatcher } from '../intake/event-batcher.js';
import { createReplay } from '../reconciliation/replay.js';
import { createReplayEvent } from '../reconciliation/replay-event.js';
import { createRecover } from '../reconciliation/recover.js';
import { renewLeases } from '../consignment/ledger/consignment-rows.js';
import { giveBackLeases } from '../consignment/ledger/due-rows.js';
import { keepLeases } from '../worker/lease-renewal.js';
import { createRunner, type Runner } from '../worker/runner.js';
import { type Wakers, sweep } from '../consignment/sweeper.js';
import { startSweeper } from '../worker/sweeper.js';
import type { BookingContext } from '../consignment/context.js';
import { RUNNING_ENDS_WITHIN_MS, closeInTime } from './shutdown.js';

/**
 * Consignments of one area that are worked on at once; the others wait. Each begins with two requests, so these use the 50
 * requests that the IMS takes in a second. More would queue at that limit, ahead of the bookings that are nearly done.
 */
const MAX_PREPARED_AT_ONCE = 25;
/** Most ids of unfinished work in one log line. */
const MAX_NAMED = 20;

/** Creates what processes the rows of the ledger: runners, leases, the sweeper. */
export function startWork(context: BookingContext) {
  const consignments = createRunner(
    (id, prepared) => advance(context, id, prepared),
    context.log,
    MAX_PREPARED_AT_ONCE,
  );
  const tasks: Runner = createRunner(
    async (id) => consignments.wake(await runTask(context, taskHandlers, id)),
    context.log,
  );
  const wakers: Wakers = {
    consignments: (due) => due.forEach(({ id, area }) => consignments.wake([id], area)),
    tasks: tasks.wake,
    startsAtOnce: consignments.startsAtOnce,
  };
  const { database, log } = context;
  const lookForDue = sweeps(context, wakers);
  const stopSweeper = startSweeper({
    sweep: lookForDue,
    answers: () => database.query('select 1'),
    log,
  });
  const stopLeases = renewLeasesOf(context, consignments, tasks);
  const batcher = createEventBatcher(context, wakers);
  const recover = createRecover(batcher.takeInAll);
  const missedEvents = startReconciliation(context, recover);
  const replay = createReplay(context, recover);
  return {
    consignments,
    lookForDue,
    missedEvents,
    replay,
    replayEvent: createReplayEvent({ context, replay, takeIn: batcher.takeInAll }),
    takeIn: batcher.takeInBody,
    stop: async () => {
      stopSweeper();
      for (const { bulkhead } of context.accounts.values()) bulkhead.close();
      await Promise.all([
        missedEvents.stop(),
        consignments.stop(RUNNING_ENDS_WITHIN_MS),
        tasks.stop(RUNNING_ENDS_WITHIN_MS),
      ]);
      stopLeases();
      await leave(context, [...consignments.running(), ...tasks.running()]);
    },
  };
}

function sweeps(context: BookingContext, wakers: Wakers): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (isFirst) await logTasksOfOtherVersions(context);
    isFirst = false;
    await sweep(context, wakers.consignments);
    wakers.tasks(await dueTasks(context.database, context.clock.now(), MAX_DUE_AT_ONCE));
  };
}

function renewLeasesOf({ database, log, clock, lease }: BookingContext, consignments: Runner, tasks: Runner) {
  return keepLeases({
    ...{ log, clock, lease },
    kinds: [
      { ids: consignments.running, renew: (renewed, ids) => renewLeases(database, renewed, ids) },
      { ids: tasks.running, renew: (renewed, ids) => renewTaskLeases(database, renewed, ids) },
    ],
  });
}

/** Releases the leases of unfinished work, for another instance or for the next start. */
async function leave(context: BookingContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0 && context.claimed.isEmpty()) return;
  if (ids.length > 0) context.log.warn('left unfinished', { count: ids.length, ids: ids.slice(0, MAX_NAMED) });
  for (const answer of context.unwritten.all()) context.log.error('answer of a carrier not written', { ...answer });
  // Sending stops before the release: another process may claim the row at once.
  for (const id of ids) context.lease.held.drop(id);
  await closeInTime('leases', () => giveBackLeases(context.database, context.lease.owner), context.log);
}
