import { createHash } from 'node:crypto';
import type { MessageDraft } from '../messages/message.js';
import { type SentMessage, markSent, unmarkSent, wasSent } from './sent-rows.js';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { Sql } from '../db/database.js';

interface Whose {
  /** The area's `contextId`. */
  readonly area: string;
  readonly shipmentId: string;
}

/**
 * Stores that these messages are sent, before the first attempt. The caller has to repeat them until they are sent, and to call
 * `forgetSent` for those that it gives up.
 */
export async function rememberSent(
  { database, clock }: { readonly database: Sql; readonly clock: Clock },
  whose: Whose,
  messages: readonly MessageDraft[],
): Promise<void> {
  for (const message of messages) await markSent(database, sentKey(whose, message), clock.now());
}

/** @param topics of messages, as `sentKey` names them, that `rememberSent` has stored and that were not sent */
export async function forgetSent(
  { database }: { readonly database: Sql },
  { area, topics }: { readonly area: string; readonly topics: readonly string[] },
): Promise<void> {
  for (const topic of topics) await unmarkSent(database, { area, topic });
}

/** Drops messages about a shipment that are sent before it is packed, as long as the text is the same. */
export async function notSentBefore(
  { database }: { readonly database: Sql },
  whose: Whose,
  messages: readonly MessageDraft[],
): Promise<readonly MessageDraft[]> {
  const told = await Promise.all(messages.map((message) => wasSent(database, sentKey(whose, message))));
  return messages.filter((_message, index) => told[index] !== true);
}

export function sentKey({ area, shipmentId }: Whose, { key, values }: MessageDraft): SentMessage {
  const text = JSON.stringify([shipmentId, key, values]);
  return { area, topic: `told ${createHash('sha256').update(text).digest('hex')}` };
}
