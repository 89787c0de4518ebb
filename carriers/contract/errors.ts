import type { Problem } from './model.js';
import { MAX_WORD_CHARACTERS, plainText } from './plain-text.js';

/** The most problems that are read from one answer. */
const MAX_PROBLEMS = 50;

/** The carrier understood the request and refuses it; the same request would be refused again. Effect: none. */
export class CarrierRejected extends Error {
  override readonly name = 'CarrierRejected';
  readonly problems: readonly Problem[];

  /**
   * @param problems at least one, as the carrier says it
   * @param because `duplicate`: it refuses because it has this reference already; `credentials`: the account's settings
   *   are not accepted, which no worker can mend
   */
  constructor(
    problems: readonly Problem[],
    readonly because: 'data' | 'duplicate' | 'credentials' = 'data',
  ) {
    const plain = problems.slice(0, MAX_PROBLEMS).map(plainProblem);
    super(plain.map((problem) => problem.text).join('; '));
    this.problems = plain;
  }
}

/** The text for people: see `plainText`. */
export function plainProblem(problem: Problem): Problem {
  const word = (text: string) => plainText(text, MAX_WORD_CHARACTERS);
  const code = problem.code === null ? null : word(problem.code);
  const { errorId } = problem;
  return { ...problem, code, text: plainText(problem.text), ...(errorId !== undefined && { errorId: word(errorId) }) };
}

/** Certainly nothing was done: the same request may be sent again later. Effect: none. */
export class CarrierUnavailable extends Error {
  override readonly name = 'CarrierUnavailable';

  /** @param retryAfterMs the delay that the carrier asked for; `null`: none */
  constructor(
    message: string,
    readonly retryAfterMs: number | null = null,
    options?: { cause?: unknown },
  ) {
    super(plainText(message), options);
  }
}

/** It may have been done. It is looked up, never simply repeated. Effect: unknown. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';

  /**
   * Whether the carrier has ended its work on the request, as far as its answer shows. `perhaps at work`: no answer came, or
   * one that says nothing about that; the request may still be booked.
   */
  readonly work: 'ended' | 'perhaps at work';

  constructor(message: string, options: { readonly cause?: unknown; readonly work?: OutcomeUnknown['work'] } = {}) {
    const { work = 'perhaps at work', ...rest } = options;
    super(plainText(message), rest);
    this.work = work;
  }
}
