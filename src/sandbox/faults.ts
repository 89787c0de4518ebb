import type { Json } from './json.js';

/** Which requests something goes wrong with. */
export interface FaultMatch {
  /** `token`, `ims`, or a carrier's id. */
  readonly target: string;
  readonly method?: string;
  /** Source of a regular expression; tested on the path without its query, as the request log shows it. */
  readonly path?: string;
  /** How often it happens; once when not given. */
  readonly times?: number;
  /** Lets so many matching requests pass first. */
  readonly after?: number;
}

/** What goes wrong. */
export type FaultKind =
  /** Answered without being handled. A `body` that is no text is sent as JSON. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Json;
      readonly contentType?: string;
    }
  /** Handled at once; the answer is held back. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection is cut; the request is not handled. */
  | { readonly kind: 'drop-before' }
  /** The request is handled; then the connection is cut without an answer. */
  | { readonly kind: 'drop-after' }
  /** Handled; `content-length` promises all of the answer, half of it is sent, then the connection is cut. */
  | { readonly kind: 'cut-body' }
  /** Handled; the answer comes byte by byte. */
  | { readonly kind: 'trickle'; readonly msPerByte: number }
  /** Answered 302 without being handled. */
  | { readonly kind: 'redirect'; readonly location: string };

export type Fault = FaultMatch & FaultKind;

/** A fault and what has come of it. */
export interface PlannedFault {
  readonly fault: Fault;
  readonly matched: number;
  readonly happened: number;
}

interface Counted {
  readonly fault: Fault;
  readonly path: RegExp | null;
  matched: number;
  happened: number;
}

/** The faults that are planned, in the order they were added. */
export class Faults {
  private planned: readonly Counted[] = [];

  /** @throws SyntaxError when `path` is no regular expression */
  add(fault: Fault): void {
    const path = fault.path === undefined ? null : new RegExp(fault.path);
    this.planned = [...this.planned, { fault, path, matched: 0, happened: 0 }];
  }

  clear(): void {
    this.planned = [];
  }

  all(): readonly PlannedFault[] {
    return this.planned.map(({ fault, matched, happened }) => ({ fault, matched, happened }));
  }

  /** The fault that befalls this request: the first one that is due. Every fault that matches counts it. */
  befalling(request: { readonly target: string; readonly method: string; readonly path: string }): FaultKind | null {
    const matching = this.planned.filter(({ fault, path }) => {
      const sameMethod = (fault.method ?? request.method).toUpperCase() === request.method;
      return fault.target === request.target && sameMethod && (path === null || path.test(request.path));
    });
    for (const counted of matching) counted.matched += 1;
    const due = matching.find(({ fault, matched, happened }) => {
      return matched > (fault.after ?? 0) && happened < (fault.times ?? 1);
    });
    if (due === undefined) return null;
    due.happened += 1;
    return due.fault;
  }
}
