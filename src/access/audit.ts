import type { Clock } from '../../carriers/contract/adapter.js';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import { type AuditEntry, type AuditFilter, endAudit, insertAudit, latestAudit, listAudit } from './audit-rows.js';

/** Refusals of unknown senders that one process stores in a minute: more would fill the database for them. */
const MAX_REFUSALS = 120;
const REFUSALS_WITHIN_MS = 60_000;
const MAX_TEXT = 500;

/** What is known before an action. */
export type Attempt = Pick<AuditEntry, 'operator' | 'action' | 'target' | 'address'>;
export type AuditedEnd = Pick<AuditEntry, 'result' | 'status'> & { readonly detail?: string };

export interface Audit {
  /** Stores an action before it begins. @returns its id for `end` @throws when it is not stored: then nothing is done */
  begin(attempt: Attempt): Promise<string>;
  /** Stores how it ended. Never throws: the action is done; the log says that its row stays `begun`. */
  end(id: string, ending: AuditedEnd): Promise<void>;
  /** Stores what was refused and why. Never throws. Of more than 120 in a minute it stores none, and the log says so. */
  refused(attempt: Attempt, refusal: { readonly status: number; readonly detail: string }): Promise<void>;
  /** The latest action of this name on each target, among the newest 5,000 rows. */
  latest(action: string): Promise<readonly AuditEntry[]>;
  /** Newest first. */
  list(filter: AuditFilter): Promise<{ readonly entries: readonly AuditEntry[]; readonly cursor: string | null }>;
}

export interface AuditDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export function createAudit({ database, clock, log }: AuditDeps): Audit {
  const store = (attempt: Attempt, ending: Pick<AuditEntry, 'result' | 'status' | 'detail'>) =>
    insertAudit(database, { at: clock.now(), ...shortened(attempt), ...ending });
  const mayStore = atMost(MAX_REFUSALS, REFUSALS_WITHIN_MS, clock);
  return {
    begin: (attempt) => store(attempt, { result: 'begun', status: null, detail: null }),
    end: async (id, ending) => {
      await endAudit(database, id, { ...ending, detail: ending.detail?.slice(0, MAX_TEXT) ?? null }).catch(
        (error: unknown) => log.error('audit row not ended', { id, error }),
      );
    },
    refused: async (attempt, refusal) => {
      if (!mayStore()) return log.warn('refusal not audited', { action: attempt.action });
      await store(attempt, { result: 'refused', ...refusal }).catch((error: unknown) =>
        log.error('refusal not audited', { action: attempt.action, error }),
      );
    },
    latest: (action) => latestAudit(database, action),
    list: async (filter) => {
      const rows = await listAudit(database, { ...filter, limit: filter.limit + 1 });
      const entries = rows.slice(0, filter.limit);
      return { entries, cursor: rows.length > filter.limit ? (entries.at(-1)?.id ?? null) : null };
    },
  };
}

/** A sender chooses the path, which may be long. */
function shortened(attempt: Attempt): Attempt {
  const target = attempt.target?.replace(/\p{C}/gu, '').slice(0, MAX_TEXT) ?? null;
  return { ...attempt, action: attempt.action.slice(0, MAX_TEXT), target };
}

function atMost(most: number, withinMs: number, clock: Clock): () => boolean {
  let since = -Infinity;
  let count = 0;
  return () => {
    const now = clock.now().getTime();
    if (now - since >= withinMs) [since, count] = [now, 0];
    count += 1;
    return count <= most;
  };
}
