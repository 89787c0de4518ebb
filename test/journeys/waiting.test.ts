import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WORKER } from '../../src/sandbox/events/events.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

it('tells a worker once that a carrier keeps them waiting, and lets other carriers work meanwhile', async () => {
  const { oneParcel } = sampleShipments;
  service.control.addFault({ target: 'gls-dk', kind: 'delay', ms: 20_000 });
  const documentId = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
  expect(await service.run(oneParcel, { carrierName: 'Pretend' })).toMatchObject({ workStatus: 'DONE', messages: [] });
  const eventId = service.eventOf(documentId);
  await until('the worker is told', () => service.messages(eventId).length > 0);
  const ending = await service.ending(documentId);
  expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1 });
  expect(ending.messages).toEqual([
    expect.objectContaining({
      type: 'WARNING',
      text: expect.stringContaining('Do not create the transport booking again'),
      ...WORKER,
    }),
  ]);
  expect(service.bookings('gls-dk', service.numberOf(documentId))).toHaveLength(1);
});
