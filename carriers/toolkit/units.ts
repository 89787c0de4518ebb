/**
 * Grams as kilograms with at most three decimals. Never 0: no carrier takes a parcel that weighs nothing.
 * @param grams a whole number
 */
export function kilograms(grams: number): number {
  return Math.max(1, Math.round(grams)) / 1000;
}

/**
 * Millimetres as whole centimetres, rounded up, so that a parcel is never declared smaller than it is. Never 0.
 * @param mm a whole number
 */
export function centimetres(mm: number): number {
  return Math.max(1, Math.ceil(mm / 10));
}

/**
 * Kilometres of a carrier's answer as whole metres.
 * @param kilometres decimal text; `null`, or a text that is not a number: unknown
 */
export function metresOf(kilometres: string | null): number | null {
  return kilometres !== null && /^\d+(\.\d+)?$/.test(kilometres) ? Math.round(1000 * Number(kilometres)) : null;
}
