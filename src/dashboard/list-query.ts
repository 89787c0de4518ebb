import type { Request } from 'express';
import { STATES, TRAITS } from '../consignment/states.js';
import { CONSIGNMENT_CURSOR, type ConsignmentFilter } from '../operator/consignment-list.js';

const TEXT = /^\P{Cc}{1,200}$/u;
const MAX_VALUES = 50;

/** A part of the filter, with the address of the list without it. */
export interface Chip {
  readonly name: string;
  /** Of the address. */
  readonly field: string;
  readonly value: string;
  readonly without: string;
}

/** What a list's address asks for. What cannot be read counts as not given: the list then shows more, never less. */
export function askedIn({ query }: Request): { readonly filter: ConsignmentFilter; readonly cursor: string | null } {
  const [cursor = null] = valuesOf(query['cursor']);
  const q = typeof query['q'] === 'string' && TEXT.test(query['q'].trim()) ? query['q'].trim() : null;
  const states = valuesOf(query['state']);
  const filter = {
    states: orAll(STATES.filter((state) => states.includes(state))),
    areas: orAll(valuesOf(query['area'])),
    accounts: orAll(valuesOf(query['account'])),
    carriers: orAll(valuesOf(query['carrier'])),
    since: timeIn(query['since']),
    until: timeIn(query['until']),
    needsOperator: query['needsOperator'] === 'true' ? true : null,
    q,
  };
  return { filter, cursor: cursor !== null && CONSIGNMENT_CURSOR.test(cursor) ? cursor : null };
}

/** The address of the list with this filter. */
export function addressOf(filter: ConsignmentFilter, cursor: string | null = null): string {
  const given = [...Object.entries(inAddress(filter)), ['cursor', cursor] as const];
  const query = new URLSearchParams(given.filter((pair): pair is [string, string] => pair[1] !== null)).toString();
  return query === '' ? '/consignments' : `/consignments?${query}`;
}

/** A list that is looked at often; the area of the filter stays. */
export interface ListView {
  readonly name: string;
  readonly href: string;
  readonly isChosen: boolean;
}

export function viewsOf({ areas, ...filter }: ConsignmentFilter): readonly ListView[] {
  const current = addressOf({ areas, ...filter });
  return VIEWS.map(([name, states, needsOperator]) => {
    const href = addressOf({ ...ALL, areas, states, needsOperator });
    return { name, href, isChosen: href === current };
  });
}

const ALL: ConsignmentFilter = {
  ...{ states: null, areas: null, accounts: null, carriers: null },
  ...{ since: null, until: null, needsOperator: null, q: null },
};
const VIEWS: readonly (readonly [name: string, states: ConsignmentFilter['states'], needsOperator: true | null])[] = [
  ['All', null, null],
  ['Unconfirmed', null, true],
  ['On their way', STATES.filter((state) => !TRAITS[state].isEnd), null],
  ['Refused', ['refused'], null],
  ['Incomplete', ['incomplete'], null],
];

/** The parts of the filter that the form of the page does not show. */
export function chipsOf(filter: ConsignmentFilter): readonly Chip[] {
  const values = inAddress(filter);
  return CHIPS.flatMap(([name, field, part]) => {
    const value = values[field] ?? null;
    return value === null ? [] : [{ name, field, value, without: addressOf({ ...filter, [part]: null }) }];
  });
}

const CHIPS: readonly (readonly [name: string, field: string, part: keyof ConsignmentFilter])[] = [
  ['Account', 'account', 'accounts'],
  ['Carrier', 'carrier', 'carriers'],
  ['Needs a person', 'needsOperator', 'needsOperator'],
  ['Since', 'since', 'since'],
  ['Until', 'until', 'until'],
];

function inAddress(filter: ConsignmentFilter): Readonly<Record<string, string | null>> {
  const { states, areas, accounts, carriers, since, until, needsOperator, q } = filter;
  return {
    state: joined(states),
    area: joined(areas),
    account: joined(accounts),
    carrier: joined(carriers),
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    needsOperator: needsOperator === true ? 'true' : null,
    q,
  };
}

function joined(values: readonly string[] | null): string | null {
  return values === null ? null : values.join(',');
}

function orAll<Value>(values: readonly Value[]): readonly Value[] | null {
  return values.length === 0 ? null : values;
}

/** Given several times, or with commas between. */
function valuesOf(given: unknown): readonly string[] {
  const all = (Array.isArray(given) ? given : [given]).flatMap((one: unknown) =>
    typeof one === 'string' ? one.split(',').map((value) => value.trim()) : [],
  );
  return all.filter((value) => TEXT.test(value)).slice(0, MAX_VALUES);
}

function timeIn(given: unknown): Date | null {
  const time = typeof given === 'string' && /^(?!0000)\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(given) ? new Date(given) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}
