import { createHash } from 'node:crypto';
import type { MessageDraft } from '../messages/message.js';
import { markSent, wasSent } from './sent-rows.js';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { Sql } from '../db/database.js';

interface Whose {
  /** The area's `contextId`. */
  readonly area: string;
  readonly shipmentId: string;
}

/** Stores that these messages are sent, before the first attempt. Only work that is repeated until they are sent may do so. */
export async function rememberSent(
  { database, clock }: { readonly database: Sql; readonly clock: Clock },
  whose: Whose,
  messages: readonly MessageDraft[],
): Promise<void> {
  for (const message of messages) await markSent(database, sentKey(whose, message), clock.now());
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

function sentKey({ area, shipmentId }: Whose, { key, values }: MessageDraft) {
  const text = JSON.stringify([shipmentId, key, values]);
  return { area, topic: `told ${createHash('sha256').update(text).digest('hex')}` };
}
