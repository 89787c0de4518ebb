import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { callbackTargets } from '../../src/cli/sandbox/sandbox-config.js';
import { keyId } from '../../src/ims/calls/client.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { AlertTrial } from '../support/alert-rules.js';
import type { Ending } from '../support/harness.js';
import { type Life, type Lives, MINUTE_MS, openLives } from '../support/lives.js';
import { until } from '../support/until.js';

const { oneParcel } = sampleShipments;
const HALF_AN_HOUR = 1_800;
/** The database is asked for a scrape at most once in this time. */
const FRESH_AFTER_MS = 10_000;
const REFUSED = {
  name: 'Pretend refuses',
  when: { carrierName: 'Pretend', termsOfDelivery: 'refused' },
  use: { account: 'pretend', service: 'refused' },
};
let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives((config) => ({ ...config, rules: [REFUSED, ...config.rules] }));
  life = await lives.begin();
  life.service.listenAgain();
});
afterEach(() => life.service.control.clearFaults());
afterAll(() => lives.end());

async function measures(): Promise<string> {
  life.forward(FRESH_AFTER_MS);
  return (await life.service.ask('/metrics')).body;
}

/** The alerts that fire when something happens after an hour of quiet, and lasts. */
async function firingAfter(happens: () => Promise<unknown>): Promise<readonly string[]> {
  const trial = new AlertTrial();
  trial.scraped(await measures(), 2 * HALF_AN_HOUR);
  const before = new Set(trial.firing());
  await happens();
  trial.scraped(await measures(), 6 * 60);
  return trial.firing().filter((alert) => !before.has(alert));
}

function bookings(count: number, changes: Readonly<Record<string, unknown>>, area = 1): Promise<readonly Ending[]> {
  return Promise.all(Array.from({ length: count }, () => life.service.run(oneParcel, changes, area)));
}

it('WaybridgeManyRefused fires when a carrier refuses the first bookings of an account', async () => {
  const refused = (count: number) => bookings(count, { carrierName: 'Pretend', termsOfDelivery: 'refused' });
  expect(await firingAfter(() => refused(11))).toEqual(['WaybridgeManyRefused']);
});

it('WaybridgeImsRefusesUs fires when the key of an area is dead', async () => {
  const { control } = life.service;
  const documents = () => [1, 2].map(() => life.service.book(life.service.ship(oneParcel, { carrierName: 'GLS' }, 2)));
  const waiting: number[] = [];
  const refused = async () => {
    control.addFault({ target: 'ims', area: 2, kind: 'status', status: 401, times: 'always' });
    waiting.push(...documents());
    await until('the key is refused some times', () => (control.faults()[0]?.happened ?? 0) > 6);
  };
  expect(await firingAfter(refused)).toEqual(['WaybridgeImsRefusesUs']);
  control.clearFaults();
  for (const document of waiting) expect(await life.service.ending(document)).toMatchObject({ workStatus: 'DONE' });
});

it('WaybridgeDailyBudget fires when bookings have used 80 % of the requests of a day', async () => {
  const booked = (count: number) => bookings(count, { carrierName: 'GLS' }, 2);
  await booked(1);
  // The requests of the morning, which would take minutes here.
  await life.database.query('update ims_usage set calls = 79880 where key_id = $1', [keyId('area-2-key')]);
  expect(await firingAfter(() => booked(1))).toEqual([]);
  expect(await firingAfter(() => booked(20))).toEqual(['WaybridgeDailyBudget']);
});

it('WaybridgeReturnLabelsInDoubt fires when a carrier does not answer for a return label', async () => {
  const { service } = life;
  const [booked] = await bookings(1, { carrierName: 'Pretend' });
  service.control.addFault({ target: 'pretend', path: '/returns', kind: 'drop-after', times: 'always' });
  const made = () => service.operator(`/consignments/${booked?.consignment.id}/return-label`, { method: 'POST' });
  expect(await firingAfter(made)).toEqual(['WaybridgeReturnLabelsInDoubt']);
});

it('WaybridgeGivenUp fires when the IMS refuses for good what a task needs', async () => {
  const { service } = life;
  const shipmentId = service.ship(oneParcel, { carrierName: null });
  const body = { messageType: 'ERROR', messageCode: 'closed', messageText: 'closed for today' };
  const path = `/shipments/${shipmentId}`;
  service.control.addFault({ target: 'ims', path, kind: 'status', status: 422, times: 'always', body });
  const refused = async () => {
    await service.send({ eventId: randomUUID(), eventType: 'shipmentCreated', contextId: '1', shipmentId });
    const givenUp = async () => (await service.operator('/dead-letters?kind=task')).body.deadLetters.length === 1;
    await until('the task is given up', givenUp);
  };
  expect(await firingAfter(refused)).toEqual(['WaybridgeGivenUp']);
});

async function onTheirWay(count: number): Promise<readonly unknown[]> {
  const numbers = (await bookings(count, { carrierName: 'Bring' })).flatMap((ending) => ending.trackingNumbers);
  await until('the parcels are followed', async () => {
    const { body } = await life.service.operator('/parcels?limit=200');
    return numbers.every((number) => JSON.stringify(body).includes(String(number)));
  });
  return numbers;
}

it('WaybridgeBookingsWait fires when a booking has waited for a quarter of an hour', async () => {
  const { control } = life.service;
  control.addFault({ target: 'ims', path: '^/shipments/', kind: 'status', status: 503, times: 'always' });
  const waiting: number[] = [];
  const waits = async () => {
    const postponed = () => life.service.lines.filter(({ event }) => event === 'postponed').length;
    const before = postponed();
    waiting.push(life.service.book(life.service.ship(oneParcel, { carrierName: 'GLS' })));
    // A document whose claim is stored after the time has passed gets a waiting time of its own.
    await until('it is stored that the booking waits', () => postponed() > before);
    life.forward(16 * MINUTE_MS);
  };
  expect(await firingAfter(waits)).toContain('WaybridgeBookingsWait');
  control.clearFaults();
  for (const document of waiting) expect(await life.service.ending(document)).toMatchObject({ workStatus: 'DONE' });
});

it('WaybridgeNoCallbacks fires when a carrier has sent no callback for a day, and its measure falls with the next one', async () => {
  const { control } = life.service;
  const [trackingNumber] = await onTheirWay(1);
  expect(await firingAfter(async () => life.forward(25 * 60 * MINUTE_MS))).toEqual([]);
  const trial = new AlertTrial();
  trial.scraped(await measures(), HALF_AN_HOUR);
  expect(trial.firing()).toContain('WaybridgeNoCallbacks');
  control.setCallbackTargets(callbackTargets(life.service.url));
  const number = String(trackingNumber);
  control.happen({ carrier: 'bring', trackingNumber: number, status: 'in-transit', manner: 'once', delayMs: 0 });
  await until('the call is noted', async () =>
    /^waybridge_callbacks_missing\{account="bring"\} 0$/m.test(await measures()),
  );
});

it('WaybridgeDown fires when the service has stopped', async () => {
  await life.end();
  const answer = await measures().catch(() => null);
  const trial = new AlertTrial();
  trial.scraped(answer, 180);
  expect(trial.firing()).toEqual(['WaybridgeDown']);
});
