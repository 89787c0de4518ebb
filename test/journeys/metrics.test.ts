import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService } from '../support/harness.js';

let service: Service;
const { oneParcel } = sampleShipments;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

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
