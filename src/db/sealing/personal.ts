/** Seals personal data on its way into the database; without a data key it changes nothing. */
export interface Seal {
  text(plain: string): string;
  bytes(plain: Uint8Array): Uint8Array;
  /** Of a member of a JSON column: a value that becomes JSON; `null` stays `null`. */
  json(plain: unknown): unknown;
}

/**
 * A parameter of a statement that holds personal data. What is sealed in it comes back opened from every query, whatever
 * the column: docs/retention.md has the list.
 */
export class Personal {
  constructor(readonly valueFor: (seal: Seal) => unknown) {}
}

const PLAIN: Seal = { text: (plain) => plain, bytes: (plain) => plain, json: (plain) => plain };

/** The values of a statement for a database without a data key. */
export function plainValues(values: readonly unknown[]): unknown[] {
  return valuesFor(PLAIN, values);
}

export function valuesFor(seal: Seal, values: readonly unknown[]): unknown[] {
  return values.map((value) => (value instanceof Personal ? value.valueFor(seal) : value));
}
