import { areaOf } from '../areas/area.js';
import type { BookingContext } from '../consignment/context.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { ImsRefused, ImsUnavailable, isRefusal } from '../ims/errors.js';
import type { MessageDraft } from '../messages/message.js';
import { type Task, markTaskTold } from '../tasks/task-rows.js';
import { type Done, type TaskHandler, digestOf, isOld, warn } from '../tasks/task.js';
import { handOver } from './handover.js';
import { giveUpOpen } from './manifest-rows.js';

/** Does what a consignment note asks for. */
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
 * Nobody waits for it at a screen: it goes after what bookings need. What the IMS does not take is not said again, so that
 * the rest of the hand-over goes on; it is in the log, and in the list's row.
 */
async function warnOfHandover(context: BookingContext, task: Task, message: MessageDraft): Promise<void> {
  const area = areaOf(context, task.area);
  try {
    await warn(context, { area: { ...area, ims: area.imsBackground }, task }, [message]);
  } catch (error) {
    const waitsForNewDay = error instanceof ImsUnavailable && error.newDayAt !== null;
    const isLast = isOld(task, context.clock.now()) && error instanceof ImsUnavailable && !waitsForNewDay;
    if (!isRefusal(error) && !isLast) throw error;
    const { id, documentId: document } = task;
    // An event that the IMS does not know has nobody who could be told.
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
