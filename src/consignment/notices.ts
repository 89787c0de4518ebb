import type { Sql } from '../db/database.js';

/** Something that is told once in an area, over restarts too. */
export interface Notice {
  readonly area: string;
  readonly topic: string;
}

export async function wasTold(sql: Sql, { area, topic }: Notice): Promise<boolean> {
  const rows = await sql.query('select area from notice where area = $1 and topic = $2', [area, topic]);
  return rows.length > 0;
}

export async function markTold(sql: Sql, { area, topic }: Notice, now: Date): Promise<void> {
  await sql.query('insert into notice (area, topic, told_at) values ($1, $2, $3) on conflict do nothing', [
    area,
    topic,
    now,
  ]);
}
