import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService } from '../support/harness.js';

let service: Service;

beforeAll(async () => {
  service = await startService({
    config: (config) => ({
      ...config,
      rules: [
        { name: 'dangerous goods', when: { hasDangerousGoods: true }, use: { account: 'pretend' } },
        { name: 'the rest', when: { hasDangerousGoods: false }, use: { account: 'dao' } },
      ],
    }),
  });
});
afterAll(() => service.stop());

/** Everything that was ordered is packed. */
async function packed(sku: string): Promise<number> {
  const shipmentLines = [{ stockKeepingUnit: sku, numItemsOrdered: 1 }];
  const shipmentId = service.ship(sampleShipments.oneParcel, { shipmentLines });
  const [container] = service.containersOf(shipmentId);
  const [line] = await linesOf(shipmentId);
  await service.ims('POST /invocations/pack', { shipmentLineId: line.id, shippingContainerId: container?.id });
  return shipmentId;
}

// The lines as the IMS gives them, looked at freely.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function linesOf(shipmentId: number): Promise<readonly any[]> {
  return (await explain(shipmentId)).fields.shipmentLines;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function explain(shipmentId: number): Promise<any> {
  return (await service.operator(`/shipments/${shipmentId}/explain?area=1`)).body;
}

it('reads what is packed where rules ask for dangerous goods', async () => {
  const shipmentId = await packed('HARMLESS');
  const mark = service.mark();
  expect(await service.ending(service.book(shipmentId))).toMatchObject({ consignment: { account: 'dao' } });
  const reads = service.requestsSince(mark, 'ims').filter(({ path }) => path.endsWith('/globalTradeItemInstances'));
  expect(reads).toHaveLength(1);
});

it('chooses by them, and refuses what the carrier does not take', async () => {
  const shipmentId = await packed('PAINT');
  const [line] = await linesOf(shipmentId);
  await service.ims(`PATCH /products/${line.productId}`, { dangerousGoodsNumber: 'UN1263' });
  expect(await explain(shipmentId)).toMatchObject({
    choice: { account: 'pretend', rule: 'dangerous goods' },
    problems: [{ text: expect.stringContaining('UN1263') }],
  });
  const ending = await service.ending(service.book(shipmentId));
  expect(ending).toMatchObject({ workStatus: 'FAILED', messages: [{ text: expect.stringContaining('UN1263') }] });
  expect(service.bookings('pretend', service.numberOf(ending.documentId))).toEqual([]);
});
