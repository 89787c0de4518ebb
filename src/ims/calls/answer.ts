import { quoted, retryAfterMs } from '../../../carriers/contract/classify.js';
import type { HttpAnswer } from '../../../carriers/contract/http-port.js';
import { tryParseJson } from '../../../carriers/contract/json.js';
import type { ImsEffect } from '../errors.js';
import { ImsCredentials, ImsProblem, ImsRefused, ImsUnavailable } from '../errors.js';
import { isJsonObject, textAt } from '../json-fields.js';
import type { ImsOperation } from '../operations.js';

/** One operation as it is told to people. */
export interface Asked {
  readonly operation: ImsOperation;
  /** What it was about; `null` for a list. */
  readonly id: string | null;
  readonly contextId: string;
}

/** A wordless answer that comes again is the IMS's own way: once more is enough to tell. */
const TRIES_OF_WORDLESS = 2;

/**
 * An answer that hardly comes from the IMS itself, but from something on the way: a redirect, no JSON where JSON was
 * asked for, nothing at all where the changed resource should be. Worth another try; what stays is believed.
 */
export class Doubtful extends Error {
  override readonly name = 'Doubtful';

  constructor(
    private readonly believed: HttpAnswer | ImsProblem,
    message: string,
    readonly maxAttempts = Infinity,
  ) {
    super(message);
  }

  /** What it means when it stays. @throws ImsProblem */
  settle(): HttpAnswer {
    if (this.believed instanceof ImsProblem) throw this.believed;
    return this.believed;
  }

  /** What it means for now. */
  asLost(effect: ImsEffect): ImsUnavailable {
    return new ImsUnavailable(this.message, effect, { cause: this });
  }
}

/** What a lost answer leaves behind: a read changes nothing. */
export function effectOf(operation: ImsOperation): ImsEffect {
  return operation.method === 'GET' ? 'none' : 'unknown';
}

/**
 * Decides what an answer means, but for 403, which depends on the token.
 * @returns the answer, when the call succeeded
 * @throws ImsRefused | ImsUnavailable | ImsCredentials | ImsProblem | Doubtful
 */
export function succeeded(answer: HttpAnswer, asked: Asked, nowMs: number): HttpAnswer {
  const { status } = answer;
  if (status >= 200 && status < 300) return accepted(answer, asked);
  if (status === 422) throw refusal(answer, asked);
  if (status === 401) throw notAccepted(asked, status);
  if (status === 429) throw unavailable(answer, asked, { effect: 'none', nowMs });
  if (status === 408 || status >= 500) throw unavailable(answer, asked, { effect: effectOf(asked.operation), nowMs });
  throw status < 400 ? doubtful(imsProblem(answer, asked)) : imsProblem(answer, asked);
}

function doubtful(unforeseen: ImsProblem): Doubtful {
  return new Doubtful(unforeseen, unforeseen.message);
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
export function imsProblem(answer: HttpAnswer, asked: Asked): ImsProblem {
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
 * Of a read the body is all there is. A change is answered with what was changed; nobody promises it, so an answer
 * without a word counts when it comes twice. But a page comes from a proxy, which may not have passed the request on, and
 * counts as a lost answer.
 */
function accepted(answer: HttpAnswer, asked: Asked): HttpAnswer {
  if (answer.status === NO_CONTENT || tryParseJson(answer.body) !== undefined) return answer;
  if (asked.operation.method === 'GET') throw doubtful(imsProblem(answer, asked));
  if (isPage(answer))
    throw new ImsUnavailable(`${attempt(asked)} A page came instead of an answer: "${quoted(answer)}".`, 'unknown');
  const message = `${attempt(asked)} The IMS answers with status ${answer.status}, and nothing that can be read.`;
  throw new Doubtful(answer, message, TRIES_OF_WORDLESS);
}

const NO_CONTENT = 204;

/** Some servers call everything text/html, also nothing. */
function isPage({ headers, body }: HttpAnswer): boolean {
  const isHtml = /^\s*text\/html\b/i.test(headers['content-type'] ?? '');
  return isHtml && body.length > 0;
}

/** The application's own refusal has a body of its own; without it the gateway spoke. */
function refusal(answer: HttpAnswer, asked: Asked): ImsRefused | ImsProblem {
  const body = tryParseJson(answer.body);
  if (!isJsonObject(body)) return imsProblem(answer, asked);
  const code = textAt(body, 'messageCode');
  const text = textAt(body, 'messageText') ?? code;
  return text === null ? imsProblem(answer, asked) : new ImsRefused(code, text);
}

function unavailable(
  answer: HttpAnswer,
  asked: Asked,
  known: { readonly effect: ImsEffect; readonly nowMs: number },
): ImsUnavailable {
  const message = `${attempt(asked)} The IMS answers with status ${answer.status}: "${quoted(answer)}".`;
  return new ImsUnavailable(message, known.effect, { retryAfterMs: retryAfterMs(answer, known.nowMs) });
}
