import type { Sql } from '../../db/database.js';

/** The row of an instance, as the others read it. */
export interface InstanceRow {
  readonly id: string;
  readonly host: string | null;
  readonly pid: number;
  /** See `share-protocol.ts`, also for the two below. */
  readonly epoch: number;
  readonly ackedEpoch: number;
  readonly pooled: boolean;
}

export interface Heartbeat extends Pick<InstanceRow, 'id' | 'host' | 'pid' | 'pooled'> {
  /** `all`: this instance has sent nothing yet, so it acknowledges all rows that it reads now. */
  readonly ackedEpoch: number | 'all';
  /** A growing number; a heartbeat that arrives after a later one changes nothing. */
  readonly sequence: number;
  /** `joining`: the others must acknowledge this instance again, whatever its row said before. */
  readonly membership: 'joining' | 'member';
}

/** Instances of an older version write the same columns, so these keep their first names. */
const COLUMNS = 'id, host, pid, changed as epoch, knows as "ackedEpoch", pooled';

/** Longer than a heartbeat is valid, plus the time in which the last requests arrive. */
const DEAD_AFTER_SECONDS = 7;
/** When a stopping instance is removed: its last requests have arrived by then. */
const LEAVES_IN_SECONDS = 1.5;

/** How long a row is left to the owner of an expired lease, which may hold a carrier's answer in memory. */
const KEPT_FOR = `interval '10 minutes'`;

/**
 * SQL condition: the owner of the row's expired lease is another living instance. That one may hold the carrier's
 * answer and be unable to store it, for example because another session has locked the row.
 * @param owner the asking instance, as a parameter
 * @param now as a parameter
 */
export function isOfLivingInstance(owner: string, now: string): string {
  return `exists (select from ims_instance i
                   where i.id = consignment.lease_owner and i.id <> ${owner}
                     and i.seen_at > clock_timestamp() - make_interval(secs => ${DEAD_AFTER_SECONDS})
                     and consignment.lease_until > ${now}::timestamptz - ${KEPT_FOR})`;
}

/**
 * Stores our heartbeat and reads all rows; rows without a heartbeat for seconds are deleted. Inside a transaction that
 * locks the table: so stamps grow in the order in which others see them. Instances of an older version take the same
 * lock.
 */
export async function writeHeartbeat(
  sql: Sql,
  heartbeat: Heartbeat,
): Promise<{ readonly stamp: number; readonly rows: readonly InstanceRow[] }> {
  await sql.query('lock table ims_instance in share row exclusive mode');
  await sql.query(
    `delete from ims_instance where seen_at < clock_timestamp() - make_interval(secs => $1) and id <> $2`,
    [DEAD_AFTER_SECONDS, heartbeat.id],
  );
  const [next] = await sql.query<{ stamp: number }>(`select nextval('ims_instance_stamp')::float8 as stamp`);
  const stamp = next?.stamp ?? 0;
  await sql.query(
    `insert into ims_instance as old (id, host, pid, beat, seen_at, changed, knows, pooled)
     values ($1, $2, $3, $4, clock_timestamp(), $5, $6, $7)
     on conflict (id) do update set
       beat = excluded.beat, seen_at = excluded.seen_at, knows = excluded.knows, pooled = excluded.pooled,
       changed = case when $8 or (old.pooled and not excluded.pooled) then excluded.changed else old.changed end
     where old.beat < excluded.beat`,
    [
      heartbeat.id,
      heartbeat.host,
      heartbeat.pid,
      heartbeat.sequence,
      stamp,
      heartbeat.ackedEpoch === 'all' ? stamp : heartbeat.ackedEpoch,
      heartbeat.pooled,
      heartbeat.membership === 'joining',
    ],
  );
  const rows = await sql.query<InstanceRow>(`select ${COLUMNS} from ims_instance order by id`);
  return { stamp, rows };
}

export async function instancesOn(sql: Sql, host: string): Promise<readonly InstanceRow[]> {
  return sql.query<InstanceRow>(`select ${COLUMNS} from ims_instance where host = $1`, [host]);
}

export async function forgetInstances(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query('delete from ims_instance where id = any($1)', [ids]);
}

/** Removes our row soon, or at once when there is no other instance. */
export async function leaveInstances(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `update ims_instance set seen_at = clock_timestamp() - make_interval(secs => $2), beat = 2147483647 where id = $1`,
    [id, DEAD_AFTER_SECONDS - LEAVES_IN_SECONDS],
  );
}
