import type { HttpAnswer, Problem, Tools } from '../../contract/index.js';
import { accepted, CarrierRejected, CarrierUnavailable, parseJson, tryParseJson } from '../../contract/index.js';
import { listAt, textAt } from '../../toolkit/json.js';
import type { GlsTrackingConfig } from '../config.js';

const TIMEOUT_MS = 15_000;

export interface GlsTrackingClient {
  /** @throws CarrierRejected | CarrierUnavailable */
  track(trackingNumbers: readonly string[]): Promise<HttpAnswer>;
}

/** The Track & Trace of GLS Group: another host and other credentials than the web service of GLS Denmark. */
export function glsTrackingClient(config: GlsTrackingConfig, { http }: Tools): GlsTrackingClient {
  const baseUrl = config.baseUrl.replace(/\/+$/, '');
  const askToken = async (): Promise<string> => {
    const credentials = Buffer.from(`${config.clientId}:${config.clientSecret}`).toString('base64');
    const answer = await http.send({
      method: 'POST',
      url: `${baseUrl}/oauth2/v2/token`,
      headers: { authorization: `Basic ${credentials}` },
      form: { grant_type: 'client_credentials' },
      effect: 'repeatable',
      timeoutMs: TIMEOUT_MS,
    });
    // it says 400 of a client that it does not know
    if (answer.status === 400) throw new CarrierRejected(problemsFrom(answer), 'credentials');
    const token = textAt(parseJson(accepted(answer, { operation: 'read', problemsFrom }).body), 'access_token');
    if (token === null) throw new CarrierUnavailable('GLS gave no token', null);
    return token;
  };
  return {
    // a token for each call: nothing is kept between calls, and GLS gives out many times more tokens a day than answers
    track: async (trackingNumbers) => {
      const authorization = `Bearer ${await askToken()}`;
      const numbers = trackingNumbers.map(encodeURIComponent).join(',');
      const answer = await http.send({
        method: 'GET',
        url: `${baseUrl}/track-and-trace-v1/tracking/simple/trackids/${numbers}`,
        headers: { authorization, accept: 'application/json', 'accept-language': 'EN' },
        timeoutMs: TIMEOUT_MS,
      });
      return accepted(answer, { operation: 'read', problemsFrom });
    },
  };
}

/** Three shapes: of the token service, of the gateway, of Track & Trace. */
function problemsFrom(answer: HttpAnswer): readonly Problem[] {
  if (answer.status < 400) return [];
  const json = tryParseJson(answer.body);
  const said = [
    ...listAt(json, 'errors').map((error) => textAt(error, 'message')),
    textAt(json, 'fault', 'faultstring'),
    textAt(json, 'detail'),
  ];
  return said.filter((text) => text !== null).map((text) => ({ code: String(answer.status), text, parcelId: null }));
}
