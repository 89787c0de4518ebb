import type { CallbackDelivery, CallbackOutcome } from '../../contract/index.js';
import { plainTracking } from '../../toolkit/plain-tracking.js';

/** Pretend has no words of its own: it says what happened in plain ones, signed by Standard Webhooks. */
export function parsePretendCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  return plainTracking(raw, delivery);
}
