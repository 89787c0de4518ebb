import type { Json } from '../store/json.js';
import type { Distribution } from '../api/latency.js';
import { MAX_LATENCY_MS, drawLatencyMs } from '../api/latency.js';
import type { RandomStreams } from '../control/random.js';

/** The conditions on which a fault applies to a request. */
export interface FaultMatch {
  /** `token`, `ims`, or a carrier's id. */
  readonly target: string;
  readonly method?: string;
  /** Source of a regular expression that the path must match, without its query, as the request log shows it. */
  readonly path?: string;
  /** `contextId` of the area whose key the request carries. */
  readonly area?: number;
  /** How many times the fault applies; once when not given. */
  readonly times?: number | 'always';
  /** The number of matching requests that pass before the fault is due; 0 when not given. */
  readonly after?: number;
  /** Probability, from 0 to 1, that a due fault applies to a matching request; 1 when not given. */
  readonly chance?: number;
}

/** The request is handled at once; the response is delayed by a latency drawn for each request. */
interface Latency {
  readonly kind: 'latency';
  readonly distribution: Distribution;
}

/** The kinds of faults other than latency. */
export type NonLatencyFault =
  /** The sandbox answers with this status without handling the request. It sends a `body` that is not text as JSON. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Json;
      readonly contentType?: string;
    }
  /** The request is handled at once; the response is delayed by `ms` milliseconds. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection is reset (TCP RST); the request is not handled. */
  | { readonly kind: 'reset' }
  /** The connection is closed; the request is not handled. */
  | { readonly kind: 'drop-before' }
  /** The request is handled; then the connection is closed without a response. */
  | { readonly kind: 'drop-after' }
  /** The request is read and handled; then the connection is reset (TCP RST) without a response. */
  | { readonly kind: 'reset-after' }
  /**
   * The request is handled; `content-length` announces the whole body, half of it is sent, then the connection is
   * closed.
   */
  | { readonly kind: 'cut-body' }
  /** The request is handled; the body is sent one byte every `msPerByte` milliseconds. */
  | { readonly kind: 'trickle'; readonly msPerByte: number }
  /** The request is handled; spaces extend the body to `bytes` bytes. */
  | { readonly kind: 'padding'; readonly bytes: number }
  /** The request is handled; the response has this wrong content type. */
  | { readonly kind: 'content-type'; readonly contentType: string }
  /** The sandbox answers 302 to `location` without handling the request. */
  | { readonly kind: 'redirect'; readonly location: string };

export type FaultKind = Latency | NonLatencyFault;

export type FaultRule = FaultMatch & FaultKind;

/** A planned fault, with the number of requests that it matched and that it applied to. */
export interface PlannedFault {
  readonly fault: FaultRule;
  readonly matched: number;
  readonly happened: number;
}

/** The latency and the fault that apply to one request. */
export interface AppliedFaults {
  /** The sum of all latencies in milliseconds, at most `MAX_LATENCY_MS`; 0 without any. */
  readonly latencyMs: number;
  readonly fault: NonLatencyFault | null;
}

export interface Coming {
  readonly target: string;
  readonly method: string;
  readonly path: string;
  readonly area: number | null;
}

interface Counted {
  readonly fault: FaultRule;
  readonly path: RegExp | null;
  /** The random stream that decides about this fault. */
  readonly stream: string;
  matched: number;
  happened: number;
}

/** The faults that are planned, in the order they were added. */
export class Faults {
  private planned: readonly Counted[] = [];

  constructor(private readonly random: RandomStreams) {}

  /** @throws SyntaxError when `path` is not a regular expression */
  add(fault: FaultRule): void {
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
   * Picks every latency that applies, and the first other fault that applies. Every matching fault counts the request,
   * even when another fault applies to it.
   */
  faultsFor(coming: Coming): AppliedFaults {
    const matching = this.planned.filter((counted) => matches(counted, coming));
    for (const counted of matching) counted.matched += 1;
    let latencyMs = 0;
    let applied: NonLatencyFault | null = null;
    for (const counted of matching) {
      const { fault, stream } = counted;
      if (fault.kind === 'latency') {
        if (this.happens(counted)) latencyMs += drawLatencyMs(fault.distribution, () => this.random.next(stream));
      } else if (applied === null && this.happens(counted)) applied = fault;
    }
    return { latencyMs: Math.min(latencyMs, MAX_LATENCY_MS), fault: applied };
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
