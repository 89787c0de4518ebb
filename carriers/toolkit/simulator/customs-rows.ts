import type { LineNames } from '../customs.js';
import { listAt, numberAt } from '../json.js';
import type { CodedRule, RuleRow } from './rules.js';
import { coded, isFilled, isUpTo, isWithin, matches } from './rules.js';

/** Where a request has a declaration. */
interface DeclarationPaths {
  /** The paths of its lines, and of what kind of goods they are; with `?` where it may be missing. */
  readonly lines: string;
  readonly nature: string;
  readonly names: LineNames;
}

/** What a carrier asks of a declaration, with its codes. */
interface DeclarationRules {
  readonly natures: readonly string[];
  /** The longest description, and the most that all lines weigh. */
  readonly longest: number;
  readonly maxKg: number;
  readonly codes: Readonly<Record<'missing' | 'nature' | 'weight' | 'invalid', string>>;
}

/** Rows for a declaration and each of its lines. */
export function declarationRows(
  body: unknown,
  { names, lines: path, nature }: DeclarationPaths,
  { codes, longest, maxKg, natures }: DeclarationRules,
): readonly RuleRow<CodedRule>[] {
  const at = (name: keyof LineNames) => `${path}.*.${names[name]}`;
  const lines = listAt(body, ...path.replaceAll('?', '').split('.'));
  const kilos = lines.reduce<number>((sum, line) => sum + (numberAt(line, names.kilograms) ?? 0), 0);
  const invalid = (isMet: CodedRule['isMet'], text: string) => coded(isMet, codes.invalid, text);
  const needed = (isMet: CodedRule['isMet']) => coded(isMet, codes.missing, 'is needed for a customs declaration');
  const isNature = (value: unknown) => natures.some((each) => each === value);
  return [
    [coded(isNature, codes.nature, `must be one of ${natures.join(', ')}`), nature],
    [needed(isFilled), path, at('description'), at('value')],
    [needed(isWithin(0, Infinity)), at('quantity'), at('kilograms')],
    [coded(() => kilos <= maxKg, codes.weight, `weigh more than ${maxKg} kg`), path],
    [invalid(isUpTo(longest), `is longer than ${longest}`), at('description')],
    [invalid(matches(/^\d{6,}$/), 'must be at least 6 digits'), at('tariffNumber')],
    [invalid(matches(/^[A-Z]{3}$/), 'is no currency'), at('currency')],
    [invalid(matches(/^[A-Z]{2}$/), 'is no country'), at('origin')],
  ];
}
