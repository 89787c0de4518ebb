import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from './errors.js';
import type { HttpAnswer } from './http-port.js';
import { LinkRefused, NoAnswer } from './http-port.js';
import type { Problem } from './model.js';
import { storable } from './plain-text.js';

/** The operation decides what a lost answer means: a read can be repeated, a change may have happened. */
export type Operation = 'read' | 'change';

export interface Reading {
  readonly operation: Operation;
  /** The carrier's problems in this answer; empty: it has none that the adapter can read. */
  readonly problemsFrom: (answer: HttpAnswer) => readonly Problem[];
  /** Problems that say "I have this reference already". */
  readonly isDuplicate?: (problems: readonly Problem[]) => boolean;
  /**
   * The meaning of an answer whose status says something else: `data`: the carrier refuses the request; `credentials`:
   * it refuses the login. Not called for a 429.
   */
  readonly meansOtherwise?: (answer: HttpAnswer) => 'fine' | 'credentials' | 'data' | null;
  /** Answers of which the carrier's documentation says that nothing was done, besides 429. */
  readonly neverDone?: (answer: HttpAnswer) => boolean;
}

/**
 * The statuses from 500 on that a gateway does not send for a late or lost server behind it. After any other one that
 * server may still work on the request: gateways send 502, 503, 504, 520 to 527 and more.
 */
const OF_THE_SERVER_ITSELF: ReadonlySet<number> = new Set([500, 501, 505]);

/** The request did not come in time, or its sender went away meanwhile (499, of gateways): neither says what was done. */
const GIVEN_UP: ReadonlySet<number> = new Set([408, 499]);

const QUOTED_CHARACTERS = 300;
/** The most bytes of a character in UTF-8. */
const BYTES_OF_A_CHARACTER = 4;

/**
 * Decides for every carrier what an answer means.
 * @returns the answer, when its status is 2xx and it contains no problem
 * @throws CarrierRejected | CarrierUnavailable | OutcomeUnknown
 */
export function accepted(answer: HttpAnswer, reading: Reading): HttpAnswer {
  switch (meaning(answer, reading)) {
    case 'fine':
      return answer;
    case 'never-done':
      throw new CarrierUnavailable(statusOf(answer), retryAfterMs(answer));
    case 'lost':
      throw lost(statusOf(answer), reading.operation, {
        work: isPerhapsAtWork(answer) ? 'perhaps at work' : 'ended',
      });
    case 'credentials':
      throw rejected(answer, reading, 'credentials');
    case 'data':
      throw rejected(answer, reading, 'data');
  }
}

type Meaning = 'fine' | 'never-done' | 'lost' | 'credentials' | 'data';

function meaning(answer: HttpAnswer, reading: Reading): Meaning {
  if (answer.status === 429) return 'never-done';
  const otherwise = reading.meansOtherwise?.(answer) ?? null;
  if (otherwise !== null) return otherwise;
  return reading.neverDone?.(answer) ? 'never-done' : meaningOfStatus(answer, reading);
}

function meaningOfStatus(answer: HttpAnswer, reading: Reading): Meaning {
  if (answer.status === 401 || answer.status === 403) return 'credentials';
  if (GIVEN_UP.has(answer.status)) return 'lost';
  const hundreds = Math.floor(answer.status / 100);
  if (hundreds === 4) return 'data';
  if (hundreds !== 2) return 'lost';
  return reading.problemsFrom(answer).length > 0 ? 'data' : 'fine';
}

function isPerhapsAtWork({ status }: HttpAnswer): boolean {
  return GIVEN_UP.has(status) || (status >= 500 && !OF_THE_SERVER_ITSELF.has(status));
}

/**
 * The contract's error for any error that was thrown during a call to a carrier. An unforeseen error during a change
 * counts as "may have been done".
 */
export function carrierError(
  error: unknown,
  operation: Operation,
): CarrierRejected | CarrierUnavailable | OutcomeUnknown {
  if (error instanceof CarrierRejected || error instanceof CarrierUnavailable || error instanceof OutcomeUnknown)
    return error;
  if (error instanceof LinkRefused)
    return new CarrierRejected([{ code: 'link-refused', text: error.message, parcelId: null }]);
  if (error instanceof NoAnswer && error.left === 'never')
    return new CarrierUnavailable(error.message, null, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  // a parser's message quotes its input, which may contain NUL or half a character
  return lost(storable(message), operation, { cause: error });
}

/** What `Retry-After` asks for, in milliseconds; `null` without one that can be read. */
export function retryAfterMs(answer: HttpAnswer, now: number = Date.now()): number | null {
  const header = answer.headers['retry-after'];
  if (header === undefined) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** The status and the beginning of the body, for a person. */
function statusOf(answer: HttpAnswer): string {
  const body = quoted(answer);
  return body === '' ? `status ${answer.status}, without a word` : `status ${answer.status}: ${body}`;
}

/** The beginning of a body as text for a person; it can be stored, and no character of it is cut into halves. */
export function quoted(answer: HttpAnswer): string {
  const beginning = answer.body.subarray(0, BYTES_OF_A_CHARACTER * QUOTED_CHARACTERS);
  // `stream` leaves out a character of which only the first bytes are there
  const text = new TextDecoder().decode(beginning, { stream: true }).replace(/\s+/g, ' ').trim();
  return storable(Array.from(text).slice(0, QUOTED_CHARACTERS).join(''));
}

function rejected(answer: HttpAnswer, reading: Reading, because: 'data' | 'credentials'): CarrierRejected {
  const problems = reading.problemsFrom(answer);
  const said =
    problems.length > 0 ? problems : [{ code: String(answer.status), text: statusOf(answer), parcelId: null }];
  return new CarrierRejected(said, reading.isDuplicate?.(said) ? 'duplicate' : because);
}

function lost(
  message: string,
  operation: Operation,
  about: { readonly cause?: unknown; readonly work?: OutcomeUnknown['work'] },
): CarrierUnavailable | OutcomeUnknown {
  return operation === 'read'
    ? new CarrierUnavailable(message, null, { cause: about.cause })
    : new OutcomeUnknown(message, about);
}
