import { storable } from '../../carriers/contract/plain-text.js';
import { SealedText, escapedText } from './sealing/personal.js';

/**
 * A value as the text of a `jsonb` parameter. Postgres refuses two things that JSON allows: the character NUL, and half
 * of a surrogate pair. Outside data may contain both, and a text that begins as a sealed one; storing and reading must not
 * fail because of them.
 */
export function asJsonb(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof SealedText) return member.text;
    return typeof member === 'string' ? escapedText(storable(member)) : member;
  });
}
