import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WORKER } from '../../src/sandbox/events/events.js';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel, toSweden, withoutPostalCode, toPickUpPoint } = sampleShipments;

let service: Service;

beforeAll(async () => {
  service = await startService({
    config: (config) => ({
      ...config,
      areas: config.areas.map((area) => (area['contextId'] === 2 ? { ...area, bookOn: 'delivery-note' } : area)),
    }),
  });
});

afterAll(() => service.stop());

/** A shipment whose `shipmentCreated` is sent. */
function created({ shipment }: SampleShipment, changes: Readonly<Record<string, string>> = {}, area = 1) {
  const { id } = service.control.createShipment({
    area,
    shipment: { ...shipment, ...changes },
    containers: [],
    event: 'send',
  });
  return { id, eventId: String(rowOf(id)?.['shipmentCreatedEventId']) };
}

function rowOf(id: number) {
  return service.control.state().shipments.find((row) => row.id === id);
}

/** Everything that was sent to the service has been worked on. */
async function workedOn(eventId: string): Promise<void> {
  await until(`event ${eventId} is worked on`, () =>
    service.lines.some(({ event, fields }) => event.startsWith('task ') && fields['task'] === eventId),
  );
}

describe('a new shipment', () => {
  it.each([
    ['to Denmark', oneParcel, 'GLS'],
    ['abroad', toSweden, 'Bring'],
  ])('without a carrier gets one by the rules: %s', async (_where, sample, carrierName) => {
    const { id, eventId } = created(sample);
    await workedOn(eventId);
    expect(rowOf(id)).toMatchObject({ carrierName });
    expect(service.messages(eventId)).toEqual([]);
  });

  it('keeps the carrier that it has', async () => {
    const { id, eventId } = created(oneParcel, { carrierName: 'DAO' });
    const mark = service.mark();
    await workedOn(eventId);
    expect(rowOf(id)).toMatchObject({ carrierName: 'DAO' });
    expect(service.requestsSince(mark, 'ims').filter((request) => request.method === 'PATCH')).toEqual([]);
  });

  it.each([
    ['GLS', 'postal code is missing'],
    ['DAO', 'postal code is missing'],
  ])('that %s would refuse gets a warning before anyone packs it', async (carrierName, words) => {
    const { id, eventId } = created(withoutPostalCode, { carrierName });
    await workedOn(eventId);
    const [warning, ...more] = service.messages(eventId);
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ type: 'WARNING', text: expect.stringContaining(words), ...WORKER });
    expect(warning?.text).toContain(String(rowOf(id)?.shipmentNumber));
    expect(service.bookings('gls-dk', String(rowOf(id)?.shipmentNumber))).toEqual([]);
  });

  it('without a delivery address is told of it in Danish, and in nothing else, where Danish is spoken', async () => {
    const { shipment } = oneParcel;
    const sample = { ...oneParcel, shipment: { ...shipment, deliveryAddress: null } };
    const { id, eventId } = created(sample, { carrierName: 'Bring' }, 2);
    await workedOn(eventId);
    const number = String(rowOf(id)?.shipmentNumber);
    expect(service.messages(eventId)).toMatchObject([
      {
        type: 'WARNING',
        text: `Bring vil afvise forsendelse ${number}, som den er nu: "Forsendelsen har ingen leveringsadresse: skriv den ind". Ret forsendelsen, før du pakker den.`,
      },
    ]);
  });

  it('whose notes no field takes is told once, before it is packed and not again when it is booked', async () => {
    const shipment = { ...oneParcel.shipment, carrierName: 'GLS', notesOnDelivery: 'Ring twice' };
    const { containers } = oneParcel;
    const { id } = service.control.createShipment({ area: 1, shipment, containers, event: 'send' });
    const eventId = String(rowOf(id)?.['shipmentCreatedEventId']);
    await workedOn(eventId);
    expect(service.messages(eventId)).toMatchObject([
      { type: 'WARNING', text: expect.stringMatching(/"Ring twice" \(left out\)\. .*write it on the parcel/) },
    ]);
    const { workStatus, messages } = await service.ending(service.book(id));
    expect({ workStatus, messages }).toEqual({ workStatus: 'DONE', messages: [] });
  });

  it('whose notes no field takes is told once, by its booking, where that was asked for before', async () => {
    const shipment = { ...oneParcel.shipment, carrierName: 'GLS', notesOnDelivery: 'Ring twice' };
    const { id } = service.control.createShipment({ area: 1, shipment, containers: oneParcel.containers });
    const { messages } = await service.ending(service.book(id));
    expect(messages).toMatchObject([{ type: 'WARNING', text: expect.stringContaining('"Ring twice"') }]);
    const eventId = service.control.emitEvent({ contextId: 1, type: 'shipmentCreated', detail: { shipmentId: id } });
    await workedOn(eventId);
    expect(service.messages(eventId)).toEqual([]);
  });

  it('whose notes no field takes is told once, where two events say that it was created', async () => {
    const shipment = { ...oneParcel.shipment, carrierName: 'GLS', notesOnDelivery: 'Ring twice' };
    const { containers } = oneParcel;
    const { id } = service.control.createShipment({ area: 1, shipment, containers, event: 'send' });
    const eventId = String(rowOf(id)?.['shipmentCreatedEventId']);
    await workedOn(eventId);
    expect(service.messages(eventId)).toHaveLength(1);
    const again = service.control.emitEvent({ contextId: 1, type: 'shipmentCreated', detail: { shipmentId: id } });
    await workedOn(again);
    expect(service.messages(again)).toEqual([]);
  });

  it('whose notes no field takes is told once where it is booked while that is being told', async () => {
    const shipment = { ...oneParcel.shipment, carrierName: 'GLS', notesOnDelivery: 'Ring twice' };
    const { containers } = oneParcel;
    const mark = service.mark();
    service.control.addFault({ target: 'ims', method: 'POST', path: '/messages', kind: 'delay', ms: 1_500, times: 1 });
    const { id } = service.control.createShipment({ area: 1, shipment, containers, event: 'send' });
    const eventId = String(rowOf(id)?.['shipmentCreatedEventId']);
    const isTelling = () => service.requestsSince(mark, 'ims').some(({ path }) => path.includes('essage'));
    await until('it is being told', isTelling);
    const { messages } = await service.ending(service.book(id));
    await workedOn(eventId);
    expect([...service.messages(eventId), ...messages]).toHaveLength(1);
  });

  it('whose notes no field takes is told once, by its booking, where the IMS refused the message before packing', async () => {
    const body = { messageType: 'ERROR', messageCode: 'closed_Event', messageText: 'closed' };
    const refused = { target: 'ims', method: 'POST', path: '/messages', kind: 'status', status: 422, body } as const;
    const shipment = { ...oneParcel.shipment, carrierName: 'GLS', notesOnDelivery: 'Ring twice' };
    const { containers } = oneParcel;
    service.control.addFault({ ...refused, times: 1 });
    const { id } = service.control.createShipment({ area: 1, shipment, containers, event: 'send' });
    const eventId = String(rowOf(id)?.['shipmentCreatedEventId']);
    await workedOn(eventId);
    expect(service.messages(eventId)).toEqual([]);
    const { messages } = await service.ending(service.book(id));
    expect(messages).toMatchObject([{ type: 'WARNING', text: expect.stringContaining('"Ring twice"') }]);
  });

  it('whose notes no field takes is told once, where its booking left that to a message that an operator has to try again', async () => {
    const body = { messageType: 'ERROR', messageCode: 'closed_Event', messageText: 'closed' };
    const fault = { target: 'ims', method: 'POST', path: '/messages', kind: 'status' } as const;
    const shipment = { ...oneParcel.shipment, carrierName: 'GLS', notesOnDelivery: 'Ring twice' };
    const { containers } = oneParcel;
    service.control.addFault({ ...fault, status: 503, times: 'always' });
    const { id } = service.control.createShipment({ area: 1, shipment, containers, event: 'send' });
    const eventId = String(rowOf(id)?.['shipmentCreatedEventId']);
    await workedOn(eventId);
    expect((await service.ending(service.book(id))).messages).toEqual([]);
    service.control.clearFaults();
    service.control.addFault({ ...fault, status: 422, body, times: 1 });
    const letters = async () =>
      (await service.operator('/dead-letters?kind=task')).body.deadLetters as { id: string }[];
    await until('the message is given up', async () => (await letters()).some((each) => each.id === `task-${eventId}`));
    await service.operator(`/dead-letters/task-${eventId}/retry`, { method: 'POST' });
    await until('the worker is told', () => service.messages(eventId).length > 0);
    expect(service.messages(eventId)).toMatchObject([{ text: expect.stringContaining('"Ring twice"') }]);
  });

  it('with a postal code that looks wrong is booked, with a warning', async () => {
    const { shipment } = oneParcel;
    const sample = {
      ...oneParcel,
      shipment: { ...shipment, deliveryAddress: { ...Object(shipment['deliveryAddress']), postalCode: '99' } },
    };
    const { workStatus, messages } = await service.run(sample, { carrierName: 'GLS' });
    expect(workStatus).toBe('DONE');
    expect(messages).toMatchObject([
      { type: 'WARNING', text: expect.stringContaining("'99' is not a postal code of DK") },
    ]);
  });

  it('of a carrier that is none of ours is left alone', async () => {
    await service.ims('POST /carriers', { carrierName: 'Pigeon' });
    const { eventId } = created(withoutPostalCode, { carrierName: 'Pigeon' });
    await workedOn(eventId);
    expect(service.messages(eventId)).toEqual([]);
  });

  it('that is not there any more does no harm', async () => {
    const eventId = service.control.emitEvent({ contextId: 1, type: 'shipmentCreated', detail: { shipmentId: 99 } });
    await workedOn(eventId);
    expect((await service.run(oneParcel, { carrierName: 'GLS' })).workStatus).toBe('DONE');
  });

  it('without its id does no harm', async () => {
    const eventId = service.control.emitEvent({ contextId: 1, type: 'shipmentCreated', detail: {} });
    await service.control.eventsDelivered();
    expect(service.messages(eventId)).toEqual([]);
  });
});

describe('a delivery note', () => {
  it('of a parcel without number is a warning that names it', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    const eventId = await noteFor(shipmentId);
    await workedOn(eventId);
    const [container] = service.containersOf(shipmentId);
    expect(service.messages(eventId)).toMatchObject([
      { type: 'WARNING', text: expect.stringContaining(String(container?.id)), ...WORKER },
    ]);
  });

  it('of a carrier whose name the IMS writes in other letters is a warning too', async () => {
    await service.ims('POST /carriers', { carrierName: 'gls' });
    const eventId = await noteFor(service.ship(oneParcel, { carrierName: 'gls' }));
    await workedOn(eventId);
    expect(service.messages(eventId)).toMatchObject([{ type: 'WARNING' }]);
  });

  it('of booked parcels is no matter', async () => {
    const { documentId } = await service.run(oneParcel, { carrierName: 'GLS' });
    const [shipmentId = 0] = service.document(documentId).shipmentIds;
    const eventId = await noteFor(shipmentId);
    await workedOn(eventId);
    expect(service.messages(eventId)).toEqual([]);
  });

  it('is what an area books on that says so, and its cancellation cancels', async () => {
    const shipmentId = service.ship(toPickUpPoint, { carrierName: 'Pretend', shipmentNumber: 'on-delivery-note' }, 2);
    const { body } = await service.ims('POST /invocations/createDeliveryNote', { shipmentId }, 'area-2-key');
    expect(await service.ending(body.id)).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.bookings('pretend', 'on-delivery-note')).toMatchObject([{ state: 'booked' }]);
    service.control.cancelDocument(body.id);
    await until('it is cancelled', async () => (await service.consignmentOf(body.id)).state === 'cancelled');
    expect(service.bookings('pretend', 'on-delivery-note')).toMatchObject([{ state: 'cancelled' }]);
  });

  it('is what the worker and the operator are told to create again, where it is booked on', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS', deliveryAddress: null }, 2);
    const { body } = await service.ims('POST /invocations/createDeliveryNote', { shipmentId }, 'area-2-key');
    await until('it is refused', async () => (await service.consignmentOf(body.id))?.state === 'refused');
    await until('the worker is told', () => service.messages(service.eventOf(body.id)).length > 0);
    expect(service.messages(service.eventOf(body.id))).toMatchObject([
      { type: 'ERROR', text: expect.stringContaining('opret følgesedlen igen') },
    ]);
    expect((await service.consignmentOf(body.id)).reason).toContain('create the delivery note again');
  });

  it('is not what a worker is told to create again whose transport booking was refused, where both are booked on', async () => {
    const { messages } = await service.run(oneParcel, { carrierName: 'GLS', deliveryAddress: null }, 2);
    expect(messages).toMatchObject([{ type: 'ERROR', text: expect.stringContaining('opret transportbookingen igen') }]);
  });

  it('is what a worker is told to create again whose packing was refused, where it is booked on', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS', deliveryAddress: null }, 2);
    const eventId = service.control.emitEvent({ contextId: 2, type: 'packingCompleted', detail: { shipmentId } });
    await until('the worker is told', () => service.messages(eventId).length > 0);
    expect(service.messages(eventId)).toMatchObject([{ text: expect.stringContaining('opret følgesedlen igen') }]);
  });

  it('is what a worker hears to be booked still, whose transport booking of the same shipment was refused', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'DAO' }, 2);
    const { body } = await service.ims('POST /invocations/createDeliveryNote', { shipmentId }, 'area-2-key');
    await service.ending(body.id);
    const nowhere = { carrierName: 'GLS', deliveryAddress_postalCode: null };
    await service.ims(`PATCH /shipments/${shipmentId}`, nowhere, 'area-2-key');
    const { messages } = await service.ending(service.book(shipmentId));
    expect(messages.map(({ text }) => text)).toEqual([
      expect.stringContaining('opret transportbookingen igen'),
      expect.stringContaining('er booket hos DAO med en anden følgeseddel'),
    ]);
  });

  async function noteFor(shipmentId: number): Promise<string> {
    const { body } = await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    return service.eventOf(body.id);
  }
});

describe('a consignment note', () => {
  it('marks what the carrier took along as handed over, and nothing else', async () => {
    const taken = await service.run(oneParcel, { carrierName: 'GLS' });
    const left = await service.run(oneParcel, { carrierName: 'GLS' });
    const shipmentIds = service.document(taken.documentId).shipmentIds;
    for (const shipmentId of shipmentIds) await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    service.control.handOver(1, shipmentIds);
    await until('it is handed over', async () => handedOverAt(taken.documentId));
    expect(await handedOverAt(left.documentId)).toBeNull();
  });

  async function handedOverAt(documentId: number) {
    return (await service.consignmentOf(documentId)).handedOverAt;
  }
});
