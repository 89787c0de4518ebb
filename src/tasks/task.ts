import { createHash } from 'node:crypto';
import type { Area } from '../areas/area.js';
import { post } from '../areas/send-message.js';
import type { BookingContext } from '../consignment/context.js';
import type { MessageDraft } from '../messages/message.js';
import { LONGEST_WITH_IMS_MS } from '../worker/backoff.js';
import { type Task, type TaskKind, markTaskTold } from './task-rows.js';

const DIGEST_CHARACTERS = 16;

/** What came of performing an errand. */
export interface Done {
  readonly note: string | null;
  /** Consignments and errands to look at next. */
  readonly wake: readonly string[];
  /** It is not done: performed again, it goes on. */
  readonly unfinished?: Unfinished | null;
}

export interface Unfinished {
  /** What kept some of it from being done now; the rest of it is done all the same. */
  readonly failures: readonly Error[];
  /** `bookings`: some have not ended yet, and it is not known what they come to. */
  readonly waitsFor: 'bookings' | 'nothing';
}

/** For so long nobody gives up what the other side does not answer to. */
export function isOld({ createdAt }: Pick<Task, 'createdAt'>, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > LONGEST_WITH_IMS_MS;
}

/** What one kind of errand does; performing it again does no harm. */
export interface TaskHandler {
  perform(world: BookingContext, errand: Task): Promise<Done>;
  /** Before it is given up: what an operator sees as open is being tried by somebody. */
  giveUp?(world: BookingContext, errand: Task, why: string): Promise<void>;
}

export type TaskHandlers = Readonly<Record<TaskKind, TaskHandler>>;

/** Each once: what was told before the errand failed is not told again. */
export async function warn(
  world: BookingContext,
  { area, errand }: { readonly area: Area; readonly errand: Task },
  messages: readonly MessageDraft[],
): Promise<void> {
  for (const message of messages) {
    const digest = digestOf(message);
    if (errand.told.includes(digest)) continue;
    await post(world, area, { to: errand.addressee, message });
    await markTaskTold(world.database, errand.id, digest);
  }
}

export function digestOf(message: MessageDraft): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, DIGEST_CHARACTERS);
}
