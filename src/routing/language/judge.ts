import sift from 'sift';
import type { Missing } from '../facts/derived-fields.js';
import type { Facts } from '../facts/facts.js';
import { isObject } from '../facts/json-values.js';
import type { Condition, Leaf } from './query.js';

/** The package is CommonJS: its function is the `default` of what Node imports. */
const matches = sift.default;

/** The longest text of the IMS; a pattern is not asked of more. */
const MAX_TEXT = 255;
/** Of a list, as many values go into an explanation. */
const MAX_VALUES = 5;

/** `not-known`: it depends on what is not known. */
export type Truth = 'true' | 'false' | 'not-known';

/** Why a condition holds, does not hold, or cannot be judged; data, not a sentence. */
export interface Reason {
  readonly field: string;
  /** E.g. `$gte 20`; in front of it `not` where the opposite is asked for. */
  readonly condition: string;
  /** As found: a plain value, a list of them, or `null`. Texts are cut to 255 characters, lists to 5 values. */
  readonly value: unknown;
  /** Why there is no value. */
  readonly why?: Missing;
}

/** A question that several rules may ask; each is answered once a shipment. */
export interface Question {
  readonly path: readonly string[];
  readonly root: string;
  readonly field: string;
  /** For reasons. */
  readonly text: string;
  readonly holds: (values: unknown) => boolean;
}

/** Conditions whose leaves are numbers of questions. */
export type Compiled =
  | { readonly kind: 'leaf'; readonly question: number }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Compiled[] }
  | { readonly kind: 'not'; readonly of: Compiled };

/** Collects the questions of all rules, equal ones once. */
export interface QuestionBook {
  readonly questions: readonly Question[];
  readonly compile: (condition: Condition) => Compiled;
}

export function createQuestionBook(): QuestionBook {
  const questions: Question[] = [];
  const known = new Map<string, number>();
  const compile = (condition: Condition): Compiled => {
    switch (condition.kind) {
      case 'leaf': {
        const { field, operator, operand, flags } = condition;
        const key = JSON.stringify([field, operator, operand, flags]);
        const question = known.get(key) ?? questions.push(toQuestion(condition)) - 1;
        known.set(key, question);
        return { kind: 'leaf', question };
      }
      case 'not':
        return { kind: 'not', of: compile(condition.of) };
      default:
        return { kind: condition.kind, of: condition.of.map(compile) };
    }
  };
  return { questions, compile };
}

function toQuestion(leaf: Leaf): Question {
  const { field, operator, operand, flags } = leaf;
  const path = field.split('.');
  const [root = field] = path;
  const asked = { [field]: { [operator]: operand, ...(flags === '' ? {} : { $options: flags }) } };
  return { field, path, root, text: conditionText(leaf), holds: matches<unknown>(asked, { operations: OPERATIONS }) };
}

/**
 * Where sift differs from what the IMS means: a field that is null is not there, and a text may be longer than a pattern
 * should be asked of.
 */
const OPERATIONS: NonNullable<NonNullable<Parameters<typeof matches>[1]>['operations']> = {
  $exists: (wanted: boolean, owner, options) =>
    sift.createEqualsOperation((value: unknown) => ((value ?? null) !== null) === wanted, owner, options),
  $regex: (pattern: string, owner: { readonly $options?: string }, options) => {
    const expression = new RegExp(pattern, owner.$options);
    const found = (value: unknown) => typeof value === 'string' && expression.test(value.slice(0, MAX_TEXT));
    return sift.createEqualsOperation(found, owner, options);
  },
};

/** Answers questions about one shipment. */
export interface Judge {
  readonly judge: (condition: Compiled) => Truth;
  /** Everything that makes the condition be `truth`. */
  readonly reasons: (condition: Compiled, truth: Truth) => readonly Reason[];
}

export function createJudge(facts: Facts, questions: readonly Question[]): Judge {
  const answers: (Truth | undefined)[] = [];
  const questionAt = (index: number): Question => {
    const question = questions[index];
    if (!question) throw new Error(`there is no question ${index}`);
    return question;
  };
  const answer = (index: number): Truth => (answers[index] ??= answerTo(questionAt(index), facts));
  const judge = (condition: Compiled): Truth => {
    switch (condition.kind) {
      case 'leaf':
        return answer(condition.question);
      case 'not':
        return opposite(judge(condition.of));
      case 'all':
        return strongest(condition.of, 'false', judge);
      case 'any':
        return strongest(condition.of, 'true', judge);
    }
  };
  const told: (Reason | undefined)[] = [];
  const reasonAt = (index: number): Reason => (told[index] ??= reasonOf(questionAt(index), facts));
  const collect = (condition: Compiled, truth: Truth, found: Reason[]): void => {
    if (judge(condition) !== truth) return;
    switch (condition.kind) {
      case 'leaf':
        found.push(reasonAt(condition.question));
        break;
      case 'not': {
        const inside: Reason[] = [];
        collect(condition.of, opposite(truth), inside);
        found.push(...inside.map(negated));
        break;
      }
      default:
        for (const part of condition.of) collect(part, truth, found);
    }
  };
  const reasons = (condition: Compiled, truth: Truth): readonly Reason[] => {
    const found: Reason[] = [];
    collect(condition, truth, found);
    return found;
  };
  return { judge, reasons };
}

function answerTo({ root, holds }: Question, facts: Facts): Truth {
  if (facts.notKnown.has(root)) return 'not-known';
  return holds(facts.values) ? 'true' : 'false';
}

function opposite(truth: Truth): Truth {
  if (truth === 'not-known') return truth;
  return truth === 'true' ? 'false' : 'true';
}

/** One part that is `decisive` decides; otherwise one that is not known leaves it open. */
function strongest(parts: readonly Compiled[], decisive: 'true' | 'false', judge: (part: Compiled) => Truth): Truth {
  let truth: Truth = opposite(decisive);
  for (const part of parts) {
    const found = judge(part);
    if (found === decisive) return decisive;
    if (found === 'not-known') truth = found;
  }
  return truth;
}

function negated(reason: Reason): Reason {
  const { condition } = reason;
  return { ...reason, condition: condition.startsWith('not ') ? condition.slice('not '.length) : `not ${condition}` };
}

function reasonOf({ field, path, root, text }: Question, facts: Facts): Reason {
  const why = facts.notKnown.get(root) ?? facts.none.get(root);
  const value = why === undefined ? shown(valueAt(facts.values, path)) : null;
  return { field, condition: text, value, ...(why === undefined ? {} : { why }) };
}

function conditionText({ operator, operand, flags }: Leaf): string {
  return `${operator} ${JSON.stringify(operand)}${flags === '' ? '' : ` (${flags})`}`.slice(0, MAX_TEXT);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES).map((item: unknown) => valueAt(item, path));
  return isObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : null;
}

/** An object or a list of objects says nothing to a reader: how many there are is enough. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (Array.isArray(value)) return value.some(isObject) ? `${value.length}` : value.slice(0, MAX_VALUES).map(shown);
  return isObject(value) ? '…' : (value ?? null);
}
