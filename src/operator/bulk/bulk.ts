import type { Clock } from '../../../carriers/contract/adapter.js';
import { NotPossible, NumbersNotPossible, type Resolution } from '../../consignment/machine/operator.js';
import { type Database, DatabaseUnavailable } from '../../db/database.js';
import type { Log } from '../../log.js';
import type { OperatorActions } from '../actions.js';
import { UnknownConsignment } from '../known-consignment.js';
import { type ConsignmentFilter, listConsignments } from '../consignment-list.js';

/** The most consignments of one request. */
export const MAX_BULK = 500;

/** Which consignments are meant: by id, or all that a filter finds, which must be as many as the person has seen. */
export type Which =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'filter'; readonly filter: ConsignmentFilter; readonly count: number };

/** What to do with each of them. */
export type BulkAction =
  | { readonly action: 'retry'; readonly which: Which }
  | { readonly action: 'resolve'; readonly which: Which; readonly resolution: Resolution }
  /** Each has its own answer. */
  | {
      readonly action: 'resolve';
      readonly answers: readonly { readonly id: string; readonly resolution: Resolution }[];
    };

export interface BulkRequest {
  readonly what: BulkAction;
  /** How many begin in a second; the answers are stored at once. */
  readonly perSecond: number;
  /** `tell`: says what would happen, and changes nothing. */
  readonly mode: 'do' | 'tell';
  /** The operator's name. */
  readonly by: string;
}

/** What became of one consignment. */
export interface BulkResult {
  readonly id: string;
  /**
   * `accepted`: stored, it is worked on from `startsAt` on; the others changed nothing. `failed`: for a reason of ours, send
   * it again.
   */
  readonly outcome: 'accepted' | 'unknown' | 'not-possible' | 'numbers-not-possible' | 'failed';
  /** Why it was not accepted. */
  readonly because: string | null;
  readonly startsAt: Date | null;
  /** The address below `/api/v1` whose `lastAction` says what came of it. */
  readonly resultAt: string;
}

/** The filter finds another number of consignments than was said. */
export class OtherCount extends Error {
  override readonly name = 'OtherCount';
}

export interface BulkTools {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly actions: Pick<OperatorActions, 'later' | 'trial'>;
}

/** @throws OtherCount | DatabaseUnavailable before anything was changed */
export type RunBulk = (request: BulkRequest) => Promise<readonly BulkResult[]>;

/**
 * Does one action with many consignments, one after the other. Each is stored by itself: what fails keeps none of the
 * others from being done, and what is stored goes on after a restart.
 */
export function bulkRunner(tools: BulkTools): RunBulk {
  return async ({ what, perSecond, mode, by }) => {
    const jobs = await jobsOf(tools.database, what);
    const now = tools.clock.now().getTime();
    const results: BulkResult[] = [];
    let accepted = 0;
    for (const job of jobs) {
      const startsAt = new Date(now + Math.floor((accepted * 1_000) / perSecond));
      const result = await runOne(tools, job, { startsAt, mode, by });
      if (result.outcome === 'accepted') accepted += 1;
      results.push(result);
    }
    return results;
  };
}

interface Job {
  readonly id: string;
  /** `null`: it is retried. */
  readonly resolution: Resolution | null;
}

async function jobsOf(database: Database, what: BulkAction): Promise<readonly Job[]> {
  if ('answers' in what) return what.answers;
  const resolution = what.action === 'resolve' ? what.resolution : null;
  const ids = what.which.kind === 'ids' ? what.which.ids : await found(database, what.which);
  return ids.map((id) => ({ id, resolution }));
}

/** The oldest first. */
async function found(
  database: Database,
  { filter, count }: Extract<Which, { kind: 'filter' }>,
): Promise<readonly string[]> {
  const { rows } = await listConsignments(database, filter, { sort: 'oldest', cursor: null, limit: count + 1 });
  if (rows.length === count) return rows.map(({ id }) => id);
  const finds = rows.length > count ? `more than ${count}` : String(rows.length);
  throw new OtherCount(
    `the filter finds ${finds} consignments, not ${count}: look at the list again. Nothing was changed`,
  );
}

interface Way {
  readonly startsAt: Date;
  readonly mode: BulkRequest['mode'];
  readonly by: string;
}

async function runOne({ actions, log }: BulkTools, job: Job, { startsAt, mode, by }: Way): Promise<BulkResult> {
  const { id, resolution } = job;
  const about = { id, resultAt: `/api/v1/consignments/${id}` };
  try {
    const { retry, resolve } = mode === 'tell' ? actions.trial() : actions.later(startsAt);
    await (resolution === null ? retry(id, by) : resolve(id, resolution, by));
    return { ...about, outcome: 'accepted', because: null, startsAt: mode === 'tell' ? null : startsAt };
  } catch (error) {
    const refused = { ...about, because: error instanceof Error ? error.message : '', startsAt: null };
    if (error instanceof UnknownConsignment) return { ...refused, outcome: 'unknown' };
    if (error instanceof NotPossible) return { ...refused, outcome: 'not-possible' };
    if (error instanceof NumbersNotPossible) return { ...refused, outcome: 'numbers-not-possible' };
    log.error('bulk action failed', { consignment: id, error });
    const because = error instanceof DatabaseUnavailable ? 'the database does not answer' : 'it is in the log';
    return { ...refused, because, outcome: 'failed' };
  }
}
