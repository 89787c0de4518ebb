import type { Clock } from '../../carriers/contract/adapter.js';
import type { Database, Sql } from '../db/database.js';
import { retryManifests } from '../manifests/retry-manifest.js';
import { reviveTasks } from '../tasks/task-rows.js';
import { retryFailedCallbacks } from '../tracking/callbacks/callback-rows.js';
import { reviveOutboxEntries } from '../tracking/ims-updates/outbox-rows.js';
import { reviveDeliveries } from '../webhooks/delivery-rows.js';
import { LETTER_KINDS, type Letter, type LetterFilter, type LetterKind, listLetters } from './letter-rows.js';

/** The most that one request begins again: with the embedded database all other work waits for its transaction. */
export const MAX_RETRIED = 1_000;

/** What was given up, for operators. */
export interface DeadLetters {
  /** Newest first. */
  list(
    filter: LetterFilter,
    page: { readonly cursor: string | null; readonly limit: number },
  ): Promise<{ readonly deadLetters: readonly Letter[]; readonly cursor: string | null }>;
  /** @returns how many are tried again: 0 or 1 */
  retry(id: string): Promise<number>;
  /** Tries all that the filter finds again, the newest 1,000 at most. */
  retryAll(filter: LetterFilter, mode: 'do' | 'tell'): Promise<{ readonly retried: number; readonly more: boolean }>;
}

/** A dead letter that is retried is due at once; the sweepers find it, at their own pace. */
export function deadLetters({ database, clock }: { readonly database: Database; readonly clock: Clock }): DeadLetters {
  return {
    list: (filter, page) => listLetters(database, filter, page),
    retry: (id) => database.transaction((sql) => revive(sql, [id], clock.now())),
    retryAll: async (filter, mode) => {
      const { deadLetters: found, cursor } = await listLetters(database, filter, { cursor: null, limit: MAX_RETRIED });
      const ids = found.map(({ id }) => id);
      const more = cursor !== null;
      if (mode === 'tell') return { retried: ids.length, more };
      return { retried: await database.transaction((sql) => revive(sql, ids, clock.now())), more };
    },
  };
}

type Revive = (sql: Sql, ids: readonly string[], now: Date) => Promise<number>;

const REVIVE: Readonly<Record<LetterKind, Revive>> = {
  webhook: reviveDeliveries,
  update: reviveOutboxEntries,
  callback: retryFailedCallbacks,
  task: reviveTasks,
  manifest: retryManifests,
};

const NUMBER = /^\d{1,18}$/;

async function revive(sql: Sql, letters: readonly string[], now: Date): Promise<number> {
  let revived = 0;
  for (const kind of LETTER_KINDS) {
    const own = letters.filter((id) => id.startsWith(`${kind}-`)).map((id) => id.slice(kind.length + 1));
    // Only the ids of tasks are texts.
    const ids = kind === 'task' ? own : own.filter((id) => NUMBER.test(id));
    if (ids.length > 0) revived += await REVIVE[kind](sql, ids, now);
  }
  return revived;
}
