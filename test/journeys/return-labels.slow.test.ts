import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';
import { openSeamed } from '../support/seamed-service.js';
import { eventTarget } from '../../src/cli/sandbox/sandbox-config.js';

/** Longer than a POST waits, shorter than GLS is given. */
const SLOW_MS = 30_000;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

it('a return label that takes long is answered before it is there, and made once', async () => {
  const { consignment } = await service.run(sampleShipments.oneParcel, { carrierName: 'GLS' });
  const path = `/consignments/${consignment.id}/return-label`;
  service.control.addFault({ target: 'gls-dk', kind: 'delay', ms: SLOW_MS });
  const { status, body } = await service.operator(path, { method: 'POST' });
  expect([status, body.state]).toEqual([202, 'asking']);
  expect((await service.operator(path, { method: 'POST' })).status).toBe(202);
  // It is made with the carrier's answer, and its label is prepared for printing after that.
  await until('its label is there', async () => (await service.operator(path)).body.label !== null);
  expect((await service.operator(path)).body).toMatchObject({ state: 'made', label: expect.any(String) });
  expect(service.control.returns('gls-dk')).toHaveLength(1);
});

it('a search for a return that was left in doubt takes of the time in which a new request may leave', async () => {
  const { service: seamed, database, close } = await openSeamed(null);
  try {
    seamed.control.setEventTargets([eventTarget(seamed.url)]);
    const { consignment } = await seamed.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
    const make = () => seamed.operator(`/consignments/${consignment.id}/return-label`, { method: 'POST' });
    seamed.control.addFault({ target: 'pretend', path: '/returns$', kind: 'drop-before', times: 'always' });
    expect((await make()).status).toBe(409);
    seamed.control.clearFaults();
    await database.query(
      "update return_label set asked_at = now() - interval '5 minutes', quiet_from = now() - interval '4 minutes'",
    );
    seamed.control.addFault({
      target: 'pretend',
      method: 'GET',
      path: '^/bookings',
      kind: 'delay',
      ms: 12_000,
      times: 1,
    });
    const late = await make();
    expect([late.status, late.body.detail]).toEqual([
      503,
      expect.stringMatching(/No return label was made: [Aa]sk for it again/),
    ]);
    expect(seamed.control.returns('pretend')).toEqual([]);
    expect(await make()).toMatchObject({ status: 200, body: { state: 'made' } });
    expect(seamed.control.returns('pretend')).toHaveLength(1);
  } finally {
    await close();
  }
});
