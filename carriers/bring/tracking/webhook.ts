import type { CallbackDelivery, CallbackOutcome } from '../../contract/index.js';
import { tryParseJson } from '../../contract/index.js';
import { boundedEvents, hasSecret, parcelNumberAt, readEvents, textAt } from '../../toolkit/index.js';
import { MEANING } from './codes.js';

/** Bring signs nothing; it sends the headers that a subscription names, so the one that we choose holds the secret. */
export const SECRET_HEADER = 'x-waybridge-secret';

/**
 * A callback of Event Cast: which package, and its new status, without words, place and expected day. These are asked
 * for; the event itself is kept as well, because tracking may not know it yet.
 */
export function parseBringCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  if (!hasSecret(delivery, SECRET_HEADER))
    return { kind: 'refused', because: `no secret that fits in ${SECRET_HEADER}` };
  const body = tryParseJson(raw);
  const trackingNumber = parcelNumberAt(body, 'package');
  const code = textAt(body, 'status');
  if (trackingNumber === null || code === null) return { kind: 'ignored', because: 'it names no package or no status' };
  if (MEANING.statusOf(code) === null)
    return { kind: 'ignored', because: 'its status says nothing of where the package is' };
  const events = readEvents([body], { ...MEANING, at: 'created' }, { trackingNumber });
  return { kind: 'events', events: boundedEvents(events), ask: [trackingNumber] };
}
