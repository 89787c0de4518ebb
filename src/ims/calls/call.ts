import { type Doubling, doublingMs } from '../../worker/backoff.js';
import type { Clock } from '../../../carriers/contract/adapter.js';
import { retryAfterMs } from '../../../carriers/contract/classify.js';
import type { HttpAnswer, HttpPort, HttpRequest } from '../../../carriers/contract/http-port.js';
import { BodyTooLarge, NoAnswer, wasNotPermitted } from '../../../carriers/contract/http-port.js';
import type { Log } from '../../log.js';
import { KeptConnectionClosed } from '../../transport/exchange.js';
import { sendGuard, whilePermitted } from '../../transport/send-guard.js';
import type { AskedOperation } from './answer.js';
import { Doubtful, type Success, attempt, effectOf, notAccepted, imsProblem, succeeded } from './answer.js';
import type { Capabilities } from './capabilities.js';
import { admittedFor, forbidden } from './capabilities.js';
import type { DailyBudget } from '../limits/daily-budget.js';
import type { ImsEffect } from '../errors.js';
import type { KeyRefusal } from './key-refusal.js';
import { ImsProblem, ImsRefused, ImsUnavailable } from '../errors.js';
import type { ImsOperation, OperationName, Priority } from '../operations.js';
import { operation } from '../operations.js';
import type { RateLimit, Sleep } from '../limits/rate-limit.js';
import type { OutagePause } from '../limits/outage-pause.js';
import type { Token, TokenSource } from './token.js';

/** One call of an operation. */
export interface ImsCall {
  readonly name: OperationName;
  /** Replaces `{id}` in the path. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** The size of a file in `json`: such a request may be larger than others, and has more time. */
  readonly fileBytes?: number;
}

/** What the calls of one area use. */
export interface CallTools {
  readonly baseUrl: string;
  readonly contextId: string;
  readonly apiKey: string;
  readonly priority: Priority;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly sleep: Sleep;
  readonly tokens: TokenSource;
  readonly limit: RateLimit;
  /** Called with the time that a request waited for its slot; missing: not measured. */
  readonly waited?: ((ms: number) => void) | undefined;
  readonly outagePause: OutagePause;
  readonly budget: DailyBudget;
  readonly capabilities: Capabilities;
  readonly keyRefusal: KeyRefusal;
}

/** Statuses of a gateway before the IMS, and of an IMS in maintenance. */
const OUT_OF_ORDER: ReadonlySet<number> = new Set([502, 503, 504]);
const TRY_DEADLINE_MS = 10_000;
const CALL_DEADLINE_MS = 25_000;
/** A connection of 8 Mbit/s carries a file in this time. */
const MS_FOR_BYTE_OF_FILE = 1_000 / 1e6;
/** 50 MB of labels in base64, with what is around them. */
const MAX_BODY_BYTES_WITH_FILE = 70_000_000;
const MAX_ATTEMPTS = 4;
const BACKOFF: Doubling = { firstMs: 500, maxMs: 4_000, atLeast: 0 };
/** After a 403, a token older than this is renewed once and the call repeated, because the token may be the cause. */
const FRESH_TOKEN_MS = 5 * 60_000;

interface Running {
  readonly call: ImsCall;
  readonly operation: ImsOperation;
  readonly asked: AskedOperation;
  readonly deadlineMs: number;
  /** `own`: nothing was sent on it before; `shared`: any connection, for a repeatable operation. */
  readonly connection: 'own' | 'shared';
  readonly tools: CallTools;
}

/**
 * Calls the IMS, within the limits of the key and with a valid token; repeats the call where that does no harm. A
 * request whose kept connection was closed is sent again at once on a new connection.
 * @returns the answer, 2xx
 * @throws ImsRefused | ImsForbidden | ImsUnavailable | ImsCredentials | ImsProblem
 */
export async function callIms(call: ImsCall, tools: CallTools): Promise<Success> {
  let running = begin(call, tools);
  let lost = false;
  for (let tried = 1; ; tried += 1) {
    try {
      return await tryAndBelieve(running, tried);
    } catch (error) {
      if (lost && error instanceof ImsRefused)
        throw new ImsRefused(error.messageCode, error.messageText, 'after-lost-try');
      if (!(error instanceof ImsUnavailable)) throw error;
      lost ||= error.effect === 'unknown';
      if (error.cause instanceof KeptConnectionClosed) running = { ...running, connection: 'own' };
      else await waitForNextTry({ error, tried, effect: lost ? 'unknown' : 'none' }, running);
    }
  }
}

/**
 * A doubtful answer counts as a lost one until it has come often enough. For a call that must not be repeated, the
 * first answer counts.
 */
async function tryAndBelieve(running: Running, tried: number): Promise<Success> {
  const { operation: row } = running;
  try {
    return await tryOnce(running);
  } catch (error) {
    if (!(error instanceof Doubtful)) throw error;
    if (row.repeatable === 'no' || tried >= Math.min(error.maxAttempts, MAX_ATTEMPTS)) return error.settle();
    throw error.asLost(effectOf(row));
  }
}

function begin(call: ImsCall, tools: CallTools): Running {
  const row = operation(call.name);
  const asked = { operation: row, id: call.id ?? null, contextId: tools.contextId };
  const deadlineMs = tools.clock.now().getTime() + CALL_DEADLINE_MS + fileMs(call);
  return { call, operation: row, asked, deadlineMs, connection: 'shared', tools };
}

/** The time that the file of a call adds. */
function fileMs({ fileBytes = 0 }: ImsCall): number {
  return Math.round(fileBytes * MS_FOR_BYTE_OF_FILE);
}

interface Failure {
  readonly error: ImsUnavailable;
  readonly tried: number;
  /** The effect of all attempts so far. */
  readonly effect: ImsEffect;
}

/** @throws ImsUnavailable when there is no next attempt */
async function waitForNextTry({ error, tried, effect }: Failure, running: Running): Promise<void> {
  const { call, tools, deadlineMs } = running;
  const backoffMs = doublingMs(BACKOFF, tried - 1, tools.random());
  const waitMs = Math.round((error.retryAfterMs ?? 0) + backoffMs);
  const inTime = tools.clock.now().getTime() + waitMs < deadlineMs;
  const harmless = error.effect === 'none' || running.operation.repeatable === 'yes';
  // Without a valid lease no attempt follows, because another instance may have the row.
  if (tried >= MAX_ATTEMPTS || !inTime || !harmless || wasNotPermitted(error))
    throw new ImsUnavailable(error.message, effect, {
      retryAfterMs: error.retryAfterMs,
      newDayAt: error.newDayAt,
      cause: error,
    });
  tools.log.warn('IMS call repeated', { operation: call.name, area: tools.contextId, tried, waitMs, error });
  await tools.sleep(waitMs);
}

async function tryOnce(running: Running): Promise<Success> {
  const { call, tools } = running;
  const token = await tools.tokens.current();
  if (tools.capabilities.allowed(call.name, token) === 'no') throw forbidden(call.name, token);
  const answer = await ask(running, token);
  if (!mayBeAboutToken(answer, token, tools)) return understood(answer, running, token);
  const renewed = await tools.tokens.renew(token);
  const again = await ask(running, renewed);
  if (again.status === 401) tools.keyRefusal.happens();
  return understood(again, running, renewed);
}

function mayBeAboutToken({ status }: HttpAnswer, token: Token, { clock, keyRefusal }: CallTools): boolean {
  if (status === 401) return !keyRefusal.isRecent();
  return status === 403 && clock.now().getTime() - token.fetchedAtMs > FRESH_TOKEN_MS;
}

function understood(answer: HttpAnswer, { call, asked, tools }: Running, token: Token): Success {
  const nowMs = tools.clock.now().getTime();
  if (answer.status === 429) tools.limit.pause(retryAfterMs(answer, nowMs) ?? 0);
  if (answer.status !== 403) return succeeded(answer, asked, nowMs);
  if (admittedFor(call.name, token)) throw notAccepted(asked, answer.status);
  tools.capabilities.learnForbidden(call.name, token);
  throw forbidden(call.name, token);
}

/**
 * The interface description lists a 302 for the list of shipments without a reason: it is followed once, on the same
 * server only.
 */
async function ask(running: Running, token: Token): Promise<HttpAnswer> {
  const target = targetOf(running);
  const answer = await send(target, running, token);
  const { location } = answer.headers;
  if (answer.status !== 302 || running.call.name !== 'listShipments' || location === undefined) return answer;
  const next = URL.canParse(location, target.url) ? new URL(location, target.url) : null;
  if (next?.origin !== new URL(target.url).origin) throw imsProblem(answer, running.asked);
  return send({ url: next.href }, running, token);
}

type Target = Pick<HttpRequest, 'url' | 'query'>;

function targetOf({ call, operation: row, asked, tools }: Running): Target {
  const { id, query } = call;
  const path = id === undefined ? row.path : row.path.replace('{id}', () => segment(id, asked));
  return { url: `${tools.baseUrl}${path}`, ...(query && { query }) };
}

/** An id as one path segment; an empty id or dots would address another resource. */
function segment(id: string, asked: AskedOperation): string {
  if (/^\.{0,2}$/.test(id)) throw new ImsProblem(`${attempt(asked)} "${id}" is not an id.`, null);
  return encodeURIComponent(id);
}

async function send(target: Target, running: Running, token: Token): Promise<HttpAnswer> {
  const { limit, budget, priority, clock, waited } = running.tools;
  // Messages to workers have the highest priority in the day's budget.
  const purpose = running.call.name === 'postEventMessage' ? 'message' : priority;
  await budget.admit(purpose);
  const queuedMs = clock.now().getTime();
  const slot = await limit.take({ priority, deadlineMs: running.deadlineMs });
  waited?.(clock.now().getTime() - queuedMs);
  try {
    // A slot is valid now: nothing below waits before the request is sent.
    budget.spend(purpose);
    return await whilePermitted(noticing(slot.leaves), () => exchange(target, running, token));
  } catch (error) {
    if (wasNotPermitted(error)) budget.unspend();
    throw error;
  } finally {
    slot.exchanged();
  }
}

/** The send guard is checked in the moment in which the request is sent. */
function noticing(leaves: () => void): () => boolean {
  const permitted = sendGuard();
  return () => {
    const may = permitted();
    if (may) leaves();
    return may;
  };
}

async function exchange(target: Target, running: Running, token: Token): Promise<HttpAnswer> {
  const { call, operation: row, asked, deadlineMs, tools } = running;
  const startedMs = tools.clock.now().getTime();
  const headers = { authorization: token.authorization, 'x-api-key': tools.apiKey, accept: 'application/json' };
  const effect = running.connection === 'shared' && row.repeatable === 'yes' ? 'repeatable' : 'change';
  const timeoutMs = Math.max(1, Math.min(TRY_DEADLINE_MS + fileMs(call), deadlineMs - startedMs));
  try {
    const answer = await tools.http.send({
      method: row.method,
      ...target,
      headers,
      ...bodyOf(call),
      effect,
      timeoutMs,
    });
    if (OUT_OF_ORDER.has(answer.status)) tools.outagePause.unanswered(target.url, startedMs);
    else tools.outagePause.answered();
    const ms = tools.clock.now().getTime() - startedMs;
    tools.log.debug('IMS call', { operation: call.name, area: tools.contextId, status: answer.status, ms });
    return answer;
  } catch (cause) {
    if (cause instanceof BodyTooLarge) throw new ImsProblem(`${attempt(asked)} Not sent: ${cause.message}.`, null);
    if (saysOfServer(cause)) tools.outagePause.unanswered(target.url, startedMs);
    const left = cause instanceof NoAnswer && cause.left === 'never' ? 'none' : effectOf(row);
    const because = cause instanceof NoAnswer ? cause.message : 'the request failed';
    throw new ImsUnavailable(`${attempt(asked)} No answer: ${because}.`, left, { cause });
  }
}

function bodyOf({ json, fileBytes }: ImsCall): Pick<HttpRequest, 'json' | 'maxBodyBytes'> {
  const large = fileBytes === undefined ? {} : { maxBodyBytes: MAX_BODY_BYTES_WITH_FILE };
  return json === undefined ? {} : { json, ...large };
}

/**
 * Whether an error shows that the server does not answer: not a request that we did not send, and not a closed kept
 * connection.
 */
function saysOfServer(cause: unknown): boolean {
  return !wasNotPermitted(cause) && !(cause instanceof KeptConnectionClosed);
}
