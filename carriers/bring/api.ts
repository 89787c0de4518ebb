import { type HttpAnswer, type Problem, type Tools, tryParseJson } from '../contract/index.js';
import { PROBE_TIMEOUT_MS, jsonClient, listAt, numberAt, readProblems } from '../toolkit/index.js';
import { said, textAt, valueAt } from '../toolkit/index.js';
import type { BringConfig } from './config.js';

/** A booking takes two to three seconds as a rule; a choice by price does not wait for one. */
const [BOOKING_TIMEOUT_MS, QUOTE_TIMEOUT_MS] = [30_000, 5_000];
/** Bring answers 404 where there is no such point: an assumption, see this folder's README. */
const PICKUP_POINTS = { method: 'GET', effect: 'read', noneOn: [404] } as const;
const POINTS = '/pickuppoint/api/pickuppoint/{countryCode}';
/** An error of tracking and of the Shipping Guide; that of a product has a description. */
export const ERROR = { code: 'code', text: ['description', 'message', 'code'] };

export type BringApi = ReturnType<typeof bringApi>;

/** Bring wants to know the calling system on every call. */
export const bringApi = ({ apiUid, apiKey, clientUrl = 'https://waybridge.invalid' }: BringConfig, tools: Tools) =>
  jsonClient(
    tools,
    {
      headers: {
        ...{ accept: 'application/json', 'x-mybring-api-uid': apiUid, 'x-mybring-api-key': apiKey },
        'x-bring-client-url': clientUrl,
      },
      problemsFrom: () => [],
    },
    {
      book: {
        ...{ method: 'POST', path: '/booking/api/booking', effect: 'change', timeoutMs: BOOKING_TIMEOUT_MS },
        ...{ problemsFrom: bookingProblems, neverDone: nothingWasBooked },
        meansOtherwise: (answer) => (answer.status < 500 && isAboutTheAccount(answer) ? 'credentials' : null),
      },
      /** `q`: the number of a package or a shipment, or a sender's reference. */
      track: {
        ...{ method: 'GET', path: '/tracking/api/v2/tracking.json', effect: 'read', query: { lang: 'en' } },
        problemsFrom: (answer) => readProblems(trackingErrors(answer), ERROR),
        // That nothing was found is one of them.
        meansOtherwise: (answer) => ([...new Set(trackingCodes(answer))].join() === '404' ? 'fine' : null),
        neverDone: (answer) => trackingCodes(answer).some((code) => code >= 500), // of Bring's own: ask again
      },
      products: {
        ...{ method: 'POST', path: '/shippingguide/api/v2/products', effect: 'read', timeoutMs: QUOTE_TIMEOUT_MS },
        problemsFrom: ({ body }) => readProblems(listAt(tryParseJson(body), 'fieldErrors'), ERROR), // with status 400
      },
      pointsNear: { ...PICKUP_POINTS, path: `${POINTS}/postalCode/{postalCode}.json` },
      point: { ...PICKUP_POINTS, path: `${POINTS}/id/{id}.json` },
      /** The customer numbers of the account. */
      probe: { method: 'GET', path: '/booking/api/customers.json', effect: 'read', timeoutMs: PROBE_TIMEOUT_MS },
    },
  );

/** A consignment that was confirmed is booked, whatever else is said about it. */
function bookingProblems({ body }: HttpAnswer): readonly Problem[] {
  const consignments = listAt(tryParseJson(body), 'consignments').filter((each) => !valueAt(each, 'confirmation'));
  const errors = consignments.flatMap((each) => listAt(each, 'errors'));
  return errors.map((error) => {
    const [code, errorId, messages] = [textAt(error, 'code'), textAt(error, 'uniqueId'), listAt(error, 'messages')];
    const about = { parcelId: textAt(error, 'packageCorrelationId'), ...(errorId !== null && { errorId }) };
    const english = messages.find((message) => textAt(message, 'lang') === 'en') ?? messages[0];
    return { code, text: said(code, textAt(english, 'message') ?? 'no reason given').join(': '), ...about };
  });
}

/**
 * "Internal error" and "a system behind us is down" in an answer that confirms nothing may be sent again. With a 5xx
 * status Bring does not stand by what it says, and neither do we.
 */
export function nothingWasBooked(answer: HttpAnswer): boolean {
  return answer.status < 500 && bookingProblems(answer).some(({ code }) => /^BOOK[-_]INTERNAL/.test(code ?? ''));
}

/** Wrong keys are answered in plain text, also with status 400; a user without the booking right has a code of its own. */
function isAboutTheAccount(answer: HttpAnswer): boolean {
  if (bookingProblems(answer).some(({ code }) => /^BOOK[-_]AUTHORI[SZ]ATION/.test(code ?? ''))) return true;
  const isText = answer.status === 400 && tryParseJson(answer.body) === undefined;
  return isText && /authenticat|authori[sz]|api.?key/i.test(new TextDecoder().decode(answer.body));
}

/** Tracking reports errors inside an answer with status 200. */
const trackingErrors = ({ body }: HttpAnswer): readonly unknown[] =>
  listAt(tryParseJson(body), 'consignmentSet').flatMap((each) => valueAt(each, 'error') ?? []);

const trackingCodes = (answer: HttpAnswer) => trackingErrors(answer).map((error) => numberAt(error, 'code') ?? 0);
