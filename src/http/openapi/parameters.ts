import { nearestWord } from '../../../carriers/contract/plain-text.js';
import { BadRequest } from '../bad-request.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** One parameter of a query: how it is read, and how `/api/openapi.json` describes it. */
export interface Parameter<Value> {
  readonly description: string;
  /** The schema of one value. */
  readonly schema: JsonSchema;
  /** Whether it may be given several times, or as values between commas. */
  readonly several: 'yes' | 'no';
  /** @param given empty where it is missing @throws BadRequest */
  read(given: readonly string[], name: string): Value;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type ParameterValues<Shape extends Parameters> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Parameter<infer Value> ? Value : never;
};

/**
 * Reads a query by its description; an empty parameter counts as missing.
 * @throws BadRequest for an unknown parameter, with the known ones, or a value that cannot be read
 */
export function readQuery<Shape extends Parameters>(
  shape: Shape,
  query: Readonly<Record<string, unknown>>,
): ParameterValues<Shape> {
  for (const name of Object.keys(query)) if (!Object.hasOwn(shape, name)) throw unknownParameter(name, shape);
  const read = Object.entries(shape).map(([name, parameter]) => [name, readOne(name, parameter, query[name])] as const);
  return Object.fromEntries(read) as ParameterValues<Shape>;
}

const MAX_SHOWN = 60;

function unknownParameter(name: string, shape: Parameters): BadRequest {
  const known = Object.keys(shape);
  if (known.length === 0)
    return new BadRequest(`"${name.slice(0, MAX_SHOWN)}" is not a parameter: there are none here`);
  const nearest = nearestOf(name, known);
  const meant = nearest === null ? '.' : `: do you mean "${nearest}"?`;
  return new BadRequest(`"${name.slice(0, MAX_SHOWN)}" is not a parameter here${meant} Known are ${known.join(', ')}`);
}

/** Half of a word's letters may be wrong, at most three. */
function nearestOf(word: string, known: readonly string[]): string | null {
  if (word.length > MAX_SHOWN) return null;
  return nearestWord(word, known, Math.min(3, Math.floor(word.length / 2)));
}

/** More values of one parameter than any filter needs. */
const MAX_VALUES = 50;
const VISIBLE = /^\P{Cc}{1,200}$/u;

function readOne(name: string, { several, read }: Parameter<unknown>, given: unknown): unknown {
  const all = given === undefined ? [] : Array.isArray(given) ? (given as readonly unknown[]) : [given];
  const texts = all.filter((each) => each !== '');
  if (texts.length > (several === 'yes' ? MAX_VALUES : 1)) throw new BadRequest(`${name} is given too often`);
  return read(
    texts.map((each) => visible(name, each)),
    name,
  );
}

function visible(name: string, given: unknown): string {
  if (typeof given === 'string' && VISIBLE.test(given) && given.isWellFormed()) return given;
  throw new BadRequest(`${name} is text of at most 200 visible characters`);
}

/** `null`: not given. */
export function freeText(description: string): Parameter<string | null> {
  const schema = { type: 'string', minLength: 1, maxLength: 200 };
  return { description, schema, several: 'no', read: ([given = null]) => given };
}

/** Names of things; `null`: not given. */
export function names(description: string): Parameter<readonly string[] | null> {
  const schema = { type: 'string', minLength: 1, maxLength: 200 };
  return { description, schema, several: 'yes', read: (given) => (given.length === 0 ? null : given) };
}

/** Some of several words; `null`: not given. */
export function someWords<Word extends string>(
  words: readonly Word[],
  description: string,
  { formerly = {} }: { readonly formerly?: Readonly<Record<string, Word>> } = {},
): Parameter<readonly Word[] | null> {
  const nowadays = new Map<string, Word>(Object.entries(formerly));
  return {
    description,
    schema: { type: 'string', enum: words },
    several: 'yes',
    read: (given, name) => {
      const all = given.flatMap((each) => each.split(',')).filter((each) => each !== '');
      return all.length === 0 ? null : all.map((each) => wordIn(words, nowadays.get(each) ?? each, name));
    },
  };
}

/** One of several words, `usual` where it is missing. */
export function oneWord<Word extends string, Usual extends Word | null>(
  words: readonly Word[],
  description: string,
  usual: Usual,
): Parameter<Word | Usual> {
  return {
    description,
    schema: { type: 'string', enum: words, ...(usual !== null && { default: usual }) },
    several: 'no',
    read: ([given], name) => (given === undefined ? usual : wordIn(words, given, name)),
  };
}

function wordIn<Word extends string>(words: readonly Word[], given: string, name: string): Word {
  const known = words.find((word) => word === given);
  if (known !== undefined) return known;
  const nearest = nearestOf(given, words);
  const meant = nearest === null ? '' : `; do you mean "${nearest}"?`;
  throw new BadRequest(`${name} is one of ${words.join(', ')}${meant}`);
}

/** `null`: not given. */
export function flag(description: string): Parameter<boolean | null> {
  return {
    description,
    schema: { type: 'boolean' },
    several: 'no',
    read: ([given], name) => {
      if (given === undefined) return null;
      if (given === 'true' || given === 'false') return given === 'true';
      throw new BadRequest(`${name} is true or false`);
    },
  };
}

/** `null`: not given. A date without a time means midnight UTC. */
export function time(description: string): Parameter<Date | null> {
  return {
    description: `${description}. A date (midnight UTC), or a time with its zone`,
    schema: { type: 'string', examples: ['2026-03-04', '2026-03-04T12:00:00Z'] },
    several: 'no',
    read: ([given], name) => {
      if (given === undefined) return null;
      const at = timeIn(given);
      if (at === null) throw new BadRequest(`${name} is a time, e.g. 2026-03-04T12:00:00Z or 2026-03-04`);
      return at;
    },
  };
}

/** Postgres has no year 0, and a page reads a date in the zone of an area, which may be a day earlier. */
const FIRST_TIME = new Date('0001-01-02T00:00:00Z');
/** The last time that is taken: JavaScript writes the year of a later one in a way that Postgres cannot read. */
const LAST_TIME = new Date('9999-12-31T23:59:59.999Z');

/**
 * A date without a time means midnight UTC. A time needs its zone, because the machine's own zone would decide
 * otherwise.
 */
export function timeIn(given: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(given)) return null;
  const at = new Date(given);
  return at >= FIRST_TIME && at <= LAST_TIME ? at : null;
}

const MAX_ROWS = 200;
const ROWS = 50;

/** The length of a page. */
export const limit: Parameter<number> = {
  description: 'How many rows to answer with',
  schema: { type: 'integer', minimum: 1, maximum: MAX_ROWS, default: ROWS },
  several: 'no',
  read: ([given], name) => {
    const rows = Number(given ?? ROWS);
    if (!Number.isInteger(rows) || rows < 1 || rows > MAX_ROWS) throw new BadRequest(`${name} is 1 to ${MAX_ROWS}`);
    return rows;
  },
};

/** Reads the place where a page begins. @param form what the answers of this list end with */
export function cursor(form: RegExp): Parameter<string | null> {
  return {
    description: 'The `cursor` of the page before',
    schema: { type: 'string' },
    several: 'no',
    read: ([given = null], name) => {
      if (given !== null && !form.test(given)) throw new BadRequest(`${name} is what the page before ended with`);
      return given;
    },
  };
}

/** A cursor that is a row's number, which fits into a `bigint`. */
export const numberCursor = cursor(/^\d{1,18}$/);
