import type { Sql } from '../db/database.js';

/** A message that is sent once in an area, across restarts. */
export interface SentMessage {
  readonly area: string;
  readonly topic: string;
}

export async function wasSent(sql: Sql, { area, topic }: SentMessage): Promise<boolean> {
  const rows = await sql.query('select area from sent_message where area = $1 and topic = $2', [area, topic]);
  return rows.length > 0;
}

export async function markSent(sql: Sql, { area, topic }: SentMessage, now: Date): Promise<void> {
  await sql.query(
    `insert into sent_message (area, topic, told_at) values ($1, $2, $3)
     on conflict (area, topic) do update set told_at = $3`,
    [area, topic, now],
  );
}

/**
 * Claims a message that other processes may be about to send.
 * @param abandonedBefore a claim from before this time belongs to a dead process
 * @param expiredBefore a message that was sent before this time is sent again
 * @returns whether to send it; `false`: it was sent, or is being sent
 */
export async function claimSending(
  sql: Sql,
  { area, topic }: SentMessage,
  { now, abandonedBefore, expiredBefore }: Readonly<Record<'now' | 'abandonedBefore' | 'expiredBefore', Date>>,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into sent_message (area, topic, told_at)
     select $1, $2, $3 where not exists (select 1 from sent_message where area = $1 and topic = $5 and told_at >= $6)
     on conflict (area, topic) do update set told_at = $3 where sent_message.told_at < $4
     returning area`,
    [area, telling(topic), now, abandonedBefore, topic, expiredBefore],
  );
  return rows.length > 0;
}

/** Releases the claim of a message that could not be sent. */
export async function releaseSending(sql: Sql, { area, topic }: SentMessage): Promise<void> {
  await unmarkSent(sql, { area, topic: telling(topic) });
}

export async function unmarkSent(sql: Sql, { area, topic }: SentMessage): Promise<void> {
  await sql.query('delete from sent_message where area = $1 and topic = $2', [area, topic]);
}

function telling(topic: string): string {
  return `telling ${topic}`;
}
