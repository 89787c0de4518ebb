import { createHash } from 'node:crypto';
import { ImsForbidden } from '../ims/errors.js';
import { type OperationName, operation } from '../ims/operations.js';
import type { PhraseKey } from '../messages/keys.js';
import { type MessageDraft, say } from '../messages/message.js';
import { releaseSending, markSent, claimSending } from '../areas/sent-rows.js';
import type { BookingContext } from './context.js';
import type { Area } from '../areas/area.js';

type MissingScopePhrase = Extract<PhraseKey, `lack-${string}`>;

/**
 * Operations without whose scope a booking is incomplete, not impossible. `phrase`: the effect for a worker; `null`: no
 * worker notices.
 */
const NEEDED: readonly { readonly name: OperationName; readonly phrase: MissingScopePhrase | null }[] = [
  { name: 'setWorkStatus', phrase: 'lack-status' },
  { name: 'patchShippingContainer', phrase: 'lack-tracking' },
  { name: 'patchShipment', phrase: 'lack-shipment' },
  { name: 'attachToDocument', phrase: 'lack-label' },
  { name: 'printResource', phrase: 'lack-print' },
  { name: 'postEventMessage', phrase: null },
];

/** The time of one message; a process that began to tell and did not finish within it counts as dead. */
const TELLING_MS = 60_000;
/** Nothing says when a missing scope was given and lost again: after this time it is told again. */
const TOLD_FOR_MS = 7 * 24 * 3_600_000;

/**
 * Tells an area once a week what its scopes do not cover, across restarts, and again when that changes. Of bookings that
 * end at the same moment, the first one tells.
 * @throws what `sendMessage` throws, unless workers cannot be told anything: then it is in the log
 */
export async function tellMissingScopes(
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
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const claim = { now, abandonedBefore: ago(TELLING_MS), expiredBefore: ago(TOLD_FOR_MS) };
  if (!(await claimSending(database, notice, claim))) return;
  log.error('not allowed', { area: area.contextId, operations });
  try {
    const phrases = phrasesOf(missing).map((phrase) => area.phrase(phrase, {}));
    // Where nothing can be booked, each worker gets that message; other missing scopes are only logged.
    if (phrases.length > 0 && area.ims.can('loadShipment'))
      await post(say('not-allowed', { lacks: phrases.join('; ') }));
  } catch (error) {
    if (!(error instanceof ImsForbidden)) {
      await releaseSending(database, notice);
      throw error;
    }
  }
  await markSent(database, notice, clock.now());
}

/** Leaves out printing where attaching is missing, since it implies it. */
function phrasesOf(missing: typeof NEEDED): readonly MissingScopePhrase[] {
  const phrases = missing.flatMap(({ phrase }) => phrase ?? []);
  return phrases.filter((phrase) => phrase !== 'lack-print' || !phrases.includes('lack-label'));
}
