import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace';
import { withTimeout } from '../worker/with-timeout.js';
import type { FinishedSpan, SpanSender, TracingDeps, TracingSettings } from './span.js';

const SENT_EVERY_MS = 2_000;
const ANSWERS_WITHIN_MS = 10_000;
/** Sending the last spans gets this part of the 1.5 s that closing may take. */
const STOPS_WITHIN_MS = 1_000;
/** Spans that wait to be sent; of more, the newest are dropped. */
const MAX_WAITING = 4_096;
const SAID_EVERY_MS = 60_000;

/** Sends spans in batches. What the receiver does not take is lost; the log says so once a minute. */
export function createSpanSender(settings: TracingSettings, { log, owner, clock }: TracingDeps): SpanSender {
  const { url, serviceName, serviceVersion } = settings;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: ANSWERS_WITHIN_MS });
  let saidAtMs = -Infinity;
  const watched: Pick<OTLPTraceExporter, 'export' | 'shutdown'> = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const nowMs = clock.now().getTime();
        if (result.error && nowMs - saidAtMs >= SAID_EVERY_MS) {
          saidAtMs = nowMs;
          log.warn('traces not sent', { error: result.error.message });
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  const ids = new RandomIdGenerator();
  let traceId = '';
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': serviceVersion,
      'service.instance.id': owner,
    }),
    // All runs of a consignment, on every instance, belong to one trace: its number is the consignment's.
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => ids.generateSpanId() },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched,
        ...{ scheduledDelayMillis: SENT_EVERY_MS, exportTimeoutMillis: ANSWERS_WITHIN_MS, maxQueueSize: MAX_WAITING },
      }),
    ],
  });
  const tracer = provider.getTracer('waybridge', serviceVersion);
  return {
    send: (run) => {
      traceId = run.attributes['waybridge.consignment'].replaceAll('-', '');
      write(tracer, run, null);
    },
    stop: () => withTimeout(provider.shutdown(), STOPS_WITHIN_MS, () => undefined),
  };
}

function write(tracer: Tracer, span: FinishedSpan, parent: Span | null): void {
  const { name, beganMs, endedMs, attributes, failed, inside } = span;
  const kind = 'server.address' in attributes ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const around = parent === null ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
  const written = tracer.startSpan(name, { kind, startTime: beganMs, attributes: { ...attributes } }, around);
  if (failed) written.setStatus({ code: SpanStatusCode.ERROR });
  for (const each of inside) write(tracer, each, written);
  written.end(endedMs);
}
