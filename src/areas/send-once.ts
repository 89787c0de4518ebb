import { createHash } from 'node:crypto';
import type { MessageDraft } from '../messages/message.js';
import { markSent, wasSent } from './sent-rows.js';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { Sql } from '../db/database.js';

interface Whose {
  /** Of the area, its `contextId`. */
  readonly area: string;
  readonly shipmentId: string;
}

/** Written down after it was said: who dies in between says it twice, and nothing is kept back that nobody has heard. */
export async function rememberSent(
  { database, clock }: { readonly database: Sql; readonly clock: Clock },
  whose: Whose,
  messages: readonly MessageDraft[],
): Promise<void> {
  for (const message of messages) await markSent(database, sentKey(whose, message), clock.now());
}

/** What was said of a shipment before it was packed is not said again when it is booked, as long as it reads the same. */
export async function notSentBefore(
  { database }: { readonly database: Sql },
  whose: Whose,
  messages: readonly MessageDraft[],
): Promise<readonly MessageDraft[]> {
  const told = await Promise.all(messages.map((message) => wasSent(database, sentKey(whose, message))));
  return messages.filter((_message, index) => told[index] !== true);
}

function sentKey({ area, shipmentId }: Whose, { key, values }: MessageDraft) {
  const text = JSON.stringify([shipmentId, key, values]);
  return { area, topic: `told ${createHash('sha256').update(text).digest('hex')}` };
}
