import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { testHttpPort } from './test-http-port.js';

/** Sends the last request again, with these values at their paths (`undefined`: without what is there). */
export async function sentAgain(
  { baseUrl, seen }: CarrierServer,
  changes: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const last = seen.at(-1);
  const json = JSON.parse(last?.body() ?? '') as object;
  for (const [path, value] of Object.entries(changes)) put(json, path.split('.'), value);
  const url = `${baseUrl}${last?.url ?? ''}`;
  const answer = await testHttpPort.send({ method: 'POST', url, timeoutMs: 5_000, json, headers });
  return { status: answer.status, text: new TextDecoder().decode(answer.body) };
}

function put(json: object, [name = '', ...within]: readonly string[], value: unknown): void {
  const members = json as Record<string, unknown>;
  if (within.length === 0) members[name] = value;
  else put(members[name] as object, within, value);
}
