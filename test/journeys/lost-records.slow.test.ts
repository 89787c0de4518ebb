import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { until } from '../support/harness.js';
import { type Life, type Lives, MINUTE_MS, openLives } from '../support/lives.js';

const { oneParcel, threeParcels } = sampleShipments;
/** Longer than any worker waits for a booking. */
const MUCH_LATER = 31;

let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives();
  // Somebody could set a document back; here it stands for one whose end was never written.
  lives.sandbox.control.setSwitches({ refuseChangesOfDoneDocument: false });
});

beforeEach(async () => {
  life = await lives.begin();
});

afterEach(() => life.end());

afterAll(() => lives.end());

/** A booking that ended in a life before, whose records are lost and whose document was left ON_GOING. */
async function begunBefore(sample: SampleShipment, carrierName: string): Promise<number> {
  const documentId = await booked(sample, carrierName);
  await life.end();
  await leaveOngoing(documentId);
  life = await lives.begin();
  return documentId;
}

async function booked(sample: SampleShipment, carrierName: string): Promise<number> {
  const documentId = life.service.book(life.service.ship(sample, { carrierName }));
  expect(await life.look(3)).toMatchObject({ bookings: 1 });
  expect(await life.service.ending(documentId)).toMatchObject({ workStatus: 'DONE' });
  return documentId;
}

async function leaveOngoing(documentId: number): Promise<void> {
  await life.service.ims(`PATCH /documents/${documentId}`, { workStatus: 'ON_GOING' });
}

/** Looks as often as it takes to believe that nobody works on it. */
async function lookTwice() {
  const first = await life.look(MUCH_LATER);
  return [first.bookings, (await life.look(MUCH_LATER)).bookings];
}

describe('a document left ON_GOING that our records do not know', () => {
  it('is finished with what the carrier has under our reference, and nothing is booked again', async () => {
    const documentId = await begunBefore(threeParcels, 'Pretend');
    const { service } = life;
    const before = service.bookings('pretend', service.numberOf(documentId));
    expect(await lookTwice()).toEqual([0, 1]);
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 3, messages: [], consignment: { state: 'closed' } });
    expect(ending.trackingNumbers).toEqual(before[0]?.trackingNumbers);
    expect(service.bookings('pretend', service.numberOf(documentId))).toEqual(before);
  });

  it('waits for a person where the carrier cannot be asked', async () => {
    const documentId = await begunBefore(oneParcel, 'DAO');
    const { service } = life;
    const number = service.numberOf(documentId);
    expect(await lookTwice()).toEqual([0, 1]);
    const doubtful = await service.ending(documentId);
    expect(doubtful).toMatchObject({
      workStatus: 'FAILED',
      messages: [{ type: 'ERROR', text: expect.stringContaining(`Look for ${number} in the portal of DAO`) }],
      consignment: { state: 'in-doubt', needsOperator: true },
    });
    expect(service.bookings('dao', number)).toHaveLength(1);
    expect((await service.act(doubtful.consignment, 'resolve', { answer: 'not-booked' })).status).toBe(202);
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.bookings('dao', number)).toHaveLength(2);
  });

  it('is booked when the carrier has had its time and does not have it', async () => {
    const { service } = life;
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'Pretend' }));
    await leaveOngoing(documentId);
    expect(await lookTwice()).toEqual([0, 1]);
    const isAsked = async () => Date.parse((await service.consignmentOf(documentId))?.dueAt) > Date.now() + 5_000;
    await until('the carrier was asked', isAsked);
    const number = service.numberOf(documentId);
    expect(service.bookings('pretend', number)).toEqual([]);
    life.forward(2 * MINUTE_MS);
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.bookings('pretend', number)).toHaveLength(1);
  });

  it('is left to whoever works on it while a worker could still be waiting', async () => {
    const { service } = life;
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'Pretend' }));
    await leaveOngoing(documentId);
    for (const minutes of [10, 20, 29]) expect(await life.look(minutes)).toMatchObject({ bookings: 0 });
    expect(await service.consignmentOf(documentId)).toBeNull();
    service.control.cancelDocument(documentId);
  });
});

describe('a document that is ON_GOING although it has ended with us', () => {
  it('gets its status once more', async () => {
    const documentId = await booked(oneParcel, 'Pretend');
    await leaveOngoing(documentId);
    expect(await life.look(1)).toMatchObject({ statuses: 0 });
    expect(await life.look(3)).toMatchObject({ bookings: 0, statuses: 1 });
    expect(life.service.document(documentId).workStatus).toBe('DONE');
    expect(life.service.bookings('pretend', life.service.numberOf(documentId))).toHaveLength(1);
  });

  it('is left alone when it was FAILED: somebody tries it anew', async () => {
    const { service } = life;
    const documentId = service.book(service.ship(sampleShipments.withoutPostalCode, { carrierName: 'GLS' }));
    await life.look(3);
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'FAILED' });
    await leaveOngoing(documentId);
    expect(await life.look(MUCH_LATER)).toMatchObject({ bookings: 0, statuses: 0 });
    expect(service.document(documentId).workStatus).toBe('ON_GOING');
  });
});
