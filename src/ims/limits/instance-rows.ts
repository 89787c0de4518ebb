import type { Sql } from '../../db/database.js';

/** How an instance appears to the others. */
export interface InstanceRow {
  readonly id: string;
  readonly host: string | null;
  readonly pid: number;
  /** Stamp of the last change that the others must know before this instance sends. */
  readonly changed: number;
  /** Up to which stamp it has taken the others' rows into account. */
  readonly knows: number;
  readonly pooled: boolean;
}

export interface Heartbeat extends Pick<InstanceRow, 'id' | 'host' | 'pid' | 'knows' | 'pooled'> {
  /** Counts upwards; one that arrives after a later one changes nothing. */
  readonly beat: number;
  /** `new`: whatever stood there before, the others must learn of us anew. */
  readonly standing: 'new' | 'known';
}

/** Longer than a beat is good for its instance, with the time its last requests need to be over. */
const DEAD_AFTER_SECONDS = 7;
/** An instance that stops is forgotten when its last requests are over. */
const LEAVES_IN_SECONDS = 1.5;

/** After a lease its owner may still know of a carrier's answer; the row is left to it for so long. */
const KEPT_FOR = `interval '10 minutes'`;

/**
 * A condition on a consignment whose lease has ended: its owner is another instance that is alive. That one cannot reach the
 * row at the moment, because another session has it for example, and may have the carrier's answer in its memory.
 * @param owner who asks, as a parameter
 * @param now as a parameter
 */
export function isOfLivingInstance(owner: string, now: string): string {
  return `exists (select from ims_instance i
                   where i.id = consignment.lease_owner and i.id <> ${owner}
                     and i.seen_at > clock_timestamp() - make_interval(secs => ${DEAD_AFTER_SECONDS})
                     and consignment.lease_until > ${now}::timestamptz - ${KEPT_FOR})`;
}

/**
 * Writes ours and reads all; those that were not written for seconds are gone afterwards. Inside a transaction, one at a
 * time: so the order of stamps is the order in which others see what they stand for. The table itself is the lock, which an
 * instance of an older version waits for too: it changes the table before it takes its stamp.
 */
export async function writeHeartbeat(
  sql: Sql,
  beat: Heartbeat,
): Promise<{ readonly stamp: number; readonly rows: readonly InstanceRow[] }> {
  await sql.query('lock table ims_instance in share row exclusive mode');
  await sql.query(
    `delete from ims_instance where seen_at < clock_timestamp() - make_interval(secs => $1) and id <> $2`,
    [DEAD_AFTER_SECONDS, beat.id],
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
    [beat.id, beat.host, beat.pid, beat.beat, stamp, beat.knows, beat.pooled, beat.standing === 'new'],
  );
  const rows = await sql.query<InstanceRow>(
    'select id, host, pid, changed, knows, pooled from ims_instance order by id',
  );
  return { stamp, rows };
}

export async function instancesOn(sql: Sql, host: string): Promise<readonly InstanceRow[]> {
  return sql.query<InstanceRow>('select id, host, pid, changed, knows, pooled from ims_instance where host = $1', [
    host,
  ]);
}

export async function forgetInstances(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query('delete from ims_instance where id = any($1)', [ids]);
}

/** Ours is forgotten soon, and at once where nobody else is. */
export async function leaveInstances(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `update ims_instance set seen_at = clock_timestamp() - make_interval(secs => $2), beat = 2147483647 where id = $1`,
    [id, DEAD_AFTER_SECONDS - LEAVES_IN_SECONDS],
  );
}
