import type { Sql } from '../db/database.js';
import type { ConsignmentRow } from '../consignment/ledger/row.js';
import { type ConsignmentState, toStoredState } from '../consignment/states.js';

/** `null`, here and below: all. */
export interface ConsignmentFilter {
  readonly states: readonly ConsignmentState[] | null;
  readonly areas: readonly string[] | null;
  /** Names of accounts in the configuration. */
  readonly accounts: readonly string[] | null;
  /** Folders of adapters. */
  readonly carriers: readonly string[] | null;
  /** Only those that came at this time or later, … */
  readonly since: Date | null;
  /** … and before this one. */
  readonly until: Date | null;
  /** Whether it is in doubt and only a person can find out. */
  readonly needsOperator: boolean | null;
  /**
   * Exactly a number (shipment, document, reference, carrier's, tracking number, the consignment's id), or the beginning of
   * the recipient's name, in any case.
   */
  readonly q: string | null;
}

export interface ConsignmentPage {
  readonly sort: 'newest' | 'oldest';
  /** The `cursor` of the page before; `null`: the first page. */
  readonly cursor: string | null;
  readonly limit: number;
}

/** A place between two rows. The time of arrival never changes, so no row is shown twice or missed while others come. */
export const CONSIGNMENT_CURSOR =
  /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z_[\w-]{1,100}$/;

/** @returns the rows of the page, and where the next one begins; `null`: there is none */
export async function listConsignments(
  sql: Sql,
  filter: ConsignmentFilter,
  page: ConsignmentPage,
): Promise<{ readonly rows: readonly ConsignmentRow[]; readonly cursor: string | null }> {
  const values: unknown[] = [];
  const conditions = conditionsOf(filter, valuesInto(values));
  const { sort, cursor, limit } = page;
  const value = valuesInto(values);
  const order = sort === 'newest' ? 'desc' : 'asc';
  const after = placeIn(cursor);
  const beyond =
    after === null
      ? []
      : [
          `(created_at, id) ${sort === 'newest' ? '<' : '>'} (${value(after.at)}::timestamptz, ${value(after.id)}::text)`,
        ];
  const where = [...conditions, ...beyond].map((each) => ` and ${each}`).join('');
  const ordered = `order by created_at ${order}, id ${order} limit ${value(limit + 1)}`;
  const rows = await sql.query<ConsignmentRow>(statement(filter, where, { ordered, value }), values);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, cursor: rows.length > limit && last ? `${last.created_at.toISOString()}_${last.id}` : null };
}

/** The most consignments that are counted. */
export const MAX_COUNTED_CONSIGNMENTS = 1_000;

/** How many consignments each of these filters finds, their `q` apart; more than `MAX_COUNTED_CONSIGNMENTS` means: at least as many. */
export async function countConsignments(sql: Sql, filters: readonly ConsignmentFilter[]): Promise<readonly number[]> {
  const values: unknown[] = [];
  const value = valuesInto(values);
  const counts = filters.map((filter) => {
    const where = conditionsOf(filter, value)
      .map((each) => ` and ${each}`)
      .join('');
    const states = filter.states === null ? null : value(stored(filter.states));
    const found = (condition: string) =>
      `select from consignment where ${condition}${where} limit ${MAX_COUNTED_CONSIGNMENTS + 1}`;
    if (states === null) return `(select count(*)::int from (${found('true')}) found)`;
    return `(select count(*)::int from unnest(${states}::text[]) wanted, lateral (${found('state = wanted')}) found)`;
  });
  const [row] = await sql.query<{ readonly counts: readonly number[] }>(
    `select array[${counts.join(', ')}]::int[] as counts`,
    values,
  );
  return row?.counts ?? [];
}

/** Adds a value of the statement. @returns its placeholder */
type AddValue = (value: unknown) => string;

function valuesInto(values: unknown[]): AddValue {
  return (value) => `$${values.push(value)}`;
}

/** What conditions and order need of a row. A name may be that of many: whole rows would fill the memory for sorting. */
const FILTERED = 'id, created_at, state, area, account, carrier, waits_for_person';

/**
 * Each state is read by itself, since an index has the rows of one state in their order. A number is looked up before
 * anything is sorted: otherwise Postgres would look through all rows in their order.
 */
function statement(
  { states, q }: ConsignmentFilter,
  where: string,
  { ordered, value }: { readonly ordered: string; readonly value: AddValue },
): string {
  if (q !== null)
    return `with found as materialized (select ${FILTERED} from consignment where ${bears(q, value)})
            select c.* from consignment c join (select id from found where true${
              states === null ? '' : ` and state = any(${value(stored(states))}::text[])`
            }${where} ${ordered}) shown using (id) ${ordered}`;
  if (states === null) return `select * from consignment where true${where} ${ordered}`;
  return `select c.* from unnest(${value(stored(states))}::text[]) wanted,
            lateral (select * from consignment where state = wanted${where} ${ordered}) c ${ordered}`;
}

function stored(states: readonly ConsignmentState[]): readonly string[] {
  return [...new Set(states)].map((state) => toStoredState(state));
}

function bears(q: string, value: AddValue): string {
  const exact = value(q);
  const name = value(q.toLowerCase());
  return `id = ${exact} or shipment_number = ${exact} or shipment_id = ${exact} or document_id = ${exact}
      or carrier_number = ${exact} or reference collate "C" = ${exact}
      or id = any(array(select consignment_id from return_label where reference collate "C" = ${exact}
            or booking->>'carrierNumber' = ${exact} or booking #>> '{parcels,0,trackingNumber}' = ${exact}))
      or (jsonb_path_exists(parts, '$[*].booking.parcels[*].trackingNumber')
          and jsonb_path_query_array(parts, '$[*].booking.parcels[*].trackingNumber') ? ${exact})
      or (reference is not null and lower(parts #>> '{0,request,recipient,address,name}') collate "C" >= ${name}
          and lower(parts #>> '{0,request,recipient,address,name}') collate "C" < ${name} || U&'\\+10FFFF')`;
}

function conditionsOf(filter: ConsignmentFilter, value: AddValue): readonly string[] {
  const { areas, accounts, carriers, since, until, needsOperator } = filter;
  return [
    areas && `area = any(${value(areas)}::text[])`,
    accounts && `account = any(${value(accounts)}::text[])`,
    carriers && `carrier = any(${value(carriers)}::text[])`,
    since && `created_at >= ${value(since)}::timestamptz`,
    until && `created_at < ${value(until)}::timestamptz`,
    needsOperator === null ? null : needsOperator ? 'waits_for_person' : 'not waits_for_person',
  ].filter((each) => each !== null);
}

function placeIn(cursor: string | null): { readonly at: Date; readonly id: string } | null {
  const [at = '', id = ''] = cursor?.split('_') ?? [];
  const date = new Date(at);
  return cursor === null || Number.isNaN(date.getTime()) ? null : { at: date, id };
}
