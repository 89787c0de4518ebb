import { readDayInText } from './declare/dates.js';
import type { Filter, Filters } from './declare/resource.js';
import type { Json, JsonObject } from './json.js';
import { isJsonArray, isJsonObject } from './json.js';
import { Refusal } from './refusal.js';

const MAX_ROWS = 1000;
/** A hundred years. */
export const MOST_DAYS = 36_500;

/** A row, and what it shows: its own fields and those that come from other rows. */
export interface Seen<R> {
  readonly row: R;
  readonly view: JsonObject;
}

/**
 * The rows a query asks for. Parameters that are not known are ignored.
 * @throws Refusal when a value is not of the parameter's type
 */
export function filterRows<R>(
  rows: readonly Seen<R>[],
  query: URLSearchParams,
  place: { readonly resource: string; readonly filters: Filters; readonly now: Date },
): readonly Seen<R>[] {
  let kept = rows;
  for (const [name, wanted] of query) {
    const filter = Object.hasOwn(place.filters, name) ? place.filters[name] : undefined;
    if (filter === undefined || wanted === '') continue;
    refuseOtherType(filter, { name, wanted, resource: place.resource });
    kept = keep(kept, filter, { wanted, now: place.now });
  }
  return kept;
}

function keep<R>(
  rows: readonly Seen<R>[],
  filter: Filter,
  { wanted, now }: { readonly wanted: string; readonly now: Date },
): readonly Seen<R>[] {
  switch (filter.by) {
    case 'match':
      return matching(rows, filter.fields, wanted.toLowerCase());
    case 'equal':
      return rows.filter(({ view }) => String(view[filter.field] ?? '') === wanted);
    case 'only':
      return wanted === 'true' ? rows.filter(({ view }) => filter.keeps(view, now)) : rows;
    case 'value':
      return rows.filter(({ view }) => filter.keeps(view, wanted, now));
  }
}

function matching<R>(rows: readonly Seen<R>[], fields: readonly string[], search: string): readonly Seen<R>[] {
  const texts = ({ view }: Seen<R>) => fields.flatMap((field) => textsIn(valueAt(view, field)));
  const found = rows.filter((seen) => texts(seen).some((text) => text.includes(search)));
  const exact = (seen: Seen<R>) => texts(seen).includes(search);
  return [...found.filter(exact), ...found.filter((seen) => !exact(seen))];
}

/** @param path a field, or a member of an embedded object: `productVariantKey.size` */
function valueAt(view: JsonObject, path: string): Json {
  let value: Json | undefined = view;
  for (const name of path.split('.')) value = isJsonObject(value) ? value[name] : undefined;
  return value ?? null;
}

function textsIn(value: Json): readonly string[] {
  if (value === null) return [];
  if (isJsonArray(value)) return value.flatMap(textsIn);
  if (isJsonObject(value)) return Object.values(value).flatMap((member) => textsIn(member ?? null));
  return [String(value).toLowerCase()];
}

function refuseOtherType(
  filter: Filter,
  { name, wanted, resource }: { readonly name: string; readonly wanted: string; readonly resource: string },
): void {
  if (filter.by === 'only' && wanted !== 'true' && wanted !== 'false')
    throw new Refusal('invalid', resource, `${name} must be true or false.`);
  if (filter.by !== 'value') return;
  if (filter.type === 'number' && !/^-?\d{1,15}(\.\d{1,6})?$/.test(wanted))
    throw new Refusal('invalid', resource, `${name} must be a number.`);
  if (filter.type === 'days' && !(/^\d{1,5}$/.test(wanted) && Number(wanted) <= MOST_DAYS))
    throw new Refusal('invalid', resource, `${name} must be a whole number of days, from 0 to ${MOST_DAYS}.`);
  if (filter.type === 'date' && readDayInText(wanted) === null)
    throw new Refusal('invalid', resource, `${name} must be a date, e.g. 2026-01-31.`);
}

/**
 * The rows of one page.
 * @throws Refusal when `maxNumRows` or `firstRow` is no whole number
 */
export function pageOf<R>(
  rows: readonly R[],
  query: URLSearchParams,
  place: { readonly resource: string; readonly origin: 0 | 1 },
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
