import type { Database } from '../db/database.js';
import type { CircuitStore } from './account-circuit.js';
import { type CircuitState, NO_OUTAGE } from './circuit-breaker.js';

export interface CircuitRows {
  readonly states: Readonly<Record<string, CircuitState>>;
  /** On the clock of the database. */
  readonly nowMs: number;
  /** The number of living instances. */
  readonly instances: number;
}

const NOW_MS = `extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"`;

export async function readCircuits(database: Database): Promise<CircuitRows> {
  const [row] = await database.query<CircuitRows>(
    `select coalesce((select jsonb_object_agg(account, state) from carrier_circuit), '{}') as states,
            (select count(*)::int from ims_instance) as instances, ${NOW_MS}`,
  );
  return row ?? { states: {}, nowMs: 0, instances: 1 };
}

/**
 * The circuits in the database, changed under a row lock: of two instances that change one at the same moment, the
 * second sees the first one's change.
 */
export function circuitStore(database: Database): CircuitStore {
  return {
    change: (account, change) =>
      database.transaction(async (sql) => {
        await sql.query('insert into carrier_circuit (account, state) values ($1, $2::jsonb) on conflict do nothing', [
          account,
          JSON.stringify(NO_OUTAGE),
        ]);
        const [row] = await sql.query<{ readonly state: CircuitState; readonly nowMs: number }>(
          `select state, ${NOW_MS} from carrier_circuit where account = $1 for update`,
          [account],
        );
        const { state: before, nowMs } = row ?? { state: NO_OUTAGE, nowMs: 0 };
        const changed = change(before, nowMs);
        if (changed === before) return { before, after: before, nowMs };
        const after = { ...changed, changes: before.changes + 1 };
        await sql.query('update carrier_circuit set state = $2::jsonb where account = $1', [
          account,
          JSON.stringify(after),
        ]);
        return { before, after, nowMs };
      }),
  };
}
