import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { callbackTargets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { AlertTrial } from '../support/alert-rules.js';
import { type Ending, type Service, startService, until } from '../support/harness.js';

const { oneParcel, withoutPostalCode } = sampleShipments;
/** Of the small day; each has eight bookings. */
const HOURS = 4;
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

/** Bookings of several carriers in both areas, at once. */
function bookedAtOnce(carriers: readonly string[]): Promise<readonly Ending[]> {
  const each = carriers.flatMap((carrierName) => [1, 2].map((area) => ({ carrierName, area })));
  return Promise.all(each.map(({ carrierName, area }) => service.run(oneParcel, { carrierName }, area)));
}

/** The refusal of a missing postal code, which a person adds in the IMS. */
async function refusedAndSettled(): Promise<Ending> {
  const { consignment, documentId } = await service.run(withoutPostalCode, { carrierName: 'GLS' });
  await service.ims(`PATCH /shipments/${consignment.shipmentId}`, { deliveryAddress_postalCode: '5000' });
  await service.act(consignment, 'retry');
  return service.ending(documentId);
}

it('no alert fires on a small day: dozens of bookings, a refusal that is settled, callbacks, tracking', async () => {
  const trial = new AlertTrial();
  trial.scraped(await measures(), 60);
  service.control.setCallbackTargets(callbackTargets(service.url));
  service.control.setSwitches({ parcelsTravel: true, parcelHourMs: 10 });
  const booked: Ending[] = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    booked.push(...(await bookedAtOnce(['GLS', 'DAO', 'Bring', 'Pretend'])));
    if (hour === 1) booked.push(await refusedAndSettled());
    trial.scraped(await measures(), 3_600);
    expect([hour, trial.firing()]).toEqual([hour, []]);
  }
  expect(new Set(booked.map(({ consignment }) => consignment.state))).toEqual(new Set(['closed']));
  const arrived = async () => (await service.operator('/parcels?status=delivered&limit=200')).body.parcels.length;
  await until('parcels of carriers with callbacks arrive', async () => (await arrived()) >= 2 * HOURS);
  const text = await untilShown(/^waybridge_queue_ims_updates 0$/m);
  service.control.setSwitches({ parcelsTravel: false });
  trial.scraped(text, 3_600);
  expect(trial.firing()).toEqual([]);
  expect(text).toMatch(/^waybridge_bookings_total\{.*outcome="refused"\} 1$/m);
  expect(text).toMatch(/^waybridge_callbacks_total\{.*outcome="stored"\} \d{2,}$/m);
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
