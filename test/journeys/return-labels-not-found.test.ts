import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Life, type Lives, MINUTE_MS, openLives } from '../support/lives.js';

const DAY_MS = 24 * 60 * MINUTE_MS;
let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives();
  life = await lives.begin();
  life.service.listenAgain();
});
afterAll(async () => {
  await life.end();
  await lives.end();
});

it('a return in doubt that a person does not find is not made once the carrier has certainly ended its work', async () => {
  const { service } = life;
  const { consignment } = await service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  const path = `/consignments/${consignment.id}/return-label`;
  const make = () => service.operator(path, { method: 'POST' });
  const notBooked = () => service.operator(`${path}/resolve`, { method: 'POST', body: { answer: 'not-booked' } });
  service.control.addFault({ target: 'pretend', path: '/returns', kind: 'drop-before', times: 'always' });
  expect((await make()).status).toBe(409);
  service.control.clearFaults();
  const tooEarly = await notBooked();
  expect([tooEarly.status, tooEarly.body.detail]).toEqual([
    409,
    expect.stringMatching(/may still make the return label .* Look for it again after 20.*, and answer then/),
  ]);
  expect((await service.operator(path)).body.state).toBe('in-doubt');
  expect((await service.operator('/overview')).body.needsPerson).toMatchObject({
    ...{ bookings: 0, count: 1 },
    notTold: [{ kind: 'return-in-doubt', account: 'pretend', count: 1, named: [{ id: consignment.id }] }],
  });
  life.forward(3 * MINUTE_MS);
  expect(await notBooked()).toMatchObject({ status: 200, body: { state: 'not-booked' } });
  expect(await make()).toMatchObject({ status: 200, body: { state: 'made' } });
  const made = service.control.returns('pretend') ?? [];
  expect(made.filter(({ reference }) => reference.startsWith(consignment.reference))).toHaveLength(1);
});

it.each([
  ['Shipmondo', 'shipmondo', '/shipments$'],
  ['Danske Fragtmænd', 'danske-fragtmaend', 'onsignment'],
])('a return in doubt at %s is found days later, and not made again', async (carrierName, target, path) => {
  const { service } = life;
  const { consignment } = await service.run(sampleShipments.oneParcel, { carrierName });
  const make = () => service.operator(`/consignments/${consignment.id}/return-label`, { method: 'POST' });
  service.control.addFault({ target, method: 'POST', path, kind: 'drop-after', times: 'always' });
  expect((await make()).status).toBe(409);
  service.control.clearFaults();
  for (const each of [lives, life]) each.forward(3 * DAY_MS);
  expect(await make()).toMatchObject({ status: 200, body: { state: 'made' } });
  const made = service.control.returns(target) ?? [];
  expect(made.filter(({ reference }) => reference.startsWith(consignment.reference))).toHaveLength(1);
});
