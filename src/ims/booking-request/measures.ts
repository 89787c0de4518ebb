/**
 * The rounding error of a decimal times 1000 in binary: 1.001 x 1000 is 1000.9999999999999. The error of the largest
 * weight in the IMS, 999999.999 kg, is smaller too.
 */
const NOISE = 1e-6;

/** Kilograms as whole grams, rounded up, at least 1. `null`: not a weight. */
export function gramsFromKilograms(kilograms: number | null): number | null {
  return thousandfold(kilograms);
}

/** Metres as whole millimetres, rounded up, at least 1. `null`: not a length. */
export function millimetresFromMetres(metres: number | null): number | null {
  return thousandfold(metres);
}

/** Litres as whole millilitres, rounded up, at least 1. `null`: not a volume. */
export function millilitresFromLitres(litres: number | null): number | null {
  return thousandfold(litres);
}

function thousandfold(measure: number | null): number | null {
  if (measure === null || !Number.isFinite(measure) || measure <= 0) return null;
  return Math.max(1, Math.ceil(measure * 1000 - NOISE));
}
