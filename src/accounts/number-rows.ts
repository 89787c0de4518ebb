import { CarrierUnavailable } from '../../carriers/contract/errors.js';
import {
  MAX_NUMBERS_AT_ONCE,
  type NumberPort,
  NumbersUsedUp,
  type WantedNumbers,
} from '../../carriers/contract/tools.js';
import type { Database, Sql } from '../db/database.js';

const MAX_SERIES_CHARACTERS = 100;

/** The numbers that the database gives out: the row of a series is locked until its numbers are committed. */
export function createNumbers(database: Database): NumberPort {
  return {
    take: async (wanted) => {
      requireBounds(wanted);
      try {
        return await database.transaction((sql) => takeIn(sql, wanted));
      } catch (error) {
        if (error instanceof NumbersUsedUp) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw new CarrierUnavailable(`no numbers could be taken: ${reason}`, null, { cause: error });
      }
    },
  };
}

function requireBounds({ series, keys, from, to }: WantedNumbers): void {
  const isFine =
    series.length <= MAX_SERIES_CHARACTERS &&
    keys.length <= MAX_NUMBERS_AT_ONCE &&
    new Set(keys).size === keys.length &&
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(to);
  if (!isFine) throw new Error(`numbers of series "${series}" cannot be wanted like this`);
}

async function takeIn(sql: Sql, { series, reference, keys, from, to }: WantedNumbers): Promise<readonly number[]> {
  const next = await lockSeries(sql, series, from);
  const given = await givenBefore(sql, { series, reference, keys });
  const missing = keys.filter((key) => !given.has(key));
  const first = Math.max(next, from);
  if (missing.length > 0) {
    if (first + missing.length - 1 > to) throw new NumbersUsedUp(`series ${series} has no numbers left up to ${to}`);
    await sql.query('update number_series set next = $2 where name = $1', [series, first + missing.length]);
    await sql.query(
      `insert into number_given (series, reference, key, number)
       select $1, $2, key, $4::bigint + place - 1 from unnest($3::text[]) with ordinality as wanted (key, place)`,
      [series, reference, missing, first],
    );
  }
  const taken = new Map([...given, ...missing.map((key, place) => [key, first + place] as const)]);
  return keys.map((key) => taken.get(key) ?? 0);
}

/** @returns its next number */
async function lockSeries(sql: Sql, series: string, from: number): Promise<number> {
  const [row] = await sql.query<{ readonly next: string }>(
    `insert into number_series (name, next) values ($1, $2)
     on conflict (name) do update set name = excluded.name returning next::text as next`,
    [series, from],
  );
  return Number(row?.next ?? from);
}

async function givenBefore(
  sql: Sql,
  { series, reference, keys }: Pick<WantedNumbers, 'series' | 'reference' | 'keys'>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ readonly key: string; readonly number: string }>(
    `select key, number::text as number from number_given
      where series = $1 and reference = $2 and key = any($3::text[])`,
    [series, reference, [...keys]],
  );
  return new Map(rows.map(({ key, number }) => [key, Number(number)]));
}
