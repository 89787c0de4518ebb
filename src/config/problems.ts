import { type ValidationError, getMetadataStorage } from 'class-validator';
import { nearestWord } from '../../carriers/contract/plain-text.js';
import type { SettingProblem } from './environment.js';

const UNKNOWN_KEY = 'is not a known key';
const MEANT = '; did you mean ';
/** The largest edit distance between a misspelled key and the key that the message suggests. */
const FURTHEST_KEY = 3;
const NOT_NESTED = 'must have keys with values';
/** A missing value breaks all of its rules. The message shows these, since they say what to write. */
const TELLING = ['isDefined', 'isNotEmpty', 'isString'];

/**
 * Flattens the errors of class-validator into one problem a value, each with its path: the most helpful of the value's errors.
 */
export function flatten(error: ValidationError, parent: string): SettingProblem[] {
  const index = /^\d+$/.test(error.property);
  const where = index ? `${parent}[${error.property}]` : [parent, error.property].filter(Boolean).join('.');
  const rule = ruleOf(error);
  const own = rule === null ? [] : [{ where, rule }];
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, where))];
}

/** Whether a problem from `flatten` is an unknown key. */
export function isUnknownKey({ rule }: SettingProblem): boolean {
  return rule.startsWith(UNKNOWN_KEY);
}

/** Whether a problem from `flatten` is an unknown key that resembles a known one. */
export function isMisspelt(problem: SettingProblem): boolean {
  return isUnknownKey(problem) && problem.rule.includes(MEANT);
}

/** The problem of an account whose carrier there is not. @param known ids of carriers */
export function unknownCarrier(account: string, carrier: string, known: readonly string[]): SettingProblem {
  const meant = known.find((id) => id.startsWith(`${carrier}-`)) ?? nearestWord(carrier, known, 2);
  const guess = meant === null ? '' : `did you mean ${meant}? `;
  const rule = `is not a carrier we have; ${guess}there are: ${known.join(', ')}`;
  return { where: `accounts.${account}.carrier`, rule };
}

function ruleOf({ constraints = {}, property, target, value }: ValidationError): string | null {
  const [first] = Object.entries(constraints);
  if (first === undefined) return null;
  if (first[0] === 'whitelistValidation') return `${UNKNOWN_KEY}${suggestion(property, target)}`;
  if (value === undefined) return missing(constraints, first[1]);
  return first[0] === 'nestedValidation' ? NOT_NESTED : (constraints['isInt'] ?? first[1]);
}

function missing(constraints: Readonly<Record<string, string>>, otherwise: string): string {
  const name = TELLING.find((each) => constraints[each] !== undefined);
  const words = (name === undefined ? undefined : constraints[name]) ?? otherwise;
  return words.startsWith('missing') ? words : `missing; ${words}`;
}

function suggestion(key: string, target: object | undefined): string {
  if (target === undefined) return '';
  const rules = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', true, false);
  const known = [...new Set(rules.map(({ propertyName }) => propertyName))];
  const meant = nearestWord(key, known, Math.min(FURTHEST_KEY, Math.ceil(key.length / 2)));
  return meant === null ? '' : `${MEANT}${meant}?`;
}
