import { createHmac } from 'node:crypto';
import type { CallProof } from '../../carriers/contract/index.js';

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

export const webhookSecrets = { current: secretOf(7), previous: secretOf(8), foreign: secretOf(9) };

export const WEBHOOK_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** As `id.timestamp.body` is signed; the library of the scheme signs no bytes that are not UTF-8. */
export function proveByStandardWebhooks(body: Uint8Array, { secret, sentAt }: CallProof) {
  const id = 'msg_0001';
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
