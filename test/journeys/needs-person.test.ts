import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService } from '../support/harness.js';

const { oneParcel } = sampleShipments;
let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The levels of the lines about one consignment, by event. */
function levelsOf({ id }: { readonly id: string }) {
  const lines = service.lines.filter(({ fields }) => fields['consignment'] === id);
  return Object.fromEntries(lines.map(({ event, level }) => [event, level]));
}

it('logs a refused booking as a warning', async () => {
  const { consignment } = await service.run(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'refused' });
  expect(levelsOf(consignment)).toMatchObject({ refused: 'warn' });
});

it('logs a booking that goes well without a warning', async () => {
  const { consignment } = await service.run(oneParcel, { carrierName: 'Pretend' });
  expect(Object.values(levelsOf(consignment))).not.toContain('warn');
});

it('logs a booking that only a person can continue as an error, once, with its account', async () => {
  service.control.addFault({ target: 'gls-dk', kind: 'reset-after', method: 'POST' });
  const { consignment } = await service.run(oneParcel, { carrierName: 'GLS' });
  expect(consignment).toMatchObject({ state: 'in-doubt', needsOperator: true });
  expect(levelsOf(consignment)).toMatchObject({ 'needs operator': 'error' });
  const errors = service.lines.filter(({ event }) => event === 'needs operator');
  expect(errors).toMatchObject([{ fields: { consignment: consignment.id, account: 'gls' } }]);
});
