import type { Rule } from './rules.js';
import { isFilled, isSent, isUpTo, matches } from './rules.js';

/** A rule of a form: what is there is needed, or has a certain form. */
export interface FormRule extends Rule {
  readonly breach: 'missing' | 'invalid';
}

export const NEEDED: FormRule = { isMet: isFilled, breach: 'missing' };

export function valid(isMet: Rule['isMet']): FormRule {
  return { isMet, breach: 'invalid' };
}

export function upTo(longest: number): FormRule {
  return valid(isUpTo(longest));
}

/** A missing value passes none of them. */
export function oneOf(...words: readonly string[]): FormRule {
  return valid((value) => words.some((word) => word === value));
}

export const A_TEXT = valid((value) => typeof value === 'string' && value !== '');
export const A_FLAG = valid((value) => typeof value === 'boolean');
export const A_WHOLE_NUMBER = valid((value) => Number.isInteger(value) && Number(value) >= 0);
export const A_MEASURE = valid((value) => typeof value === 'number' && value > 0);
export const A_COUNTRY = valid((value) => isSent(value) && matches(/^[A-Z]{2}$/)(value));

/** A path with each of several names at its end, or several paths with all of them. */
export function under(paths: string | readonly string[], ...names: readonly string[]): readonly string[] {
  return [paths].flat().flatMap((path) => names.map((name) => `${path}.${name}`));
}
