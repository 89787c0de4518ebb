import { quoted, retryAfterMs } from '../../carriers/contract/classify.js';
import type { HttpAnswer } from '../../carriers/contract/http-port.js';
import { tryParseJson } from '../../carriers/contract/json.js';
import type { Effect } from './errors.js';
import { ImsCredentials, ImsProblem, ImsRefused, ImsUnavailable } from './errors.js';
import { isJsonObject, textAt } from './json-fields.js';
import type { Operation } from './operations.js';

/** One operation as it is told to people. */
export interface Asked {
  readonly operation: Operation;
  /** What it was about; `null` for a list. */
  readonly id: string | null;
  readonly contextId: string;
}

/** What a lost answer leaves behind: a read changes nothing. */
export function effectOf(operation: Operation): Effect {
  return operation.method === 'GET' ? 'none' : 'unknown';
}

/**
 * Decides what an answer means, but for 403, which depends on the token.
 * @returns the answer, when the call succeeded
 * @throws ImsRefused | ImsUnavailable | ImsCredentials | ImsProblem
 */
export function succeeded(answer: HttpAnswer, asked: Asked, nowMs: number): HttpAnswer {
  const { status } = answer;
  if (status >= 200 && status < 300) return accepted(answer, asked);
  if (status === 422) throw refusal(answer, asked);
  if (status === 401) throw notAccepted(asked, status);
  if (status === 429) throw unavailable(answer, asked, { effect: 'none', nowMs });
  if (status === 408 || status >= 500) throw unavailable(answer, asked, { effect: effectOf(asked.operation), nowMs });
  throw problem(answer, asked);
}

/** Neither the token nor the key can be told to be the wrong one: the gateway does not say. */
export function notAccepted(asked: Asked, status: number): ImsCredentials {
  return new ImsCredentials(
    'area',
    `The IMS does not accept the request to ${asked.operation.does} (status ${status}), although the token is new. ` +
      `Check the apiKey of area ${asked.contextId}.`,
  );
}

/** An answer to look at. */
export function problem(answer: HttpAnswer, asked: Asked): ImsProblem {
  return new ImsProblem(
    `${attempt(asked)} The IMS answers with status ${answer.status}: "${quoted(answer)}".`,
    answer.status,
  );
}

/** What we tried, as the first sentence of a message. */
export function attempt({ operation, id }: Asked): string {
  return `Could not ${operation.does}${id === null ? '' : ` (${id})`} in the IMS.`;
}

/**
 * The status alone says that a change was done, because nobody promises its body; but a page comes from a proxy, which
 * may not have passed the request on, and counts as a lost answer. Of a read the body is all there is.
 */
function accepted(answer: HttpAnswer, asked: Asked): HttpAnswer {
  const isRead = asked.operation.method === 'GET';
  if (isRead ? tryParseJson(answer.body) !== undefined : !isPage(answer)) return answer;
  if (isRead) throw problem(answer, asked);
  throw new ImsUnavailable(`${attempt(asked)} A page came instead of an answer: "${quoted(answer)}".`, 'unknown');
}

/** Some servers call everything text/html, also JSON and nothing. */
function isPage({ headers, body }: HttpAnswer): boolean {
  const isHtml = /^\s*text\/html\b/i.test(headers['content-type'] ?? '');
  return isHtml && body.length > 0 && tryParseJson(body) === undefined;
}

/** The application's own refusal has a body of its own; without it the gateway spoke. */
function refusal(answer: HttpAnswer, asked: Asked): ImsRefused | ImsProblem {
  const body = tryParseJson(answer.body);
  if (!isJsonObject(body)) return problem(answer, asked);
  const code = textAt(body, 'messageCode');
  const text = textAt(body, 'messageText') ?? code;
  return text === null ? problem(answer, asked) : new ImsRefused(code, text);
}

function unavailable(
  answer: HttpAnswer,
  asked: Asked,
  known: { readonly effect: Effect; readonly nowMs: number },
): ImsUnavailable {
  const message = `${attempt(asked)} The IMS answers with status ${answer.status}: "${quoted(answer)}".`;
  return new ImsUnavailable(message, known.effect, { retryAfterMs: retryAfterMs(answer, known.nowMs) });
}
