import { createHash, timingSafeEqual } from 'node:crypto';

/** `view` reads; `act` also changes. */
export const ROLES = ['view', 'act'] as const;
export type Role = (typeof ROLES)[number];

/** A person, or a program, that may use the API and the dashboard. */
export interface Operator {
  /** Unique; history and audit log show it. */
  readonly name: string;
  readonly role: Role;
  /** The SHA-256 of the token, 64 hexadecimal digits. Tokens are long and random, so a slow hash would add nothing. */
  readonly tokenHash: string;
}

/** The name of the operator whose token is `OPERATOR_TOKEN`. */
export const DEFAULT_OPERATOR = 'operator';

export function defaultOperator(token: string): Operator {
  return { name: DEFAULT_OPERATOR, role: 'act', tokenHash: hashOf(token) };
}

/** SHA-256, hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares with every operator, so that the time says nothing about where a token differs. @returns `null`: no operator has this token */
export function operatorWith(operators: readonly Operator[], token: string): Operator | null {
  const given = Buffer.from(hashOf(token), 'hex');
  const matching = operators.filter(({ tokenHash }) => timingSafeEqual(Buffer.from(tokenHash, 'hex'), given));
  return matching[0] ?? null;
}
