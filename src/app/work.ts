import { advance } from '../consignment/advance.js';
import { runTask } from '../tasks/run-task.js';
import { MOST_DUE_AT_ONCE, dueTasks, renewTaskLeases } from '../tasks/task-rows.js';
import { taskHandlers } from './task-handlers.js';
import { startReconciliation } from '../reconciliation/sweep.js';
import { createEventBatcher } from '../intake/event-batcher.js';
import { createReplay } from '../reconciliation/replay.js';
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
 * Of one area; the others wait. Each reads two things, so these fill a second of the 50 requests that the IMS takes: more
 * would only queue up before it, behind one another and before those that are nearly done.
 */
const MOST_PREPARED_AT_ONCE = 25;
/** Ids of unfinished work in one line of the log. */
const MOST_NAMED = 20;

/** Everything that works through the ledger: runners, leases, the sweeper. */
export function startWork(world: BookingContext) {
  const consignments = createRunner((id, prepared) => advance(world, id, prepared), world.log, MOST_PREPARED_AT_ONCE);
  const errands: Runner = createRunner(
    async (id) => consignments.wake(await runTask(world, taskHandlers, id)),
    world.log,
  );
  const wakers: Wakers = {
    consignments: (due) => due.forEach(({ id, area }) => consignments.wake([id], area)),
    errands: errands.wake,
  };
  const { database, log, clock, lease } = world;
  const stopSweeper = startSweeper({
    sweep: async () => {
      await sweep(world, wakers.consignments);
      wakers.errands(await dueTasks(database, clock.now(), MOST_DUE_AT_ONCE));
    },
    answers: () => database.query('select 1'),
    log,
  });
  const stopLeases = keepLeases({
    ...{ log, clock, lease },
    kinds: [
      { ids: consignments.running, renew: (renewed, ids) => renewLeases(database, renewed, ids) },
      { ids: errands.running, renew: (renewed, ids) => renewTaskLeases(database, renewed, ids) },
    ],
  });
  const reception = createEventBatcher(world, wakers);
  const takeUp = createRecover(reception.takeInAll);
  const lostEvents = startReconciliation(world, takeUp);
  return {
    consignments,
    lostEvents,
    replay: createReplay(world, takeUp),
    takeIn: reception.takeInBody,
    stop: async () => {
      stopSweeper();
      for (const { bulkhead: queue } of world.accounts.values()) queue.close();
      await Promise.all([
        lostEvents.stop(),
        consignments.stop(RUNNING_ENDS_WITHIN_MS),
        errands.stop(RUNNING_ENDS_WITHIN_MS),
      ]);
      stopLeases();
      await leave(world, [...consignments.running(), ...errands.running()]);
    },
  };
}

/** What has not ended is for another instance, or for the next start. */
async function leave(world: BookingContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  world.log.warn('left unfinished', { count: ids.length, ids: ids.slice(0, MOST_NAMED) });
  for (const answer of world.unwritten.all()) world.log.error('answer of a carrier not written', { ...answer });
  // First: whoever takes a lease that is given back may begin at once, and then nothing of ours may leave any more.
  for (const id of ids) world.lease.held.drop(id);
  await closeInTime('leases', () => giveBackLeases(world.database, world.lease.owner), world.log);
}
