import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { bookingsOf, cancelAnswered, operatorNeeded, ranAgain, textsOf, toldOf } from '../support/endings.js';
import { type Service, parcels, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;

const ORDER = '/DAODirekte/leveringsordre';
const CANCEL = '/AnnullerePakke\\.php$';
const ORDER_REFUSED = { status: 'FEJL', fejlkode: '400', fejltekst: 'Ordren er ikke mulig' };
const TOO_ODD = { messageCode: 'invalid_Attachment', messageText: 'The file is too odd.' };
/** Until `clearFaults`: a busy machine may get the answer too late, and attaches the label again. */
const attachments = { target: 'ims', path: '/attachments', times: 'always' } as const;
const labelRefused = { ...attachments, kind: 'status', status: 422, body: TOO_ODD } as const;

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
});

describe('a booking of which a newer one has taken over only one parcel', () => {
  /** The answer about the second parcel was lost, and a person gave it up; the newer booking has booked it once more. */
  async function handedOnInPart() {
    const shipmentId = service.ship(parcels(2), { carrierName: 'DAO' });
    service.control.addFault({ target: 'dao', path: ORDER, kind: 'drop-after', after: 1 });
    const doubtful = await operatorNeeded(service, service.book(shipmentId));
    expect((await service.act(doubtful.consignment, 'resolve', { answer: 'give-up' })).status).toBe(202);
    const first = await service.ending(doubtful.documentId);
    const second = await service.ending(service.book(shipmentId));
    expect(second).toMatchObject({ workStatus: 'DONE', pages: 2 });
    const numbers = bookingsOf(service, second).flatMap(({ trackingNumbers }) => trackingNumbers);
    const [lost = ''] = numbers.filter((number) => !second.trackingNumbers.includes(number));
    return { shipmentId, first, second, lost };
  }

  /** A person looks once more and finds the second parcel of the first booking. */
  async function foundAfterAll() {
    const all = await handedOnInPart();
    expect((await service.act(all.first.consignment, 'retry')).status).toBe(202);
    const again = await operatorNeeded(service, all.first.documentId);
    const container = service.containersOf(all.shipmentId).map((row) => String(row['id']))[1] ?? '';
    const answer = { answer: 'booked', trackingNumbers: { [container]: all.lost } };
    expect((await service.act(again.consignment, 'resolve', answer)).status).toBe(202);
    return { ...all, first: await service.ending(all.first.documentId) };
  }

  it('tells the number of the other parcel when a person finds it, and cancels only that one', async () => {
    const { first, second, lost } = await foundAfterAll();
    const told = textsOf(first);
    expect(told).toContain('another one has booked it since');
    expect(told).toContain(`is still booked with DAO, as ${lost}.`);
    expect((await service.look(second.documentId)).trackingNumbers).toEqual(second.trackingNumbers);

    const before = toldOf(service, first).length;
    expect((await service.act(first.consignment, 'cancel')).status).toBe(202);
    const after = await cancelAnswered(service, first);
    expect(bookingsOf(service, first).filter(({ state }) => state === 'cancelled')).toMatchObject([
      { trackingNumbers: [lost] },
    ]);
    const [handedOn, cancelled, ...more] = toldOf(service, first).slice(before);
    expect(handedOn).toContain(`they stay booked with DAO (number ${second.trackingNumbers[0]})`);
    expect(cancelled).toContain(`is cancelled with DAO (number ${lost})`);
    expect(more).toEqual([]);
    expect(after.consignment.lastAction).toMatchObject({ action: 'cancel', result: 'done' });
  });
});

describe('a booking whose parcels were taken over, and cancelled with the newer one', () => {
  it('gets no return label for them', async () => {
    const { shipmentId, first } = await incomplete();
    const second = await service.ending(service.book(shipmentId));
    service.control.cancelDocument(second.documentId);
    await cancelAnswered(service, second);
    const path = `/consignments/${first.consignment.id}/return-label`;
    const { status, body } = await service.operator(path, { method: 'POST' });
    expect([status, body.detail]).toEqual([409, expect.stringContaining('is cancelled, so that it cannot come back')]);
    expect(service.control.returns('dao') ?? []).toEqual([]);
  });

  it('is cancelled too when its own document is', async () => {
    const { shipmentId, first } = await incomplete();
    const second = await service.ending(service.book(shipmentId));
    service.control.cancelDocument(second.documentId);
    await cancelAnswered(service, second);
    const before = toldOf(service, first).length;
    service.control.cancelDocument(first.documentId);
    const after = await cancelAnswered(service, first);
    expect(after.consignment.state).toBe('cancelled');
    expect(toldOf(service, first).slice(before).join()).toContain(
      `is cancelled with DAO (number ${first.trackingNumbers[0]})`,
    );
  });

  it('is cancelled too when the delivery note cancels both, and nobody is told that its parcels stay booked', async () => {
    const { shipmentId, first } = await incomplete();
    const second = await service.ending(service.book(shipmentId));
    const note = await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    const before = toldOf(service, first).length;
    service.control.addFault({ target: 'dao', path: CANCEL, kind: 'delay', ms: 1_000 });
    service.control.cancelDocument(Number(note.body.id));
    for (const { documentId } of [first, second])
      await until(
        'it is cancelled',
        async () => (await service.consignmentOf(documentId)).state === 'cancelled',
        20_000,
      );
    const told = toldOf(service, first).slice(before);
    const cancelled = expect.stringContaining(`is cancelled with DAO (number ${first.trackingNumbers[0]})`);
    expect(told).toEqual([cancelled, cancelled]);
    expect(bookingsOf(service, first)).toMatchObject([{ state: 'cancelled' }]);
  });

  it('does not keep the shipment from being booked when it is packed again', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'DAO' });
    await packed(shipmentId, 1);
    const second = await service.ending(service.book(shipmentId));
    service.control.cancelDocument(second.documentId);
    await cancelAnswered(service, second);
    expect(await packed(shipmentId, 3)).toMatchObject({ state: 'closed' });
    expect(bookingsOf(service, second).map(({ state }) => state)).toEqual(['cancelled', 'booked']);
  });
});

/** An event without a document. @param count of the shipment's bookings then. @returns the newest */
async function packed(shipmentId: number, count: number) {
  service.control.emitEvent({ contextId: 1, type: 'packingCompleted', detail: { shipmentId } });
  const bookings = async () => (await service.operator(`/consignments?q=${shipmentId}`)).body.consignments;
  await until('it comes to rest', async () => {
    const [newest, ...older] = await bookings();
    return older.length === count - 1 && newest?.dueAt === null;
  });
  return (await bookings())[0];
}

/** Booked at DAO; its label could not be attached. */
async function incomplete() {
  const shipmentId = service.ship(oneParcel, { carrierName: 'DAO' });
  service.control.addFault(labelRefused);
  const first = await service.ending(service.book(shipmentId));
  service.control.clearFaults();
  expect(first.consignment.state).toBe('incomplete');
  return { shipmentId, first };
}

describe('a parcel that was replaced after it was booked', () => {
  async function replaced() {
    const { shipmentId, first } = await incomplete();
    const [old] = service.containersOf(shipmentId);
    await service.ims(`DELETE /shippingContainers/${String(old?.['id'])}`, {});
    await service.ims('POST /shippingContainers', { ...oneParcel.containers[0], shipmentId });
    return { shipmentId, first };
  }

  it('has no label in the newer booking, and its number is told', async () => {
    const { shipmentId, first } = await replaced();
    const second = await service.ending(service.book(shipmentId));
    expect(second).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: [expect.any(String)] });
    expect(second.trackingNumbers).not.toEqual(first.trackingNumbers);
    expect(textsOf(second)).toContain(`is still booked with DAO, as ${first.trackingNumbers[0]}.`);
  });

  it('keeps its booking from being tried again, and its number is told', async () => {
    const { shipmentId, first } = await replaced();
    expect((await service.act(first.consignment, 'retry')).status).toBe(202);
    const after = await ranAgain(service, first.documentId);
    expect(after).toMatchObject({ workStatus: 'FAILED', prints: [], consignment: { state: 'incomplete' } });
    expect(after.messages.at(-1)?.text).toContain(`as ${first.trackingNumbers[0]}, that are no longer in the shipment`);
    expect(bookingsOf(service, first)).toHaveLength(1);
    const second = await service.ending(service.book(shipmentId));
    expect(second).toMatchObject({ workStatus: 'DONE', pages: 1 });
  });
});

it('a booking whose cancellation was answered while a newer one was planned is not taken over', async () => {
  const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
  service.control.addFault(labelRefused);
  const first = await service.ending(service.book(shipmentId));
  service.control.clearFaults();
  // The carrier of the newer one is set in the IMS, which takes its time; GLS takes no cancellations.
  await service.ims(`PATCH /shipments/${shipmentId}`, { carrierName: null });
  const path = `/shipments/${shipmentId}`;
  service.control.addFault({ target: 'ims', method: 'PATCH', path: `${path}$`, kind: 'delay', ms: 4_000 });
  const mark = service.mark();
  const newer = service.book(shipmentId);
  const isPlanned = () =>
    service.requestsSince(mark, 'ims').some((one) => one.method === 'PATCH' && one.path.endsWith(path));
  await until('the newer one is planned', isPlanned);
  service.control.cancelDocument(first.documentId);
  await cancelAnswered(service, first);
  const second = await service.ending(newer);
  expect(second).toMatchObject({ workStatus: 'DONE', trackingNumbers: [expect.any(String)] });
  expect(second.trackingNumbers).not.toEqual(first.trackingNumbers);
  expect(textsOf(second)).toContain(`is still booked with GLS, as ${first.trackingNumbers[0]}.`);
});

it('a booking that ends without a parcel tells of the other one in two calls when no answer to it arrives', async () => {
  const { shipmentId, first } = await incomplete();
  const [old] = service.containersOf(shipmentId);
  await service.ims(`DELETE /shippingContainers/${String(old?.['id'])}`, {});
  await service.ims('POST /shippingContainers', { ...oneParcel.containers[0], shipmentId });
  service.control.addFault({ target: 'dao', path: ORDER, kind: 'status', status: 200, body: ORDER_REFUSED });
  service.control.addFault({ target: 'ims', path: '/messages$', kind: 'drop-after', after: 1, times: 'always' });
  const second = await service.ending(service.book(shipmentId));
  const told = toldOf(service, second).filter((text) => text.includes(String(first.trackingNumbers[0])));
  expect(second.consignment.state).toBe('refused');
  // Each call tries four times.
  expect(told).toHaveLength(2 * 4);
});
