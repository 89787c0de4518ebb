import type { HttpAnswer, Label, Problem, Tools } from '../contract/index.js';
import { accepted, tryParseJson } from '../contract/index.js';
import { textAt } from '../toolkit/json.js';
import { PROBE_TIMEOUT_MS, jsonClient } from '../toolkit/json-client.js';
import { pdfLabel } from '../toolkit/pdf-answer.js';
import { problemOf } from '../toolkit/problem.js';
import type { BudbeeConfig } from './config.js';

export const PRODUCTION = 'https://api.budbee.com';
export const SANDBOX = 'https://api.staging.budbee.com';

const BOOKING_TIMEOUT_MS = 30_000;
const LINK = { timeoutMs: 15_000, maxBytes: 5_000_000 };

/** Every call has a vendor type, and is refused with another one. */
export const MEDIA = {
  newOrder: 'application/vnd.budbee.multiple.orders-v2+json',
  order: 'application/vnd.budbee.multiple.orders-v1+json',
  postalCode: 'application/vnd.budbee.postalcodes-v2+json',
  boxes: 'application/vnd.budbee.boxes-v1+json',
} as const;

const typed = (type: string) => ({ headers: { accept: type, 'content-type': type } });

const ENDPOINTS = {
  book: {
    method: 'POST',
    path: '/multiple/orders',
    effect: 'change',
    timeoutMs: BOOKING_TIMEOUT_MS,
    ...typed(MEDIA.newOrder),
    // Budbee documents 403 as "one or more fields have invalid values"; a wrong key is a 401.
    meansOtherwise: ({ status }: HttpAnswer) => (status === 403 ? 'data' : null),
  },
  find: { method: 'GET', path: '/multiple/orders', effect: 'read', ...typed(MEDIA.order) },
  order: { method: 'GET', path: '/multiple/orders/{id}', effect: 'read', ...typed(MEDIA.order) },
  // 204 is documented; clients take any 2xx.
  cancel: { method: 'DELETE', path: '/multiple/orders/{id}', effect: 'change', answer: 'any', ...typed(MEDIA.order) },
  postalCode: {
    method: 'GET',
    path: '/postalcodes/validate/{country}/{postalCode}',
    effect: 'read',
    timeoutMs: PROBE_TIMEOUT_MS,
    noneOn: [404],
    ...typed(MEDIA.postalCode),
  },
  boxesNear: {
    method: 'GET',
    path: '/boxes/postalcodes/validate/{country}/{postalCode}',
    effect: 'read',
    noneOn: [404],
    ...typed(MEDIA.boxes),
  },
  box: { method: 'GET', path: '/boxes/{id}', effect: 'read', noneOn: [404], ...typed(MEDIA.boxes) },
} as const;

export function budbeeApi(config: BudbeeConfig, { http, baseUrl }: Tools) {
  const headers = { authorization: `Basic ${credentialsOf(config)}` };
  const url = config.test && baseUrl === PRODUCTION ? SANDBOX : baseUrl;
  return {
    ...jsonClient({ http, baseUrl: url }, { headers, problemsFrom }, ENDPOINTS),
    /** The link is signed and encoded already, and needs no login. */
    label: async (link: string): Promise<Label> =>
      pdfLabel(accepted(await http.fetchLink(link, LINK), { operation: 'read', problemsFrom })),
  };
}

export type BudbeeApi = ReturnType<typeof budbeeApi>;

export function credentialsOf({ apiKey, apiSecret }: BudbeeConfig): string {
  return Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
}

/** `{ message }` from status 300 on, sometimes nothing. */
function problemsFrom({ status, body }: HttpAnswer): readonly Problem[] {
  const message = status < 300 ? null : textAt(tryParseJson(body), 'message');
  return message === null ? [] : [problemOf(null, message)];
}
