import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { Database, Sql } from '../db/database.js';
import type { Log } from '../log.js';
import { type Interval, startInterval } from '../worker/interval.js';
import { runSteps } from '../worker/steps.js';
import { anonymiseRows, dropOldLabels, rowsToAnonymise } from './anonymise-rows.js';
import { BY_AGE, dropByAge, dropOldConsignments, emptyOldBodies, emptyOldRequests } from './delete-rows.js';
import { type KeptDays, cutoff } from './kept.js';
import { resealBatch } from './reseal.js';
import { whileLeased } from './retention-lease.js';

const WORK = 'delete old data';
const EVERY_MS = 3_600_000;
/** The first round after a start; bookings that waited for the start go first. */
const FIRST_AFTER_MS = 60_000;
/** Rows of one transaction. On the embedded database every booking waits for it: about 20 ms. */
const MAX_ROWS = 25;
/** A label may have 10 MB. */
const MAX_LABELS = 10;
/** After a batch, the database has this multiple of the batch's time for bookings, and at least the pause. */
const REST_SHARE = 5;
const LEAST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 5_000;

export interface RetentionContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Unique for each run of the process. */
  readonly owner: string;
  readonly days: KeptDays;
  /** Counts what was deleted or made anonymous. */
  readonly deleted: (what: Deleted, count: number) => void;
}

interface Step {
  readonly what: string;
  readonly limit: number;
  /** @returns how many rows; fewer than the limit: there are no more */
  run(sql: Sql, round: { readonly days: KeptDays; readonly now: Date; readonly limit: number }): Promise<number>;
}

/** The steps in their order: what is deleted needs not be made anonymous first. */
const STEPS = [
  {
    what: 'consignments',
    limit: MAX_ROWS,
    run: (sql, { days, now, limit }) => dropOldConsignments(sql, cutoff(days, 'history', now), limit),
  },
  {
    what: 'addresses',
    limit: MAX_ROWS,
    run: async (sql, { days, now, limit }) => {
      const rows = await rowsToAnonymise(sql, cutoff(days, 'addresses', now), limit);
      if (rows.length > 0) await anonymiseRows(sql, rows, now);
      return rows.length;
    },
  },
  {
    what: 'labels',
    limit: MAX_LABELS,
    run: (sql, { days, now, limit }) => dropOldLabels(sql, cutoff(days, 'labels', now), limit),
  },
  {
    what: 'bodies',
    limit: MAX_ROWS,
    run: (sql, { days, now, limit }) => emptyOldBodies(sql, cutoff(days, 'bodies', now), limit),
  },
  {
    what: 'request-bodies',
    limit: MAX_ROWS,
    run: (sql, { days, now, limit }) => emptyOldRequests(sql, cutoff(days, 'bodies', now), limit),
  },
  byAge('events', 'events', BY_AGE.events),
  byAge('tasks', 'events', BY_AGE.tasks),
  byAge('manifests', 'history', BY_AGE.manifests),
  byAge('consignment-notes', 'history', BY_AGE.notes),
  byAge('requests', 'history', BY_AGE.requests),
  byAge('carrier-choices', 'history', BY_AGE.choices),
  // A booking is repeated within hours; the series itself stays, and goes on.
  byAge('given-numbers', 'history', BY_AGE.numbers),
  byAge('sent-messages', 'history', BY_AGE.sentMessages),
  byAge('audit', 'audit', BY_AGE.audit),
  byAge('past-bookings', 'references', BY_AGE.pastBookings),
  byAge('past-references', 'references', BY_AGE.pastReferences),
] as const satisfies readonly Step[];

/** The kinds of data that are counted. */
export type Deleted = (typeof STEPS)[number]['what'] | 'sealed';

function byAge<What extends string>(
  what: What,
  kind: keyof KeptDays,
  table: (typeof BY_AGE)[keyof typeof BY_AGE],
): Step & { readonly what: What } {
  return {
    ...{ what, limit: MAX_ROWS },
    run: (sql, { days, now, limit }) => dropByAge(sql, table, { before: cutoff(days, kind, now), limit }),
  };
}

/** The running work. */
export interface Retention {
  /** Deletes what is due now; the interval would do it at its next turn. @returns how much of each kind */
  round(): Promise<Partial<Record<Deleted, number>>>;
  stop(withinMs: number): Promise<void>;
}

/** Deletes old data, or makes it anonymous, in small batches with pauses. */
export function startRetention(context: RetentionContext): Retention {
  const stopped = new AbortController();
  const work = async () => void (await round(context, stopped.signal));
  const loop: Interval = startInterval({ name: WORK, everyMs: EVERY_MS, work, log: context.log });
  const first = setTimeout(loop.soon, FIRST_AFTER_MS).unref();
  return {
    round: () => round(context, stopped.signal),
    stop: async () => {
      stopped.abort();
      clearTimeout(first);
      await loop.stop();
    },
  };
}

async function round(context: RetentionContext, stopped: AbortSignal): Promise<Partial<Record<Deleted, number>>> {
  const { database, log } = context;
  const steps = [...STEPS, ...sealingSteps(database)].map(
    (step) => [step.what, () => repeat(context, step, stopped)] as const,
  );
  const counts = Object.entries(await runSteps(steps, { work: WORK, log }));
  const done = Object.fromEntries(counts.filter(([, count]) => count > 0));
  if (Object.keys(done).length > 0) log.info('old data deleted', done);
  return done;
}

/** Seals with the first key what is not: the key is new, or became the first one. */
function sealingSteps({ dataKey }: Database): readonly (Step & { readonly what: 'sealed' })[] {
  if (dataKey === undefined) return [];
  // A step ends with fewer rows than its limit, and these tables with none.
  return [{ what: 'sealed', limit: 1, run: (sql) => resealBatch(sql, dataKey) }];
}

/** @returns how many rows until there were no more, or until the service stops */
async function repeat(
  context: RetentionContext,
  step: Step & { what: Deleted },
  stopped: AbortSignal,
): Promise<number> {
  const { database, clock, owner, days } = context;
  let all = 0;
  while (!stopped.aborted) {
    const now = clock.now();
    const beganAt = performance.now();
    const count = await whileLeased(database, { owner, now }, (sql) => step.run(sql, { days, now, limit: step.limit }));
    if (count === null || count === 0) return all;
    all += count;
    context.deleted(step.what, count);
    if (count < step.limit) return all;
    const restMs = Math.min(MAX_PAUSE_MS, Math.max(LEAST_PAUSE_MS, (performance.now() - beganAt) * REST_SHARE));
    await pause(restMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
  }
  return all;
}
