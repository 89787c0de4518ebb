import type { Json, JsonMembers } from '../store/json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { isJsonArray } from '../store/json.js';

type Given = Json | undefined;

/**
 * Reads values and collects problems, so that one error reports all of them. For an invalid value it returns a valid
 * default.
 */
export interface Checks {
  readonly problems: readonly string[];
  report(place: string, rule: string): void;
  /** `known`: the allowed members; `null`: any. The place of the whole file is `''`. */
  object(value: Given, place: string, known: readonly string[] | null): JsonMembers;
  /** A missing list reads as empty. */
  list(value: Given, place: string): readonly Json[];
  text(value: Given, place: string): string;
  /** A missing number reads as `otherwise`; without `otherwise` it is required. */
  whole(value: Given, place: string, limits: WholeLimits): number;
  /** A mapping of names to parts, with at least one part above zero. */
  shares(value: Given, place: string, limits: SharesLimits): Readonly<Record<string, number>>;
}

export interface WholeLimits {
  readonly min: number;
  readonly max: number;
  readonly otherwise?: number;
}

export interface SharesLimits {
  /** `null`: any name. */
  readonly known: readonly string[] | null;
  readonly otherwise: Readonly<Record<string, number>>;
}

export function startChecks(): Checks {
  const problems: string[] = [];
  const report = (place: string, rule: string): void => void problems.push(`${place}: ${rule}`);
  const object = (value: Given, place: string, known: readonly string[] | null): JsonMembers => {
    if (!isJsonObject(value)) {
      report(place === '' ? 'the file' : place, 'must be a mapping');
      return {};
    }
    const strange = known === null ? [] : Object.keys(value).filter((name) => !known.includes(name));
    const within = place === '' ? '' : `${place}.`;
    for (const name of strange) report(`${within}${name}`, `is not known; there are ${known?.join(', ')}`);
    return value;
  };
  return {
    problems,
    report,
    object,
    list: (value, place) => {
      if (value !== undefined && !isJsonArray(value)) report(place, 'must be a list');
      return isJsonArray(value) ? value : [];
    },
    text: (value, place) => {
      if (typeof value === 'string' && value !== '') return value;
      report(place, value === undefined ? 'is missing: it must be text' : 'must be text');
      return '';
    },
    whole: (value, place, { min, max, otherwise }) => {
      const number = value ?? otherwise;
      if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
      report(place, `${number === undefined ? 'is missing: it ' : ''}must be a whole number from ${min} to ${max}`);
      return min;
    },
    shares: (value, place, { known, otherwise }) => {
      if (value === undefined) return otherwise;
      const shares = partsOf(object(value, place, known));
      if (shares !== null) return shares;
      report(place, 'must give each name a number from 0, and one more than 0');
      return otherwise;
    },
  };
}

function partsOf(value: JsonMembers): Readonly<Record<string, number>> | null {
  const parts = Object.entries(value).flatMap(([name, part]): (readonly [string, number])[] =>
    typeof part === 'number' && part >= 0 ? [[name, part]] : [],
  );
  const complete = parts.length === Object.keys(value).length;
  return complete && parts.some(([, part]) => part > 0) ? Object.fromEntries(parts) : null;
}

const SHOWN_PROBLEMS = 20;

/** One error for all problems of a scenario; the message lists at most `SHOWN_PROBLEMS`. */
export function scenarioError(problems: readonly string[], cause?: unknown): Error {
  const all = [...new Set(problems)];
  const shown = all.slice(0, SHOWN_PROBLEMS);
  const more = all.length > shown.length ? [`and ${all.length - shown.length} more`] : [];
  const count = all.length === 1 ? '1 problem' : `${all.length} problems`;
  return new Error(`scenario: ${count}\n  ${[...shown, ...more].join('\n  ')}`, { cause });
}
