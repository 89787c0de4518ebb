import type { Database, Sql } from '../db/database.js';

/** Longer than the pause between two batches; the lease of an instance that died ends after it. */
const LEASE_MS = 60_000;
/** An instance whose clock was ahead wrote an end that is later than this: the other instances ignore it. */
const MAX_AHEAD_MS = 24 * 3_600_000;

interface LeaseClaim {
  readonly owner: string;
  readonly now: Date;
}

/**
 * Runs a batch in a transaction, unless another instance deletes old data now. A process that dies meanwhile leaves the
 * batch undone. The table has the name that it got first.
 * @returns `null`: another instance has the lease
 */
export async function whileLeased<Result>(
  database: Database,
  { owner, now }: LeaseClaim,
  batch: (sql: Sql) => Promise<Result>,
): Promise<Result | null> {
  return database.transaction(async (sql) => {
    const after = (ms: number) => new Date(now.getTime() + ms);
    const mine = await sql.query(
      `insert into retention_turn (one, owner, until) values (1, $1, $3)
       on conflict (one) do update set owner = $1, until = $3
        where retention_turn.owner = $1 or retention_turn.until <= $2 or retention_turn.until > $4
       returning owner`,
      [owner, now, after(LEASE_MS), after(MAX_AHEAD_MS)],
    );
    return mine.length === 0 ? null : batch(sql);
  });
}
