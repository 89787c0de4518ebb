import type { Account } from '../../accounts/account.js';
import type { BreakerState } from '../../accounts/account-circuit.js';
import type { Sql } from '../../db/database.js';

const HOUR_MS = 3_600_000;
/** The newest entries of the journal that are counted. */
const MAX_ENTRIES = 5_000;

/** How an account's carrier has answered in the last hour. */
export interface CarrierHealth {
  readonly account: string;
  /** The carrier's name, and the folder of its adapter. */
  readonly carrier: string;
  readonly carrierId: string;
  /** `closed`: it answers; `half-open`: it is being tried; `open`: it does not answer, and nothing is sent. */
  readonly circuit: BreakerState;
  /** Answers to bookings, and bookings without an answer, in the last hour; of a busy hour the newest. */
  readonly calls: {
    readonly booked: number;
    readonly refused: number;
    /** Certainly not booked. */
    readonly unavailable: number;
    /** The answer was lost. */
    readonly unknown: number;
  };
  /** Unavailable and unknown among the calls, 0 to 1; `null`: no calls. A refusal is an answer. */
  readonly errorRate: number | null;
  /** When it last called us; `null`: it never has, or makes no callbacks. */
  readonly lastCallbackAt: Date | null;
}

interface CallRow {
  readonly account: string;
  readonly what: string;
  readonly count: number;
}

const CALLS = {
  'carrier booked': 'booked',
  'carrier refused': 'refused',
  'carrier unavailable': 'unavailable',
  'carrier unknown': 'unknown',
} as const satisfies Record<string, keyof CarrierHealth['calls']>;

type Entry = keyof typeof CALLS;

/** In the order of the configuration. */
export async function carrierHealth(
  sql: Sql,
  { accounts, now }: { readonly accounts: ReadonlyMap<string, Account>; readonly now: Date },
): Promise<readonly CarrierHealth[]> {
  const rows = await sql.query<CallRow>(
    // Entries are numbered in the order of time: the newest ones are read by their number.
    `select c.account, j.what, count(*)::int as count
       from (select consignment_id, what, at from journal order by id desc limit $3) j
       join consignment c on c.id = j.consignment_id
      where j.at >= $1 and j.what = any($2::text[]) and c.account is not null group by 1, 2`,
    [new Date(now.getTime() - HOUR_MS), Object.keys(CALLS), MAX_ENTRIES],
  );
  const heard = await sql.query<{ account: string; heard_at: Date }>('select account, heard_at from callback_heard');
  const lastHeard = new Map(heard.map(({ account, heard_at: at }) => [account, at]));
  return [...accounts.values()].map((account) => {
    const calls = callsOf(rows.filter((row) => row.account === account.name));
    const total = calls.booked + calls.refused + calls.unavailable + calls.unknown;
    return {
      account: account.name,
      carrier: account.adapter.name,
      carrierId: account.adapter.id,
      circuit: account.bulkhead.circuitState(),
      calls,
      errorRate: total === 0 ? null : (calls.unavailable + calls.unknown) / total,
      lastCallbackAt: lastHeard.get(account.name) ?? null,
    };
  });
}

function callsOf(rows: readonly CallRow[]): CarrierHealth['calls'] {
  const calls = { booked: 0, refused: 0, unavailable: 0, unknown: 0 };
  for (const { what, count } of rows) calls[CALLS[what as Entry]] += count;
  return calls;
}
