import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallbackDelivery } from '../../contract/index.js';

/*
 * Standard Webhooks 1.0 (https://www.standardwebhooks.com), "Signature scheme", read 2026-03-02: HMAC-SHA256 over
 * `id.timestamp.body`. This is our own check, because it verifies the raw bytes and takes the time as an argument; the
 * scheme's library decodes the body to text first and reads the system's clock.
 */

/** How far the sender's clock may differ from ours; a copy of a call can be replayed this long. */
export const TOLERANCE_MS = 5 * 60_000;

const PREFIX = 'whsec_';
const VERSION = 'v1,';
/** The most signatures that are checked; a sender that changes its secret signs with both. */
const MAX_SIGNATURES = 10;

/** Why a call is refused; `null`: it is authentic and recent. */
export type Refusal = 'headers are missing' | 'too old or too new' | 'no signature fits' | null;

/** Checks that one of the secrets signed the call recently. */
export function refusalOf(raw: Uint8Array, { headers, secrets, now }: CallbackDelivery): Refusal {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) return 'headers are missing';
  if (!/^\d{1,12}$/.test(timestamp)) return 'too old or too new';
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > TOLERANCE_MS) return 'too old or too new';
  const given = signatures.split(' ', MAX_SIGNATURES).filter((signature) => signature.startsWith(VERSION));
  const known = [secrets.current, ...(secrets.previous === undefined ? [] : [secrets.previous])];
  const expected = known.map((secret) => signatureOf(raw, `${id}.${timestamp}.`, keyOf(secret)));
  const fits = given.some((signature) => expected.some((own) => isSame(signature.slice(VERSION.length), own)));
  return fits ? null : 'no signature fits';
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}

function signatureOf(raw: Uint8Array, before: string, key: Buffer): Buffer {
  // An empty key verifies nothing.
  if (key.length === 0) return Buffer.alloc(0);
  return createHmac('sha256', key).update(before).update(raw).digest();
}

function isSame(given: string, own: Buffer): boolean {
  const bytes = Buffer.from(given, 'base64');
  return own.length > 0 && bytes.length === own.length && timingSafeEqual(bytes, own);
}
