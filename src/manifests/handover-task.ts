import { areaOf } from '../areas/area.js';
import type { BookingContext } from '../consignment/context.js';
import { isImsError } from '../consignment/steps/ims-failure.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { ImsRefused, ImsUnavailable, isRefusal } from '../ims/errors.js';
import type { MessageDraft } from '../messages/message.js';
import { type Task, markTaskTold } from '../tasks/task-rows.js';
import { type Done, type TaskHandler, digestOf, isOld, warn } from '../tasks/task.js';
import { handOver } from './handover.js';
import { giveUpOpen } from './manifest-rows.js';

/** The task of a consignment note. */
export const handingOver: TaskHandler = {
  perform: async (context, task): Promise<Done> => ({
    ...(await handOver(context, task, (message) => warnOfHandover(context, task, message))),
    wake: [],
  }),
  giveUp: async (context, { id, area, documentId }, why) => {
    if (documentId === null) return;
    await retryWhileDatabaseAway(context, { task: id }, () => giveUpOpen(context.database, { area, documentId }, why));
  },
};

/**
 * Uses the background queue, since no worker waits for it. A message that the IMS refuses is not repeated, so that the
 * handover continues; it is in the log, and in the handover's row.
 */
async function warnOfHandover(context: BookingContext, task: Task, message: MessageDraft): Promise<void> {
  const area = areaOf(context, task.area);
  try {
    await warn(context, { area: { ...area, ims: area.imsBackground }, task }, [message]);
  } catch (error) {
    const waitsForNewDay = error instanceof ImsUnavailable && error.newDayAt !== null;
    const isLast = isOld(task, context.clock.now()) && isImsError(error) && !waitsForNewDay;
    if (!isRefusal(error) && !isLast) throw error;
    const { id, documentId: document } = task;
    // An event that the IMS does not know has no worker to tell.
    const level = error instanceof ImsRefused && error.messageCode === 'unknown_Event' ? 'warn' : 'error';
    context.log[level]('handover message not sent', {
      task: id,
      area: area.contextId,
      document,
      message: message.key,
      error,
    });
    await markTaskTold(context.database, id, digestOf(message));
  }
}
