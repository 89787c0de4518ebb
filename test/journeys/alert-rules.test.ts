import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { callbackTargets } from '../../src/cli/sandbox/sandbox-config.js';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { AlertTrial } from '../support/alert-rules.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel, threeParcels, toPickUpPoint, toSweden, withoutPostalCode } = sampleShipments;
/** In which a warehouse packs, from six o'clock on. */
const [HOURS_BEFORE, HOURS] = [6, 10];
/** Refusals that are settled, in the hours 1, 4 and 7. */
const SETTLED = 3;
const AN_HOUR = 3_600;
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

/** Of an hour: most to Denmark, some abroad, some with several parcels or to a pick-up point; in both areas. */
const MIX: readonly (readonly [sample: SampleShipment, carrierName: string, count: number])[] = [
  [oneParcel, 'GLS', 8],
  [oneParcel, 'DAO', 6],
  [oneParcel, 'Bring', 6],
  [oneParcel, 'Pretend', 4],
  [threeParcels, 'GLS', 2],
  [toPickUpPoint, 'GLS', 2],
  [toSweden, 'Bring', 2],
];
const AN_HOUR_BOOKS = MIX.reduce((sum, [, , count]) => sum + count, 0);

/** @param already how many documents are done */
async function anHourOfBookings(already: number): Promise<void> {
  for (const [sample, carrierName, count] of MIX)
    for (let n = 0; n < count; n += 1) service.book(service.ship(sample, { carrierName }, 1 + (n % 2)));
  await until(
    'the bookings of the hour are done',
    () => service.control.documentsIn('DONE') === already + AN_HOUR_BOOKS,
  );
}

const CARRIERS = { gls: 'GLS', dao: 'DAO', bring: 'Bring', pretend: 'Pretend' };

/**
 * On a busy machine, the sandbox may not answer for a carrier in time. Its circuit closes with the answer to a booking,
 * and the hour may have none left.
 * @returns how many bookings that took
 */
async function untilCarriersAnswer(): Promise<number> {
  let more = 0;
  for (const [account, carrierName] of Object.entries(CARRIERS)) {
    const unanswered = new RegExp(`^waybridge_carrier_requests_total\\{account="${account}",status="none"\\}`, 'm');
    const open = new RegExp(`^waybridge_circuit_open\\{account="${account}"\\} 1$`, 'm');
    const isTried = (text: string) => unanswered.test(text) && open.test(text);
    for (; isTried(await measures()); more += 1) await service.run(oneParcel, { carrierName });
  }
  return more;
}

/** The refusal of a missing postal code, which a person adds in the IMS. */
async function refusedAndSettled(): Promise<void> {
  const { consignment, documentId } = await service.run(withoutPostalCode, { carrierName: 'GLS' });
  expect(consignment.state).toBe('refused');
  await service.ims(`PATCH /shipments/${consignment.shipmentId}`, { deliveryAddress_postalCode: '5000' });
  await service.act(consignment, 'retry');
  expect(await service.ending(documentId)).toMatchObject({ consignment: { state: 'closed' } });
}

it('no alert fires on an ordinary day: hundreds of bookings, refusals that are settled, callbacks, tracking', async () => {
  const trial = new AlertTrial();
  trial.scraped(await measures(), HOURS_BEFORE * AN_HOUR);
  service.control.setCallbackTargets(callbackTargets(service.url));
  let more = 0;
  for (let hour = 0; hour < HOURS; hour += 1) {
    // The parcels of the first hours are enough: each has many events.
    service.control.setSwitches({ parcelsTravel: hour < 2, parcelHourMs: 10 });
    await anHourOfBookings(service.control.documentsIn('DONE'));
    if (hour % 3 === 1) await refusedAndSettled();
    more += await untilCarriersAnswer();
    trial.scraped(await measures(), AN_HOUR);
    expect([hour, trial.firing()]).toEqual([hour, []]);
  }
  const closed = HOURS * AN_HOUR_BOOKS + SETTLED + more;
  await until('all bookings are counted', async () => counted(await measures(), 'bookings', 'closed') === closed);
  const text = await untilShown(/^waybridge_queue_ims_updates 0$/m);
  trial.scraped(text, (24 - HOURS_BEFORE - HOURS) * AN_HOUR);
  expect(trial.firing()).toEqual([]);
  expect(counted(text, 'bookings', 'refused')).toBe(SETTLED);
  expect(counted(text, 'callbacks', 'stored')).toBeGreaterThan(50);
  expect((await service.operator('/parcels?status=delivered&limit=200')).body.parcels.length).toBeGreaterThan(20);
});

/** Of all areas, carriers and accounts. */
function counted(text: string, what: string, outcome: string): number {
  const samples = text.matchAll(new RegExp(`^waybridge_${what}_total\\{.*outcome="${outcome}"\\} (\\d+)$`, 'gm'));
  return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
}

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
