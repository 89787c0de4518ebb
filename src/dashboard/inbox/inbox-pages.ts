import type { RequestHandler } from 'express';
import { deadLetterPages } from './dead-letters.js';
import { eventPages } from './events.js';
import { manifestPages } from './manifests.js';
import type { InboxPagesDeps } from './inbox-page-deps.js';
import { parcelPages } from './parcels.js';

/** What comes in and goes out beside bookings: events, parcels, manifests, and what was given up. */
export function inboxPages(deps: InboxPagesDeps): readonly RequestHandler[] {
  return [eventPages(deps), parcelPages(deps), manifestPages(deps), deadLetterPages(deps)];
}
