import type { Parcel } from '../contract/index.js';

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

/** As `centimetres`; `undefined`, which JSON leaves out: it was not measured. */
export function centimetresOf(mm: number | null): number | undefined {
  return mm === null ? undefined : centimetres(mm);
}

/** Whether all three sides were measured. */
export function hasSides({ lengthMm, widthMm, heightMm }: Parcel): boolean {
  return ![lengthMm, widthMm, heightMm].includes(null);
}

/**
 * The three sides in whole centimetres; `undefined`, which JSON leaves out: not all of them were measured.
 * @param write puts a side into the carrier's form
 */
export function sidesInCentimetres<Side = number>(
  { lengthMm, widthMm, heightMm }: Parcel,
  write: (cm: number) => Side = (cm) => cm as Side,
) {
  if (lengthMm === null || widthMm === null || heightMm === null) return undefined;
  const [length, width, height] = [lengthMm, widthMm, heightMm].map((mm) => write(centimetres(mm))) as [
    Side,
    Side,
    Side,
  ];
  return { length, width, height };
}

/** Kilograms of a request as whole grams; `null`: 0. */
export function gramsOf(kilos: number | null): number {
  return Math.round(1000 * (kilos ?? 0));
}

/**
 * Kilometres of a carrier's answer as whole metres.
 * @param kilometres decimal text; `null`, or a text that is not a number: unknown
 */
export function metresOf(kilometres: string | null): number | null {
  return kilometres !== null && /^\d+(\.\d+)?$/.test(kilometres) ? Math.round(1000 * Number(kilometres)) : null;
}
