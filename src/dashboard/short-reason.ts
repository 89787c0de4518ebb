/** A reason for one line of a list, and what is left of it. */
export interface ShortReason {
  readonly short: string;
  /** Mostly what to do; empty: nothing is left. */
  readonly rest: string;
}

const QUOTED = /"(.+)"\.?\s*(.*)$/s;
const OPENING = /^The label for shipment \S+ takes longer: /;
const SENTENCE = /^(.+?[.?!])\s+(.*)$/s;

/** What the carrier or a check said, where the reason quotes it; else its first sentence. */
export function inShort(reason: string): ShortReason {
  const [, quoted, advice = ''] = QUOTED.exec(reason) ?? [];
  if (quoted !== undefined) return { short: `“${quoted}”`, rest: advice };
  const text = reason.replace(OPENING, '');
  const [, first = text, rest = ''] = SENTENCE.exec(text) ?? [];
  return { short: `${first.charAt(0).toUpperCase()}${first.slice(1)}`, rest };
}
