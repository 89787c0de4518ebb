import type { Sql } from '../../db/database.js';
import {
  type ConsignmentState,
  type Stored,
  fromStoredState,
  toStoredState,
  CONSIGNMENT_STATES,
} from '../../consignment/states.js';

const HOURS = 24;
const HOUR_MS = 3_600_000;
/** The newest bookings whose time to the label is measured. */
const MAX_MEASURED = 2_000;
/** The newest bookings of each hour whose time to the label is measured. */
const MAX_MEASURED_AN_HOUR = 50;

/** `underWay`: not decided yet. */
export type BookingOutcome = 'booked' | 'incomplete' | 'refused' | 'inDoubt' | 'underWay' | 'cancelled' | 'skipped';

/** The bookings that were asked for in one hour, by what has become of them until now. */
export interface Hour {
  /** The full hour, UTC. */
  readonly from: Date;
  readonly total: number;
  readonly byOutcome: Readonly<Record<BookingOutcome, number>>;
}

/** The time from the event that asked for a booking (or its last retry) to the stored label. */
export interface TimeToLabel {
  /** Milliseconds; `null`: no label in this time. */
  readonly medianMs: number | null;
  /** 19 of 20 labels came within it. */
  readonly p95Ms: number | null;
  /** How many labels were measured; at most the newest 2,000. */
  readonly labels: number;
  /** The last 24 full hours and the running one, the oldest first. */
  readonly perHour: readonly HourOfLabels[];
}

/** The times of the newest 50 bookings that were asked for in one hour. */
export interface HourOfLabels {
  /** The full hour, UTC. */
  readonly from: Date;
  /** Milliseconds; `null`: no label. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

export interface OverviewScope {
  /** `null`: all. */
  readonly area: string | null;
  readonly now: Date;
}

const NONE: Hour['byOutcome'] = {
  booked: 0,
  incomplete: 0,
  refused: 0,
  inDoubt: 0,
  underWay: 0,
  cancelled: 0,
  skipped: 0,
};

const OUTCOMES: Readonly<Record<ConsignmentState, BookingOutcome>> = {
  received: 'underWay',
  planned: 'underWay',
  booking: 'underWay',
  'in-doubt': 'inDoubt',
  booked: 'booked',
  labelled: 'booked',
  cancelling: 'underWay',
  closed: 'booked',
  refused: 'refused',
  incomplete: 'incomplete',
  cancelled: 'cancelled',
  skipped: 'skipped',
};

interface CountRow {
  readonly from: Date;
  readonly state: Stored<ConsignmentState>;
  readonly count: number;
}

/** @returns the last 24 full hours and the running one, the oldest first, also those without bookings */
export async function bookingsPerHour(sql: Sql, { area, now }: OverviewScope): Promise<readonly Hour[]> {
  const hours = hoursUntil(now);
  const rows = await sql.query<CountRow>(
    // All states are named, so that an index has all that is read.
    `select date_trunc('hour', created_at, 'UTC') as from, state, count(*)::int as count from consignment
      where state = any($3::text[]) and created_at >= $1 and ($2::text is null or area = $2) group by 1, 2`,
    [hours[0], area, CONSIGNMENT_STATES.map(toStored)],
  );
  return hours.map((from) =>
    hourOf(
      from,
      rows.filter((row) => row.from.getTime() === from.getTime()),
    ),
  );
}

function hoursUntil(now: Date): readonly Date[] {
  const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS + 1 }, (_, place) => new Date(current - (HOURS - place) * HOUR_MS));
}

function toStored(state: ConsignmentState): string {
  return toStoredState(state);
}

function hourOf(from: Date, rows: readonly CountRow[]): Hour {
  const byOutcome = { ...NONE };
  for (const { state, count } of rows) byOutcome[OUTCOMES[fromStoredState(state)]] += count;
  return { from, total: rows.reduce((sum, { count }) => sum + count, 0), byOutcome };
}

/** The times to a label of the last 24 hours. */
export async function timeToLabel(sql: Sql, { area, now }: OverviewScope): Promise<TimeToLabel> {
  const [row] = await sql.query<{ median: number | null; p95: number | null; labels: number }>(
    `select percentile_cont(0.5) within group (order by ms) as median, percentile_cont(0.95) within group (order by ms) as p95,
            count(ms)::int as labels
       from (select id, run_started_at from consignment
              where created_at >= $1 and ($2::text is null or area = $2) order by created_at desc, id desc limit $3) c
       join lateral (select extract(epoch from min(created_at) - c.run_started_at)::float8 * 1000 as ms from label
                      where consignment_id = c.id and created_at >= c.run_started_at) l on true`,
    [new Date(now.getTime() - HOURS * HOUR_MS), area, MAX_MEASURED],
  );
  const perHour = await labelsPerHour(sql, { area, now });
  return { medianMs: rounded(row?.median), p95Ms: rounded(row?.p95), labels: row?.labels ?? 0, perHour };
}

interface LabelsRow {
  readonly from: Date;
  readonly median: number | null;
  readonly p95: number | null;
}

async function labelsPerHour(sql: Sql, { area, now }: OverviewScope): Promise<readonly HourOfLabels[]> {
  const hours = hoursUntil(now);
  const rows = await sql.query<LabelsRow>(
    `select hour as from, percentile_cont(0.5) within group (order by ms) as median,
            percentile_cont(0.95) within group (order by ms) as p95
       from unnest($1::timestamptz[]) hour
      cross join lateral (select id, run_started_at from consignment
              where created_at >= hour and created_at < hour + interval '1 hour' and ($2::text is null or area = $2)
              order by created_at desc, id desc limit $3) c
      cross join lateral (select extract(epoch from min(created_at) - c.run_started_at)::float8 * 1000 as ms from label
                      where consignment_id = c.id and created_at >= c.run_started_at) l
      group by 1`,
    [hours, area, MAX_MEASURED_AN_HOUR],
  );
  return hours.map((from) => {
    const row = rows.find((each) => each.from.getTime() === from.getTime());
    return { from, medianMs: rounded(row?.median), p95Ms: rounded(row?.p95) };
  });
}

function rounded(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : Math.round(ms);
}

/** Bookings that are not decided, or not yet written to the IMS. */
export interface UnderWay {
  readonly count: number;
  /** `null`: there is none. */
  readonly oldestAt: Date | null;
  /** How many of them wait, by what they wait for: they go on by themselves. */
  readonly waitingFor: Readonly<Record<string, number>>;
}

export async function underWay(sql: Sql, { area }: OverviewScope): Promise<UnderWay> {
  const rows = await sql.query<{ waiting_for: string | null; count: number; oldest_at: Date }>(
    `select case when plan->'waitsForAccount' is null then plan->>'waitingFor' else 'account' end as waiting_for,
            count(*)::int as count, min(run_started_at) as oldest_at from consignment
      where due_at is not null and ($1::text is null or area = $1) group by 1`,
    [area],
  );
  const oldest = rows.map(({ oldest_at: at }) => at.getTime());
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    oldestAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
    waitingFor: Object.fromEntries(
      rows.flatMap(({ waiting_for: what, count }) => (what === null ? [] : [[what, count] as const])),
    ),
  };
}
