import type { LineNames } from '../customs.js';
import type { CodedRule, RuleRow } from './rules.js';
import { coded, isFilled, isUpTo, isWithin, matches } from './rules.js';

/**
 * Rows for each line of a declaration.
 * @param lines the path of their list
 * @param codes of what is missing, and of what has another form
 */
export function declaredLineRows(
  lines: string,
  names: LineNames,
  codes: { readonly missing: string; readonly invalid: string; readonly longest: number },
): readonly RuleRow<CodedRule>[] {
  const at = (name: keyof LineNames) => `${lines}.*.${names[name]}`;
  const invalid = (isMet: CodedRule['isMet'], text: string) => coded(isMet, codes.invalid, text);
  const needed = (isMet: CodedRule['isMet']) => coded(isMet, codes.missing, 'is needed for a customs declaration');
  return [
    [needed(isFilled), lines, at('description')],
    [needed(isWithin(0, Infinity)), at('quantity'), at('kilograms'), at('value')],
    [invalid(isUpTo(codes.longest), `is longer than ${codes.longest}`), at('description')],
    [invalid(matches(/^\d{6,10}$/), 'must be 6 to 10 digits'), at('tariffNumber')],
    [invalid(matches(/^[A-Z]{3}$/), 'is no currency'), at('currency')],
    [invalid(matches(/^[A-Z]{2}$/), 'is no country'), at('origin')],
  ];
}
