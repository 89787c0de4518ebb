import { createHash } from 'node:crypto';
import { ImsForbidden } from '../ims/errors.js';
import { type OperationName, operation } from '../ims/operations.js';
import type { PhraseKey } from '../messages/keys.js';
import { type MessageDraft, say } from '../messages/message.js';
import { leaveTelling, markTold, takeTelling } from '../areas/sent-rows.js';
import type { BookingContext } from './context.js';
import type { Area } from '../areas/area.js';

type LackPhrase = Extract<PhraseKey, `lack-${string}`>;

/** Without these a booking is poorer, not impossible; `phrase`: as a worker notices it, `null`: nobody in a warehouse does. */
const NEEDED: readonly { readonly name: OperationName; readonly phrase: LackPhrase | null }[] = [
  { name: 'setWorkStatus', phrase: 'lack-status' },
  { name: 'patchShippingContainer', phrase: 'lack-tracking' },
  { name: 'patchShipment', phrase: 'lack-shipment' },
  { name: 'attachToDocument', phrase: 'lack-label' },
  { name: 'printResource', phrase: 'lack-print' },
  { name: 'postEventMessage', phrase: null },
];

/** As long as one message takes: who began to tell and did not end may have died. */
const TELLING_MS = 60_000;

/**
 * Says what our access does not allow: once for an area, over restarts too, until it is something else. Bookings that end at
 * the same moment leave it to the first of them.
 * @throws what `post` throws, unless workers cannot be told anything: then the log has said it
 */
export async function tellLacks(
  { database, log, clock }: Pick<BookingContext, 'database' | 'log' | 'clock'>,
  area: Area,
  post: (message: MessageDraft) => Promise<void>,
): Promise<void> {
  const missing = NEEDED.filter(({ name }) => !area.ims.can(name));
  if (missing.length === 0) return;
  const operations = missing.map(({ name }) => `${operation(name).method} ${operation(name).path}`).join(', ');
  const topic = `not-allowed:${createHash('sha256').update(operations).digest('hex').slice(0, 16)}`;
  const notice = { area: area.contextId, topic };
  const now = clock.now();
  if (!(await takeTelling(database, notice, { now, abandonedBefore: new Date(now.getTime() - TELLING_MS) }))) return;
  log.error('not allowed', { area: area.contextId, operations });
  try {
    const lacks = phrasesOf(missing).map((phrase) => area.phrase(phrase, {}));
    // Where nothing can be booked, each worker is told that; what else is missing is for the operator alone.
    if (lacks.length > 0 && area.ims.can('loadShipment')) await post(say('not-allowed', { lacks: lacks.join('; ') }));
  } catch (error) {
    if (!(error instanceof ImsForbidden)) {
      await leaveTelling(database, notice);
      throw error;
    }
  }
  await markTold(database, notice, clock.now());
}

/** What is not attached is not printed either. */
function phrasesOf(missing: typeof NEEDED): readonly LackPhrase[] {
  const phrases = missing.flatMap(({ phrase }) => phrase ?? []);
  return phrases.filter((phrase) => phrase !== 'lack-print' || !phrases.includes('lack-label'));
}
