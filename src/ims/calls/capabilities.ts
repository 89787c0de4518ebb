import type { Clock } from '../../../carriers/contract/adapter.js';
import { ImsForbidden } from '../errors.js';
import type { OperationName } from '../operations.js';
import { operation, operationNames } from '../operations.js';
import type { Token } from './token.js';

/** What we know about one operation. */
export interface Capability {
  readonly operation: OperationName;
  readonly allowed: 'yes' | 'no' | 'unknown';
  /** Any one of these scopes admits it. */
  readonly scopes: readonly string[];
  /** What people lose while it is not allowed. */
  readonly lost: string;
}

/** For `doctor` and for people. */
export interface CapabilityReport {
  /** The token's; `null` when it does not say. */
  readonly scopes: readonly string[] | null;
  readonly operations: readonly Capability[];
}

/** What the client may do in one area: foreseen from the token's scopes, learned from refusals where they do not say. */
export interface Capabilities {
  allowed(name: OperationName, token: Token | null): Capability['allowed'];
  /** The IMS refused it (403). */
  learnForbidden(name: OperationName, token: Token): void;
  report(token: Token): CapabilityReport;
}

/** A refusal is forgotten after this long, because scopes can be changed without a trace in a token. */
const REFUSAL_REMEMBERED_MS = 3_600_000;

export function createCapabilities(clock: Clock): Capabilities {
  const refusals = new Map<OperationName, { readonly scopes: string; readonly untilMs: number }>();

  function isRefused(name: OperationName, token: Token): boolean {
    const refusal = refusals.get(name);
    return refusal !== undefined && refusal.scopes === spelled(token) && clock.now().getTime() < refusal.untilMs;
  }

  function allowed(name: OperationName, token: Token | null): Capability['allowed'] {
    if (token === null) return 'unknown';
    return isRefused(name, token) ? 'no' : foreseen(name, token);
  }

  function capability(name: OperationName, token: Token | null): Capability {
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

/** Whether the token's scopes certainly admit an operation; unlike `allowed`, without what was learned. */
export function admittedFor(name: OperationName, token: Token): boolean {
  return token.scopes?.some((scope) => operation(name).scopes.includes(scope)) ?? false;
}

/** The error for a person: what is not allowed, what that costs, and what helps. */
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

function foreseen(name: OperationName, token: Token): Capability['allowed'] {
  if (token.scopes === null) return 'unknown';
  if (admittedFor(name, token)) return 'yes';
  const doubtful = operation(name).doubtfulScopes ?? [];
  return token.scopes.some((scope) => doubtful.includes(scope)) ? 'unknown' : 'no';
}

function spelled(token: Token): string {
  return [...(token.scopes ?? [])].sort().join(' ');
}
