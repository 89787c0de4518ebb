import type { Problem } from '../contract/index.js';

/** A complaint of a carrier about a booking as a whole. @param text `null`: it gives no reason */
export function problemOf(code: string | null, text: string | null): Problem {
  return { code, text: text ?? 'no reason given', parcelId: null };
}
