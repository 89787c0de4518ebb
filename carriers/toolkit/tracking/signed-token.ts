import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallbackDelivery } from '../../contract/index.js';
import { tryParseJson } from '../../contract/index.js';
import { textAt } from '../json.js';

/**
 * The content of a token (JWT, RFC 7519) that one of the account's secrets signed with HS256. A token that names another algorithm
 * is not believed. The signature is compared as it is written, in constant time, so that one content has one token.
 * @returns the bytes between the dots, decoded; `null`: not authentic
 */
export function contentOfToken(token: string, { secrets }: Pick<CallbackDelivery, 'secrets'>): Uint8Array | null {
  const [head = '', content = '', signature = '', ...more] = token.split('.', 4);
  if (more.length > 0 || textAt(tryParseJson(Buffer.from(head, 'base64url')), 'alg') !== 'HS256') return null;
  const given = Buffer.from(signature);
  const isSigned = [secrets.current, secrets.previous].some((secret) => {
    // An empty secret is none: a signature made with it proves nothing.
    if (secret === undefined || secret === '') return false;
    const own = Buffer.from(signatureOf(`${head}.${content}`, secret));
    return given.length === own.length && timingSafeEqual(given, own);
  });
  return isSigned ? new Uint8Array(Buffer.from(content, 'base64url')) : null;
}

/** A token with this content, for simulators. */
export function signedToken(content: string, secret: string): string {
  const signed = ['{"alg":"HS256"}', content].map((part) => Buffer.from(part).toString('base64url')).join('.');
  return `${signed}.${signatureOf(signed, secret)}`;
}

const signatureOf = (signed: string, secret: string) => createHmac('sha256', secret).update(signed).digest('base64url');
