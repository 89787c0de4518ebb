import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

/** Longer than a POST waits, shorter than GLS is given. */
const SLOW_MS = 24_000;
const PATIENCE_MS = 30_000;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

it('a return label that takes long is answered before it is there, and made once', async () => {
  const { consignment } = await service.run(sampleShipments.oneParcel, { carrierName: 'GLS' });
  const path = `/consignments/${consignment.id}/return-label`;
  service.control.addFault({ target: 'gls-dk', kind: 'delay', ms: SLOW_MS });
  const begin = Date.now();
  const { status, body } = await service.operator(path, { method: 'POST' });
  expect([status, body.state]).toEqual([202, 'asking']);
  expect(Date.now() - begin).toBeLessThan(SLOW_MS);
  expect((await service.operator(path, { method: 'POST' })).status).toBe(202);
  await until('it is made', async () => (await service.operator(path)).body.state === 'made', PATIENCE_MS);
  expect((await service.operator(path)).body.label).toEqual(expect.any(String));
  expect(service.control.returns('gls-dk')).toHaveLength(1);
}, 90_000);
