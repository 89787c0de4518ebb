import type { HttpAnswer, Problem, Tools } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { PROBE_TIMEOUT_MS, fieldProblems, jsonClient, notTheCarrier, problemOf, textAt } from '../toolkit/index.js';
import { valueAt } from '../toolkit/index.js';

const ASK = { method: 'POST', path: '/CreateShipment' } as const;
const ENDPOINTS = {
  /** Long: without a search, an answer that we did not wait for costs a person's time. */
  createShipment: { ...ASK, effect: 'change', timeoutMs: 60_000, meansOtherwise: aboutTheAccount },
  probe: { ...ASK, effect: 'read', timeoutMs: PROBE_TIMEOUT_MS, answer: 'any', meansOtherwise: onlyRefused },
} as const;

/** The web service of GLS Denmark: the only request there is. The login stands in its body. */
export const glsApi = (tools: Tools) => jsonClient(tools, { problemsFrom }, ENDPOINTS);

/** The fields of an account: GLS answers 400 to a wrong login, as to every other fault. */
const CREDENTIALS = /^(UserName|Password|Customerid|Contactid)$/i;

function aboutTheAccount(answer: HttpAnswer): 'credentials' | null {
  const isAbout = answer.status === 400 && problemsFrom(answer).some(({ code }) => CREDENTIALS.test(code ?? ''));
  return isAbout ? 'credentials' : null;
}

/** The web service agrees to nothing here, and says why not; a gateway in front of it has pages. @throws CarrierUnavailable */
function onlyRefused(answer: HttpAnswer): null {
  const isStranger = answer.status === 401 || answer.status === 403;
  if (!isStranger && problemsFrom(answer).length === 0) throw notTheCarrier(answer);
  return null;
}

/**
 * The model state of an ASP.NET service: texts by the name of the field they are about. A 2xx is never read as a
 * complaint: GLS refuses by status, and what it accepted must not be sent again.
 */
function problemsFrom({ status, body }: HttpAnswer): readonly Problem[] {
  if (status < 400) return [];
  const json = tryParseJson(body);
  const problems = fieldProblems(valueAt(json, 'ModelState'), (field) => field.replace(/^shipment\./i, ''));
  const message = textAt(json, 'Message');
  return problems.length > 0 || message === null ? problems : [problemOf(null, message)];
}
