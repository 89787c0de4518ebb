import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

/** A span as it comes over OTLP/HTTP, in JSON. */
interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

let service: Service;
let receiver: Server;
let takesTraces = true;
/** What the receiver of traces got. */
let received: readonly string[] = [];
const { oneParcel } = sampleShipments;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void buffer(request).then((body) => {
      received = [...received, `${request.method} ${request.url} ${body.toString()}`];
      response.writeHead(takesTraces ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  service = await startService({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
});

afterAll(async () => {
  await service.stop();
  receiver.close();
});

async function measures(headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, body } = await service.ask('/metrics', { headers });
  expect(status).toBe(200);
  return body;
}

/** The value of the one sample with this name and these labels. */
function valueOf(text: string, sample: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  if (line === undefined) throw new Error(`no sample ${sample} in\n${text}`);
  return Number(line.slice(sample.length));
}

it('counts bookings by carrier and outcome, their steps, and the requests to the IMS and the carrier', async () => {
  await service.run(oneParcel, { carrierName: 'Pretend' });
  const refused = await service.run(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'refused' });
  expect(refused.workStatus).toBe('FAILED');
  const text = await measures();
  const by = (outcome: string) => `area="1",carrier="pretend",account="pretend",outcome="${outcome}"`;
  expect(valueOf(text, `waybridge_bookings_total{${by('closed')}}`)).toBe(1);
  expect(valueOf(text, `waybridge_bookings_total{${by('refused')}}`)).toBe(1);
  expect(valueOf(text, 'waybridge_booking_duration_seconds_count{carrier="pretend",outcome="closed"}')).toBe(1);
  expect(valueOf(text, 'waybridge_step_duration_seconds_count{step="prepare"}')).toBe(2);
  expect(valueOf(text, 'waybridge_step_duration_seconds_count{step="book"}')).toBe(2);
  expect(valueOf(text, 'waybridge_ims_requests_total{status="200"}')).toBeGreaterThan(5);
  expect(valueOf(text, 'waybridge_ims_limiter_wait_seconds_count')).toBeGreaterThan(5);
  expect(valueOf(text, 'waybridge_carrier_request_duration_seconds_count{account="pretend"}')).toBeGreaterThan(1);
  expect(valueOf(text, 'waybridge_ims_daily_requests{area="1"}')).toBeGreaterThan(0);
  expect(valueOf(text, 'waybridge_database_up')).toBe(1);
  expect(valueOf(text, 'waybridge_consignments_in_doubt')).toBe(0);
  expect(valueOf(text, 'waybridge_circuit_open{account="pretend"}')).toBe(0);
  expect(valueOf(text, 'waybridge_disk_free_bytes')).toBeGreaterThan(0);
  expect(valueOf(text, 'waybridge_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThan(0);
});

it('shows no shipment, no reference, no name and no address', async () => {
  const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
  const text = await measures();
  const { shipmentNumber, reference } = ending.consignment;
  const address = Object.values(oneParcel.shipment.deliveryAddress ?? {}).filter((value) => String(value).length > 5);
  expect(address.length).toBeGreaterThan(1);
  for (const value of [shipmentNumber, reference, ...ending.trackingNumbers, ...address])
    expect(text).not.toContain(String(value));
});

it('refuses to show the measures to a caller behind a proxy', async () => {
  const { status, body } = await service.ask('/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(status).toBe(403);
  expect(body.detail).toContain('METRICS_TOKEN');
});

/** The spans of one consignment, so far. */
function spansOf(consignment: { readonly id: string }): readonly ReceivedSpan[] {
  const bodies = received.map((text) => JSON.parse(text.slice('POST /v1/traces '.length)));
  const spans: readonly ReceivedSpan[] = bodies.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap((of: { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }) =>
      of.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  return spans.filter(({ traceId }) => traceId === consignment.id.replaceAll('-', ''));
}

it('sends one trace for a consignment, with its steps and their requests inside, also of a retry', async () => {
  const { consignment } = await service.run(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'refused' });
  await until('the trace has come', () => spansOf(consignment).some(({ name }) => name === 'consignment'));
  await service.act(consignment, 'retry');
  const runs = () => spansOf(consignment).filter(({ name }) => name === 'consignment');
  await until('the run of the retry has come', () => runs().length > 1);
  const spans = spansOf(consignment);
  const [run] = runs();
  expect(run?.parentSpanId).toBeUndefined();
  const steps = spans.filter(({ parentSpanId }) => parentSpanId === run?.spanId);
  expect(steps.map(({ name }) => name)).toEqual(expect.arrayContaining(['prepare', 'book']));
  const book = steps.find(({ name }) => name === 'book');
  const [request] = spans.filter(({ parentSpanId }) => parentSpanId === book?.spanId);
  expect(request?.name).toBe('POST pretend');
  expect(
    Object.fromEntries((request?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]])),
  ).toEqual({
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'waybridge.receiver': 'pretend',
    'http.response.status_code': expect.any(Number),
  });
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
});

it('tells traces nothing of people, shipments and secrets', async () => {
  const ending = await service.run(oneParcel, { carrierName: 'DAO' });
  await until('the trace has come', () => spansOf(ending.consignment).some(({ name }) => name === 'consignment'));
  const text = received.join();
  const { shipmentNumber, reference } = ending.consignment;
  const address = Object.values(oneParcel.shipment.deliveryAddress ?? {}).filter((value) => String(value).length > 5);
  for (const value of [reference, ...ending.trackingNumbers, ...address, ...Object.values(sandboxSecrets)])
    expect(text).not.toContain(String(value));
  expect(text).not.toContain(`"${shipmentNumber}"`);
  expect(text).not.toMatch(/https?:/);
});

it('books all the same when the receiver of traces takes nothing, and says so once', async () => {
  takesTraces = false;
  for (let n = 0; n < 2; n += 1) {
    const before = received.length;
    expect((await service.run(oneParcel, { carrierName: 'Pretend' })).workStatus).toBe('DONE');
    await until('the receiver was asked', () => received.length > before);
  }
  await until('it is said', () => service.lines.some(({ event }) => event === 'traces not sent'));
  expect(service.lines.filter(({ event }) => event === 'traces not sent')).toHaveLength(1);
});
