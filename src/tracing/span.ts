import type { Clock } from '../../carriers/contract/adapter.js';
import type { Log } from '../log.js';

export interface TracingSettings {
  /** The address of the receiver for traces, of the form OTLP/HTTP. */
  readonly url: string;
  readonly serviceName: string;
  readonly serviceVersion: string;
}

export interface TracingDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Unique for each run of the process. */
  readonly owner: string;
}

/** A span that has ended, with the spans inside. Times in milliseconds since 1970. */
export interface FinishedSpan {
  readonly name: string;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
  readonly inside: readonly FinishedSpan[];
}

/** The outermost span of a trace. */
export interface FinishedRun extends FinishedSpan {
  readonly attributes: { readonly 'waybridge.consignment': string };
}

export interface SpanSender {
  /** Returns at once; never throws. */
  send(run: FinishedRun): void;
  /** Sends what waits, for at most a second. */
  stop(): Promise<void>;
}
