import type { HttpAnswer, Problem, Tools } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { textAt } from '../toolkit/json.js';
import { PROBE_TIMEOUT_MS, jsonClient } from '../toolkit/json-client.js';
import { problemOf } from '../toolkit/problem.js';
import type { NshiftConfig } from './config.js';

const READ = { method: 'GET', effect: 'read' } as const;

export type NshiftApi = ReturnType<typeof nshiftApi>;

/** What stands behind `Bearer`. */
export const combinedKey = ({ user, pin }: NshiftConfig): string => `${user}-${pin}`;

export const nshiftApi = (config: NshiftConfig, tools: Tools) =>
  jsonClient(
    tools,
    { headers: { authorization: `Bearer ${combinedKey(config)}` }, problemsFrom },
    {
      book: {
        ...{ method: 'POST', path: '/shipments', effect: 'change', timeoutMs: 60_000 },
        ...{ query: { returnFile: 'true' }, answer: 'list' },
      },
      documents: { ...READ, path: '/shipments/{id}/{documents}', answer: 'list', noneOn: [404] },
      document: { ...READ, path: '/shipments/{id}/{documents}/{document}', answer: 'pdf', timeoutMs: 30_000 },
      cancel: { method: 'DELETE', path: '/shipments/{id}', effect: 'change', answer: 'none' },
      changes: { ...READ, path: '/shipments' },
      prices: { method: 'POST', path: '/prices', effect: 'read', timeoutMs: 5_000 },
      agents: { ...READ, path: '/addresses/agents', answer: 'list' },
      partners: { ...READ, path: '/meta/lists/partners', query: { language: 'en' }, timeoutMs: PROBE_TIMEOUT_MS },
    },
  );

/** A 422 is a list of what is wrong, and of what is only noted; all others are `{ code, message }`, or nothing. */
function problemsFrom({ status, body }: HttpAnswer): readonly Problem[] {
  if (status < 300) return [];
  const json = tryParseJson(body);
  const listed: readonly unknown[] = Array.isArray(json) ? json : textAt(json, 'message') === null ? [] : [json];
  const errors = listed.filter((each) => textAt(each, 'type') === 'error');
  return (errors.length > 0 ? errors : listed).map((each) => {
    const [field, message] = [textAt(each, 'field'), textAt(each, 'message') ?? 'no reason given'];
    const code = textAt(each, 'messageCode') ?? textAt(each, 'code');
    return problemOf(code, field === null ? message : `${field}: ${message}`);
  });
}
