import { readDayInText } from '../schema/dates.js';
import type { FilterContext, Filter, Filters } from '../schema/resource.js';
import type { Json, JsonMembers } from '../store/json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { isJsonArray } from '../store/json.js';
import { ImsRefusal } from './refusal.js';

const MAX_ROWS = 1000;
/** Largest number of days that a query parameter may give: a hundred years. */
export const MAX_DAYS = 36_500;

/** A row and its view: the row's own fields and those that come from other rows. */
export interface Seen<R> {
  readonly row: R;
  readonly view: JsonMembers;
}

/**
 * Keeps the rows that match all filters of the query. It ignores unknown and empty parameters.
 * @throws ImsRefusal when a value is not of the parameter's type
 */
export function filterRows<R>(
  rows: readonly Seen<R>[],
  query: URLSearchParams,
  place: { readonly resource: string; readonly filters: Filters; readonly now: Date },
): readonly Seen<R>[] {
  let kept = rows;
  for (const [name, text] of query) {
    const filter = Object.hasOwn(place.filters, name) ? place.filters[name] : undefined;
    if (filter === undefined || text === '') continue;
    const wanted = readWanted(filter, { name, text, resource: place.resource });
    kept = keep(kept, filter, { wanted, query, now: place.now });
  }
  return kept;
}

function keep<R>(
  rows: readonly Seen<R>[],
  filter: Filter,
  { wanted, ...asked }: FilterContext & { readonly wanted: string },
): readonly Seen<R>[] {
  switch (filter.by) {
    case 'match':
      return matching(rows, filter.fields, wanted.toLowerCase());
    case 'equal':
    case 'key':
      return rows.filter(({ view }) => String(view[filter.field] ?? '') === wanted);
    case 'only':
      return wanted === 'true' ? rows.filter(({ view }) => filter.keeps(view, asked)) : rows;
    case 'word':
    case 'value':
      return rows.filter(({ view }) => filter.keeps(view, wanted, asked));
  }
}

function matching<R>(rows: readonly Seen<R>[], fields: readonly string[], search: string): readonly Seen<R>[] {
  const texts = ({ view }: Seen<R>) => fields.flatMap((field) => textsIn(valueAt(view, field.split('.'))));
  const found = rows.filter((seen) => texts(seen).some((text) => text.includes(search)));
  const exact = (seen: Seen<R>) => texts(seen).includes(search);
  return [...found.filter(exact), ...found.filter((seen) => !exact(seen))];
}

/** @param path a field name, then member names within it; a list on the way gives the values of all its entries */
function valueAt(value: Json, path: readonly string[]): Json {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (isJsonArray(value)) return value.map((entry) => valueAt(entry, path));
  return isJsonObject(value) ? valueAt(value[name] ?? null, rest) : null;
}

function textsIn(value: Json): readonly string[] {
  if (value === null) return [];
  if (isJsonArray(value)) return value.flatMap(textsIn);
  if (isJsonObject(value)) return Object.values(value).flatMap((member) => textsIn(member ?? null));
  return [String(value).toLowerCase()];
}

interface Wanted {
  readonly name: string;
  readonly text: string;
  readonly resource: string;
}

/**
 * Reads a query parameter into the form that its filter takes. @throws ImsRefusal when the value is not of the parameter's
 * type
 */
function readWanted(filter: Filter, { name, text, resource }: Wanted): string {
  const { read, rule } = readingOf(filter);
  const wanted = read(text);
  if (wanted === null) throw new ImsRefusal('invalid', resource, `${name} must be ${rule}.`);
  return wanted;
}

interface Reading {
  /** `null`: the text is not of this type. */
  readonly read: (text: string) => string | null;
  /** Completes the sentence "<parameter> must be …". */
  readonly rule: string;
}

function readingOf(filter: Filter): Reading {
  switch (filter.by) {
    case 'only':
      return { read: (text) => (text === 'true' || text === 'false' ? text : null), rule: 'true or false' };
    case 'word':
      return {
        read: (text) => filter.words.find((each) => each === text.toLowerCase()) ?? null,
        rule: `one of ${filter.words.join(', ')}`,
      };
    case 'value':
      return READINGS[filter.type];
    default:
      return READINGS.text;
  }
}

const READINGS: Readonly<Record<Extract<Filter, { by: 'value' }>['type'], Reading>> = {
  text: { read: (text) => text, rule: 'text' },
  number: { read: (text) => (/^-?\d{1,15}(\.\d{1,6})?$/.test(text) ? text : null), rule: 'a number' },
  days: {
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= MAX_DAYS ? text : null),
    rule: `a whole number of days, from 0 to ${MAX_DAYS}`,
  },
  date: { read: readDayInText, rule: 'a date, e.g. 2026-01-31, or milliseconds since 1970' },
};

/**
 * The rows of one page: at most `maxNumRows`, and never more than `MAX_ROWS`.
 * @throws ImsRefusal when `maxNumRows` or `firstRow` is not a whole number
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
  if (!/^\d{1,15}$/.test(text)) throw new ImsRefusal('invalid', resource, `${name} must be a whole number.`);
  return Number(text);
}
