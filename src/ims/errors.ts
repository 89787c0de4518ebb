/** What may have happened in the IMS when no usable answer came. */
export type ImsEffect = 'none' | 'unknown';

/**
 * The IMS refused the call (422), and would refuse it again. Nothing was done. Compare `messageCode`, of the form
 * `<kind>_<Resource>` (`unknown_Shipment`), never the text.
 */
export class ImsRefused extends Error {
  override readonly name = 'ImsRefused';

  /**
   * @param messageCode `null` when the answer has none
   * @param messageText for people, as the IMS says it
   * @param refused `after-lost-try`: an earlier attempt of this call may have succeeded, which may be the reason for
   *   the refusal
   */
  constructor(
    readonly messageCode: string | null,
    readonly messageText: string,
    readonly refused: 'first-try' | 'after-lost-try' = 'first-try',
  ) {
    super(`The IMS says: "${messageText}"`);
  }
}

/** The scopes of the client do not allow this operation. Nothing was done; nothing but other scopes helps. */
export class ImsForbidden extends Error {
  override readonly name = 'ImsForbidden';

  /** The operation only; `message` also has the effect and the remedy. */
  readonly refusal: string;
  /** `by-scopes`: by the token's scopes. `by-answer`: the IMS answered 403, which may have another reason. */
  readonly known: 'by-scopes' | 'by-answer';

  /** @param operation a name of the table in `operations.ts` */
  constructor(
    readonly operation: string,
    message: string,
    more: Pick<ImsForbidden, 'refusal' | 'known'>,
  ) {
    super(message);
    this.refusal = more.refusal;
    this.known = more.known;
  }
}

/** No usable answer: IMS down, slow, throttling, or its limits are used up. The same call may work later. */
export class ImsUnavailable extends Error {
  override readonly name = 'ImsUnavailable';

  /** The delay that the answer asked for; `null`: none. */
  readonly retryAfterMs: number | null;
  /** When the next day begins, where the day's requests for such a call are used up; `null`: another reason. */
  readonly newDayAt: Date | null;

  constructor(
    message: string,
    readonly effect: ImsEffect,
    more: { readonly retryAfterMs?: number | null; readonly newDayAt?: Date | null; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.newDayAt = more.newDayAt ?? null;
  }
}

/** The client's secret or the area's key is not accepted. Nothing was done; a person must correct the settings. */
export class ImsCredentials extends Error {
  override readonly name = 'ImsCredentials';

  /** @param whose `client`: IMS_CLIENT_ID and IMS_CLIENT_SECRET; `area`: the area's apiKey, or a token it does not take */
  constructor(
    readonly whose: 'client' | 'area',
    message: string,
  ) {
    super(message);
  }
}

/** An unforeseen answer: another 4xx, a redirect, an unreadable body. A person has to look at it. */
export class ImsProblem extends Error {
  override readonly name = 'ImsProblem';

  /** @param status of the answer: 404 for a path the IMS does not have; `null` when it was not asked */
  constructor(
    message: string,
    readonly status: number | null,
  ) {
    super(message);
  }
}

/** `null`: what was asked for cannot be an id. */
const NOT_THERE: readonly (number | null)[] = [null, 400, 404];

/** Whether the IMS says that it has no such thing. After any other error the thing may be there. */
export function isNotThere(error: unknown): boolean {
  return error instanceof ImsRefused || (error instanceof ImsProblem && NOT_THERE.includes(error.status));
}

/** Whether the IMS itself has answered to a write, and would answer the same again. A redirect comes from something before it. */
export function isAnswered(error: unknown): boolean {
  if (error instanceof ImsProblem) return error.status === null || error.status >= 400;
  return error instanceof ImsRefused || error instanceof ImsForbidden;
}

/** Asking again leads to the same answer until a person changes something in the IMS. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ImsForbidden || isNotThere(error);
}
