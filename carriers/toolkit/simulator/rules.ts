import type { FieldLimit, FieldTable } from '../fit.js';
import { takes } from '../fit.js';
import { valueAt } from '../json.js';
import { localDateTime } from '../local-time.js';
import { isOfParty } from '../party-texts.js';

/** A check of a value that a simulated carrier was sent. */
export interface Rule {
  isMet(value: unknown): boolean;
}

/** A rule with what the carrier says where it is not met. */
export interface CodedRule extends Rule {
  readonly code: string;
  readonly text: string;
}

export function coded(isMet: Rule['isMet'], code: string, text: string): CodedRule {
  return { isMet, code, text };
}

/**
 * A rule for the values at a path. In a path `*` stands for every item of a list, and `name?` for a part that is
 * checked only where it was sent.
 */
export type RuleRow<Asked extends Rule> = readonly [rule: Asked, ...paths: readonly string[]];

/** A value that does not meet a rule. */
export interface Breach<Asked extends Rule> {
  readonly rule: Asked;
  readonly path: readonly string[];
  /** The last name of the path. */
  readonly field: string;
}

/** The violations in a request, in the order of the rules. */
export function breachesOf<Asked extends Rule>(
  body: unknown,
  rules: readonly RuleRow<Asked>[],
): readonly Breach<Asked>[] {
  return rules.flatMap(([rule, ...paths]) =>
    paths
      .flatMap((path) => placesAt(body, path))
      .filter((path) => !rule.isMet(valueAt(body, ...path)))
      .map((path) => ({ rule, path, field: path.at(-1) ?? '' })),
  );
}

function placesAt(body: unknown, path: string): readonly (readonly string[])[] {
  return path
    .split('.')
    .reduce<readonly (readonly string[])[]>(
      (places, step) =>
        places.flatMap((place) => stepsAt(valueAt(body, ...place), step).map((next) => [...place, next])),
      [[]],
    );
}

function stepsAt(value: unknown, step: string): readonly string[] {
  if (step === '*') return Array.isArray(value) ? Object.keys(value) : [];
  if (!step.endsWith('?')) return [step];
  const name = step.slice(0, -1);
  return isSent(valueAt(value, name)) ? [name] : [];
}

export function isSent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A text, a list or an object that holds something; an object may be empty. */
export function isFilled(value: unknown): boolean {
  return isSent(value) && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** A missing value passes. */
export function isUpTo(longest: number): Rule['isMet'] {
  return (value) => !isSent(value) || String(value).length <= longest;
}

/** A missing value is matched as an empty text. */
export function matches(pattern: RegExp): Rule['isMet'] {
  return (value) => pattern.test(isSent(value) ? String(value) : '');
}

/** A number greater than `above` and at most `most`. */
export function isWithin(above: number, most: number): Rule['isMet'] {
  return (value) => typeof value === 'number' && value > above && value <= most;
}

/** No country has a postal code of zeros; in Denmark and Norway it has four digits. */
export function isPostalCodeOf(country: string | null): Rule['isMet'] {
  const form = ['DK', 'NO'].includes(country ?? '') ? /^(?!0+$)\d{4}$/ : /[^0]/;
  return matches(form);
}

/** A moment at or after another one: local time as text, or milliseconds since 1970. */
export function isFrom(earliest: Date, timeZone: string): Rule['isMet'] {
  const isLocal = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  return (time) =>
    typeof time === 'number'
      ? time >= earliest.getTime()
      : isLocal(time) && String(time) >= localDateTime(earliest, timeZone);
}

/** A list with at least `least` items and at most `most`. */
export function hasItems(least: number, most: number): Rule['isMet'] {
  return (value) => Array.isArray(value) && value.length >= least && value.length <= most;
}

/** An object in which at least one of these members holds something. */
export function hasAny(...names: readonly string[]): Rule['isMet'] {
  return (value) => names.some((name) => isFilled(valueAt(value, name)));
}

/** A text that a field takes as it is. A missing value passes. */
export function isIn(field: FieldLimit): Rule['isMet'] {
  return (value) => !isSent(value) || takes(String(value), field);
}

/**
 * Violations as services of ASP.NET answer them: texts by the field, such as `Goods[0].Weight`.
 * @param name of the body, where the service writes it before the fields
 */
export function modelState<Asked extends Rule>(
  body: unknown,
  rules: readonly RuleRow<Asked>[],
  { name = [], textOf }: { readonly name?: readonly string[]; textOf(breach: Breach<Asked>): string },
): Readonly<Record<string, readonly string[]>> {
  const texts = new Map<string, readonly string[]>();
  for (const breach of breachesOf(body, rules)) {
    const field = [...name, ...breach.path].join('.').replace(/\.(\d+)/g, '[$1]');
    texts.set(field, [...(texts.get(field) ?? []), textOf(breach)]);
  }
  return Object.fromEntries(texts);
}

/** A row for each field of a party, with the rule of its limit. @param path of the party */
export function partyRows<Asked extends Rule>(
  path: string,
  fields: FieldTable,
  ruleOf: (limit: FieldLimit) => Asked,
): readonly RuleRow<Asked>[] {
  const limited = Object.entries(fields).filter(([, { means, longest }]) => isOfParty(means) && longest !== undefined);
  return limited.map(([name, { longest = Infinity, letters = /[^]/u }]) => [
    ruleOf({ longest, letters }),
    `${path}.${name}`,
  ]);
}
