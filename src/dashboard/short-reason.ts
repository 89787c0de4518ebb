/** A reason for one line of a list, and what is left of it. */
export interface ShortReason {
  readonly short: string;
  /** Mostly what to do; empty: nothing is left. */
  readonly rest: string;
}

/** The last words between quotation marks that end a sentence, and what comes after them. */
const QUOTED = /: "(.+)"(?:\.\s*(.*))?$/s;
/** The message of a cancellation that failed, after any trouble that came before. */
const NOT_CANCELLED = /^(?:.*\. )?Could not cancel shipment [^"]*: "(.+)"\.\s*(.*)$/s;
const LOGIN = /(?:^|\. )([^".]+ does not accept our login): "/;
/** The first sentence says more than what the carrier said. */
const PARTLY = /^(Only a part of|We asked )/;
const OPENING = /^(?:The label for shipment \S+ takes longer: |Could not book shipment \S+\. )/;
const SENTENCE = /^(.+?[.?!])\s+(.*)$/s;

/** What the carrier or a check said, where the reason quotes it; else its first sentence. */
export function inShort(reason: string): ShortReason {
  const quote = quoteIn(reason);
  if (quote !== null) return quote;
  const text = reason.replace(OPENING, '');
  const [, first = text, rest = ''] = SENTENCE.exec(text) ?? [];
  return { short: `${first.charAt(0).toUpperCase()}${first.slice(1)}`, rest };
}

/** Shortens the reason of one booking in doubt; the rest tells a packer to ask the operator, who reads this. */
export function doubtInShort(reason: string): string {
  return `${inShort(reason).short} It may be booked or not.`.trimStart();
}

/** Takes the quoted words, with what they do not say themselves; `null`: they do not say enough. */
function quoteIn(reason: string): ShortReason | null {
  const refusal = NOT_CANCELLED.exec(reason);
  const found = refusal ?? (PARTLY.test(reason) ? null : QUOTED.exec(reason));
  if (found === null) return null;
  const login = LOGIN.exec(reason)?.[1];
  const lead = refusal ? 'Could not cancel' : login;
  return { short: `${lead === undefined ? '' : `${lead}: `}“${found[1]}”`, rest: found[2] ?? '' };
}
