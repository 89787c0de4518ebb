import { isJsonObject } from '../../../carriers/contract/json.js';
import type { Query } from './rule.js';

/** Operators that test one field. */
const OPERATORS: readonly string[] = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$regex',
  '$options',
  '$not',
  '$all',
  '$size',
  '$mod',
  '$elemMatch',
];
const LOGICAL = ['$and', '$or', '$nor'];
const MAX_DEEP = 12;

/** One condition on one field. */
export interface Leaf {
  readonly kind: 'leaf';
  /** Dotted. */
  readonly field: string;
  readonly operator: string;
  readonly operand: unknown;
  /** The flags of `$regex`; otherwise empty. */
  readonly flags: string;
  /** Its place in the query. */
  readonly path: string;
}

/** A parsed query: one node for each part that sift evaluates as one question. */
export type Condition =
  | Leaf
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition };

export interface QueryProblem {
  readonly path: string;
  /** Never contains a value, which may have come from the environment. */
  readonly rule: string;
}

export interface ParsedQuery {
  readonly condition: Condition;
  readonly problems: readonly QueryProblem[];
}

/** Takes a query apart; pure. What cannot be understood is left out of the condition and named in `problems`. */
export function parseQuery(query: Query, path: string): ParsedQuery {
  const problems: QueryProblem[] = [];
  const reading: Reading = { depth: 0, path, refuse: (at, rule) => problems.push({ path: at, rule }) };
  return { condition: readQuery(query, reading), problems };
}

interface Reading {
  readonly path: string;
  readonly depth: number;
  readonly refuse: (path: string, rule: string) => void;
}

function inside(reading: Reading, name: string): Reading {
  return { ...reading, path: `${reading.path}.${name}`, depth: reading.depth + 1 };
}

function readQuery(query: unknown, reading: Reading): Condition {
  if (!isJsonObject(query)) return refused(reading, 'must be an object of conditions');
  if (reading.depth > MAX_DEEP) return refused(reading, `is nested deeper than ${MAX_DEEP}`);
  return all(Object.entries(query).map(([name, value]) => readEntry(name, value, inside(reading, name))));
}

function readEntry(name: string, value: unknown, reading: Reading): Condition {
  if (LOGICAL.includes(name)) return readLogical(name, value, reading);
  if (name === '$not') return { kind: 'not', of: readQuery(value, reading) };
  if (name.startsWith('$')) return refused(reading, notAllowed(name));
  return readField(name, value, reading);
}

function notAllowed(name: string): string {
  if (name === '$where' || name === '$expr') return `must not use ${name}`;
  if (OPERATORS.includes(name)) return `needs a field: { field: { ${name}: … } }`;
  return `${name} is not an operator; there are ${[...LOGICAL, ...OPERATORS].join(', ')}`;
}

function readLogical(name: string, value: unknown, reading: Reading): Condition {
  if (!Array.isArray(value) || value.length === 0) return refused(reading, 'must be a list with at least one query');
  const of = value.map((query: unknown, index) => readQuery(query, { ...reading, path: `${reading.path}[${index}]` }));
  if (name === '$and') return all(of);
  return name === '$or' ? { kind: 'any', of } : { kind: 'not', of: { kind: 'any', of } };
}

function readField(field: string, value: unknown, reading: Reading): Condition {
  if (!isJsonObject(value)) return readEquality(field, value, reading);
  const names = Object.keys(value);
  const operators = names.filter((name) => name.startsWith('$'));
  if (operators.length === 0) {
    const inner = names[0] ?? 'name';
    return refused(reading, `would have to be exactly this object: write ${field}.${inner} for one of its fields`);
  }
  const odd = names.filter((name) => !OPERATORS.includes(name));
  for (const name of odd) reading.refuse(`${reading.path}.${name}`, notAllowed(name));
  const flags = value['$options'] ?? '';
  if (typeof flags !== 'string' || !/^[imsu]*$/.test(flags)) return refused(reading, '$options may hold i, m, s and u');
  if (flags !== '' && !Object.hasOwn(value, '$regex')) return refused(reading, '$options needs a $regex');
  const asked = operators.filter((name) => name !== '$options' && !odd.includes(name));
  return all(
    asked.map((operator) =>
      readOperator({ field, operator, operand: value[operator], flags }, inside(reading, operator)),
    ),
  );
}

function readEquality(field: string, value: unknown, reading: Reading): Condition {
  if (Array.isArray(value)) return refused(reading, 'is a list: write { $in: […] } for one of several');
  return { kind: 'leaf', field, operator: '$eq', operand: value, flags: '', path: reading.path };
}

interface Asked {
  readonly field: string;
  readonly operator: string;
  readonly operand: unknown;
  readonly flags: string;
}

function readOperator({ field, operator, operand, flags }: Asked, reading: Reading): Condition {
  if (operator === '$not') return { kind: 'not', of: readNegated(field, operand, reading) };
  const problem = operandProblem(operator, operand);
  if (problem !== null) return refused(reading, problem);
  if (operator === '$elemMatch') return readElement(field, operand, reading);
  // The opposite of an operator means, for a list, that no element has the value, as everywhere else in the language.
  const leaf: Leaf = { kind: 'leaf', field, operator, operand, flags: '', path: reading.path };
  if (operator === '$exists' && operand === false) return { kind: 'not', of: { ...leaf, operand: true } };
  return operator === '$regex' ? { ...leaf, flags } : leaf;
}

function readNegated(field: string, operand: unknown, reading: Reading): Condition {
  if (!isJsonObject(operand)) return refused(reading, 'must hold a condition, e.g. { $not: { $gte: 20 } }');
  return readField(field, operand, reading);
}

/** Reads `$elemMatch` as one condition, since all of it must hold for one element; its parts are read to be checked. */
function readElement(field: string, operand: unknown, reading: Reading): Condition {
  readQuery(operand, reading);
  return { kind: 'leaf', field, operator: '$elemMatch', operand, flags: '', path: reading.path };
}

/** The shape of what an operator is given, whatever the field. */
function operandProblem(operator: string, operand: unknown): string | null {
  const { fits, rule } = OPERANDS.get(operator) ?? PLAIN;
  return fits(operand) ? null : rule;
}

interface Operand {
  readonly fits: (operand: unknown) => boolean;
  readonly rule: string;
}

const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
const PLAIN: Operand = { fits: isPlain, rule: 'must be a plain value' };
const PLAIN_LIST: Operand = {
  fits: (operand) => Array.isArray(operand) && operand.every(isPlain),
  rule: 'must be a list of plain values',
};
const LIMIT: Operand = {
  fits: (operand) => typeof operand === 'number' || typeof operand === 'string',
  rule: 'must be a number or a text',
};
const OPERANDS = new Map<string, Operand>([
  ...['$in', '$nin', '$all'].map((operator) => [operator, PLAIN_LIST] as const),
  ...['$gt', '$gte', '$lt', '$lte'].map((operator) => [operator, LIMIT] as const),
  ['$exists', { fits: (operand) => typeof operand === 'boolean', rule: 'must be true or false' }],
  ['$size', { fits: isWhole, rule: 'must be a whole number' }],
  ['$mod', { fits: isDivision, rule: 'must be two whole numbers: divisor and rest' }],
  ['$regex', { fits: (operand) => typeof operand === 'string', rule: 'must be a text' }],
  ['$elemMatch', { fits: isJsonObject, rule: 'must be a query' }],
]);

function isDivision(operand: unknown): boolean {
  return Array.isArray(operand) && operand.length === 2 && operand.every(isWhole) && operand[0] !== 0;
}

function isWhole(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function all(of: readonly Condition[]): Condition {
  const [only] = of;
  return of.length === 1 && only ? only : { kind: 'all', of };
}

function refused(reading: Reading, rule: string): Condition {
  reading.refuse(reading.path, rule);
  return { kind: 'all', of: [] };
}
