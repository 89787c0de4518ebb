import type { Fact } from './machine/facts.js';

/** Where others' words stand in a fact. Everything else, numbers above all, must stay as it came. */
const WORDS = new Set(['text', 'because', 'note']);

/** A fact without our secrets in what others said: some quote our own key back at us. */
export function redacted<Known extends Fact>(fact: Known, mask: (text: string) => string): Known {
  const copy = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return WORDS.has(key) ? mask(value) : value;
    if (Array.isArray(value)) return value.map((member) => copy(member, key));
    if (value === null || typeof value !== 'object' || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member, name)]));
  };
  return copy(fact, '') as Known;
}
