import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LoggedRequest } from '../../src/sandbox/api/request-log.js';
import { type Service, parcels, startService } from '../support/harness.js';

const ANSWER_HELD_MS = 1_000;

let service: Service;

beforeAll(async () => {
  service = await startService();
  await service.run(parcels(1), { carrierName: 'Pretend' });
});

afterAll(() => service.stop());

describe('a booking', () => {
  it.each([1, 2, 5])(
    'with %i parcels costs that number and five more calls and one print, in three round trips',
    async (count) => {
      const shipmentId = service.ship(parcels(count), { carrierName: 'Pretend' });
      // Answers that are held back show what leaves without waiting for another answer.
      service.control.addFault({ target: 'ims', kind: 'delay', ms: ANSWER_HELD_MS, times: 100 });
      const mark = service.mark();
      const documentId = service.book(shipmentId);
      const { workStatus, pages } = await service.ending(documentId);
      service.control.clearFaults();

      const calls = service.requestsSince(mark, 'ims');
      expect(roundTrips(calls).map((trip) => trip.map(nameOf).sort())).toEqual([
        ['GET /shipments', 'PATCH /documents ON_GOING'],
        [
          ...Array.from({ length: count }, () => 'PATCH /shippingContainers'),
          'PATCH /shipments',
          'POST /documents/attachments',
        ].sort(),
        ['PATCH /documents DONE', 'POST /invocations/printResource'],
      ]);
      expect(calls).toHaveLength(count + 5 + 1);
      expect(service.requestsSince(mark, 'token')).toEqual([]);
      expect({ workStatus, pages }).toEqual({ workStatus: 'DONE', pages: count });
    },
  );

  it('asks the carrier after the first round trip and before the second', async () => {
    const mark = service.mark();
    await service.run(parcels(2), { carrierName: 'Pretend' });
    const order = service.requestsSince(mark).map((request) => `${request.target} ${request.method}`);
    expect(order).toEqual([
      ...['ims PATCH', 'ims GET'].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
      'pretend POST',
      'pretend GET',
      ...order.slice(4),
    ]);
    expect(order.slice(4).every((call) => call.startsWith('ims '))).toBe(true);
  });
});

/** A round trip begins with the first call that leaves after an answer of the one before. */
function roundTrips(calls: readonly LoggedRequest[]): readonly (readonly LoggedRequest[])[] {
  const trips: LoggedRequest[][] = [];
  for (const call of [...calls].sort((a, b) => a.at - b.at)) {
    const trip = trips.at(-1);
    const firstAnswer = Math.min(...(trip ?? []).map((other) => other.at + (other.durationMs ?? Infinity)));
    if (trip && call.at < firstAnswer) trip.push(call);
    else trips.push([call]);
  }
  return trips;
}

/** `PATCH /documents DONE`: without ids, with the work status. */
function nameOf({ method, path, body }: LoggedRequest): string {
  const status = (body as { workStatus?: string } | null)?.workStatus;
  return [method, path.replace(/\/\d+/g, ''), status].filter((part) => part !== undefined).join(' ');
}
