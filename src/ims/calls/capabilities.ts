import type { Clock } from '../../../carriers/contract/adapter.js';
import { ImsForbidden } from '../errors.js';
import type { OperationName } from '../operations.js';
import { operation, operationNames } from '../operations.js';
import type { Token } from './token.js';

/** The access to one operation. */
export interface OperationAccess {
  readonly operation: OperationName;
  readonly allowed: 'yes' | 'no' | 'unknown';
  /** Any one of these scopes allows it. */
  readonly scopes: readonly string[];
  /** The effect for people while it is not allowed. */
  readonly lost: string;
}

/** The access of the client, for `doctor`. */
export interface CapabilityReport {
  /** The token's scopes; `null`: it names none. */
  readonly scopes: readonly string[] | null;
  readonly operations: readonly OperationAccess[];
}

/** What the client may do in one area: by the token's scopes, and by refusals where the scopes do not decide. */
export interface Capabilities {
  allowed(name: OperationName, token: Token | null): OperationAccess['allowed'];
  /** The IMS refused it (403). */
  learnForbidden(name: OperationName, token: Token): void;
  report(token: Token): CapabilityReport;
}

/** A refusal is forgotten after this time, because scopes may change without a change of the token. */
const REFUSAL_REMEMBERED_MS = 3_600_000;

export function createCapabilities(clock: Clock): Capabilities {
  const refusals = new Map<OperationName, { readonly scopes: string; readonly untilMs: number }>();

  function isRefused(name: OperationName, token: Token): boolean {
    const refusal = refusals.get(name);
    return refusal !== undefined && refusal.scopes === spelled(token) && clock.now().getTime() < refusal.untilMs;
  }

  function allowed(name: OperationName, token: Token | null): OperationAccess['allowed'] {
    if (token === null) return 'unknown';
    return isRefused(name, token) ? 'no' : foreseen(name, token);
  }

  function capability(name: OperationName, token: Token | null): OperationAccess {
    const { scopes, lost } = operation(name);
    return { operation: name, allowed: allowed(name, token), scopes, lost };
  }

  return {
    allowed,
    learnForbidden: (name, token) => {
      const untilMs = clock.now().getTime() + REFUSAL_REMEMBERED_MS;
      refusals.set(name, { scopes: spelled(token), untilMs });
    },
    report: (token) => ({
      scopes: token.scopes,
      operations: operationNames.map((name) => capability(name, token)),
    }),
  };
}

/** Whether the token's scopes certainly allow an operation; unlike `allowed`, without earlier refusals. */
export function admittedFor(name: OperationName, token: Token): boolean {
  return token.scopes?.some((scope) => operation(name).scopes.includes(scope)) ?? false;
}

/** The error for a person: the operation, the effect, and the remedy. */
export function forbidden(name: OperationName, token: Token | null): ImsForbidden {
  const { does, lost, scopes } = operation(name);
  const because = token?.scopes
    ? `its scopes are ${token.scopes.join(', ')}`
    : "status 403; its scopes cannot be read, so check the area's apiKey too";
  const refusal = `The IMS does not let this client ${does} (${because})`;
  return new ImsForbidden(
    name,
    `${refusal}. So ${lost}. Ask the operator of the IMS to give the client ${scopes[0] ?? 'another scope'}.`,
    { refusal, known: token !== null && foreseen(name, token) === 'no' ? 'by-scopes' : 'by-answer' },
  );
}

function foreseen(name: OperationName, token: Token): OperationAccess['allowed'] {
  if (token.scopes === null) return 'unknown';
  if (admittedFor(name, token)) return 'yes';
  const doubtful = operation(name).doubtfulScopes ?? [];
  return token.scopes.some((scope) => doubtful.includes(scope)) ? 'unknown' : 'no';
}

function spelled(token: Token): string {
  return [...(token.scopes ?? [])].sort().join(' ');
}
