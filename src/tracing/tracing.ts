import type { Clock } from '../../carriers/contract/adapter.js';
import type { BookingMeasures } from '../consignment/context.js';
import type { RequestRecording } from '../consignment/requests/request-recording.js';
import { type RecordedExchange, whileRecorded } from '../transport/recorded-http.js';
import { scoped } from '../transport/scoped.js';
import type { FinishedSpan, SpanSender, TracingDeps, TracingSettings } from './span.js';

/** Requests of one step that have a span; of more, none has. */
const MAX_REQUESTS = 200;

/** One trace for each consignment: its runs, their steps, and the requests of each step. */
export interface Tracing {
  /** Records runs; stopping it sends what waits. */
  around(requests: RequestRecording | undefined): RequestRecording;
  /** Records steps, beside the measures. */
  measures(measures: BookingMeasures): BookingMeasures;
}

/** A run, with what it did since its last step ended. */
interface Run {
  readonly consignment: string;
  readonly spans: FinishedSpan[];
  requests: RecordedExchange[];
}

const current = scoped<Run>('traced run');

/** Loads the packages of OpenTelemetry. @param settings `null`: nothing is traced, and nothing is loaded */
export async function startTracing(settings: TracingSettings | null, deps: TracingDeps): Promise<Tracing | null> {
  if (settings === null) return null;
  const { createSpanSender } = await import('./span-sender.js');
  return tracingInto(createSpanSender(settings, deps), deps.clock);
}

function tracingInto(sender: SpanSender, clock: Clock): Tracing {
  const nowMs = () => clock.now().getTime();
  return {
    measures: (inner) => ({
      ...inner,
      step: (step, tookMs) => {
        inner.step(step, tookMs);
        endStep(current.value(), { name: step, beganMs: nowMs() - tookMs, endedMs: nowMs() });
      },
    }),
    around: (inner) => ({
      during: async (consignment, work) => {
        const run: Run = { consignment, spans: [], requests: [] };
        const beganMs = nowMs();
        const record = (exchange: RecordedExchange) =>
          void (run.requests.length < MAX_REQUESTS && run.requests.push(exchange));
        try {
          return await current.during(run, () =>
            whileRecorded(record, () => (inner === undefined ? work() : inner.during(consignment, work))),
          );
        } finally {
          const left = run.requests.map(spanOf);
          const attributes = { 'waybridge.consignment': consignment };
          const inside = [...run.spans, ...left];
          sender.send({ name: 'consignment', beganMs, endedMs: nowMs(), attributes, failed: false, inside });
        }
      },
      stop: async () => {
        await inner?.stop();
        await sender.stop();
      },
    }),
  };
}

function endStep(run: Run | undefined, step: Pick<FinishedSpan, 'name' | 'beganMs' | 'endedMs'>): void {
  if (run === undefined) return;
  const inside = run.requests.map(spanOf);
  run.requests = [];
  run.spans.push({ ...step, attributes: {}, failed: false, inside });
}

/** Paths and queries may hold addresses, names and keys: of a request only its method and its host are told. */
function spanOf({ receiver, request, at, tookMs, answer }: RecordedExchange): FinishedSpan {
  const to = receiver.kind === 'ims' ? 'IMS' : receiver.account;
  const beganMs = at.getTime();
  return {
    ...{ name: `${request.method} ${to}`, beganMs, endedMs: beganMs + tookMs, inside: [] },
    attributes: {
      'http.request.method': request.method,
      'server.address': URL.canParse(request.url) ? new URL(request.url).hostname : '',
      'waybridge.receiver': to,
      ...(answer === null ? {} : { 'http.response.status_code': answer.status }),
    },
    failed: answer === null || answer.status >= 400,
  };
}
