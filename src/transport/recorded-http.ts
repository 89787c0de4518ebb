import type { Clock } from '../../carriers/contract/adapter.js';
import type { HttpAnswer, HttpPort, HttpRequest } from '../../carriers/contract/http-port.js';
import { wasNotPermitted } from '../../carriers/contract/http-port.js';
import { scoped } from './scoped.js';

/** The other side of a request: the IMS, or the carrier of an account. */
export type Receiver = { readonly kind: 'ims' } | { readonly kind: 'carrier'; readonly account: string };

/** One request that left, and its end. Holds secrets and personal data: mask it before it is kept. */
export interface RecordedExchange {
  readonly receiver: Receiver;
  readonly request: Pick<HttpRequest, 'method' | 'url' | 'query' | 'headers' | 'json' | 'form'>;
  readonly at: Date;
  readonly tookMs: number;
  /** `null`: no complete answer came. */
  readonly answer: HttpAnswer | null;
  /** Why none came: method, address without its query, cause. */
  readonly because: string | null;
}

/** Takes exchanges; returns at once and never throws. */
export type Recorder = (exchange: RecordedExchange) => void;

const current = scoped<Recorder>('recorder');

/**
 * Every request of `work`, and of the functions that it calls, goes to the recorder when it has ended, and to the recorders
 * around it.
 */
export function whileRecorded<Result>(recorder: Recorder, work: () => Promise<Result>): Promise<Result> {
  const around = current.value();
  if (around === undefined) return current.during(recorder, work);
  const both: Recorder = (exchange) => {
    around(exchange);
    recorder(exchange);
  };
  return current.during(both, work);
}

/** Records the requests that leave inside `whileRecorded`. Answers and errors come through unchanged. */
export function recordedHttp(http: HttpPort, receiver: Receiver, clock: Clock): HttpPort {
  const recorded = async (request: RecordedExchange['request'], exchange: () => Promise<HttpAnswer>) => {
    const record = current.value();
    if (record === undefined) return exchange();
    const at = clock.now();
    const end = (answer: HttpAnswer | null, because: string | null) =>
      record({ receiver, request, at, tookMs: clock.now().getTime() - at.getTime(), answer, because });
    try {
      const answer = await exchange();
      end(answer, null);
      return answer;
    } catch (error) {
      if (!wasNotPermitted(error)) end(null, error instanceof Error ? error.message : 'no answer');
      throw error;
    }
  };
  return {
    send: (request) => recorded(request, () => http.send(request)),
    fetchLink: (url, limits) => recorded({ method: 'GET', url: withoutPath(url) }, () => http.fetchLink(url, limits)),
  };
}

/** Whoever has a link to a label has the label, so only the link's host is recorded. */
function withoutPath(link: string): string {
  return URL.canParse(link) ? `${new URL(link).origin}/***` : '';
}
