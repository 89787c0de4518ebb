import type { HttpAnswer, Problem, Tools } from '../contract/index.js';
import { isJsonObject, tryParseJson } from '../contract/index.js';
import { neededAt, textAt } from '../toolkit/json.js';
import { PROBE_TIMEOUT_MS, TOKEN_CALL, jsonClient, readBefore } from '../toolkit/json-client.js';
import { fieldProblems, problemOf } from '../toolkit/problem.js';
import type { FragtConfig } from './config.js';

export const PRODUCTION = 'https://api.fragt.dk';
const TOKENS = '/adfs/oauth2/token';

const BY_DATE = { method: 'GET', path: '/v1/Consignments/ByDate', effect: 'read' } as const;

const ENDPOINTS = {
  book: { method: 'POST', path: '/v1/Consignments', effect: 'change', timeoutMs: 60_000 },
  find: { ...BY_DATE, timeoutMs: 30_000 },
  probe: { ...BY_DATE, timeoutMs: PROBE_TIMEOUT_MS, query: { suggestedMax: '1' } },
  label: { method: 'GET', path: '/v1/Report/GetLabelForPrint', effect: 'read', answer: 'pdf', timeoutMs: 30_000 },
  track: { method: 'GET', path: '/v1/TrackAndTrace', effect: 'read', answer: 'list' },
} as const;

/**
 * A client with a token of its own for each call: nothing is kept between calls, and the token belongs to the user and to
 * the address that is asked.
 * @throws CarrierRejected | CarrierUnavailable there is no token, so nothing was done
 */
export async function fragtApi(config: FragtConfig, { http, baseUrl: given }: Tools) {
  const baseUrl = given === PRODUCTION ? config.url.replace(/\/+$/, '') : given;
  const tokens = (given === PRODUCTION ? 'https://sts.fragt.dk' : given) + TOKENS;
  const service = { http, baseUrl: config.tokenUrl ?? tokens };
  const { token } = jsonClient(service, { problemsFrom }, { token: { ...TOKEN_CALL, path: '' } });
  const form = {
    ...{ client_id: config.clientId, grant_type: 'password', Resource: baseUrl },
    ...{ Username: `Fragt\\${config.userName.replace(/^Fragt\\/i, '')}`, Password: config.password },
  };
  const authorization = `Bearer ${neededAt(await readBefore(token({ form })), 'access_token')}`;
  return jsonClient(
    { http, baseUrl },
    { headers: { authorization, 'accept-language': 'en' }, problemsFrom },
    ENDPOINTS,
  );
}

/** Texts by the name of the field that they are about; a message; or what the token service says. */
function problemsFrom({ status, body }: HttpAnswer): readonly Problem[] {
  const json = tryParseJson(body);
  if (status < 400 || !isJsonObject(json)) return [];
  const message = textAt(json, 'Message') ?? textAt(json, 'error_description') ?? textAt(json, 'error');
  if (message !== null) return [problemOf(textAt(json, 'error'), message)];
  return fieldProblems(json);
}
