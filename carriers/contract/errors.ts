import type { Problem } from './model.js';

/** The carrier understood the request and refuses it; the same request would be refused again. Effect: none. */
export class CarrierRejected extends Error {
  override readonly name = 'CarrierRejected';

  /**
   * @param problems at least one, as the carrier says it
   * @param because `duplicate`: it refuses because it has this reference already; `credentials`: the account's settings
   *   are not accepted, which no worker can mend
   */
  constructor(
    readonly problems: readonly Problem[],
    readonly because: 'data' | 'duplicate' | 'credentials' = 'data',
  ) {
    super(problems.map((problem) => problem.text).join('; '));
  }
}

/** Certainly nothing was done: the same request may be sent again later. Effect: none. */
export class CarrierUnavailable extends Error {
  override readonly name = 'CarrierUnavailable';

  /** @param retryAfterMs what the carrier asked us to wait; `null` when it did not say */
  constructor(
    message: string,
    readonly retryAfterMs: number | null = null,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** It may have been done. Looked up, never simply repeated. Effect: unknown. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
  }
}
