import { randomUUID } from 'node:crypto';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { Database } from '../db/database.js';
import { type DeadLetter, deadLettersOf, reviveDeadLetters } from './delivery-rows.js';
import { newSecret } from './signature.js';
import {
  type SubscriberView,
  changeSecret,
  deleteSubscriber,
  findSubscriber,
  insertSubscriber,
  listSubscribers,
} from './subscriber-rows.js';

/** Every event goes to each of them. */
const MAX_SUBSCRIBERS = 100;
/** How long both secrets sign after a rotation. */
const PREVIOUS_VALID_MS = 24 * 3_600_000;

/** The request cannot be fulfilled now. */
export class NotSubscribed extends Error {
  override readonly name = 'NotSubscribed';
}

/** The answer to a subscription; it alone shows the secret. */
export interface Subscribed {
  readonly id: string;
  readonly url: string;
  readonly area: string | null;
  readonly secret: string;
  readonly createdAt: Date;
}

/** What an operator can do with subscribers. `null`: there is no such subscriber. */
export interface Subscribers {
  /** @throws NotSubscribed there are too many. @throws LinkRefused the address is not one we go to */
  add(subscriber: { readonly url: string; readonly area: string | null }): Promise<Subscribed>;
  list(): Promise<readonly SubscriberView[]>;
  remove(id: string): Promise<'removed' | null>;
  rotate(id: string): Promise<{ readonly secret: string; readonly previousSecretUntil: Date } | null>;
  deadLetters(id: string, limit: number): Promise<readonly DeadLetter[] | null>;
  /** @param letter `null`: all of them. @returns how many are sent again */
  sendAgain(id: string, letter: string | null): Promise<number | null>;
}

export interface SubscriberTools {
  readonly database: Database;
  readonly clock: Clock;
  /** @throws LinkRefused */
  readonly requireAddress: (url: string) => void;
}

export function createSubscribers({ database, clock, requireAddress }: SubscriberTools): Subscribers {
  const known = async (id: string) => (await findSubscriber(database, id)) !== null;
  return {
    add: async ({ url, area }) => {
      requireAddress(url);
      const subscriber = { id: randomUUID(), url, area, secret: newSecret(), createdAt: clock.now() };
      const added = await database.transaction((sql) => insertSubscriber(sql, subscriber, MAX_SUBSCRIBERS));
      if (!added) throw new NotSubscribed(`there are ${MAX_SUBSCRIBERS} subscribers, which is the most there can be`);
      return subscriber;
    },
    list: () => listSubscribers(database, clock.now()),
    remove: async (id) => ((await deleteSubscriber(database, id)) ? 'removed' : null),
    rotate: async (id) => {
      const secret = newSecret();
      const previousSecretUntil = new Date(clock.now().getTime() + PREVIOUS_VALID_MS);
      const changed = await changeSecret(database, id, { secret, previousUntil: previousSecretUntil });
      return changed ? { secret, previousSecretUntil } : null;
    },
    deadLetters: async (id, limit) => ((await known(id)) ? deadLettersOf(database, id, limit) : null),
    sendAgain: async (id, letter) => {
      if (!(await known(id))) return null;
      return reviveDeadLetters(database, { subscriberId: id, id: letter }, clock.now());
    },
  };
}
