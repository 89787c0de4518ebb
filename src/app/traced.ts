import { readFileSync } from 'node:fs';
import type { Settings } from '../config/environment.js';
import { programFolder } from '../program-files.js';
import type { TracingDeps } from '../tracing/span.js';
import { type Tracing, startTracing } from '../tracing/tracing.js';

const DEFAULT_ENDPOINT = 'http://localhost:4318';
const PATH = '/v1/traces';

/** Traces where the standard variables of OpenTelemetry ask for them. @returns `null`: they do not */
export function tracingOf(settings: Settings, deps: TracingDeps): Promise<Tracing | null> {
  const url = receiverIn(settings);
  if (url === null) return startTracing(null, deps);
  const { version }: { readonly version: string } = JSON.parse(readFileSync(`${programFolder()}package.json`, 'utf8'));
  return startTracing({ url, serviceName: settings.OTEL_SERVICE_NAME, serviceVersion: version }, deps);
}

function receiverIn({ OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT }: Settings): string | null {
  if (OTEL_SDK_DISABLED === 'true' || OTEL_TRACES_EXPORTER === 'none') return null;
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined && OTEL_TRACES_EXPORTER === undefined) return null;
  return `${(OTEL_EXPORTER_OTLP_ENDPOINT ?? DEFAULT_ENDPOINT).replace(/\/+$/, '')}${PATH}`;
}
