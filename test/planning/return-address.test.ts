import { expect, it } from '@jest/globals';
import { connectAccounts } from '../../src/accounts/connect-accounts.js';
import { readShipment } from '../../src/ims/resources.js';
import { silentLog } from '../../src/log.js';
import { requestsFor } from '../../src/planning/requests.js';
import { testHttpPort } from '../carriers/test-http-port.js';
import { read, yaml } from '../config/config-samples.js';

it('the return address and the numbers for customs of an account stand in the request of a booking', () => {
  const address =
    "{ name: Returns, street: Returvej 5, postalCode: '4600', city: Køge, countryCode: DK, phone: 18123499 }";
  const settings = "{ apiKey: k, customerNumber: '990000001', applicationId: 1 }";
  const own = `returnAddress: ${address}, customs: { eori: DK12345678 }`;
  const accounts = `{ it: { carrier: postnord, imsCarrierName: P, config: ${settings}, ${own} } }`;
  const { config, problems } = read(yaml({ accounts }));
  expect(problems).toEqual([]);
  const deps = { http: testHttpPort, log: silentLog, clock: { now: () => new Date() }, hide: () => undefined };
  const [account] = connectAccounts(config?.accounts ?? [], deps).values();
  const shipment = readShipment({
    ...{ id: 20000001, shipmentNumber: '10045', shippingContainers: [{ id: 10000012, grossWeight: 1.5 }] },
    deliveryAddress: { addressee: 'Test Person', countryCode: 'DK' },
  });
  if (account === undefined || shipment === null) throw new Error('no account or no shipment');
  const senders = { seller: null, context: null };
  const order = { account, shipment, senders, packedItems: null, service: null, options: {}, shipDate: '2030-03-04' };
  const { requests } = requestsFor(order, { containerIds: ['10000012'], reference: '10045', first: 1 });
  expect(requests.map(({ request }) => request)).toMatchObject([
    {
      returnTo: {
        address: { name: 'Returns', street: 'Returvej 5', postalCode: '4600', city: 'Køge', countryCode: 'DK' },
        contact: { name: null, phone: '18123499' },
      },
      customsNumbers: { eori: 'DK12345678' },
    },
  ]);
});
