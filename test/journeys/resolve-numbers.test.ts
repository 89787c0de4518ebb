import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BookingWithLabels } from '../../carriers/contract/model.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { readPages } from '../labels/pdfs.js';
import { operatorNeeded } from '../support/endings.js';
import { type Service, parcels, startService } from '../support/harness.js';

const { oneParcel } = sampleShipments;

/** What becomes of Pretend's answers before the service sees them. */
let bend: (answer: BookingWithLabels) => BookingWithLabels = (answer) => answer;
let service: Service;

beforeAll(async () => {
  service = await startService({ account: bending });
});
afterAll(() => service.stop());

function bending(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  if (adapter.id !== 'pretend') return account;
  const connect: typeof adapter.connect = (config, tools) => {
    const carrier = adapter.connect(config, tools);
    return {
      ...carrier,
      book: async (request) => bend(await carrier.book(request)),
      // As a carrier whose answer names where the label is.
      fetchLabels: async (booking) => {
        const carrierNumber = booking.labelSource ?? booking.carrierNumber;
        return (await carrier.fetchLabels?.({ ...booking, carrierNumber })) ?? [];
      },
    };
  };
  return { ...account, adapter: { ...adapter, connect } };
}

let typedSoFar = 0;

/** Parcels with GLS that somebody may have booked before our records began, and numbers that they might have. */
async function inDoubt(count: number) {
  const shipmentId = service.ship(parcels(count, oneParcel), { carrierName: 'GLS' });
  const { documentId } = service.bookQuietly(shipmentId);
  await service.ims(`PATCH /documents/${documentId}`, { workStatus: 'ON_GOING' });
  await service.operator('/replay', { method: 'POST', body: { area: '1', document: String(documentId) } });
  const { consignment } = await operatorNeeded(service, documentId);
  const containers = service.containersOf(shipmentId).map((row) => String(row['id']));
  const numbers = containers.map(() => String(77_000_000_000 + (typedSoFar += 1)));
  const type = async (typed: readonly string[], carrierNumber: string | null = null) => {
    const trackingNumbers = Object.fromEntries(containers.map((id, place) => [id, typed[place] ?? '']));
    return service.act(consignment, 'resolve', { answer: 'booked', carrierNumber, trackingNumbers });
  };
  const look = async () => (await service.operator(`/consignments/${consignment.id}`)).body;
  return { documentId, numbers, type, look };
}

/** It has changed nothing: the question stands as before. */
async function expectStillAsked(look: () => Promise<unknown>): Promise<void> {
  expect(await look()).toMatchObject({ state: 'in-doubt', needsOperator: true, parts: [{ state: 'in-doubt' }] });
}

describe('numbers that a person types for a booking in doubt', () => {
  it('are refused where a parcel on its way has one of them, with the shipment that has it', async () => {
    const other = await service.run(oneParcel, { carrierName: 'GLS' });
    const { documentId, numbers, type, look } = await inDoubt(1);
    const taken = String(other.trackingNumbers[0]);
    const { status, body } = await type([taken]);
    expect([status, body.detail]).toEqual([409, expect.stringContaining(taken)]);
    expect(body.detail).toContain(service.numberOf(other.documentId));
    await expectStillAsked(look);
    expect((await type(numbers)).status).toBe(202);
    expect(await service.ending(documentId)).toMatchObject({ trackingNumbers: numbers });
  });

  it('are theirs from then on: the same ones for another shipment are refused', async () => {
    const first = await inDoubt(1);
    const second = await inDoubt(1);
    expect((await first.type(first.numbers)).status).toBe(202);
    const { status, body } = await second.type(first.numbers);
    expect([status, body.detail]).toEqual([409, expect.stringContaining(String(first.numbers[0]))]);
    await expectStillAsked(second.look);
  });

  it('are refused where two parcels of the shipment have one, or one cannot be a number', async () => {
    const { numbers, type, look } = await inDoubt(2);
    const [number = ''] = numbers;
    const told = async (...typed: readonly string[]) => {
      const { status, body } = await type(typed);
      return [status, body.detail];
    };
    expect(await told(number, number)).toEqual([422, expect.stringContaining(`several parcels have ${number}`)]);
    const long = '9'.repeat(51);
    expect(await told(number, long)).toEqual([422, expect.stringContaining(long)]);
    const ofTheBooking = await type(numbers, long);
    expect([ofTheBooking.status, ofTheBooking.body.detail]).toEqual([422, expect.stringContaining(long)]);
    await expectStillAsked(look);
  });
});

describe('a booking whose numbers are not believed', () => {
  it('is settled with the numbers that a person found in the portal', async () => {
    bend = (answer) => ({
      ...answer,
      booking: {
        ...answer.booking,
        parcels: answer.booking.parcels.map((parcel) =>
          parcel.kind === 'booked' ? { ...parcel, trackingNumber: 'PP-SAME' } : parcel,
        ),
      },
    });
    const first = await service.run(parcels(2, oneParcel), { carrierName: 'Pretend' });
    bend = (answer) => answer;
    expect(first).toMatchObject({ workStatus: 'FAILED', consignment: { state: 'incomplete' } });
    const [booked] = service.bookings('pretend', service.numberOf(first.documentId));
    const trackingNumbers = Object.fromEntries(
      (booked?.parcelIds ?? []).map((id, place) => [id, booked?.trackingNumbers[place]]),
    );
    const notBooked = await service.act(first.consignment, 'resolve', { answer: 'not-booked' });
    expect([notBooked.status, notBooked.body.detail]).toEqual([409, expect.stringContaining('it is booked')]);
    const settled = await service.act(first.consignment, 'resolve', { answer: 'booked', trackingNumbers });
    expect(settled.status).toBe(202);
    const ending = await service.ending(first.documentId);
    expect(ending).toMatchObject({
      ...{ workStatus: 'DONE', pages: 2, trackingNumbers: booked?.trackingNumbers },
      consignment: { state: 'closed' },
    });
    expect(service.bookings('pretend', service.numberOf(first.documentId))).toHaveLength(1);
  });

  it('gets the label of its own parcel where the answer was about another booking and named the label of that one', async () => {
    const other = await service.run(oneParcel, { carrierName: 'Pretend' });
    const theirs = String(other.carriersShipmentNumber);
    bend = (answer) => ({
      ...answer,
      booking: { ...answer.booking, carrierNumber: theirs, labelSource: theirs },
      answersReference: service.numberOf(other.documentId),
    });
    const wrong = await service.run(oneParcel, { carrierName: 'Pretend' });
    bend = (answer) => answer;
    const number = service.numberOf(wrong.documentId);
    const [booked] = service.bookings('pretend', number);
    const [container = ''] = booked?.parcelIds ?? [];
    const trackingNumber = booked?.trackingNumbers[0] ?? '';
    const answer = { carrierNumber: booked?.carrierNumber, trackingNumbers: { [container]: trackingNumber } };
    expect((await service.act(wrong.consignment, 'resolve', { answer: 'booked', ...answer })).status).toBe(202);
    expect(await service.ending(wrong.documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
    const file = service.control.attachment(wrong.documentId, `SHIPPING_LABEL_${wrong.documentId}.pdf`);
    const [page] = await readPages(file ?? new Uint8Array());
    expect(page?.text).toContain(trackingNumber);
  });
});
