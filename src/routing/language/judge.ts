import type { Missing } from '../facts/derived-fields.js';
import type { Facts } from '../facts/facts.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { type Compiled, MAX_TEXT, type Predicate } from './predicates.js';

/** The limit of values of a list in an explanation. */
const MAX_VALUES = 5;

/** `not-known`: it depends on a fact that is not known yet. */
export type Truth = 'true' | 'false' | 'not-known';

/** Why a condition holds, does not hold, or cannot be judged; data, not a sentence. */
export interface Reason {
  readonly field: string;
  /** E.g. `$gte 20`; `not $gte 20` inside a negation. */
  readonly condition: string;
  /** As found: a plain value, a list of them, or `null`. Texts are cut to 255 characters, lists to 5 values. */
  readonly value: unknown;
  /** Why there is no value. */
  readonly why?: Missing;
}

/** Judges conditions for one shipment; evaluates each predicate at most once. */
export interface Judge {
  readonly judge: (condition: Compiled) => Truth;
  /** The predicates that give the condition this truth; none when its truth is another one. */
  readonly reasons: (condition: Compiled, truth: Truth) => readonly Reason[];
}

export function createJudge(facts: Facts, predicates: readonly Predicate[]): Judge {
  const truthOfPredicate = onceEach(predicates, (predicate) => truthOf(predicate, facts));
  const reasonOfPredicate = onceEach(predicates, (predicate) => reasonOf(predicate, facts));

  function judge(condition: Compiled): Truth {
    switch (condition.kind) {
      case 'leaf':
        return truthOfPredicate(condition.predicate);
      case 'not':
        return opposite(judge(condition.of));
      case 'all':
        return combined(condition.of, 'false', judge);
      case 'any':
        return combined(condition.of, 'true', judge);
    }
  }

  function reasons(condition: Compiled, truth: Truth): readonly Reason[] {
    if (judge(condition) !== truth) return [];
    switch (condition.kind) {
      case 'leaf':
        return [reasonOfPredicate(condition.predicate)];
      case 'not':
        return reasons(condition.of, opposite(truth)).map(negated);
      case 'all':
      case 'any':
        return condition.of.flatMap((part) => reasons(part, truth));
    }
  }

  return { judge, reasons };
}

/** Computes the value for the index of a predicate when it is first needed. */
function onceEach<Value>(
  predicates: readonly Predicate[],
  compute: (predicate: Predicate) => Value,
): (index: number) => Value {
  const values: (Value | undefined)[] = [];
  return (index) => {
    const predicate = predicates[index];
    if (!predicate) throw new Error(`there is no predicate ${index}`);
    return (values[index] ??= compute(predicate));
  };
}

function truthOf({ root, holds }: Predicate, facts: Facts): Truth {
  if (facts.notKnown.has(root)) return 'not-known';
  return holds(facts.values) ? 'true' : 'false';
}

function opposite(truth: Truth): Truth {
  if (truth === 'not-known') return truth;
  return truth === 'true' ? 'false' : 'true';
}

/**
 * The truth of several conditions in three-valued logic: one `decisive` part decides, also where others are not known. Without
 * one, a part that is not known leaves the whole not known.
 * @param decisive `false` for a conjunction, `true` for a disjunction
 */
function combined(parts: readonly Compiled[], decisive: 'true' | 'false', judge: (part: Compiled) => Truth): Truth {
  let isKnown = true;
  for (const part of parts) {
    const truth = judge(part);
    if (truth === decisive) return decisive;
    if (truth === 'not-known') isKnown = false;
  }
  return isKnown ? opposite(decisive) : 'not-known';
}

function negated(reason: Reason): Reason {
  const { condition } = reason;
  return { ...reason, condition: condition.startsWith('not ') ? condition.slice('not '.length) : `not ${condition}` };
}

function reasonOf({ field, path, root, text }: Predicate, facts: Facts): Reason {
  const why = facts.notKnown.get(root) ?? facts.none.get(root);
  if (why !== undefined) return { field, condition: text, value: null, why };
  return { field, condition: text, value: shown(valueAt(facts.values, path)) };
}

/** The value at a path; of a list, the values of its first items. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES).map((item: unknown) => valueAt(item, path));
  return isJsonObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : null;
}

/** A value for an explanation; of a list of objects their number. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (Array.isArray(value)) return value.some(isJsonObject) ? `${value.length}` : value.slice(0, MAX_VALUES).map(shown);
  return isJsonObject(value) ? '…' : (value ?? null);
}
