import { storable } from '../../carriers/contract/plain-text.js';

/**
 * A value as the text of a `jsonb` parameter. Postgres refuses two things that JSON allows: the character NUL, and half
 * of a surrogate pair. Outside data may contain both; storing must not fail because of them.
 */
export function asJsonb(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'string' ? storable(member) : member));
}
