import { CONSIGNMENT_STATES } from '../../../src/consignment/states.js';
import type { Database, Sql } from '../../../src/db/database.js';
import { plainValues } from '../../../src/db/sealing/personal.js';
import { type Moments, whoAsks } from './moments.js';

/**
 * Every statement that changes something, and every transaction, has a moment before and one after it; a statement that only
 * reads has one: after it the world is as it was.
 */
export function watchDatabase(database: Database, moments: Moments): Database {
  return {
    ...database,
    ...watchSql(database, moments, 'after'),
    transaction: async (work) => {
      const name = `${whoAsks()}: transaction`;
      moments.reach(`${name} | before it begins`);
      const result = await database.transaction(async (sql) => {
        moments.reach(`${name} | begun`);
        const done = await work(watchSql(sql, moments, 'after, not committed'));
        moments.reach(`${name} | before the commit`);
        return done;
      });
      moments.reach(`${name} | committed`);
      return result;
    },
  };
}

function watchSql(sql: Sql, moments: Moments, done: 'after' | 'after, not committed'): Sql {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      const name = `${whoAsks()}: ${inWords(text)}${about(plainValues(values))}`;
      moments.reach(`${name} | before`);
      const rows = await sql.query<Row>(text, values);
      if (CHANGE.test(text)) moments.reach(`${name} | ${done}`);
      return rows;
    },
    script: async (text) => {
      const name = `${whoAsks()}: script ${inWords(text)}`;
      moments.reach(`${name} | before`);
      await sql.script(text);
      moments.reach(`${name} | ${done}`);
    },
  };
}

const CHANGE = /\b(?:insert into|delete from|(?<!for |do )update)\s+[\w.]+(?:\s+set\s+\w+)?/i;
const READ = /\bfrom\s+([\w.]+)/i;

/** `update consignment set lease_owner`: what is done to which table. */
function inWords(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const [change] = CHANGE.exec(flat) ?? [];
  return (change ?? `read ${READ.exec(flat)?.[1] ?? flat.slice(0, 40)}`).toLowerCase();
}

/** The states in what is written: of the consignment, of its parts, of what is on its way to the IMS. */
function about(values: readonly unknown[]): string {
  const state = values.find((value) => CONSIGNMENT_STATES.some((known) => known === value));
  const inner = values.flatMap((value) => statesIn(value));
  const said = [...(typeof state === 'string' ? [state] : []), ...inner];
  return said.length > 0 ? ` (${said.join('; ')})` : '';
}

function statesIn(value: unknown): readonly string[] {
  if (typeof value !== 'string' || !value.startsWith('[{')) return [];
  const rows: unknown = JSON.parse(value);
  if (!Array.isArray(rows)) return [];
  const states = (rows as readonly Readonly<Record<string, unknown>>[])
    .map((row) => stateOf(row))
    .filter((s) => s !== '');
  return states.length > 0 ? [[...new Set(states)].sort().join(', ')] : [];
}

function stateOf({ state, call, request }: Readonly<Record<string, unknown>>): string {
  if (typeof state !== 'string') return '';
  if (request !== undefined) return `part ${state}`;
  const kind = (call as { readonly kind?: string } | undefined)?.kind;
  // What is done needs no name: it only grows.
  return kind === undefined || state === 'done' ? '' : `${kind} ${state}`;
}
