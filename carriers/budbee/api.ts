import type { HttpAnswer, Tools } from '../contract/index.js';
import { labelAt } from '../toolkit/answers/label-at.js';
import { PROBE_TIMEOUT_MS, basicCredentials, jsonClient } from '../toolkit/json-client.js';
import { messageProblems } from '../toolkit/problem.js';
import type { BudbeeConfig } from './config.js';

export const PRODUCTION = 'https://api.budbee.com';
export const SANDBOX = 'https://api.staging.budbee.com';

const CHANGE = { effect: 'change', timeoutMs: 30_000 } as const;

/** Every call has a vendor type, and is refused with another one. */
export const MEDIA = {
  newOrder: 'application/vnd.budbee.multiple.orders-v2+json',
  order: 'application/vnd.budbee.multiple.orders-v1+json',
  postalCode: 'application/vnd.budbee.postalcodes-v2+json',
  boxes: 'application/vnd.budbee.boxes-v1+json',
} as const;

const typed = (type: string) => ({ headers: { accept: type, 'content-type': type } });
const read = (type: string) => ({ method: 'GET', effect: 'read', ...typed(type) }) as const;

const ENDPOINTS = {
  book: {
    ...CHANGE,
    method: 'POST',
    path: '/multiple/orders',
    ...typed(MEDIA.newOrder),
    // Budbee documents 403 as "one or more fields have invalid values"; a wrong key is a 401.
    meansOtherwise: ({ status }: HttpAnswer) => (status === 403 ? 'data' : null),
  },
  find: { ...read(MEDIA.order), path: '/multiple/orders', answer: 'list' },
  order: { ...read(MEDIA.order), path: '/multiple/orders/{id}' },
  // 204 is documented; clients take any 2xx, which a page of a proxy has too.
  cancel: { ...CHANGE, method: 'DELETE', path: '/multiple/orders/{id}', answer: 'confirmed', ...typed(MEDIA.order) },
  postalCode: {
    ...read(MEDIA.postalCode),
    path: '/postalcodes/validate/{country}/{postalCode}',
    timeoutMs: PROBE_TIMEOUT_MS,
    answer: 'list',
    noneOn: [404],
  },
  boxesNear: { ...read(MEDIA.boxes), path: '/boxes/postalcodes/validate/{country}/{postalCode}', noneOn: [404] },
  box: { ...read(MEDIA.boxes), path: '/boxes/{id}', noneOn: [404] },
} as const;

export function budbeeApi(config: BudbeeConfig, { http, baseUrl }: Tools) {
  const headers = { authorization: `Basic ${basicCredentials(config.apiKey, config.apiSecret)}` };
  const url = config.test && baseUrl === PRODUCTION ? SANDBOX : baseUrl;
  return {
    ...jsonClient({ http, baseUrl: url }, { headers, problemsFrom: messageProblems }, ENDPOINTS),
    /** The link is signed and encoded already, and needs no login. */
    label: (link: string) => labelAt(link, { http }),
  };
}

export type BudbeeApi = ReturnType<typeof budbeeApi>;
