import type { Tools } from '../contract/index.js';
import { PROBE_TIMEOUT_MS, jsonClient } from '../toolkit/index.js';
import type { BringConfig } from './config.js';
import { bookingProblems, isAboutTheAccount, nothingWasBooked } from './errors.js';
import { shippingGuideProblems } from './quotes.js';
import { foundNothing, trackingIsDown, trackingProblems } from './tracking/lookup.js';

/** A booking takes two to three seconds as a rule. */
const BOOKING_TIMEOUT_MS = 30_000;
/** A choice by price does not wait for one. */
const QUOTE_TIMEOUT_MS = 5_000;
/** Bring wants to know the calling system on every call. */
const NO_CLIENT_URL = 'https://waybridge.invalid';

/** Where there is none, status 404 says so: an assumption, see this folder's README. */
const PICKUP_POINTS = { method: 'GET', effect: 'read', noneOn: [404] } as const;

export type BringApi = ReturnType<typeof bringApi>;

export const bringApi = (config: BringConfig, tools: Tools) =>
  jsonClient(
    tools,
    {
      headers: {
        accept: 'application/json',
        'x-mybring-api-uid': config.apiUid,
        'x-mybring-api-key': config.apiKey,
        'x-bring-client-url': config.clientUrl ?? NO_CLIENT_URL,
      },
      problemsFrom: () => [],
    },
    {
      book: {
        method: 'POST',
        path: '/booking/api/booking',
        effect: 'change',
        timeoutMs: BOOKING_TIMEOUT_MS,
        problemsFrom: bookingProblems,
        meansOtherwise: (answer) => (isAboutTheAccount(answer) ? 'credentials' : null),
        neverDone: nothingWasBooked,
      },
      /** `q`: the number of a package or a shipment, or a sender's reference. */
      track: {
        method: 'GET',
        path: '/tracking/api/v2/tracking.json',
        effect: 'read',
        query: { lang: 'en' },
        problemsFrom: trackingProblems,
        meansOtherwise: (answer) => (foundNothing(answer) ? 'fine' : null),
        neverDone: trackingIsDown,
      },
      products: {
        method: 'POST',
        path: '/shippingguide/api/v2/products',
        effect: 'read',
        timeoutMs: QUOTE_TIMEOUT_MS,
        problemsFrom: shippingGuideProblems,
      },
      pointsNear: { ...PICKUP_POINTS, path: '/pickuppoint/api/pickuppoint/{countryCode}/postalCode/{postalCode}.json' },
      point: { ...PICKUP_POINTS, path: '/pickuppoint/api/pickuppoint/{countryCode}/id/{id}.json' },
      /** The customer numbers of the account. */
      probe: { method: 'GET', path: '/booking/api/customers.json', effect: 'read', timeoutMs: PROBE_TIMEOUT_MS },
    },
  );
