import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Subscriber } from './subscriber-rows.js';

/** As long as the scheme's own key. */
const SECRET_BYTES = 32;

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Headers by Standard Webhooks: signed with every secret that is valid, so that whoever checks knows one of them.
 * @param id the same on every try: by it a receiver knows what came before
 */
export function signedHeaders(
  { secret, previous }: Subscriber,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: Date },
): Readonly<Record<string, string>> {
  const valid = previous !== null && previous.until > now ? [secret, previous.secret] : [secret];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': valid.map((each) => new Webhook(each).sign(id, now, body)).join(' '),
  };
}
