import type { HttpAnswer, Problem, Tools } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { listAt, textAt } from '../toolkit/json.js';
import { PROBE_TIMEOUT_MS, basicCredentials, jsonClient } from '../toolkit/json-client.js';
import { problemOf } from '../toolkit/problem.js';
import type { ShipmondoConfig } from './config.js';

export const PRODUCTION = 'https://app.shipmondo.com/api/public/v3';
export const SANDBOX = 'https://sandbox.shipmondo.com/api/public/v3';

/** Shipmondo asks the carrier within the request. */
const CARRIER_TIMEOUT_MS = 60_000;
/** A choice by price does not wait for one. */
const QUOTE_TIMEOUT_MS = 5_000;
const CHANGE = { effect: 'change', timeoutMs: CARRIER_TIMEOUT_MS } as const;
const READ = { method: 'GET', effect: 'read' } as const;
const LIST = { ...READ, answer: 'list' } as const;

const ENDPOINTS = {
  book: { ...CHANGE, method: 'POST', path: '/shipments' },
  find: { ...READ, answer: 'page', path: '/shipments' },
  labels: { ...LIST, path: '/shipments/{id}/labels', timeoutMs: 30_000 },
  cancel: { ...CHANGE, method: 'PUT', path: '/shipments/{id}/cancel' },
  quote: { method: 'POST', effect: 'read', path: '/quotes', timeoutMs: QUOTE_TIMEOUT_MS },
  pointsNear: { ...LIST, path: '/service_point/service_points' },
  point: { ...LIST, path: '/pickup_points', noneOn: [404] },
  account: { ...READ, path: '/account/', timeoutMs: PROBE_TIMEOUT_MS },
} as const;

export type ShipmondoApi = ReturnType<typeof shipmondoApi>;

export function shipmondoApi({ apiUser, apiKey, test }: ShipmondoConfig, { http, baseUrl }: Tools) {
  const headers = { authorization: `Basic ${basicCredentials(apiUser, apiKey)}`, accept: 'application/json' };
  const url = test && baseUrl === PRODUCTION ? SANDBOX : baseUrl;
  return jsonClient({ http, baseUrl: url }, { headers, problemsFrom, neverDone }, ENDPOINTS);
}

/** `{ error }`, a text or a list of texts, from status 400 on. */
function problemsFrom({ status, body }: HttpAnswer): readonly Problem[] {
  const json = status < 300 ? undefined : tryParseJson(body);
  const text = textAt(json, 'error') ?? listAt(json, 'error').map(String).join(' ');
  return text === '' ? [] : [problemOf(null, text)];
}

/** Shipmondo also answers 422 when it cannot reach the carrier behind it: then nothing was booked. */
export function neverDone(answer: HttpAnswer): boolean {
  const isUnreached = ({ text }: Problem) => /Connection to .+ could not be established/i.test(text);
  return answer.status === 422 && problemsFrom(answer).some(isUnreached);
}
