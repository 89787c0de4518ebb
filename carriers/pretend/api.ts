import type { HttpAnswer, HttpRequest, Operation, Tools } from '../contract/index.js';
import { OutcomeUnknown, accepted, quoted, tryParseJson } from '../contract/index.js';
import { PROBE_TIMEOUT_MS, duringProbe, notTheCarrier } from '../toolkit/probe.js';
import type { PretendConfig } from './config.js';
import { neverDone, problemsFrom } from './booking.js';
import type { PretendBookingRequest, PretendQuestion } from './wire.js';

const TIMEOUT_MS = 10_000;
/** A choice by price does not wait for one. */
const QUOTE_TIMEOUT_MS = 3_000;
/** How it says that a booking is cancelled. */
const NO_CONTENT = 204;

/** What a probe searches for. */
const NOBODYS_REFERENCE = 'probe';

export interface PretendClient {
  book(booking: PretendBookingRequest): Promise<HttpAnswer>;
  search(reference: string): Promise<HttpAnswer>;
  quote(question: PretendQuestion): Promise<HttpAnswer>;
  labels(number: string): Promise<HttpAnswer>;
  cancel(number: string): Promise<HttpAnswer>;
  track(trackingNumbers: readonly string[]): Promise<HttpAnswer>;
  closeOut(numbers: readonly string[]): Promise<HttpAnswer>;
  /** @throws CarrierUnavailable */
  probe(): Promise<void>;
}

type Question = Omit<HttpRequest, 'headers' | 'timeoutMs'> & Partial<Pick<HttpRequest, 'timeoutMs'>>;

export function pretendClient(config: PretendConfig, tools: Tools): PretendClient {
  const bookings = `${tools.baseUrl}/bookings`;
  const headers = { authorization: `Bearer ${config.apiKey}` };
  const exchange = async (operation: Operation, request: Question) => {
    const answer = await tools.http.send({ timeoutMs: TIMEOUT_MS, ...request, headers });
    return accepted(answer, { operation, problemsFrom, neverDone });
  };
  const one = (number: string) => `${bookings}/${encodeURIComponent(number)}`;
  return {
    book: (json) => exchange('change', { method: 'POST', url: bookings, json }),
    search: (reference) => exchange('read', { method: 'GET', url: bookings, query: { reference } }),
    quote: (json) => {
      const url = `${tools.baseUrl}/quotes`;
      return exchange('read', { method: 'POST', url, json, effect: 'repeatable', timeoutMs: QUOTE_TIMEOUT_MS });
    },
    labels: (number) => exchange('read', { method: 'GET', url: `${one(number)}/labels` }),
    track: (trackingNumbers) => {
      const query = { numbers: trackingNumbers.join(',') };
      return exchange('read', { method: 'GET', url: `${tools.baseUrl}/tracking`, query });
    },
    closeOut: (numbers) =>
      exchange('change', { method: 'POST', url: `${tools.baseUrl}/manifests`, json: { bookings: numbers } }),
    probe: () =>
      duringProbe(async () => {
        const query = { reference: NOBODYS_REFERENCE };
        const answer = await exchange('read', { method: 'GET', url: bookings, query, timeoutMs: PROBE_TIMEOUT_MS });
        if (tryParseJson(answer.body) === undefined) throw notTheCarrier(answer);
      }),
    cancel: async (number) => {
      const answer = await exchange('change', { method: 'DELETE', url: one(number) });
      if (answer.status !== NO_CONTENT) throw new OutcomeUnknown(`an answer that confirms nothing: ${quoted(answer)}`);
      return answer;
    },
  };
}
