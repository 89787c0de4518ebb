import { storable } from '../../carriers/contract/plain-text.js';
import { MARK, SealedText, escapedText } from './sealing/personal.js';

/** The JSON of a value has none of these where nothing in it has to be changed: NUL, half of a surrogate pair, the mark. */
const TO_CHANGE = new RegExp(`\\\\u0000|\\\\ud[89a-f]|${MARK}`);

/**
 * A value as the text of a `jsonb` parameter. Postgres refuses two things that JSON allows: the character NUL, and half
 * of a surrogate pair. Outside data may contain both, and a text that begins as a sealed one; storing and reading must not
 * fail because of them.
 */
export function asJsonb(value: unknown): string {
  const text = JSON.stringify(value);
  return TO_CHANGE.test(text) ? changed(value) : text;
}

/** Looks at each text by itself, which takes three times as long. */
function changed(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof SealedText) return member.text;
    return typeof member === 'string' ? escapedText(storable(member)) : member;
  });
}
