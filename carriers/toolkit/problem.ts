import type { Problem } from '../contract/index.js';

/** A carrier's problem with a whole booking. @param text `null`: the carrier gives no reason */
export function problemOf(code: string | null, text: string | null): Problem {
  return { code, text: text ?? 'no reason given', parcelId: null };
}
