import { createHash, timingSafeEqual } from 'node:crypto';
import type { CallbackDelivery, CallbackOutcome } from '../../contract/index.js';
import { tryParseJson } from '../../contract/index.js';
import { textAt } from '../../toolkit/json.js';
import { boundedEvents, momentWithOffset, trackingEvent } from '../../toolkit/tracking/tracking-event.js';
import { occurrenceId } from './events.js';
import { fromBringStatus } from './codes.js';

/** Bring signs nothing; it sends the headers that a subscription names, so the one that we choose holds the secret. */
export const SECRET_HEADER = 'x-waybridge-secret';

/** Package numbers have 18 digits; what is much longer is none. */
const MAX_NUMBER_CHARACTERS = 100;

/**
 * A callback of Event Cast: which package, and its new status, without words, place and expected day. These are asked
 * for; the event itself is kept as well, because tracking may not know it yet.
 */
export function parseBringCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  if (!isAuthentic(delivery)) return { kind: 'refused', because: `no secret that fits in ${SECRET_HEADER}` };
  const body = tryParseJson(raw);
  const trackingNumber = textAt(body, 'package');
  const code = textAt(body, 'status');
  if (trackingNumber === null || trackingNumber.length > MAX_NUMBER_CHARACTERS || code === null)
    return { kind: 'ignored', because: 'it names no package or no status' };
  const status = fromBringStatus(code);
  if (status === null) return { kind: 'ignored', because: 'its status says nothing of where the package is' };
  const at = momentWithOffset(textAt(body, 'created'));
  const events = at === null ? [] : [trackingEvent({ trackingNumber, status, code, at, id: occurrenceId(code, at) })];
  return { kind: 'events', events: boundedEvents(events), ask: [trackingNumber] };
}

function isAuthentic({ headers, secrets }: CallbackDelivery): boolean {
  const given = headers[SECRET_HEADER] ?? '';
  const isCurrent = isSame(given, secrets.current);
  const isPrevious = secrets.previous !== undefined && isSame(given, secrets.previous);
  return isCurrent || isPrevious;
}

/** Takes as long for every text of that length; an empty secret opens nothing. */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(secret)) && secret !== '';
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
