import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallbackDelivery } from '../../contract/index.js';

/** How a carrier signs the body of its callbacks. */
export interface HmacScheme {
  /** The header that holds the signature, in small letters. */
  readonly header: string;
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  readonly encoding: 'hex' | 'base64';
}

/**
 * Whether a callback is signed with one of the account's secrets: over the bytes as they came, compared in constant time. Such a
 * signature has no time in it: a call that was recorded can be sent again, and events are stored once by their id.
 */
export function isSignedByHmac(raw: Uint8Array, delivery: CallbackDelivery, scheme: HmacScheme): boolean {
  const given = Buffer.from(delivery.headers[scheme.header] ?? '', scheme.encoding);
  const { current, previous } = delivery.secrets;
  return [current, previous].some((secret) => {
    // An empty secret is none: a signature made with it proves nothing.
    if (secret === undefined || secret === '') return false;
    const own = createHmac(scheme.algorithm, secret).update(raw).digest();
    return given.length === own.length && timingSafeEqual(given, own);
  });
}
