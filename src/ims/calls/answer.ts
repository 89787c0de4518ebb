import { quoted, retryAfterMs } from '../../../carriers/contract/classify.js';
import type { HttpAnswer } from '../../../carriers/contract/http-port.js';
import { tryParseJson, isJsonObject } from '../../../carriers/contract/json.js';
import type { ImsEffect } from '../errors.js';
import { ImsCredentials, ImsProblem, ImsRefused, ImsUnavailable } from '../errors.js';
import { textField } from '../json-fields.js';
import type { ImsOperation } from '../operations.js';

/** The parts of an operation that messages name. */
export interface AskedOperation {
  readonly operation: ImsOperation;
  /** The id of the resource; `null` for a list. */
  readonly id: string | null;
  readonly contextId: string;
}

/** An answer to a call that succeeded. */
export interface Success extends HttpAnswer {
  /** The body, as JSON; `undefined` when there is none. */
  readonly json: unknown;
}

/** How often an empty answer is tried: when it comes twice, it is the IMS's own. */
const MAX_ATTEMPTS_EMPTY = 2;

/**
 * An answer that a proxy may have given in place of the IMS: a redirect, no JSON, or an empty body instead of the
 * changed resource. The call is repeated; the last answer is taken as the IMS's.
 */
export class Doubtful extends Error {
  override readonly name = 'Doubtful';

  constructor(
    private readonly believed: Success | ImsProblem,
    message: string,
    readonly maxAttempts = Infinity,
  ) {
    super(message);
  }

  /** The meaning of the answer when repeated calls get it too. @throws ImsProblem */
  settle(): Success {
    if (this.believed instanceof ImsProblem) throw this.believed;
    return this.believed;
  }

  /** The error while the call is repeated. */
  asLost(effect: ImsEffect): ImsUnavailable {
    return new ImsUnavailable(this.message, effect, { cause: this });
  }
}

/** The effect that a call without an answer may have had; a read has none. */
export function effectOf(operation: ImsOperation): ImsEffect {
  return operation.method === 'GET' ? 'none' : 'unknown';
}

/**
 * Decides what an answer means; 403, which depends on the token, is handled elsewhere.
 * @returns the answer, when the call succeeded
 * @throws ImsRefused | ImsUnavailable | ImsCredentials | ImsProblem | Doubtful
 */
export function succeeded(answer: HttpAnswer, asked: AskedOperation, nowMs: number): Success {
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

/** The gateway does not say whether the token or the key is wrong. */
export function notAccepted(asked: AskedOperation, status: number): ImsCredentials {
  return new ImsCredentials(
    'area',
    `The IMS does not accept the request to ${asked.operation.does} (status ${status}), although the token is new. ` +
      `Check the apiKey of area ${asked.contextId}.`,
  );
}

/** An answer and its call. */
export function imsProblem(answer: HttpAnswer, asked: AskedOperation): ImsProblem {
  return new ImsProblem(
    `${attempt(asked)} The IMS answers with status ${answer.status}: "${quoted(answer)}".`,
    answer.status,
  );
}

/** The attempted operation, as the first sentence of a message. */
export function attempt({ operation, id }: AskedOperation): string {
  return `Could not ${operation.does}${id === null ? '' : ` (${id})`} in the IMS.`;
}

/**
 * A read needs a JSON body. A change is answered with the changed resource; the interface does not promise that, so an
 * empty answer counts when it comes twice. A web page comes from a proxy, which may not have forwarded the request, and
 * counts as a lost answer.
 */
function accepted(answer: HttpAnswer, asked: AskedOperation): Success {
  const success = { ...answer, json: tryParseJson(answer.body) };
  if (answer.status === NO_CONTENT || success.json !== undefined) return success;
  if (asked.operation.method === 'GET') throw doubtful(imsProblem(answer, asked));
  if (isPage(answer))
    throw new ImsUnavailable(`${attempt(asked)} A page came instead of an answer: "${quoted(answer)}".`, 'unknown');
  const message = `${attempt(asked)} The IMS answers with status ${answer.status}, and nothing that can be read.`;
  throw new Doubtful(success, message, MAX_ATTEMPTS_EMPTY);
}

const NO_CONTENT = 204;

/** Some servers send text/html also with an empty body. */
function isPage({ headers, body }: HttpAnswer): boolean {
  const isHtml = /^\s*text\/html\b/i.test(headers['content-type'] ?? '');
  return isHtml && body.length > 0;
}

/** A refusal of the IMS has a body of its own form; one without it comes from the gateway. */
function refusal(answer: HttpAnswer, asked: AskedOperation): ImsRefused | ImsProblem {
  const body = tryParseJson(answer.body);
  if (!isJsonObject(body)) return imsProblem(answer, asked);
  const code = textField(body, 'messageCode');
  const text = textField(body, 'messageText') ?? code;
  return text === null ? imsProblem(answer, asked) : new ImsRefused(code, text);
}

function unavailable(
  answer: HttpAnswer,
  asked: AskedOperation,
  known: { readonly effect: ImsEffect; readonly nowMs: number },
): ImsUnavailable {
  const message = `${attempt(asked)} The IMS answers with status ${answer.status}: "${quoted(answer)}".`;
  return new ImsUnavailable(message, known.effect, { retryAfterMs: retryAfterMs(answer, known.nowMs) });
}
