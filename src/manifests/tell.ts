import { areaOf } from '../areas/area.js';
import type { BookingContext } from '../consignment/context.js';
import { retryWhileDatabaseAway } from '../db/retry-while-away.js';
import { ImsRefused, ImsUnavailable, isRefusal } from '../ims/errors.js';
import type { MessageDraft } from '../messages/message.js';
import { type Task, markTaskTold } from '../tasks/task-rows.js';
import { type Done, type TaskHandler, digestOf, isOld, warn } from '../tasks/task.js';
import { handOver } from './hand-over.js';
import { giveUpOpen } from './manifest-rows.js';

/** Does what a consignment note asks for. */
export const handingOver: TaskHandler = {
  perform: async (world, errand): Promise<Done> => ({
    ...(await handOver(world, errand, (message) => warnOfHandOver(world, errand, message))),
    wake: [],
  }),
  giveUp: async (world, { id, area, documentId }, why) => {
    if (documentId === null) return;
    await retryWhileDatabaseAway(world, { task: id }, () => giveUpOpen(world.database, { area, documentId }, why));
  },
};

/**
 * Nobody waits for it at a screen: it goes after what bookings need. What the IMS does not take is not said again, so that
 * the rest of the hand-over goes on; it is in the log, and in the list's row.
 */
async function warnOfHandOver(world: BookingContext, errand: Task, message: MessageDraft): Promise<void> {
  const area = areaOf(world, errand.area);
  try {
    await warn(world, { area: { ...area, ims: area.imsBackground }, errand }, [message]);
  } catch (error) {
    const waitsForNewDay = error instanceof ImsUnavailable && error.newDayAt !== null;
    const isLast = isOld(errand, world.clock.now()) && error instanceof ImsUnavailable && !waitsForNewDay;
    if (!isRefusal(error) && !isLast) throw error;
    const { id, documentId: document } = errand;
    // An event that the IMS does not know has nobody who could be told.
    const level = error instanceof ImsRefused && error.messageCode === 'unknown_Event' ? 'warn' : 'error';
    world.log[level]('handover message not sent', {
      task: id,
      area: area.contextId,
      document,
      message: message.key,
      error,
    });
    await markTaskTold(world.database, id, digestOf(message));
  }
}
