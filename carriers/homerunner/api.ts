import type { Tools } from '../contract/index.js';
import { PROBE_TIMEOUT_MS, basicCredentials, jsonClient } from '../toolkit/json-client.js';
import { messageProblems } from '../toolkit/problem.js';
import type { HomerunnerConfig } from './config.js';

const BOOK = { method: 'POST', effect: 'change', timeoutMs: 60_000 } as const;
const READ = { method: 'GET', effect: 'read' } as const;
const LABEL = { ...READ, answer: 'pdf', timeoutMs: 30_000 } as const;

export type HomerunnerApi = ReturnType<typeof homerunnerApi>;

export const homerunnerApi = ({ userName, token }: HomerunnerConfig, tools: Tools) =>
  jsonClient(
    tools,
    {
      headers: { authorization: `Basic ${basicCredentials(userName, token)}`, 'x-developer-id': 'Waybridge' },
      problemsFrom: messageProblems,
    },
    {
      book: { ...BOOK, path: '/v3/shipments' },
      return: { ...BOOK, path: '/v3/shipments/return' },
      label: { ...LABEL, path: '/v3/shipments/{number}/label' },
      returnLabel: { ...LABEL, path: '/v3/return/{number}/label' },
      track: { ...READ, path: '/v3/shipments/{number}/tracking', noneOn: [404] },
      pointsNear: { ...READ, path: '/v3/servicepoints/{carrier}' },
      point: { ...READ, path: '/v3/servicepoints/{carrier}/{id}', noneOn: [404] },
      products: { ...READ, path: '/v3/products/{from}', timeoutMs: PROBE_TIMEOUT_MS },
    },
  );
