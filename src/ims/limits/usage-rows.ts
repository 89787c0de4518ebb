import type { Database } from '../../db/database.js';
import type { UsageStore } from './daily-budget.js';

/** Requests per area key and UTC day, added up over restarts and instances. */
export function usageStore(database: Database): UsageStore {
  return {
    add: async (keyId, day, calls) => {
      const rows = await database.query<{ calls: number }>(
        `insert into ims_usage (key_id, day, calls) values ($1, $2, greatest(0, $3::int))
         on conflict (key_id, day) do update set calls = greatest(0, ims_usage.calls + $3::int)
         returning calls`,
        [keyId, day, calls],
      );
      return rows[0]?.calls ?? 0;
    },
    firstToTell: async (keyId, day, percent) => {
      const rows = await database.query(
        `insert into ims_usage_told (key_id, day, percent) values ($1, $2, $3) on conflict do nothing
         returning percent`,
        [keyId, day, percent],
      );
      return rows.length > 0 ? 'yes' : 'no';
    },
  };
}
