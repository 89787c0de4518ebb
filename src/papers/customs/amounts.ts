/** The IMS has four decimals in a price. */
const DECIMALS = 4;
const ONE = 10n ** BigInt(DECIMALS);
const CENT = ONE / 100n;

/** A decimal text in ten-thousandths, so that sums are exact. @throws Error it is none */
export function toUnits(text: string): bigint {
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  if (whole === '') throw new Error(`"${text}" is not an amount`);
  return BigInt(whole) * ONE + BigInt(decimals.padEnd(DECIMALS, '0'));
}

/** Goods may be counted by metres or kilograms: their value is rounded to the smallest unit. */
export function times(units: bigint, quantity: number): bigint {
  return Number.isInteger(quantity) ? units * BigInt(quantity) : BigInt(Math.round(Number(units) * quantity));
}

/** With two decimals, rounded half up. */
export function amountText(units: bigint): string {
  const cents = (units + CENT / 2n) / CENT;
  return `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`;
}

/** With the decimals that it has, at least two. */
export function exactText(units: bigint): string {
  const [whole, decimals = ''] = [units / ONE, (units % ONE).toString().padStart(DECIMALS, '0')];
  return `${whole}.${decimals.replace(/0{1,2}$/, '')}`;
}
