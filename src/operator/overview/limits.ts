import type { Sql } from '../../db/database.js';
import type { KeyUsage } from '../../ims/calls/client.js';
import { REQUESTS_PER_DAY } from '../../ims/limits/daily-budget.js';

/** How much of what the IMS allows one key uses. Areas with the same key share its limits. */
export interface AreaUse {
  /** By contextId. */
  readonly areas: readonly string[];
  readonly perSecond: {
    /** The most requests of this instance within one second, in the running minute and the one before. */
    readonly used: number;
    /** What this instance may send; all instances together 50. */
    readonly limit: number;
  };
  readonly perDay: {
    /** Of all instances, in this UTC day; up to 100 too many for each other instance. */
    readonly used: number;
    readonly limit: number;
    /** The end of the day: midnight UTC. */
    readonly resetsAt: Date;
  };
}

const DAY_MS = 86_400_000;

/** @param keys as the client of the IMS counts them */
export async function areaUse(sql: Sql, keys: readonly KeyUsage[], now: Date): Promise<readonly AreaUse[]> {
  const rows = await sql.query<{ key_id: string; calls: number }>(
    'select key_id, calls from ims_usage where day = $1::date and key_id = any($2::text[])',
    [now.toISOString().slice(0, 10), keys.map(({ keyId }) => keyId)],
  );
  const stored = new Map(rows.map(({ key_id: id, calls }) => [id, calls]));
  const resetsAt = new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
  return keys.map(({ keyId, areas, busiestSecond, perSecond, reserved }) => ({
    areas,
    perSecond: { used: busiestSecond, limit: perSecond },
    perDay: { used: Math.max(0, (stored.get(keyId) ?? 0) - reserved), limit: REQUESTS_PER_DAY, resetsAt },
  }));
}
