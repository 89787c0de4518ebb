import sift from 'sift';
import { isJsonObject } from '../../../carriers/contract/json.js';
import type { Condition, Leaf } from './query.js';

/** The package is CommonJS: its function is the `default` of what Node imports. */
const matches = sift.default;

/** The longest text of the IMS; a pattern is matched against no more, and explanations show no more. */
export const MAX_TEXT = 255;

/** A test of one field, e.g. `weightKg $gte 20`. Rules with the same test share one predicate. */
export interface Predicate {
  /** Dotted. */
  readonly field: string;
  readonly path: readonly string[];
  /** The first part of the path. */
  readonly root: string;
  /** For explanations, e.g. `$gte 20`. */
  readonly text: string;
  /** @param values of the shipment's fields, by name */
  readonly holds: (values: unknown) => boolean;
}

/** A condition whose leaves are indexes of predicates. */
export type Compiled =
  | { readonly kind: 'leaf'; readonly predicate: number }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Compiled[] }
  | { readonly kind: 'not'; readonly of: Compiled };

/** Compiles the conditions of all rules, and collects their predicates. */
export interface ConditionCompiler {
  readonly predicates: readonly Predicate[];
  readonly compile: (condition: Condition) => Compiled;
}

export function createConditionCompiler(): ConditionCompiler {
  const predicates: Predicate[] = [];
  const indexes = new Map<string, number>();

  function indexOf(leaf: Leaf): number {
    const key = JSON.stringify([leaf.field, leaf.operator, leaf.operand, leaf.flags]);
    const index = indexes.get(key) ?? predicates.push(toPredicate(leaf)) - 1;
    indexes.set(key, index);
    return index;
  }

  function compile(condition: Condition): Compiled {
    switch (condition.kind) {
      case 'leaf':
        return { kind: 'leaf', predicate: indexOf(condition) };
      case 'not':
        return { kind: 'not', of: compile(condition.of) };
      case 'all':
      case 'any':
        return { kind: condition.kind, of: condition.of.map(compile) };
    }
  }

  return { predicates, compile };
}

function toPredicate(leaf: Leaf): Predicate {
  const { field, operator, operand, flags } = leaf;
  const path = field.split('.');
  const [root = field] = path;
  const isCarrier = field === CARRIER && EQUALITIES.includes(operator);
  const wanted = isCarrier ? inSmallLetters(operand) : operand;
  const query = { [field]: { [operator]: wanted, ...(flags === '' ? {} : { $options: flags }) } };
  const test = matches<unknown>(query, { operations: OPERATIONS });
  const holds = isCarrier ? (values: unknown) => test({ [CARRIER]: inSmallLetters(carrierIn(values)) }) : test;
  return { field, path, root, text: textOf(leaf), holds };
}

/** Names of carriers are compared as `sameName` does. */
const CARRIER = 'carrierName';
const EQUALITIES = ['$eq', '$ne', '$in', '$nin'];

function carrierIn(values: unknown): unknown {
  return isJsonObject(values) ? values[CARRIER] : null;
}

function inSmallLetters(name: unknown): unknown {
  if (Array.isArray(name)) return name.map(inSmallLetters);
  return typeof name === 'string' ? name.trim().toLowerCase() : name;
}

function textOf({ operator, operand, flags }: Leaf): string {
  return `${operator} ${JSON.stringify(operand)}${flags === '' ? '' : ` (${flags})`}`.slice(0, MAX_TEXT);
}

/**
 * Replaces two operators of sift: in the IMS a field that is null is missing, and a pattern is matched against the first
 * 255 characters only.
 */
const OPERATIONS: NonNullable<NonNullable<Parameters<typeof matches>[1]>['operations']> = {
  $exists: (wanted: boolean, owner, options) =>
    sift.createEqualsOperation((value: unknown) => ((value ?? null) !== null) === wanted, owner, options),
  $regex: (pattern: string, owner: { readonly $options?: string }, options) => {
    const expression = new RegExp(pattern, owner.$options);
    const isMatch = (value: unknown) => typeof value === 'string' && expression.test(value.slice(0, MAX_TEXT));
    return sift.createEqualsOperation(isMatch, owner, options);
  },
};
