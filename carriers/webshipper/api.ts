import type { HttpAnswer, Problem, Tools } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { listAt, textAt } from '../toolkit/json.js';
import { PROBE_TIMEOUT_MS, jsonClient } from '../toolkit/json-client.js';
import { problemOf } from '../toolkit/problem.js';
import { said } from '../toolkit/text.js';
import type { WebshipperConfig } from './config.js';

/** Of the account `demo`: each account has an address of its own. */
export const DEMO = 'https://demo.api.webshipper.io';
export const MEDIA = 'application/vnd.api+json';

const READ = { method: 'GET', effect: 'read' } as const;
/** A question that JSON:API asks by creating what answers it. */
const ASK = { method: 'POST', effect: 'read' } as const;

const ENDPOINTS = {
  book: { method: 'POST', path: '/v2/shipments', effect: 'change', timeoutMs: 60_000 },
  find: { ...READ, path: '/v2/shipments' },
  labels: { ...READ, path: '/v2/shipments/{id}/labels', timeoutMs: 30_000 },
  events: { ...READ, path: '/v2/tracking_events' },
  dropPoints: { ...ASK, path: '/v2/drop_point_locators' },
  rates: { ...READ, path: '/v2/shipping_rates', timeoutMs: PROBE_TIMEOUT_MS },
  quote: { ...ASK, path: '/v2/service_quotes', timeoutMs: PROBE_TIMEOUT_MS },
  carriers: { ...READ, path: '/v2/carriers', timeoutMs: PROBE_TIMEOUT_MS },
} as const;

export type WebshipperApi = ReturnType<typeof webshipperApi>;

export const webshipperApi = ({ serverName, apiKey }: WebshipperConfig, { http, baseUrl }: Tools) =>
  jsonClient(
    { http, baseUrl: baseUrl === DEMO ? `https://${serverName}.api.webshipper.io` : baseUrl },
    { headers: { authorization: `Bearer ${apiKey}`, accept: MEDIA, 'content-type': MEDIA }, problemsFrom },
    ENDPOINTS,
  );

/** `{ errors: [{ title, detail }] }` from status 300 on. */
function problemsFrom({ status, body }: HttpAnswer): readonly Problem[] {
  const errors = status < 300 ? [] : listAt(tryParseJson(body), 'errors');
  return errors.map((each) => problemOf(null, said(textAt(each, 'title'), textAt(each, 'detail')).join(': ') || null));
}
