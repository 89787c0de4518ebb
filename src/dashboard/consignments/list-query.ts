import type { Request } from 'express';
import { CONSIGNMENT_STATES, statesThat } from '../../consignment/states.js';
import { FILTER, LIST, filterOf } from '../../http/api/consignment-filter.js';
import type { Parameter } from '../../http/openapi/parameters.js';
import {
  type ConsignmentFilter,
  type ConsignmentPage,
  MAX_COUNTED_CONSIGNMENTS,
} from '../../operator/consignment-list.js';
import { count, dayIn } from '../format.js';
import { addressOfPairs, askedBy } from '../inbox/list-address.js';
import { problemIn } from '../readable-address.js';
import { wordOf } from '../shapes.js';

/** The request for a list, as its address states it. */
export interface AskedList {
  readonly filter: ConsignmentFilter;
  readonly sort: ConsignmentPage['sort'];
  readonly cursor: string | null;
  /** What in the address cannot be read; `null`: nothing. */
  readonly problem: string | null;
}

type ZoneOf = (area: string | null) => string;

/**
 * Reads the address as the API does. What cannot be read counts as not given, and is the problem.
 * @param zoneOf the time zone of an area: a date means midnight there
 */
export function askedIn(request: Request, zoneOf: ZoneOf = () => 'UTC'): AskedList {
  const [area = null] = askedBy({ area: FILTER.area }, request).area ?? [];
  const shape = shapeIn(zoneOf(area));
  const { sort, cursor, ...given } = askedBy(shape, request);
  const filter = filterOf(given);
  const states = filter.states && CONSIGNMENT_STATES.filter((state) => filter.states?.includes(state));
  return { filter: { ...filter, states }, sort, cursor, problem: problemIn(shape, request) };
}

function shapeIn(timeZone: string) {
  const since = inZone(FILTER.since, timeZone);
  return { ...FILTER, since, until: inZone(FILTER.until, timeZone), sort: LIST.sort, cursor: LIST.cursor };
}

function inZone(time: Parameter<Date | null>, timeZone: string): Parameter<Date | null> {
  const read = (given: readonly string[], name: string) => {
    const at = time.read(given, name);
    return at !== null && /^\d{4}-\d\d-\d\d$/.test(given[0] ?? '') ? dayIn(timeZone, at) : at;
  };
  return { ...time, read };
}

/** The place of a page in the list; `path`: the address of another form of the list. */
export type ListPlace = Partial<Pick<ConsignmentPage, 'sort' | 'cursor'>> & { readonly path?: string };

/** The address of the list with this filter. */
export function listAddress(
  filter: ConsignmentFilter,
  { sort = 'newest', cursor = null, path = '/consignments' }: ListPlace = {},
): string {
  const order = sort === 'newest' ? [] : [['sort', sort] as const];
  return addressOfPairs(path, [...inAddress(filter), ...order, ...(cursor ? ([['cursor', cursor]] as const) : [])]);
}

/** A list that is looked at often; the area of the filter stays. */
export interface ListView {
  readonly name: string;
  readonly filter: ConsignmentFilter;
  readonly href: string;
  readonly isChosen: boolean;
}

export function viewsOf({ areas, ...filter }: ConsignmentFilter): readonly ListView[] {
  const current = listAddress({ areas, ...filter });
  return VIEWS.map(([name, states, needsOperator]) => {
    const own = { ...ALL, areas, states, needsOperator };
    const href = listAddress(own);
    return { name, filter: own, href, isChosen: href === current };
  });
}

/** A view, with how many it has: `1,000+` where there are more. */
export interface CountedView extends ListView {
  readonly count: string;
}

/** @param counts of the views; `null`: all consignments are not counted */
export function countedViews(views: readonly ListView[], counts: readonly (number | null)[]): readonly CountedView[] {
  return views.map((view, place) => {
    const number = counts[place] ?? null;
    if (number === null) return { ...view, count: '' };
    return {
      ...view,
      count: number > MAX_COUNTED_CONSIGNMENTS ? `${count(MAX_COUNTED_CONSIGNMENTS)}+` : count(number),
    };
  });
}

const ALL: ConsignmentFilter = {
  ...{ states: null, areas: null, accounts: null, carriers: null },
  ...{ since: null, until: null, needsOperator: null, q: null },
};
const VIEWS: readonly (readonly [name: string, states: ConsignmentFilter['states'], needsOperator: true | null])[] = [
  ['All', null, null],
  ['Unconfirmed', null, true],
  ['Not finished', statesThat(({ isEnd }) => !isEnd), null],
  ...statesThat(({ needsCorrection }) => needsCorrection).map((state) => [wordOf(state), [state], null] as const),
];

/** A part of the filter, with its values. */
export interface Chip {
  readonly name: string;
  /** Of the address. */
  readonly field: string;
  readonly values: readonly {
    /** Of the address. */
    readonly value: string;
    readonly words: string;
    /** The address of the list without this value. */
    readonly without: string;
  }[];
}

const CHIPS: readonly (readonly [name: string, field: string])[] = [
  ['State', 'state'],
  ['Area', 'area'],
  ['Account', 'account'],
  ['Carrier', 'carrier'],
  ['Needs a person', 'needsOperator'],
  ['Since', 'since'],
  ['Before', 'until'],
];

/** @param timeWords a time as an operator reads it */
export function chipsOf(
  filter: ConsignmentFilter,
  sort: ConsignmentPage['sort'],
  timeWords: (at: Date) => string,
): readonly Chip[] {
  const pairs = inAddress(filter);
  const order = sort === 'newest' ? [] : [['sort', sort] as const];
  return CHIPS.flatMap(([name, field]) => {
    const values = pairs
      .filter(([own]) => own === field)
      .map((pair) => ({
        value: pair[1],
        words: field === 'since' || field === 'until' ? timeWords(new Date(pair[1])) : wordsOf(field, pair[1]),
        without: addressOfPairs('/consignments', [...pairs.filter((each) => each !== pair), ...order]),
      }));
    return values.length === 0 ? [] : [{ name, field, values }];
  });
}

function wordsOf(field: string, value: string): string {
  return field === 'needsOperator' ? (value === 'true' ? 'yes' : 'no') : value;
}

type Pair = readonly [field: string, value: string];

function inAddress(filter: ConsignmentFilter): readonly Pair[] {
  const { states, areas, accounts, carriers, since, until, needsOperator, q } = filter;
  const all: readonly (readonly [field: string, values: readonly string[] | null])[] = [
    ['state', states],
    ['area', areas],
    ['account', accounts],
    ['carrier', carriers],
    ['since', since && [since.toISOString()]],
    ['until', until && [until.toISOString()]],
    ['needsOperator', needsOperator === null ? null : [String(needsOperator)]],
    ['q', q === null ? null : [q]],
  ];
  return all.flatMap(([field, values]) => [...new Set(values ?? [])].map((value) => [field, value] as const));
}
