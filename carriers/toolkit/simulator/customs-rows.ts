import type { LineNames } from '../customs.js';
import { listAt, numberAt } from '../json.js';
import type { CodedRule, RuleRow } from './rules.js';
import { coded, isFilled, isUpTo, isWithin, matches } from './rules.js';

/** What a carrier asks of a declaration, with its codes. */
export interface DeclarationRules {
  /** The paths of its lines, and of what kind of goods they are. */
  readonly lines: string;
  readonly nature: string;
  readonly names: LineNames;
  readonly natures: readonly string[];
  /** The longest description, and the most that all lines weigh. */
  readonly longest: number;
  readonly maxKg: number;
  readonly codes: Readonly<Record<'missing' | 'nature' | 'weight' | 'invalid', string>>;
}

/** Rows for a declaration and each of its lines. */
export function declarationRows(body: unknown, rules: DeclarationRules): readonly RuleRow<CodedRule>[] {
  const { codes, longest, maxKg, names } = rules;
  const at = (name: keyof LineNames) => `${rules.lines}.*.${names[name]}`;
  const lines = listAt(body, ...rules.lines.split('.'));
  const kilos = lines.reduce<number>((sum, line) => sum + (numberAt(line, names.kilograms) ?? 0), 0);
  const invalid = (isMet: CodedRule['isMet'], text: string) => coded(isMet, codes.invalid, text);
  const needed = (isMet: CodedRule['isMet']) => coded(isMet, codes.missing, 'is needed for a customs declaration');
  const isNature = (value: unknown) => rules.natures.some((each) => each === value);
  return [
    [coded(isNature, codes.nature, `must be one of ${rules.natures.join(', ')}`), rules.nature],
    [needed(isFilled), rules.lines, at('description')],
    [needed(isWithin(0, Infinity)), at('quantity'), at('kilograms'), at('value')],
    [coded(() => kilos <= maxKg, codes.weight, `weigh more than ${maxKg} kg`), rules.lines],
    [invalid(isUpTo(longest), `is longer than ${longest}`), at('description')],
    [invalid(matches(/^\d{6,10}$/), 'must be 6 to 10 digits'), at('tariffNumber')],
    [invalid(matches(/^[A-Z]{3}$/), 'is no currency'), at('currency')],
    [invalid(matches(/^[A-Z]{2}$/), 'is no country'), at('origin')],
  ];
}
