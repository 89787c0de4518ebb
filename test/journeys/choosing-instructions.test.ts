import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService } from '../support/harness.js';

const { oneParcel, toSweden, toNorway } = sampleShipments;

const product = (id: string) => ({ id });
const to = (...countryCode: readonly string[]) => ({ deliveryAddress: { countryCode } });

let service: Service;

beforeAll(async () => {
  service = await startService({
    config: (config) => ({
      ...config,
      rules: [
        { name: 'by hand', when: { termsOfDelivery: 'parcel' }, use: { account: 'bring', service: 'BUSINESS_PARCEL' } },
      ],
    }),
  });
  service.control.setCarrierDataDocument(1, 'Bring', {
    BringTransport: {
      apiKey: 'not-for-everybody',
      instructions: [
        { product: product('5600'), shipmentPattern: { ...to('DK'), privateDelivery: true } },
        { product: product('PICKUP_PARCEL'), shipmentPattern: to('SE') },
      ],
    },
  });
});
afterAll(() => service.stop());

/** The product that Bring was asked for. */
async function productOf(sample: SampleShipment, changes: Readonly<Record<string, unknown>> = {}) {
  const mark = service.mark();
  const ending = await service.run(sample, { carrierName: 'Bring', ...changes });
  const sent = service.requestsSince(mark, 'bring').map(({ body }) => JSON.stringify(body));
  return { ending, sent: sent.join('\n') };
}

it('takes the product from the instruction of the carrier that fits the shipment', async () => {
  expect((await productOf(toSweden, { sellerNumber: undefined })).sent).toContain('"id":"PICKUP_PARCEL"');
});

it('asks the list of the seller first', async () => {
  const shipmentId = service.ship(toSweden, { carrierName: 'Bring' });
  const sellerId = service.control.state().shipments.find((row) => row.id === shipmentId)?.['sellerId'];
  await service.ims(`PATCH /sellers/${sellerId}/dataDocument`, {
    BringTransport: { instructions: [{ product: product('BUSINESS_PARCEL'), shipmentPattern: to('SE') }] },
  });
  const mark = service.mark();
  await service.ending(service.book(shipmentId));
  expect(JSON.stringify(service.requestsSince(mark, 'bring').map(({ body }) => body))).toContain('BUSINESS_PARCEL');
});

it('says nothing where a rule names the product', async () => {
  expect((await productOf(toNorway, { termsOfDelivery: 'parcel' })).sent).not.toContain('PICKUP_PARCEL');
});

it('refuses a shipment that no instruction fits, before the carrier is asked', async () => {
  const { ending, sent } = await productOf(toNorway);
  expect(ending).toMatchObject({ workStatus: 'FAILED', messages: [{ type: 'ERROR' }] });
  expect(ending.messages[0]?.text).toContain('BringTransport');
  expect(sent).toBe('');
});

it('logs what is odd in them once', async () => {
  await productOf(oneParcel);
  await productOf(oneParcel);
  const odd = service.lines.filter(({ event }) => event === 'odd instruction');
  expect(odd.map(({ fields }) => `${fields['path']} ${fields['trouble']}`)).toEqual([
    'BringTransport.instructions[0].shipmentPattern.privateDelivery scalar',
  ]);
  expect(JSON.stringify(odd)).not.toContain('not-for-everybody');
});
