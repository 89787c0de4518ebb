/** The steps of `machine/next-step.ts` that send requests; `return`: a return label is made. */
export type RequestStep = 'return' | 'prepare' | 'book' | 'find-outcome' | 'fetch-labels' | 'cancel' | 'write';

/** What is known of a request without its texts: no secrets, no personal data. */
export interface KeptRequest {
  /** When it left, ISO 8601. */
  readonly at: string;
  readonly tookMs: number;
  /** `null`: outside the steps. */
  readonly step: RequestStep | null;
  /** `null`: the IMS. */
  readonly account: string | null;
  /** What it does, in words. */
  readonly name: string;
  readonly method: string;
  /** `https://api.example`. */
  readonly origin: string;
  readonly path: string;
  /** `null`: no complete answer came. */
  readonly status: number | null;
  /** The other side's name for the exchange, from a header of its answer. */
  readonly requestId: string | null;
  /** Why no answer came. */
  readonly because: string | null;
  /** The answer has a good status, and refuses in its body. */
  readonly refused?: true;
}

/** Both sides of a request, without secrets. May hold personal data. */
export interface KeptTexts {
  readonly query: Readonly<Record<string, string>>;
  readonly request: KeptSide;
  /** `null`: no complete answer came. */
  readonly answer: KeptSide | null;
}

export interface KeptSide {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: KeptBody;
}

export type KeptBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json' | 'form'; readonly value: unknown }
  /** JSON too, until `readTexts` reads it. */
  | { readonly kind: 'text'; readonly text: string }
  /** Only its size is kept. */
  | { readonly kind: 'left-out'; readonly type: string; readonly bytes: number };

/** Stands for a secret. */
export const MASK = '***';
