import type { HttpAnswer, Problem, Tools } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { PROBE_TIMEOUT_MS, jsonClient, listAt, notTheCarrier, problemOf, textAt, valueAt } from '../toolkit/index.js';

/** Long: without a search, an answer that we did not wait for costs a person's time. */
const BOOKING_TIMEOUT_MS = 60_000;
/** Where GLS complains of an account; it says so by 400, like of everything else. */
const CREDENTIALS = /^(UserName|Password|Customerid|Contactid)$/i;
const CREATE_SHIPMENT = { method: 'POST', path: '/CreateShipment' } as const;

/** The web service of GLS Denmark: the only request there is. The login stands in its body. */
export const glsApi = (tools: Tools) =>
  jsonClient(
    tools,
    { problemsFrom },
    {
      createShipment: {
        ...CREATE_SHIPMENT,
        ...{ effect: 'change', timeoutMs: BOOKING_TIMEOUT_MS },
        meansOtherwise: (answer) => (isAboutTheAccount(answer) ? 'credentials' : null),
      },
      probe: {
        ...CREATE_SHIPMENT,
        ...{ effect: 'read', timeoutMs: PROBE_TIMEOUT_MS, answer: 'any' },
        meansOtherwise: (answer) => {
          if (isNoRefusal(answer)) throw notTheCarrier(answer);
          return null;
        },
      },
    },
  );

/** The web service agrees to nothing here, and says why not; a gateway in front of it has pages. */
function isNoRefusal(answer: HttpAnswer): boolean {
  const isStranger = answer.status === 401 || answer.status === 403;
  return !isStranger && problemsFrom(answer).length === 0;
}

function isAboutTheAccount(answer: HttpAnswer): boolean {
  return answer.status === 400 && problemsFrom(answer).some(({ code }) => CREDENTIALS.test(code ?? ''));
}

/**
 * The model state of an ASP.NET service: texts by the name of the field they are about. A 2xx is never read as a
 * complaint: GLS refuses by status, and what it accepted must not be sent again.
 */
function problemsFrom({ status, body }: HttpAnswer): readonly Problem[] {
  if (status < 400) return [];
  const json = tryParseJson(body);
  const problems = Object.keys(valueAt(json, 'ModelState') ?? {}).flatMap((field) => {
    const name = field.replace(/^shipment\./i, '');
    const texts = listAt(json, 'ModelState', field).map((_text, place) => textAt(json, 'ModelState', field, place));
    return texts.map((text) => problemOf(name, `${name}: ${text ?? 'not accepted'}`));
  });
  const message = textAt(json, 'Message');
  return problems.length > 0 || message === null ? problems : [problemOf(null, message)];
}
