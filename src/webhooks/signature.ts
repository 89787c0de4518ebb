import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Subscriber } from './subscriber-rows.js';

/** As long as the scheme's own key. */
const SECRET_BYTES = 32;

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Headers by Standard Webhooks, signed with every valid secret, so that a receiver knows one of them.
 * @param id the same in every attempt, so that a receiver recognises repetitions
 */
export function signedHeaders(
  { secret, previous }: Pick<Subscriber, 'secret' | 'previous'>,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: Date },
): Readonly<Record<string, string>> {
  const valid = previous !== null && previous.until > now ? [secret, previous.secret] : [secret];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': valid.map((each) => new Webhook(each).sign(id, now, body)).join(' '),
  };
}
