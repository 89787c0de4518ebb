import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { AlertTrial } from '../support/alert-rules.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;
const HALF_AN_HOUR = 1_800;
let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function measures(): Promise<string> {
  return (await service.ask('/metrics')).body;
}

async function untilShown(sample: RegExp): Promise<string> {
  await until(`${sample} is shown`, async () => sample.test(await measures()));
  return measures();
}

it('no alert fires while bookings of several carriers go well and one is refused', async () => {
  const trial = new AlertTrial();
  trial.scraped(await measures(), 60);
  await Promise.all(['GLS', 'DAO', 'Bring', 'Pretend'].map((carrierName) => service.run(oneParcel, { carrierName })));
  await service.run(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'refused' });
  trial.scraped(await measures(), HALF_AN_HOUR);
  expect(trial.firing()).toEqual([]);
});

it('WaybridgeImsDown fires while the IMS answers 503', async () => {
  const trial = new AlertTrial();
  trial.scraped(await measures(), 60);
  service.control.addFault({ target: 'ims', kind: 'status', status: 503, times: 'always' });
  const documents = [1, 2, 3, 4, 5, 6].map(() => service.book(service.ship(oneParcel, { carrierName: 'Pretend' })));
  const text = await untilShown(/^waybridge_ims_requests_total\{status="503"\} (1[2-9]|[2-9]\d|\d{3,})$/m);
  trial.scraped(text, 180);
  service.control.clearFaults();
  expect(trial.firing()).toContain('WaybridgeImsDown');
  for (const document of documents) await service.ending(document);
});

it('WaybridgeBookingsInDoubt and WaybridgeCarrierDown fire when GLS takes a booking and does not answer', async () => {
  service.control.addFault({ target: 'gls-dk', kind: 'reset-after', times: 'always' });
  await service.run(oneParcel, { carrierName: 'GLS' });
  const trial = new AlertTrial();
  trial.scraped(await untilShown(/^waybridge_consignments_need_operator 1$/m), HALF_AN_HOUR);
  expect(trial.firing()).toEqual(expect.arrayContaining(['WaybridgeBookingsInDoubt', 'WaybridgeCarrierDown']));
});
