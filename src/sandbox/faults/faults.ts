import type { Json } from '../store/json.js';
import type { Distribution } from '../api/latency.js';
import { MAX_LATENCY_MS, drawLatencyMs } from '../api/latency.js';
import type { Random } from '../control/random.js';

/** Which requests something goes wrong with. */
export interface FaultMatch {
  /** `token`, `ims`, or a carrier's id. */
  readonly target: string;
  readonly method?: string;
  /** Source of a regular expression; tested on the path without its query, as the request log shows it. */
  readonly path?: string;
  /** `contextId` of the key that the request carries. */
  readonly area?: number;
  /** How often it happens; once when not given. */
  readonly times?: number | 'always';
  /** Lets so many matching requests pass first. */
  readonly after?: number;
  /** Probability, from 0 to 1, that it happens to a matching request when it is due; 1 when not given. */
  readonly chance?: number;
}

/** Handled at once; the answer is held back for a time that is drawn anew for each request. */
interface Latency {
  readonly kind: 'latency';
  readonly distribution: Distribution;
}

/** What goes wrong, other than latency. */
export type Mishap =
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
  /** The connection is reset (TCP RST); the request is not handled. */
  | { readonly kind: 'reset' }
  /** The connection is cut; the request is not handled. */
  | { readonly kind: 'drop-before' }
  /** The request is handled; then the connection is cut without an answer. */
  | { readonly kind: 'drop-after' }
  /** The request is read and handled; then the connection is reset (TCP RST) without an answer. */
  | { readonly kind: 'reset-after' }
  /** Handled; `content-length` promises all of the answer, half of it is sent, then the connection is cut. */
  | { readonly kind: 'cut-body' }
  /** Handled; the answer comes byte by byte. */
  | { readonly kind: 'trickle'; readonly msPerByte: number }
  /** Handled; the answer is followed by spaces until it has so many bytes. */
  | { readonly kind: 'padding'; readonly bytes: number }
  /** Handled; the answer calls itself another type than it is. */
  | { readonly kind: 'content-type'; readonly contentType: string }
  /** Answered 302 without being handled. */
  | { readonly kind: 'redirect'; readonly location: string };

export type FaultKind = Latency | Mishap;

export type Fault = FaultMatch & FaultKind;

/** A fault and what has come of it. */
export interface PlannedFault {
  readonly fault: Fault;
  readonly matched: number;
  readonly happened: number;
}

/** What befalls one request. */
export interface Trouble {
  /** The sum of all latencies, at most `LONGEST_LATENCY_MS`; 0 without any. */
  readonly latencyMs: number;
  readonly mishap: Mishap | null;
}

export interface Coming {
  readonly target: string;
  readonly method: string;
  readonly path: string;
  readonly area: number | null;
}

interface Counted {
  readonly fault: Fault;
  readonly path: RegExp | null;
  /** Where its chances are drawn from. */
  readonly stream: string;
  matched: number;
  happened: number;
}

/** The faults that are planned, in the order they were added. */
export class Faults {
  private planned: readonly Counted[] = [];

  constructor(private readonly random: Random) {}

  /** @throws SyntaxError when `path` is no regular expression */
  add(fault: Fault): void {
    const path = fault.path === undefined ? null : new RegExp(fault.path);
    const stream = `fault ${this.planned.length + 1}`;
    this.planned = [...this.planned, { fault, path, stream, matched: 0, happened: 0 }];
  }

  clear(): void {
    this.planned = [];
  }

  all(): readonly PlannedFault[] {
    return this.planned.map(({ fault, matched, happened }) => ({ fault, matched, happened }));
  }

  /**
   * Every latency that is due, and the first other fault that is. Every fault that matches counts the request, also when
   * another one befalls it.
   */
  befalling(coming: Coming): Trouble {
    const matching = this.planned.filter((counted) => matches(counted, coming));
    for (const counted of matching) counted.matched += 1;
    let latencyMs = 0;
    let mishap: Mishap | null = null;
    for (const counted of matching) {
      const { fault, stream } = counted;
      if (fault.kind === 'latency') {
        if (this.happens(counted)) latencyMs += drawLatencyMs(fault.distribution, () => this.random.next(stream));
      } else if (mishap === null && this.happens(counted)) mishap = fault;
    }
    return { latencyMs: Math.min(latencyMs, MAX_LATENCY_MS), mishap };
  }

  private happens(counted: Counted): boolean {
    const { times = 1, after = 0, chance = 1 } = counted.fault;
    const isDue = counted.matched > after && (times === 'always' || counted.happened < times);
    if (!isDue || (chance < 1 && this.random.next(counted.stream) >= chance)) return false;
    counted.happened += 1;
    return true;
  }
}

function matches({ fault, path }: Counted, coming: Coming): boolean {
  if (fault.target !== coming.target) return false;
  if (fault.method !== undefined && fault.method.toUpperCase() !== coming.method) return false;
  if (fault.area !== undefined && fault.area !== coming.area) return false;
  return path === null || path.test(coming.path);
}
