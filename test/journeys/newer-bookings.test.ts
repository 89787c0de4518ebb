import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { bookingsOf, cancelAnswered, ranAgain, textsOf, toldOf } from '../support/endings.js';
import { type Ending, type Service, parcels, startService, until } from '../support/harness.js';

const { oneParcel, withoutPostalCode } = sampleShipments;

const CANCEL = '/AnnullerePakke\\.php$';
const NO = { status: 'FEJL', fejlkode: '42', fejltekst: 'Pakken er afhentet' };
const refuses = { target: 'dao', kind: 'status', status: 200, body: NO } as const;

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
});

/** Booked at DAO; its label could not be attached. */
async function incomplete() {
  const shipmentId = service.ship(oneParcel, { carrierName: 'DAO' });
  const body = { messageCode: 'invalid_Attachment', messageText: 'The file is too odd.' };
  // On a busy machine the answer may come too late, and the label is attached again.
  const refused = { path: '/attachments', kind: 'status', status: 422, body, times: 'always' } as const;
  service.control.addFault({ target: 'ims', ...refused });
  const first = await service.ending(service.book(shipmentId));
  service.control.clearFaults();
  expect(first).toMatchObject({ workStatus: 'FAILED', consignment: { state: 'incomplete' } });
  return { shipmentId, first };
}

const handover = (note: number) => service.operator(`/handovers/${note}`, { headers: { accept: 'application/json' } });

interface Handover {
  readonly lists: readonly { readonly consignments: readonly { readonly parcels: readonly Listed[] }[] }[];
}
interface Listed {
  readonly trackingNumber: string;
}

const listedIn = ({ lists }: Handover) =>
  lists
    .flatMap(({ consignments }) => consignments.flatMap(({ parcels: all }) => all))
    .map(({ trackingNumber }) => trackingNumber);

describe('a booking whose parcels a newer document has taken over', () => {
  it('leaves them booked when its own document is cancelled, and says which one to cancel', async () => {
    const { shipmentId, first } = await incomplete();
    const second = await service.ending(service.book(shipmentId));
    expect(second).toMatchObject({ workStatus: 'DONE', trackingNumbers: first.trackingNumbers });
    const parcel = async () => (await service.operator(`/parcels/${second.trackingNumbers[0]}`)).body.parcels?.[0];
    // A parcel that is cancelled before it is followed never is.
    await until('the parcel is followed', async () => (await parcel()) !== undefined);

    service.control.cancelDocument(first.documentId);
    const after = await cancelAnswered(service, first);
    expect(bookingsOf(service, second)).toMatchObject([{ state: 'booked' }]);
    expect(toldOf(service, after).join()).toContain('To take them back, cancel the later transport booking.');
    expect(after.consignment.state).toBe('incomplete');

    service.control.cancelDocument(second.documentId);
    expect(toldOf(service, await cancelAnswered(service, second)).join()).toContain('is cancelled with DAO');
    expect(bookingsOf(service, second)).toMatchObject([{ state: 'cancelled' }]);
    await until('the parcel is cancelled', async () => (await parcel())?.status === 'cancelled');
  });

  it('says to call the carrier when the cancellation of the newer one was refused before', async () => {
    const { shipmentId, first } = await incomplete();
    const second = await service.ending(service.book(shipmentId));
    service.control.addFault({ ...refuses, path: CANCEL });
    service.control.cancelDocument(second.documentId);
    await cancelAnswered(service, second);
    const before = toldOf(service, second).length;
    service.control.cancelDocument(first.documentId);
    const told = toldOf(service, await cancelAnswered(service, first))
      .slice(before)
      .join();
    expect(told).toContain(`still booked with DAO (number ${first.trackingNumbers[0]})`);
    expect(told).toContain('Call DAO, or cancel them in their portal.');
    expect(told).not.toContain('cancel the later transport booking');
  });

  it('leaves them booked when an operator cancels it', async () => {
    const { shipmentId, first } = await incomplete();
    const second = await service.ending(service.book(shipmentId));
    expect((await service.act(first.consignment, 'cancel')).status).toBe(202);
    const { lastAction } = (await cancelAnswered(service, first)).consignment;
    expect(lastAction).toMatchObject({ action: 'cancel', result: 'refused' });
    expect(bookingsOf(service, second)).toMatchObject([{ state: 'booked' }]);
  });

  it('is not taken over while it is being cancelled', async () => {
    const { shipmentId, first } = await incomplete();
    service.control.addFault({ target: 'dao', path: CANCEL, kind: 'delay', ms: 1_500 });
    service.control.cancelDocument(first.documentId);
    const second = await service.ending(service.book(shipmentId));
    expect(second).toMatchObject({ workStatus: 'DONE', consignment: { state: 'closed' } });
    await cancelAnswered(service, first);
    expect(bookingsOf(service, second).map(({ state, trackingNumbers }) => [state, trackingNumbers])).toEqual([
      ['cancelled', first.trackingNumbers],
      ['booked', second.trackingNumbers],
    ]);
  });

  it('is on the manifest once', async () => {
    const { shipmentId } = await incomplete();
    const second = await service.ending(service.book(shipmentId));
    await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    const { id } = service.control.handOver(1, [shipmentId]);
    await until('the manifest is there', async () => (await handover(id)).status === 200);
    const { body } = await handover(id);
    expect(body.lists).toHaveLength(1);
    expect(listedIn(body)).toEqual(second.trackingNumbers);
  });
});

describe('parcels that a newer document took over, and that were cancelled with it', () => {
  it('are on no manifest, and their label is not printed again', async () => {
    const { shipmentId, first } = await incomplete();
    const second = await service.ending(service.book(shipmentId));
    service.control.cancelDocument(second.documentId);
    await cancelAnswered(service, second);
    const third = await service.ending(service.book(shipmentId));
    expect(bookingsOf(service, first).map(({ state }) => state)).toEqual(['cancelled', 'booked']);
    await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    const { id } = service.control.handOver(1, [shipmentId]);
    await until('the manifest is there', async () => (await handover(id)).status === 200);
    expect(listedIn((await handover(id)).body)).toEqual(third.trackingNumbers);
    expect((await service.act(first.consignment, 'reprint')).status).toBe(409);
  });
});

describe('a booking that stays booked beside a newer one', () => {
  it('is told with its numbers when the newer one goes to another carrier', async () => {
    const { shipmentId, first } = await incomplete();
    await service.ims(`PATCH /shipments/${shipmentId}`, { carrierName: 'GLS' });
    const second = await service.ending(service.book(shipmentId));
    expect(second.workStatus).toBe('DONE');
    // On a busy machine the label may be late, of which the worker is told too.
    expect(second.messages.filter(({ text }) => !text.includes('takes longer'))).toMatchObject([
      { type: 'WARNING', text: expect.stringContaining(`still booked with DAO, as ${first.trackingNumbers[0]}`) },
    ]);
  });

  it('is not handed out again once the worker was told to cancel it in the portal', async () => {
    const { shipmentId, first } = await incomplete();
    service.control.addFault({ ...refuses, path: CANCEL });
    service.control.cancelDocument(first.documentId);
    await cancelAnswered(service, first);
    expect(toldOf(service, first).join()).toContain('cancel it in their portal');
    const second = await service.ending(service.book(shipmentId));
    expect(second.workStatus).toBe('DONE');
    expect(second.trackingNumbers).not.toEqual(first.trackingNumbers);
    expect(textsOf(second)).toContain(`still booked with DAO, as ${first.trackingNumbers[0]}`);
  });
});

describe('numbers that the worker was told to cancel in the portal', () => {
  /** The carrier refuses to cancel it. */
  async function notCancelled() {
    const { shipmentId, first } = await incomplete();
    service.control.addFault({ ...refuses, path: CANCEL });
    service.control.cancelDocument(first.documentId);
    return { shipmentId, first, told: await cancelAnswered(service, first) };
  }

  async function retried(consignment: Ending['consignment'], documentId: number): Promise<Ending> {
    expect((await service.act(consignment, 'retry')).status).toBe(202);
    return ranAgain(service, documentId);
  }

  it('are not handed out after a retry', async () => {
    const { shipmentId, first, told } = await notCancelled();
    await retried(told.consignment, first.documentId);
    const second = await service.ending(service.book(shipmentId));
    expect(second).toMatchObject({ workStatus: 'DONE' });
    expect(second.trackingNumbers).not.toEqual(first.trackingNumbers);
  });

  it('are not printed by a retry after an operator asked for the cancellation, and the worker is told again', async () => {
    const { first } = await incomplete();
    service.control.addFault({ ...refuses, path: CANCEL });
    expect((await service.act(first.consignment, 'cancel')).status).toBe(202);
    const told = await cancelAnswered(service, first);
    const after = await retried(told.consignment, first.documentId);
    expect(after).toMatchObject({ workStatus: 'FAILED', prints: [] });
    expect(textsOf(after)).toContain(`still booked with DAO, as ${first.trackingNumbers[0]}`);
  });

  it('are not handed out when the shipment goes back to the first carrier', async () => {
    const { shipmentId, first } = await incomplete();
    await service.ims(`PATCH /shipments/${shipmentId}`, { carrierName: 'GLS' });
    const second = await service.ending(service.book(shipmentId));
    expect(textsOf(second)).toContain('Throw labels');
    service.control.cancelDocument(second.documentId);
    await cancelAnswered(service, second);
    await service.ims(`PATCH /shipments/${shipmentId}`, { carrierName: 'DAO' });
    const third = await service.ending(service.book(shipmentId));
    expect(third).toMatchObject({ workStatus: 'DONE' });
    expect(third.trackingNumbers).not.toEqual(first.trackingNumbers);
  });

  it('are on no manifest beside those of the newer booking', async () => {
    const { shipmentId } = await notCancelled();
    const second = await service.ending(service.book(shipmentId));
    await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    const { id } = service.control.handOver(1, [shipmentId]);
    await until('the manifest is there', async () => (await handover(id)).status === 200);
    expect(listedIn((await handover(id)).body)).toEqual(second.trackingNumbers);
  });
});

it('an incomplete booking is cancelled when the event of its cancelled document names no type', async () => {
  const { first } = await incomplete();
  const flatEventFields = ['eventId', 'contextId', 'documentType', 'documentId', 'shipmentId'];
  service.control.setSwitches({ eventShape: 'flat', flatEventFields });
  service.control.cancelDocument(first.documentId);
  await service.control.eventsDelivered();
  service.control.setSwitches({ eventShape: 'envelope' });
  await cancelAnswered(service, first);
  expect(bookingsOf(service, first)).toMatchObject([{ state: 'cancelled' }]);
});

describe('a parcel whose label may be out', () => {
  const ORDER = '/DAODirekte/leveringsordre';

  it('stays booked when another event of its document comes, and the rest is refused again', async () => {
    const shipmentId = service.ship(parcels(2), { carrierName: 'DAO' });
    service.control.addFault({ ...refuses, path: ORDER, after: 1 });
    service.control.addFault({ ...refuses, path: CANCEL });
    const first = await service.ending(service.book(shipmentId));
    expect(first.consignment.state).toBe('incomplete');
    service.control.addFault({ ...refuses, path: ORDER });
    const [documentId, number] = [String(first.documentId), String(shipmentId)];
    const event = {
      eventId: randomUUID(),
      eventType: 'documentCreated',
      contextId: '1',
      documentId,
      shipmentId: number,
    };
    await service.send({ ...event, documentType: 'TRANSPORT_BOOKING' });
    await ranAgain(service, first.documentId);
    expect(bookingsOf(service, first)).toMatchObject([{ state: 'booked' }]);
  });

  it('stays booked when the newer document has one more parcel, and that one is refused', async () => {
    const { shipmentId, first } = await incomplete();
    expect(toldOf(service, first).join()).toContain('Open and print it here');
    await service.ims('POST /shippingContainers', { ...oneParcel.containers[0], shipmentId });
    service.control.addFault({ ...refuses, path: ORDER });
    const second = await service.ending(service.book(shipmentId));
    expect(bookingsOf(service, first)).toMatchObject([{ state: 'booked' }]);
    expect(second).toMatchObject({ workStatus: 'FAILED', consignment: { state: 'incomplete' } });
    expect(second.trackingNumbers).toContain(first.trackingNumbers[0]);
    expect(textsOf(second)).toContain('Only a part of shipment');
  });

  it('stays booked when a retry of the parcel that was refused is refused again', async () => {
    const shipmentId = service.ship(parcels(2), { carrierName: 'DAO' });
    service.control.addFault({ ...refuses, path: ORDER, after: 1 });
    service.control.addFault({ ...refuses, path: CANCEL });
    const first = await service.ending(service.book(shipmentId));
    expect(first.consignment.state).toBe('incomplete');
    service.control.addFault({ ...refuses, path: ORDER });
    await service.act(first.consignment, 'retry');
    const after = await service.ending(first.documentId);
    expect(after.consignment.state).toBe('incomplete');
    expect(bookingsOf(service, first)).toMatchObject([{ state: 'booked' }]);
  });
});

describe('a booking that failed, once another one of its shipment was made', () => {
  async function expectNotBookedAgain(first: Ending, carrier: string, count: number): Promise<void> {
    expect((await service.act(first.consignment, 'retry')).status).toBe(202);
    const after = await service.ending(first.documentId);
    expect(textsOf(after)).toContain('another one has booked it since');
    expect(after).toMatchObject({ workStatus: 'FAILED', consignment: { state: first.consignment.state } });
    expect(bookingsOf(service, first, carrier)).toHaveLength(count);
  }

  it('is not booked again by a retry when it was refused', async () => {
    const shipmentId = service.ship(withoutPostalCode, { carrierName: 'GLS' });
    const first = await service.ending(service.book(shipmentId));
    expect(first.consignment.state).toBe('refused');
    await service.ims(`PATCH /shipments/${shipmentId}`, { deliveryAddress_postalCode: '6760' });
    expect(await service.ending(service.book(shipmentId))).toMatchObject({ workStatus: 'DONE' });
    await expectNotBookedAgain(first, 'gls-dk', 1);
  });

  it('does not get its missing parcels by a retry when it was incomplete', async () => {
    const shipmentId = service.ship(parcels(2), { carrierName: 'DAO' });
    service.control.addFault({ ...refuses, path: '/DAODirekte/leveringsordre', after: 1 });
    service.control.addFault({ ...refuses, path: CANCEL });
    const first = await service.ending(service.book(shipmentId));
    expect(first.consignment.state).toBe('incomplete');
    const second = await service.ending(service.book(shipmentId));
    expect(second).toMatchObject({ workStatus: 'DONE', pages: 2 });
    await expectNotBookedAgain(first, 'dao', 2);
    expect((await service.look(second.documentId)).trackingNumbers).toEqual(second.trackingNumbers);
  });

  it('is not booked by a retry when the one that it waited for was settled by a person', async () => {
    const others = service;
    service = await startService();
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    service.control.addFault({ target: 'gls-dk', kind: 'status', status: 500 });
    const first = await service.ending(service.book(shipmentId));
    expect(first.consignment).toMatchObject({ state: 'in-doubt', needsOperator: true });
    const second = await service.ending(service.book(shipmentId));
    expect(second.consignment.state).toBe('refused');
    await service.act(first.consignment, 'resolve', { answer: 'not-booked' });
    expect(await service.ending(first.documentId)).toMatchObject({ workStatus: 'DONE' });
    await expectNotBookedAgain(second, 'gls-dk', 1);
    await service.stop();
    service = others;
  });

  it('is booked by a retry as a booking of its own when the other one was made before', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    expect(await service.ending(service.book(shipmentId))).toMatchObject({ workStatus: 'DONE' });
    const refused = { status: 400, body: { Message: 'Not today.' } };
    service.control.addFault({ target: 'gls-dk', method: 'POST', kind: 'status', ...refused });
    const second = await service.ending(service.book(shipmentId));
    expect(second.consignment.state).toBe('refused');
    await service.act(second.consignment, 'retry');
    expect(await service.ending(second.documentId)).toMatchObject({ workStatus: 'DONE' });
    expect(bookingsOf(service, second, 'gls-dk')).toHaveLength(2);
  });
});
