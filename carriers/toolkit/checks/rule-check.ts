import { type CarrierService, type RuleProduct, isJsonObject, nearestWord } from '../../contract/index.js';
import type { ValidationIssue } from '../check-codes.js';
import { listAt, textAt } from '../json.js';
import { optionValue, unknownService, when } from '../preflight.js';

/** What an option of a rule takes. */
export interface OptionRule {
  /** For people: the values, or an example; a function where what was given decides what is said. */
  readonly allowed: string | ((given: unknown) => string);
  isFine(value: unknown): boolean;
}

/** What a rule can ask of a carrier. */
export interface ProductTable {
  /** The carrier's name for people. */
  readonly carrier: string;
  /** Missing: a service of any name is sent to the carrier. */
  readonly services?: readonly CarrierService[];
  /** By name; an option within another one as `outer.inner`. `customs` and `withReturnLabel`, which all carriers have, are added. */
  readonly options: Readonly<Record<string, OptionRule>>;
}

export const FLAG: OptionRule = { allowed: 'true or false', isFine: (value) => typeof value === 'boolean' };
export const COUNT: OptionRule = {
  allowed: 'a whole number',
  isFine: (value) => Number.isInteger(value) && Number(value) >= 0,
};

export const NUMBER: OptionRule = { allowed: 'a number', isFine: (value) => typeof value === 'number' };

/** An amount of money with at most two decimals, above 0, as number or as text. */
export const AMOUNT: OptionRule = { allowed: '499.50', isFine: (value) => amountIn(value) !== null };

/** An amount as a number above 0. */
export const SUM: OptionRule = { allowed: 'an amount', isFine: (value) => typeof value === 'number' && value > 0 };

/** The amount that an option names; `null`: it names none. */
export function amountIn(value: unknown): number | null {
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && /^\d{1,7}(\.\d{1,2})?$/.test(String(value)) && Number(value) > 0 ? Number(value) : null;
}

export function anyText(allowed: string): OptionRule {
  return { allowed, isFine: (value) => typeof value === 'string' };
}

export const CURRENCY = anyText('a currency, e.g. DKK');

export function anyObject(allowed: string): OptionRule {
  return { allowed, isFine: isJsonObject };
}

/** An option with options of its own, and these. */
export function groupOf(name: string, inner: Readonly<Record<string, OptionRule>>): Record<string, OptionRule> {
  const inside = Object.entries(inner).map(([each, rule]) => [`${name}.${each}`, rule]);
  return { [name]: anyObject(`an object of ${Object.keys(inner).join(', ')}`), ...Object.fromEntries(inside) };
}

/** As `groupOf`, with no option left out. @param example e.g. `{ amount: 5000, currency: DKK }` */
export function wholeGroupOf(name: string, inner: Readonly<Record<string, OptionRule>>, example: string) {
  const isFine = (value: unknown) =>
    isJsonObject(value) && Object.keys(inner).every((each) => Object.hasOwn(value, each));
  return { ...groupOf(name, inner), [name]: { allowed: example, isFine } };
}

/** The same rule for several options. @param names with a blank between two */
export function each(rule: OptionRule, names: string): Readonly<Record<string, OptionRule>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]));
}

export function anyOf(words: readonly string[], allowed = words.join(', ')): OptionRule {
  return { allowed, isFine: (value) => words.some((each) => each === value) };
}

export function listOf(isItem: (item: unknown) => boolean, allowed: string): OptionRule {
  return { allowed, isFine: (value) => Array.isArray(value) && value.every(isItem) };
}

/** A list of codes of the carrier; of one that it does not have, the nearest one is said. */
export function codesOf(codes: readonly string[]): OptionRule {
  const isKnown = (each: unknown) => codes.some((code) => code === each);
  return {
    isFine: (value) => Array.isArray(value) && value.every(isKnown),
    allowed: (given) => {
      const unknown = Array.isArray(given) ? given.filter((each) => !isKnown(each)).map(String) : [];
      const meant = unknown.map((each) => {
        const nearest = nearestWord(each, codes, FURTHEST_CODE);
        return nearest === null ? `"${each}" is none` : `"${each}" is perhaps ${nearest}`;
      });
      return [`a list of ${codes.join(', ')}`, ...meant].join('; ');
    },
  };
}

/** A list of `{ id, … }` with these fields; of an id or a field that the carrier does not have, the nearest one is said. */
export function rowsOf(ids: readonly string[], isId: (id: string) => boolean, fields: readonly string[]): OptionRule {
  const wrongIn = (row: unknown) => {
    const [id, names] = [textAt(row, 'id') ?? '', Object.keys(Object(row)).filter((name) => name !== 'id')];
    const unknown = names.filter((name) => !fields.includes(name)).map((name) => nearestTo(name, fields));
    return [...(isId(id) ? [] : [nearestTo(id, ids)]), ...unknown];
  };
  return {
    isFine: (value) => Array.isArray(value) && value.flatMap(wrongIn).length === 0,
    allowed: (given) => [`a list such as [{ id: ${ids[0] ?? ''} }]`, ...listAt(given).flatMap(wrongIn)].join('; '),
  };
}

/** What was perhaps meant by a word. */
export function nearestTo(word: string, known: readonly string[]): string {
  return `"${word}" is perhaps ${nearestWord(word, known, 2) ?? `one of ${known.join(', ')}`}`;
}

/** Return labels together with the booking; the service checks its value, and whether the carrier makes any. */
const WITH_RETURN_LABEL: OptionRule = { allowed: 'true, last-page or document', isFine: () => true };
const CUSTOMS: OptionRule = { allowed: 'papers', isFine: () => true };
/** Letters in which a misspelt name differs from the one that is meant. */
const FURTHEST_NAME = 5;
const FURTHEST_CODE = 1;

/**
 * Makes the check of a rule's service and options, for `checkRule` and `check` alike: `unknown-service`, `unknown-option` and
 * `option-value`. A misspelt option would silently buy another service.
 */
export function ruleCheck(table: ProductTable): (product: RuleProduct) => readonly ValidationIssue[] {
  const { carrier, services } = table;
  const known = new Map(Object.entries({ ...table.options, customs: CUSTOMS, withReturnLabel: WITH_RETURN_LABEL }));
  const optionProblems = ([option, given]: readonly [string, unknown]) => {
    const rule = known.get(option);
    if (rule) return optionValue(!rule.isFine(given), option, { given, allowed: allowedBy(rule, given) });
    return when(true, 'unknown-option', { option, carrier, meant: meantBy(option, [...known.keys()]) });
  };
  return ({ service, options }) => [
    ...(services ? unknownService(service, { carrier, known: services.map(({ code }) => code) }) : []),
    ...Object.entries(options)
      .flatMap((option) => [option, ...innerOf(option, known)])
      .flatMap(optionProblems),
  ];
}

function allowedBy({ allowed }: OptionRule, given: unknown): string {
  return typeof allowed === 'string' ? allowed : allowed(given);
}

/** The options within an option, where the carrier has such. */
function innerOf([outer, value]: readonly [string, unknown], known: ReadonlyMap<string, OptionRule>) {
  const hasInner = [...known.keys()].some((name) => name.startsWith(`${outer}.`));
  if (!hasInner || !isJsonObject(value)) return [];
  return Object.entries(value).map(([name, its]): readonly [string, unknown] => [`${outer}.${name}`, its]);
}

/** The nearest name, wherever its place; all names where none is near. */
function meantBy(option: string, names: readonly string[]): string {
  const lastOf = (name: string) => name.split('.').at(-1) ?? '';
  const nearest = nearestWord(lastOf(option), names.map(lastOf), FURTHEST_NAME);
  return names.find((name) => lastOf(name) === nearest) ?? names.join(', ');
}
