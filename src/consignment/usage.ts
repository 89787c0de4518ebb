import type { Database } from '../db/database.js';
import type { UsageStore } from '../ims/daily-budget.js';

/** Requests per area key and UTC day, kept over restarts. */
export function usageStore(database: Database): UsageStore {
  return {
    load: async (keyId, day) => {
      const rows = await database.query<{ calls: number }>(
        'select calls from ims_usage where key_id = $1 and day = $2',
        [keyId, day],
      );
      return rows[0]?.calls ?? 0;
    },
    save: async (keyId, day, calls) => {
      await database.query(
        `insert into ims_usage (key_id, day, calls) values ($1, $2, $3)
         on conflict (key_id, day) do update set calls = greatest(ims_usage.calls, excluded.calls)`,
        [keyId, day, calls],
      );
    },
  };
}
