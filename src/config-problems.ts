import type { ValidationError } from 'class-validator';
import type { SettingProblem } from './settings.js';

export const UNKNOWN_KEY = 'is not a known key';

/** Where the library's words would not say what to write. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  whitelistValidation: UNKNOWN_KEY,
  nestedValidation: 'must have keys with values',
};

/** Names and codes need no quotes in YAML when they are all digits. */
export const toText = ({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value);

/** What class-validator found, each with its path; the first complaint about a value is enough. */
export function flatten(error: ValidationError, parent: string): SettingProblem[] {
  const index = /^\d+$/.test(error.property);
  const where = index ? `${parent}[${error.property}]` : [parent, error.property].filter(Boolean).join('.');
  const own = Object.entries(error.constraints ?? {}).slice(0, 1);
  const rules = own.map(([rule, message]) => ({
    where,
    rule: OWN_WORDS[rule] ?? message,
  }));
  return [...rules, ...(error.children ?? []).flatMap((child) => flatten(child, where))];
}
