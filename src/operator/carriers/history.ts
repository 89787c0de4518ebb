import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Account } from '../../accounts/account.js';
import type { BreakerState } from '../../accounts/account-circuit.js';
import { type CircuitRows, readCircuits } from '../../accounts/circuit-rows.js';
import type { Database, Sql } from '../../db/database.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The newest entries of the journal that are looked at. */
const MAX_ENTRIES = 20_000;
/** The newest runs of work whose bookings are measured. */
const MAX_MEASURED = 1_000;
const RECENT_MS = 5 * MINUTE_MS;
const FRESH_FOR_MS = 4_000;

/** How far back the carriers are looked at, and the length of one bar. */
export const SPANS = {
  '2-hours': { forMs: 2 * HOUR_MS, barMs: 3 * MINUTE_MS },
  '4-hours': { forMs: 4 * HOUR_MS, barMs: 3 * MINUTE_MS },
  '1-day': { forMs: 24 * HOUR_MS, barMs: 15 * MINUTE_MS },
  '7-days': { forMs: 7 * 24 * HOUR_MS, barMs: 2 * HOUR_MS },
} as const;
export type HistorySpan = keyof typeof SPANS;

/** The bookings that were sent in a time. */
export interface Bar {
  readonly from: Date;
  readonly answered: number;
  /** Unavailable, or the answer was lost. A refusal is an answer. */
  readonly failed: number;
  /** Bookings that were not sent, since the carrier did not answer. */
  readonly parked: number;
}

export interface AccountHistory {
  readonly account: string;
  readonly carrier: string;
  readonly circuit: BreakerState;
  /** While it is not closed: since when, and when the carrier is tried again. */
  readonly outage: { readonly since: Date; readonly nextTry: Date | null } | null;
  /** When the last outage ended; `null`: none lately. */
  readonly answersSince: Date | null;
  /** The running outage, or the latest one; `until` is `null` while it lasts. `null`: none lately. */
  readonly lastOutage: { readonly since: Date; readonly until: Date | null } | null;
  /** The oldest first. */
  readonly bars: readonly Bar[];
  /** Failed among the bookings that were sent in the last five minutes, 0 to 1; `null`: none was sent. */
  readonly recentErrors: number | null;
  /** From the request of a booking to its answer; `null`: none was answered. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  /** `null`: it never called, or makes no callbacks. */
  readonly lastCallbackAt: Date | null;
  /** When it last answered a poll for parcels; `null`: never, or it is not polled. */
  readonly lastPolledAt: Date | null;
  /** Whether it refuses the login of polls. */
  readonly refusesPolls: boolean;
  /** Bookings that wait for it, and go out by themselves. */
  readonly waiting: number;
  /** Bookings in doubt that need a person. */
  readonly unconfirmed: number;
}

export interface CarriersHistory {
  readonly at: Date;
  readonly since: Date;
  /** Older entries than this one were not looked at; `null`: all were. */
  readonly reachesTo: Date | null;
  /** In the order of the configuration. */
  readonly accounts: readonly AccountHistory[];
}

/** Only reads; an answer that is younger than four seconds is given again. */
export type ReadCarriers = (span: HistorySpan) => Promise<CarriersHistory>;

export interface CarriersDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: ReadonlyMap<string, Account>;
}

export function carriersReader(deps: CarriersDeps): ReadCarriers {
  const kept = new Map<HistorySpan, { readonly atMs: number; readonly answer: Promise<CarriersHistory> }>();
  return (span) => {
    const nowMs = deps.clock.now().getTime();
    const known = kept.get(span);
    if (known && nowMs - known.atMs < FRESH_FOR_MS) return known.answer;
    const answer = read(deps, span);
    kept.set(span, { atMs: nowMs, answer });
    answer.catch(() => kept.delete(span));
    return answer;
  };
}

interface BarRow {
  readonly account: string;
  readonly bar: number;
  readonly recent: boolean;
  readonly answered: number;
  readonly failed: number;
  readonly parked: number;
}

async function read({ database, clock, accounts }: CarriersDeps, span: HistorySpan): Promise<CarriersHistory> {
  const at = clock.now();
  const { forMs, barMs } = SPANS[span];
  // The last bar is the running one, and bars begin at round times, so that they do not change while they are looked at.
  const since = new Date(Math.floor(at.getTime() / barMs + 1) * barMs - forMs);
  const rows = await barRows(database, { since, barMs, recent: new Date(at.getTime() - RECENT_MS) });
  const times = await bookingTimes(database, since);
  const open = await openBookings(database);
  const heard = await lastHeard(database, at);
  const circuits = await readCircuits(database);
  const history = ({ name, adapter, bulkhead }: Account): AccountHistory => {
    const own = rows.filter((row) => row.account === name);
    const of = <Row extends { readonly account: string | null }>(all: readonly Row[]) =>
      all.find((row) => row.account === name);
    const circuit = bulkhead.circuitState();
    return {
      ...outageOf(circuits, { name, circuit }, at),
      bars: barsOf(own, { since, bars: forMs / barMs, barMs }),
      recentErrors: errorsIn(own.filter(({ recent }) => recent)),
      ...(of(times) ?? NO_TIMES),
      ...(of(heard) ?? NEVER_HEARD),
      ...(of(open) ?? NONE_OPEN),
      ...{ account: name, carrier: adapter.name, circuit },
    };
  };
  const all = [...accounts.values()].map(history);
  return { at, since, reachesTo: await reachesTo(database, since), accounts: all };
}

const NO_TIMES = { medianMs: null, p95Ms: null };
const NEVER_HEARD = { lastCallbackAt: null, lastPolledAt: null, refusesPolls: false };
const NONE_OPEN = { waiting: 0, unconfirmed: 0 };
const ANSWERED = ['carrier booked', 'carrier refused'];
const FAILED = ['carrier unavailable', 'carrier unknown'];
/** The name that a parked booking has in stored entries, those of earlier versions too. */
const PARKED = 'held';

function barRows(
  sql: Sql,
  { since, barMs, recent }: { readonly since: Date; readonly barMs: number; readonly recent: Date },
): Promise<readonly BarRow[]> {
  return sql.query<BarRow>(
    // Entries are numbered in the order of time: the newest ones are read by their number.
    `select c.account, floor(extract(epoch from j.at - $1::timestamptz) * 1000 / $2::float8)::int as bar, j.at >= $3 as recent,
            count(*) filter (where j.what = any($4::text[]))::int as answered,
            count(*) filter (where j.what = any($5::text[]))::int as failed,
            count(*) filter (where j.what = $6)::int as parked
       from (select consignment_id, what, at from journal order by id desc limit $7) j
       join consignment c on c.id = j.consignment_id
      where j.at >= $1 and (j.what = any($4::text[]) or j.what = any($5::text[]) or j.what = $6) and c.account is not null
      group by 1, 2, 3`,
    [since, barMs, recent, ANSWERED, FAILED, PARKED, MAX_ENTRIES],
  );
}

/** Requests of the step that books which the carrier answered. */
function bookingTimes(sql: Sql, since: Date) {
  return sql.query<{ account: string; medianMs: number; p95Ms: number }>(
    `select sent.account, percentile_cont(0.5) within group (order by sent."tookMs") as "medianMs",
            percentile_cont(0.95) within group (order by sent."tookMs") as "p95Ms"
       from (select requests from consignment_request where at >= $1 order by at desc limit $2) newest,
            jsonb_to_recordset(newest.requests) as sent (step text, account text, "tookMs" float8, status int)
      where sent.step = 'book' and sent.account is not null and sent.status is not null group by 1`,
    [since, MAX_MEASURED],
  );
}

function lastHeard(sql: Sql, now: Date) {
  return sql.query<{ account: string } & Pick<AccountHistory, keyof typeof NEVER_HEARD>>(
    `select account, h.heard_at as "lastCallbackAt", p.polled_at as "lastPolledAt",
            coalesce(r.until > $1, false) as "refusesPolls"
       from callback_heard h full join account_polled p using (account) full join tracking_login_refused r using (account)`,
    [now],
  );
}

function openBookings(sql: Sql) {
  return sql.query<{ account: string | null; waiting: number; unconfirmed: number }>(
    `select account, count(*) filter (where not in_doubt)::int as waiting, count(*) filter (where in_doubt)::int as unconfirmed
       from (select account, true as in_doubt from consignment where waits_for_person
             union all
             select coalesce(account, plan->'chosen'->>'account'), false from consignment
              where due_at is not null and not waits_for_person and plan->>'waitingFor' = 'carrier'
                and plan->'waitsForAccount' is null) each
      group by 1`,
  );
}

/** The time of the oldest entry that is looked at, where there are more; `null`: there are not. */
async function reachesTo(sql: Sql, since: Date): Promise<Date | null> {
  const [oldest] = await sql.query<{ at: Date }>('select at from journal order by id desc limit 1 offset $1', [
    MAX_ENTRIES - 1,
  ]);
  return oldest && oldest.at > since ? oldest.at : null;
}

function barsOf(
  rows: readonly BarRow[],
  { since, bars, barMs }: { readonly since: Date; readonly bars: number; readonly barMs: number },
): readonly Bar[] {
  return Array.from({ length: bars }, (_, place) => {
    const own = rows.filter(({ bar }) => bar === place);
    const sum = (part: 'answered' | 'failed' | 'parked') => own.reduce((total, row) => total + row[part], 0);
    const from = new Date(since.getTime() + place * barMs);
    return { from, answered: sum('answered'), failed: sum('failed'), parked: sum('parked') };
  });
}

function errorsIn(rows: readonly BarRow[]): number | null {
  const failed = rows.reduce((total, row) => total + row.failed, 0);
  const calls = failed + rows.reduce((total, row) => total + row.answered, 0);
  return calls === 0 ? null : failed / calls;
}

/** Circuits are on the clock of the database. */
function outageOf(
  { states, nowMs }: CircuitRows,
  { name, circuit }: { readonly name: string; readonly circuit: BreakerState },
  at: Date,
): Pick<AccountHistory, 'outage' | 'answersSince' | 'lastOutage'> {
  const state = states[name];
  const here = (ms: number) => new Date(at.getTime() + ms - nowMs);
  if (!state) return { outage: null, answersSince: null, lastOutage: null };
  const since = here(state.sinceMs);
  if (circuit === 'closed') {
    const until = state.closedMs === null ? null : here(state.closedMs);
    return { outage: null, answersSince: until, lastOutage: until && { since, until } };
  }
  const nextTry = state.stage === 'open' && state.nextMs > nowMs ? here(state.nextMs) : null;
  return { outage: { since, nextTry }, answersSince: null, lastOutage: { since, until: null } };
}
