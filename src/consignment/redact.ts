import type { Fact } from './machine/facts.js';

/** Fields of a fact with texts of other systems. All other fields, above all numbers, must stay unchanged. */
const WORDS = new Set(['text', 'because', 'note']);

/** Removes our secrets from the texts of other systems: some quote our own key. */
export function redacted<Known extends Fact>(fact: Known, mask: (text: string) => string): Known {
  const copy = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return WORDS.has(key) ? mask(value) : value;
    if (Array.isArray(value)) return value.map((member) => copy(member, key));
    if (value === null || typeof value !== 'object' || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member, name)]));
  };
  return copy(fact, '') as Known;
}
