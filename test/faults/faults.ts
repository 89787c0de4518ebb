import type { FaultKind } from '../../src/sandbox/faults/faults.js';

/** Longer than any deadline in the matrix. */
const FOR_EVER_MS = 90_000;
/** With the shortest answer there is, longer than any deadline in the matrix. */
const TRICKLE_MS_PER_BYTE = 1_500;
/** Where redirects lead: `sandbox.url` goes before it. */
export const TRAP = 'trap';

const text = 'text/plain';
const html = 'text/html; charset=utf-8';
/** Pages of proxies quote what they were asked: so does this one, secrets and all. */
const page = (secrets: string) => `<html><h1>Sorry</h1><p>Your request with ${secrets} went nowhere.</p></html>`;

export interface FaultTarget {
  /** Address of something that must not be gone to. */
  readonly trap: string;
  /** What the request carries and nobody may tell. */
  readonly secrets: string;
}

/** `refused`: nobody listens where the connection goes. */
export type Happening = FaultKind | { readonly kind: 'refused' };

/** What goes wrong, by the name it has in the table. */
export const faults = {
  '429': () => status(429),
  '429 after 1 s': () => status(429, { 'retry-after': '1' }),
  '500': () => status(500),
  '503': () => status(503),
  '408': () => status(408),
  '302': ({ trap }) => ({ kind: 'redirect', location: trap }),
  refused: () => ({ kind: 'refused' }),
  'reset before': () => ({ kind: 'reset' }),
  'reset after': () => ({ kind: 'reset-after' }),
  'cut off': () => ({ kind: 'cut-body' }),
  trickling: () => ({ kind: 'trickle', msPerByte: TRICKLE_MS_PER_BYTE }),
  hanging: () => ({ kind: 'delay', ms: FOR_EVER_MS }),
  'not JSON': () => ({ kind: 'status', status: 200, body: 'OK, thank you.', contentType: text }),
  'page 200': ({ secrets }) => ({ kind: 'status', status: 200, body: page(secrets), contentType: html }),
  'page 502': ({ secrets }) => ({ kind: 'status', status: 502, body: page(secrets), contentType: html }),
  empty: () => ({ kind: 'status', status: 200, body: '' }),
  'wrong type': () => ({ kind: 'content-type', contentType: html }),
  '10 MB': () => ({ kind: 'padding', bytes: 10_000_000 }),
  '21 MB': () => ({ kind: 'padding', bytes: 21_000_000 }),
} as const satisfies Readonly<Record<string, (around: FaultTarget) => Happening>>;

export type FaultName = keyof typeof faults;

export const faultNames = Object.keys(faults) as readonly FaultName[];

/** The request was handled all the same: only its answer is not what it should be. */
export const handled: ReadonlySet<FaultName> = new Set([
  ...(['reset after', 'cut off', 'trickling', 'hanging', 'wrong type', '10 MB', '21 MB'] as const),
]);

function status(code: number, headers: Readonly<Record<string, string>> = {}): FaultKind {
  return { kind: 'status', status: code, headers, body: { message: `status ${code}` } };
}
