import countries from 'i18n-iso-countries/index.js';
import safeRegex from 'safe-regex2';
import { nearestWord } from '../../../carriers/contract/plain-text.js';
import { contradictions } from './contradictions.js';
import { DERIVED_FIELDS, derivedField } from '../facts/derived-fields.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { type Condition, type Leaf, type QueryProblem, parseQuery } from './query.js';
import type { Query, RoutingRule } from './rule.js';
import {
  type ShipmentField,
  type ShipmentFieldType,
  closedValues,
  shipmentField,
  shipmentPaths,
} from '../facts/shipment-fields.js';

/** The largest edit distance between a misspelled name and the name that the message suggests. */
const FURTHEST_NAME = 5;
const ORDERING = ['$gt', '$gte', '$lt', '$lte'];
const ON_LISTS = ['$size', '$elemMatch', '$exists', '$all'];

const CURRENCIES = new Set(['UNDEFINED', ...Intl.supportedValuesOf('currency')]);

/** A field as a query sees it. */
export interface Known extends ShipmentField {
  readonly min?: number;
  readonly above?: number;
  readonly max?: number;
  readonly whole?: true;
  readonly values?: readonly string[];
}

/** What a query can ask about. */
export interface Vocabulary {
  /** With its article, e.g. `a shipment`. */
  readonly of: string;
  /** @returns `null`: there is no such field */
  readonly fieldAt: (path: string) => Known | null;
  /** The names of all fields, for suggestions. */
  readonly names: readonly string[];
}

/** The fields of a shipment and the derived ones. */
const SHIPMENT: Vocabulary = {
  of: 'a shipment',
  fieldAt,
  names: [...Object.keys(DERIVED_FIELDS), ...shipmentPaths()],
};

/**
 * What is wrong with a rule's conditions, found at start instead of at noon: fields that no shipment has, and conditions
 * that can never hold. `path` begins with `when` or `unless`.
 */
export function ruleProblems(rule: Pick<RoutingRule, 'when' | 'unless'>): readonly QueryProblem[] {
  const { when, unless } = rule;
  if (unless === undefined) return queryProblems(when, 'when', SHIPMENT);
  const always = Object.keys(unless).length === 0;
  const never = { path: 'unless', rule: 'is true of every shipment, so that the rule never matches: leave it out' };
  const inUnless = always ? [never] : queryProblems(unless, 'unless', SHIPMENT);
  return [...queryProblems(when, 'when', SHIPMENT), ...inUnless];
}

/**
 * Finds problems of one query about other fields.
 * @param path of the query; each problem's path begins with it
 */
export function queryProblems(query: Query, path: string, vocabulary: Vocabulary): readonly QueryProblem[] {
  const { condition, problems } = parseQuery(query, path);
  const inLeaves = leavesOf(condition).flatMap((leaf) => leafProblems(leaf, '', vocabulary));
  const found = [...problems, ...inLeaves];
  // A condition that is wrong by itself would be reported as a contradiction too.
  return found.length > 0 ? found : contradictions(condition, vocabulary.fieldAt);
}

function leavesOf(condition: Condition): readonly Leaf[] {
  switch (condition.kind) {
    case 'leaf':
      return [condition];
    case 'not':
      return leavesOf(condition.of);
    default:
      return condition.of.flatMap(leavesOf);
  }
}

function fieldAt(path: string): Known | null {
  const { type, ...limits } = derivedField(path) ?? { type: null };
  if (type !== null) return { type, several: false, ...limits };
  const own = shipmentField(path);
  const values = closedValues(path);
  return own && values ? { ...own, values } : own;
}

/** @param prefix of the list whose elements are asked, with its dot */
function leafProblems(leaf: Leaf, prefix: string, vocabulary: Vocabulary): readonly QueryProblem[] {
  const name = prefix + leaf.field;
  const field = vocabulary.fieldAt(name);
  const problem = (rule: string) => [{ path: leaf.path, rule }];
  if (field === null) return problem(`is not a field of ${vocabulary.of}${didYouMean(name, vocabulary.names)}`);
  const misplaced = misplacedOperator(leaf.operator, field);
  if (misplaced !== null) return problem(misplaced);
  if (leaf.operator === '$elemMatch') return elementProblems(leaf, name, vocabulary);
  const wrong = operandProblem(leaf, field);
  return wrong === null ? [] : problem(wrong);
}

/** `; did you mean …?`, or an empty text. */
export function didYouMean(name: string, names = SHIPMENT.names): string {
  const lower = name.toLowerCase();
  const similar =
    names.find((known) => `.${known.toLowerCase()}`.endsWith(`.${lower}`)) ?? nearestWord(name, names, FURTHEST_NAME);
  return similar === null ? '' : `; did you mean ${similar}?`;
}

function misplacedOperator(operator: string, { type, several }: ShipmentField): string | null {
  if (operator === '$elemMatch' || operator === '$size') {
    return type === 'list' ? null : `${operator} is for lists only`;
  }
  if (operator === '$all') return several ? null : '$all is for fields of lists only: use $in';
  if (type === 'list' || type === 'object') {
    const may = type === 'list' ? ON_LISTS.join(', ') : '$exists';
    return operator === '$exists' ? null : `is no plain value: ask for one of its fields, or use ${may}`;
  }
  return null;
}

/** The fields of the query are those of the elements. */
function elementProblems({ operand, path }: Leaf, name: string, vocabulary: Vocabulary): readonly QueryProblem[] {
  if (!isJsonObject(operand)) return [];
  return leavesOf(parseQuery(operand, path).condition).flatMap((leaf) => leafProblems(leaf, `${name}.`, vocabulary));
}

function operandProblem({ operator, operand, flags, field: name }: Leaf, field: Known): string | null {
  switch (operator) {
    case '$exists':
      return null;
    case '$size':
      return name === 'shippingContainers' && operand === 0 ? NEVER_EMPTY : null;
    case '$mod':
      return field.type === 'number' ? null : '$mod is for numbers only';
    case '$regex':
      return patternProblem(operand, flags, field.type);
    default:
      return plainProblem(operator, operand, field);
  }
}

const NEVER_EMPTY = 'can never be true: before packing nothing is known of the containers';

function patternProblem(pattern: unknown, flags: string, type: Known['type']): string | null {
  if (type === 'number' || type === 'boolean') return `$regex is for texts; this is a ${type}`;
  try {
    const expression = new RegExp(String(pattern), flags);
    return safeRegex(expression) ? null : '$regex could take for ever: it repeats what repeats already';
  } catch {
    // The error's message would quote the pattern.
    return '$regex is not a regular expression';
  }
}

function plainProblem(operator: string, operand: unknown, field: Known): string | null {
  const values: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  if (values.length === 0 && operator !== '$nin') return 'can never be true: the list is empty';
  const ordering = ORDERING.includes(operator);
  if (ordering && field.type === 'boolean') return `${operator} is for numbers and texts; this is a boolean`;
  const wrong = (value: unknown) => typeProblem(value, field.type) ?? (ordering ? null : rangeProblem(value, field));
  return (
    values
      .filter((value) => value !== null)
      .map(wrong)
      .find((problem) => problem !== null) ?? null
  );
}

const TYPE_OF = {
  text: 'string',
  country: 'string',
  currency: 'string',
  number: 'number',
  boolean: 'boolean',
} as const;

const WRITTEN: Readonly<Record<ShipmentFieldType, string>> = {
  text: 'is a text, and a text is never equal to or compared with what is none: put it between quotes',
  country: 'is a country: a text such as DK',
  currency: 'is a currency: a text such as DKK',
  number: 'is a number: write it without quotes',
  boolean: 'is true or false',
};

function typeProblem(value: unknown, type: Known['type']): string | null {
  if (type === 'object' || type === 'list') return null;
  if (typeof value !== TYPE_OF[type]) return WRITTEN[type];
  if (type === 'country' && !isCountry(String(value))) {
    return 'can never be true: countries are two capital letters of ISO 3166-1, e.g. DK, or UNDEFINED';
  }
  return type === 'currency' && !CURRENCIES.has(String(value))
    ? 'can never be true: currencies are three capital letters of ISO 4217, e.g. DKK, or UNDEFINED'
    : null;
}

function isCountry(code: string): boolean {
  return code === 'UNDEFINED' || (/^[A-Z]{2}$/.test(code) && countries.isValid(code));
}

function rangeProblem(value: unknown, field: Known): string | null {
  const { values } = field;
  if (values && !values.includes(String(value))) return `can never be true: it is one of ${values.join(', ')}`;
  return typeof value === 'number' ? numberProblem(value, field) : null;
}

function numberProblem(value: number, { min, above, max, whole }: Known): string | null {
  if (whole && !Number.isInteger(value)) return 'can never be true: it is a whole number';
  if (min !== undefined && value < min) return `can never be true: it is at least ${min}`;
  if (above !== undefined && value <= above) return `can never be true: it is more than ${above}`;
  return max !== undefined && value > max ? `can never be true: it is at most ${max}` : null;
}
