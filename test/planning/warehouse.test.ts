import { afterEach, expect, it } from '@jest/globals';
import { warehouseOf } from '../../src/planning/sources.js';
import { type Scripted, type TestIms, jwt, startTestIms } from '../ims/ims-server.js';

const ADDRESS = { addressee: 'The warehouse', postalCode: '2150', countryCode: 'DK' };

let ims: TestIms;

afterEach(() => ims.close());

async function warehouseWhen(context: Scripted) {
  ims = await startTestIms({
    token: () => ({ status: 200, json: { access_token: jwt('api/full'), expires_in: 3600 } }),
    api: () => context,
  });
  return warehouseOf(ims.area());
}

it('is the address of the area, to which parcels come back', async () => {
  const party = await warehouseWhen({ status: 200, json: { id: 550, address: ADDRESS } });
  expect(party?.address).toMatchObject({ name: 'The warehouse', postalCode: '2150', countryCode: 'DK' });
});

it.each<[string, Scripted]>([
  ['has none', { status: 200, json: { id: 550, address: null } }],
  ['has a country alone', { status: 200, json: { id: 550, address: { countryCode: 'DK' } } }],
])('is not known where the IMS %s', async (_what, context) => {
  expect(await warehouseWhen(context)).toBeNull();
});

it.each<[string, Scripted]>([
  ['503', { status: 503 }],
  ['nothing', 'reset'],
  ['403', { status: 403 }],
])('is no guess while the IMS answers %s', async (_what, context) => {
  await expect(warehouseWhen(context)).rejects.toThrow(/Could not read|does not accept/);
});
