import { createHash } from 'node:crypto';
import type { Area } from '../areas/area.js';
import { sendMessage } from '../areas/send-message.js';
import type { BookingContext } from '../consignment/context.js';
import type { MessageDraft } from '../messages/message.js';
import { MAX_WITH_IMS_MS } from '../worker/backoff.js';
import { type Task, type TaskKind, markTaskTold } from './task-rows.js';

const DIGEST_CHARACTERS = 16;

/** The result of a task. */
export interface Done {
  readonly note: string | null;
  /** Consignments and tasks to look at next. */
  readonly wake: readonly string[];
  /** It is not done: another run continues it. */
  readonly unfinished?: Unfinished | null;
}

export interface Unfinished {
  /** The errors of the parts that failed; the other parts are done. */
  readonly failures: readonly Error[];
  /** `bookings`: some bookings have not ended yet. */
  readonly waitsFor: 'bookings' | 'nothing';
}

/** Whether the time is over in which an unanswered request is retried. */
export function isOld({ createdAt }: Pick<Task, 'createdAt'>, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > MAX_WITH_IMS_MS;
}

/** Runs one kind of task; running it again does no harm. */
export interface TaskHandler {
  perform(context: BookingContext, task: Task): Promise<Done>;
  /** Called before the task is given up, so that operators do not see open work that nothing continues. */
  giveUp?(context: BookingContext, task: Task, why: string): Promise<void>;
}

export type TaskHandlers = Readonly<Record<TaskKind, TaskHandler>>;

/** Sends each message once: messages from before a failed run are not repeated. */
export async function warn(
  context: BookingContext,
  { area, task }: { readonly area: Area; readonly task: Task },
  messages: readonly MessageDraft[],
): Promise<void> {
  for (const message of messages) {
    const digest = digestOf(message);
    if (task.told.includes(digest)) continue;
    await sendMessage(context, area, { to: task.addressee, message });
    await markTaskTold(context.database, task.id, digest);
  }
}

export function digestOf(message: MessageDraft): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, DIGEST_CHARACTERS);
}
