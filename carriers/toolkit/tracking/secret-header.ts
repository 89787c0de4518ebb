import { createHash, timingSafeEqual } from 'node:crypto';
import type { CallbackDelivery } from '../../contract/index.js';

/**
 * Whether a callback has one of the account's secrets in a header: for a carrier that signs nothing, and sends the headers that a
 * subscription names. Takes as long for every text of that length; an empty secret opens nothing.
 * @param header in small letters
 */
export function hasSecret({ headers, secrets }: CallbackDelivery, header: string): boolean {
  const given = digestOf(headers[header] ?? '');
  const known = [secrets.current, secrets.previous].filter((secret) => secret !== undefined && secret !== '');
  return known.map((secret) => timingSafeEqual(given, digestOf(secret ?? ''))).includes(true);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
