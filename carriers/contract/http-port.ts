/** The only way an adapter reaches its carrier. Implemented in `src/transport`; instances are handed in. */

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute address. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with its content type. */
  readonly json?: unknown;
  /** Sent as an HTML form with its content type, instead of `json`. */
  readonly form?: Readonly<Record<string, string>>;
  /**
   * The effect of the request. When a shared connection ends, it is unknown whether the server read the request; so by
   * default a GET shares connections, and other methods get a connection of their own. `change`: gets a connection of
   * its own with any method, because some carriers change things by GET. `repeatable`: shares connections with any
   * method, because the caller repeats it when its answer is lost.
   */
  readonly effect?: 'change' | 'repeatable';
  /** Deadline of the whole exchange, from the first byte out to the last byte in. */
  readonly timeoutMs: number;
  /** The largest body that is sent; missing: 20 MB. */
  readonly maxBodyBytes?: number;
}

/** An answer with any status. */
export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface HttpPort {
  /**
   * One exchange: no redirect is followed, nothing is repeated, the answer's body is at most 20 MB.
   * @throws NoAnswer
   * @throws BodyTooLarge
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /**
   * Fetches a link that came in a carrier's answer: https only, public addresses only (each redirect is checked again),
   * bounded in size and time.
   * @returns the last answer, any status
   * @throws LinkRefused the address is not allowed
   * @throws NoAnswer
   */
  fetchLink(url: string, limits: { readonly timeoutMs: number; readonly maxBytes: number }): Promise<HttpAnswer>;
}

/** No complete answer came. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  /** @param left whether the request may have reached the other side; when unsure: `perhaps` */
  constructor(
    message: string,
    readonly left: 'never' | 'perhaps',
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** We did not send the request, because the caller's lease has ended; this shows nothing about the other side. */
export class NotPermitted extends NoAnswer {
  constructor(message: string) {
    super(message, 'never');
  }
}

/** We did not send the request, because its body is larger than may be sent; another attempt would be too. */
export class BodyTooLarge extends NoAnswer {
  constructor(message: string) {
    super(message, 'never');
  }
}

/** The most causes that are followed. */
const DEEPEST_CAUSE = 8;

/** Whether the error, or one of its causes, is a request that we did not send. */
export function wasNotPermitted(error: unknown, depth = 0): boolean {
  if (error instanceof NotPermitted) return true;
  return error instanceof Error && depth < DEEPEST_CAUSE && wasNotPermitted(error.cause, depth + 1);
}

/** A link in a carrier's answer that we do not fetch. */
export class LinkRefused extends Error {
  override readonly name = 'LinkRefused';
}

/**
 * What the fields of a carrier's requests and answers hold, where a carrier has words of its own for it. Operators who may
 * not read personal data see only the texts that are known to hold none: without a declaration, the text of a field whose
 * last word is unknown is hidden, and its numbers of up to six digits are shown. Words are in small letters, from `a` to
 * `z`: `adresse` is a word of `afsender_adresse` and of `deliveryAdresse`.
 */
export interface RequestFields {
  /** Last words of the names of fields that hold no personal data: codes, measures, texts of the carrier itself. */
  readonly plain?: readonly string[];
  /**
   * Words of the names of fields that hold names, addresses, telephone numbers. Their texts are hidden wherever another
   * text quotes them. A word that is plain and personal is personal.
   */
  readonly personal?: readonly string[];
  /** Whole names of fields and parameters that hold a secret, in small letters: their values are never kept. */
  readonly secret?: readonly string[];
  /** Headers of requests that hold no secret, in small letters. The values of those that nobody declares are masked. */
  readonly plainHeaders?: readonly string[];
}
