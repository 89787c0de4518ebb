import type { HttpAnswer, Label, Tools } from '../contract/index.js';
import { CarrierRejected, accepted, quoted, tryParseJson } from '../contract/index.js';
import { pdfLabel } from '../toolkit/pdf-answer.js';
import { PROBE_TIMEOUT_MS, duringProbe, notTheCarrier } from '../toolkit/probe.js';
import { bookingProblems, isAboutTheAccount, nothingWasBooked } from './errors.js';
import type { BringConfig } from './config.js';
import { shippingGuideProblems } from './quotes.js';
import { foundNothing, trackingIsDown, trackingProblems } from './tracking/lookup.js';
import type { BringBookingRequest, ShippingGuideRequest } from './wire.js';

/** A booking takes two to three seconds as a rule. */
const BOOKING_TIMEOUT_MS = 30_000;
const TRACKING_TIMEOUT_MS = 15_000;
/** A choice by price does not wait for one. */
const QUOTE_TIMEOUT_MS = 5_000;
const LABEL_LIMITS = { timeoutMs: 20_000, maxBytes: 10_000_000 };
/** Bring wants to know the calling system on every call. */
const NO_CLIENT_URL = 'https://waybridge.invalid';

export interface BringClient {
  book(booking: BringBookingRequest): Promise<HttpAnswer>;
  /** @param number of a package or a shipment, or a sender's reference */
  track(number: string): Promise<HttpAnswer>;
  /** @throws CarrierRejected | CarrierUnavailable */
  products(question: ShippingGuideRequest): Promise<HttpAnswer>;
  label(link: string): Promise<Label>;
  /**
   * Asks the Booking API for the customer numbers of the account.
   * @throws CarrierUnavailable
   */
  probe(): Promise<void>;
}

export function bringClient(config: BringConfig, tools: Tools): BringClient {
  const headers = {
    accept: 'application/json',
    'x-mybring-api-uid': config.apiUid,
    'x-mybring-api-key': config.apiKey,
    'x-bring-client-url': config.clientUrl ?? NO_CLIENT_URL,
  };
  return {
    book: async (json) => {
      const url = `${tools.baseUrl}/booking/api/booking`;
      const answer = await tools.http.send({ method: 'POST', url, headers, json, timeoutMs: BOOKING_TIMEOUT_MS });
      if (isAboutTheAccount(answer)) throw notLetIn(answer);
      return accepted(answer, {
        operation: 'change',
        problemsFrom: bookingProblems,
        neverDone: nothingWasBooked,
      });
    },
    track: async (number) => {
      const url = `${tools.baseUrl}/tracking/api/v2/tracking.json`;
      const query = { q: number, lang: 'en' };
      const answer = await tools.http.send({ method: 'GET', url, query, headers, timeoutMs: TRACKING_TIMEOUT_MS });
      if (foundNothing(answer)) return answer;
      return accepted(answer, { operation: 'read', problemsFrom: trackingProblems, neverDone: trackingIsDown });
    },
    products: async (json) => {
      const url = `${tools.baseUrl}/shippingguide/api/v2/products`;
      const asked = { method: 'POST', url, headers, json, effect: 'repeatable', timeoutMs: QUOTE_TIMEOUT_MS } as const;
      return accepted(await tools.http.send(asked), { operation: 'read', problemsFrom: shippingGuideProblems });
    },
    label: async (link) => {
      const answer = await tools.http.fetchLink(link, LABEL_LIMITS);
      if (answer.status === 401 || answer.status === 403) throw linkExpired(answer);
      return pdfLabel(accepted(answer, { operation: 'read', problemsFrom: () => [] }));
    },
    probe: () =>
      duringProbe(async () => {
        const url = `${tools.baseUrl}/booking/api/customers.json`;
        const answer = await tools.http.send({ method: 'GET', url, headers, timeoutMs: PROBE_TIMEOUT_MS });
        const read = accepted(answer, { operation: 'read', problemsFrom: () => [] });
        if (tryParseJson(read.body) === undefined) throw notTheCarrier(read);
      }),
  };
}

function notLetIn(answer: HttpAnswer): CarrierRejected {
  const problems = bookingProblems(answer);
  const said = { code: String(answer.status), text: quoted(answer), parcelId: null };
  return new CarrierRejected(problems.length > 0 ? problems : [said], 'credentials');
}

/** The link itself is the key to the label; the account's keys have no part in it. */
function linkExpired(answer: HttpAnswer): CarrierRejected {
  const text = `the link to the label does not work any more (status ${answer.status})`;
  return new CarrierRejected([{ code: String(answer.status), text, parcelId: null }]);
}
