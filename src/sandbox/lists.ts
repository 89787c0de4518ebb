import type { Row } from './store.js';
import { Refusal } from './refusal.js';

const MAX_ROWS = 1000;

/** How a list may be narrowed. */
export interface Filters<R extends Row> {
  /** `…=true` keeps only these. */
  readonly only: Readonly<Record<string, (row: R) => boolean>>;
  /** The field must have this value. */
  readonly equal: Readonly<Record<string, string>>;
  /** The field must contain the value, in any case of letters; rows that have exactly it come first. */
  readonly match: Readonly<Record<string, string>>;
}

/** The rows a query asks for. Filters that are not known are ignored. */
export function filterRows<R extends Row>(
  rows: readonly R[],
  query: URLSearchParams,
  filters: Filters<R>,
): readonly R[] {
  let kept = rows;
  for (const [name, value] of query) {
    const only = ownEntry(filters.only, name);
    const equal = ownEntry(filters.equal, name);
    const match = ownEntry(filters.match, name);
    if (only !== null && value === 'true') kept = kept.filter(only);
    if (equal !== null) kept = kept.filter((row) => String(row[equal] ?? '') === value);
    if (match !== null) kept = matching(kept, match, value);
  }
  return kept;
}

/**
 * The rows of one page.
 * @throws Refusal when `maxNumRows` or `firstRow` is no whole number
 */
export function pageOf<R>(
  rows: readonly R[],
  query: URLSearchParams,
  place: { resource: string; origin: 0 | 1 },
): readonly R[] {
  const maxNumRows = wholeNumber(query, 'maxNumRows', place.resource) ?? MAX_ROWS;
  const firstRow = wholeNumber(query, 'firstRow', place.resource) ?? place.origin;
  const start = Math.max(0, firstRow - place.origin);
  return rows.slice(start, start + Math.min(maxNumRows, MAX_ROWS));
}

function wholeNumber(query: URLSearchParams, name: string, resource: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('invalid', resource, `${name} must be a whole number.`);
  return Number(text);
}

function matching<R extends Row>(rows: readonly R[], field: string, wanted: string): readonly R[] {
  const text = (row: R) => String(row[field] ?? '').toLowerCase();
  const search = wanted.toLowerCase();
  const found = rows.filter((row) => text(row).includes(search));
  return [...found.filter((row) => text(row) === search), ...found.filter((row) => text(row) !== search)];
}

function ownEntry<V>(table: Readonly<Record<string, V>>, name: string): V | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}
