import type { HttpAnswer, Problem, Tools } from '../contract/index.js';
import { accepted, CarrierRejected, parseJson, tryParseJson } from '../contract/index.js';
import { during } from '../toolkit/during.js';
import { listAt, textAt, valueAt } from '../toolkit/json.js';
import { PROBE_TIMEOUT_MS, duringProbe, notTheCarrier } from '../toolkit/probe.js';
import type { GlsShipment } from './wire.js';

/** Long: without a search, an answer that we did not wait for costs a person's time. */
const BOOKING_TIMEOUT_MS = 60_000;

/** Where GLS complains of an account; it says so by 400, like of everything else. */
const CREDENTIALS = /^(UserName|Password|Customerid|Contactid)$/i;

/** The only request there is. */
export interface GlsClient {
  /**
   * Books.
   * @returns the JSON of the answer
   * @throws CarrierRejected | CarrierUnavailable | OutcomeUnknown
   */
  createShipment(shipment: GlsShipment): Promise<unknown>;
  /**
   * Asks for nothing, in nobody's name: without an account there is nobody for whom GLS could book.
   * @throws CarrierUnavailable
   */
  probe(): Promise<void>;
}

export function glsClient(tools: Tools): GlsClient {
  const url = `${tools.baseUrl}/CreateShipment`;
  return {
    createShipment: (json) =>
      during('change', async () => {
        const answer = await tools.http.send({ method: 'POST', url, json, timeoutMs: BOOKING_TIMEOUT_MS });
        refuseCredentials(answer);
        return parseJson(accepted(answer, { operation: 'change', problemsFrom }).body);
      }),
    probe: () =>
      duringProbe(async () => {
        const answer = await tools.http.send({ method: 'POST', url, json: {}, timeoutMs: PROBE_TIMEOUT_MS });
        if (isNoRefusal(answer)) throw notTheCarrier(answer);
        accepted(answer, { operation: 'read', problemsFrom });
      }),
  };
}

/** The web service agrees to nothing here, and says why not; a gateway in front of it has pages. */
function isNoRefusal(answer: HttpAnswer): boolean {
  if (answer.status === 401 || answer.status === 403) return false;
  return answer.status < 400 || problemsFrom(answer).length === 0;
}

function refuseCredentials(answer: HttpAnswer): void {
  if (answer.status !== 400) return;
  const problems = problemsFrom(answer);
  if (problems.some((problem) => CREDENTIALS.test(problem.code ?? '')))
    throw new CarrierRejected(problems, 'credentials');
}

/**
 * The model state of an ASP.NET service: texts by the name of the field they are about. A 2xx is never read as a
 * complaint: GLS refuses by status, and what it accepted must not be sent again.
 */
function problemsFrom(answer: HttpAnswer): readonly Problem[] {
  if (answer.status < 400) return [];
  const json = tryParseJson(answer.body);
  const state = valueAt(json, 'ModelState');
  const fields = Object.keys(typeof state === 'object' && state !== null ? state : {});
  const problems = fields.flatMap((field) => listAt(state, field).map((text) => problem(field, textAt(text))));
  const message = textAt(json, 'Message');
  return problems.length > 0 || message === null ? problems : [{ code: null, text: message, parcelId: null }];
}

function problem(field: string, text: string | null): Problem {
  const name = field.replace(/^shipment\./i, '');
  return { code: name, text: `${name}: ${text ?? 'not accepted'}`, parcelId: null };
}
