import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { WORKER } from '../../src/sandbox/events/events.js';
import { textsOf } from '../support/endings.js';
import { type Service, parcels, startService, until } from '../support/harness.js';

const { oneParcel, threeParcels, toPickUpPoint, toSweden, withoutPostalCode } = sampleShipments;

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
});

/** Neither GLS nor DAO has a place for what the driver should read. */
const withoutNotes: SampleShipment = {
  ...threeParcels,
  shipment: Object.fromEntries(Object.entries(threeParcels.shipment).filter(([name]) => name !== 'notesOnDelivery')),
};

describe('a booking that goes well', () => {
  it.each([
    { carrierName: 'GLS', id: 'gls-dk', sample: withoutNotes, count: 1 },
    { carrierName: 'DAO', id: 'dao', sample: withoutNotes, count: 3 },
    { carrierName: 'Pretend', id: 'pretend', sample: threeParcels, count: 1 },
    { carrierName: 'Bring', id: 'bring', sample: toSweden, count: 1 },
    { carrierName: 'Budbee', id: 'budbee', sample: threeParcels, count: 1 },
    { carrierName: 'PostNord', id: 'postnord', sample: threeParcels, count: 1 },
    { carrierName: 'Danske Fragtmænd', id: 'danske-fragtmaend', sample: threeParcels, count: 1 },
    { carrierName: 'HomeRunner', id: 'homerunner', sample: threeParcels, count: 3 },
    { carrierName: 'Webshipper', id: 'webshipper', sample: threeParcels, count: 1 },
    { carrierName: 'Shipmondo', id: 'shipmondo', sample: withoutNotes, count: 1 },
    { carrierName: 'nShift', id: 'nshift', sample: withoutNotes, count: 1 },
    { carrierName: 'GLS', id: 'gls-dk', sample: toPickUpPoint, count: 1 },
  ])('leaves numbers, one label file, one print and no message: $carrierName', async ({ carrierName, ...expected }) => {
    const { id, sample, count } = expected;
    const ending = await service.run(sample, { carrierName });
    const bookings = service.bookings(id, service.numberOf(ending.documentId));
    expect(bookings).toHaveLength(count);
    expect(ending).toMatchObject({
      workStatus: 'DONE',
      trackingNumbers: bookings.flatMap((booking) => booking.trackingNumbers),
      carriersShipmentNumber: bookings[0]?.carrierNumber ?? bookings[0]?.trackingNumbers[0],
      pages: sample.containers.length,
      timesAttached: 1,
      messages: [],
    });
    const fileName = `SHIPPING_LABEL_${ending.documentId}.pdf`;
    expect(ending.prints).toEqual([expect.objectContaining({ documentId: ending.documentId, fileName, ...WORKER })]);
  });

  it.each([
    ['too many requests', 429, { 'retry-after': '1' }],
    ['closed for a moment', 503, { 'retry-after': '1' }],
  ])('although the carrier says first: %s', async (_what, status, headers) => {
    service.control.addFault({
      target: 'pretend',
      method: 'POST',
      kind: 'status',
      status,
      headers,
      body: { errors: [{ code: 'closed', text: 'come again' }] },
    });
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [] });
    expect(service.bookings('pretend', service.numberOf(ending.documentId))).toHaveLength(1);
  });

  it.each([
    ['is not there', { status: 503, contentType: 'application/json', body: {} }],
    ['is no PDF', { status: 200, contentType: 'application/pdf', body: 'come again' }],
  ])('although the label %s at first', async (_what, answer) => {
    service.control.addFault({ target: 'pretend', path: '/labels$', kind: 'status', ...answer });
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.bookings('pretend', service.numberOf(ending.documentId))).toHaveLength(1);
  });
});

describe('a booking that the carrier refuses', () => {
  it.each([
    ['when it is asked', 1],
    ['when it is asked', 2],
    ['for certain', 1],
    ['for certain', 2],
  ])('%s is told in the language of area %i, with what to do, and FAILED', async (how, area) => {
    const [what, then] =
      area === 1
        ? ['Could not book shipment', 'create the transport booking again']
        : ['kunne ikke bookes', 'transportbooking'];
    const shipmentNumber = `refused-${area}-${how.replaceAll(' ', '-')}`;
    const mark = service.mark();
    const ending =
      how === 'for certain'
        ? await service.run(withoutPostalCode, { carrierName: 'GLS', shipmentNumber }, area)
        : await service.run(oneParcel, { carrierName: 'Pretend', shipmentNumber, termsOfDelivery: 'refused' }, area);
    expect(ending).toMatchObject({ workStatus: 'FAILED', pages: null, prints: [], trackingNumbers: [undefined] });
    expect(ending.messages).toEqual([expect.objectContaining({ type: 'ERROR', ...WORKER })]);
    expect(textsOf(ending).toLowerCase()).toContain(what?.toLowerCase());
    expect(textsOf(ending).toLowerCase()).toContain(then?.toLowerCase());
    // What is certain needs no question.
    expect(service.requestsSince(mark, 'gls-dk')).toEqual([]);
    expect(service.requestsSince(mark, 'pretend')).toHaveLength(how === 'for certain' ? 0 : 1);
    const certain = area === 1 ? "recipient's postal code is missing" : 'Modtagerens postnummer mangler';
    expect(textsOf(ending)).toContain(how === 'for certain' ? certain : 'Pretend');
    expect([...service.bookings('gls-dk', shipmentNumber), ...service.bookings('pretend', shipmentNumber)]).toEqual([]);
  });

  it('is booked when it is asked for again, corrected, by a new event for the same document', async () => {
    const shipmentId = service.ship(withoutPostalCode, { carrierName: 'GLS' });
    const documentId = service.book(shipmentId);
    expect((await service.ending(documentId)).workStatus).toBe('FAILED');
    await service.ims(`PATCH /shipments/${shipmentId}`, { deliveryAddress_postalCode: '6760' });
    const detail = { documentId, documentType: 'TRANSPORT_BOOKING', shipmentId };
    service.control.emitEvent({ contextId: 1, type: 'documentCreated', detail });
    await service.control.eventsDelivered();
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.bookings('gls-dk', service.numberOf(documentId))).toHaveLength(1);
  });

  it('leaves no parcel booked alone where the carrier can cancel', async () => {
    service.control.addFault({
      target: 'dao',
      path: '/DAODirekte/leveringsordre',
      kind: 'status',
      status: 200,
      body: { status: 'FEJL', fejlkode: '42', fejltekst: 'Pakken er for stor' },
      after: 1,
    });
    const ending = await service.run(threeParcels, { carrierName: 'DAO' });
    const bookings = service.bookings('dao', service.numberOf(ending.documentId));
    expect(bookings.map((booking) => booking.state)).toEqual(['cancelled']);
    expect(ending).toMatchObject({ workStatus: 'FAILED', pages: null, prints: [] });
    expect(ending.trackingNumbers).toEqual([undefined, undefined, undefined]);
    expect(textsOf(ending)).toContain('Pakken er for stor');
    expect(ending.consignment.state).toBe('refused');
  });

  it('keeps what is booked where the carrier cannot cancel, and a new document books only the rest', async () => {
    const shipmentId = service.ship(parcels(21), { carrierName: 'GLS' });
    const last = service.containersOf(shipmentId).at(-1)?.id;
    service.control.addFault({
      ...{ target: 'gls-dk', method: 'POST', kind: 'status', status: 400, after: 1 },
      body: { Message: 'The request is invalid.', ModelState: { 'shipment.Parcels[0].Weight': ['Too heavy.'] } },
    });
    const first = await service.ending(service.book(shipmentId));
    const number = service.numberOf(first.documentId);
    expect(first).toMatchObject({ workStatus: 'FAILED', pages: 20, prints: [] });
    expect(first.trackingNumbers.filter((tracking) => typeof tracking === 'string')).toHaveLength(20);
    expect(textsOf(first)).toContain(`Not booked: #21 (${last})`);

    const second = await service.ending(service.book(shipmentId));
    expect(second).toMatchObject({ workStatus: 'DONE', pages: 21, messages: [] });
    expect(second.trackingNumbers.slice(0, 20)).toEqual(first.trackingNumbers.slice(0, 20));
    expect(service.bookings('gls-dk', number).map((booking) => booking.trackingNumbers.length)).toEqual([20, 1]);
  });
});

describe('a booking that ended without label', () => {
  it('is booked in full at another carrier that was chosen since', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'nolabel' });
    const first = await service.ending(service.book(shipmentId));
    expect(first.consignment.state).toBe('incomplete');
    await service.ims(`PATCH /shipments/${shipmentId}`, { carrierName: 'GLS' });
    const second = await service.ending(service.book(shipmentId));
    const [booking] = service.bookings('gls-dk', service.numberOf(second.documentId));
    expect(second).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: booking?.trackingNumbers });
  });
});

describe('a booking whose answer is lost', () => {
  it('is found where the carrier can be asked, and is not made again', async () => {
    const ending = await service.run(threeParcels, { carrierName: 'Pretend', termsOfDelivery: 'lost:1' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 3 });
    const [booking, ...more] = service.bookings('pretend', service.numberOf(ending.documentId));
    expect(more).toEqual([]);
    expect(ending.trackingNumbers).toEqual(booking?.trackingNumbers);
  });

  it('is made when the carrier certainly does not have it', async () => {
    service.control.addFault({ target: 'pretend', method: 'POST', path: '^/bookings$', kind: 'status', status: 500 });
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.bookings('pretend', service.numberOf(ending.documentId))).toHaveLength(1);
  });

  describe('where the carrier cannot be asked', () => {
    let others: Service;
    // After a lost answer the carrier is tried again with care: each of these meets one that has lost none.
    beforeEach(async () => {
      others = service;
      service = await startService();
    });
    afterEach(async () => {
      await service.stop();
      service = others;
    });

    async function inDoubt(
      fault: { kind: 'drop-after' } | { kind: 'status'; status: number } = { kind: 'drop-after' },
    ) {
      service.control.addFault({ target: 'gls-dk', method: 'POST', ...fault });
      const ending = await service.run(oneParcel, { carrierName: 'GLS' });
      expect(ending).toMatchObject({ workStatus: 'FAILED', pages: null, consignment: { needsOperator: true } });
      expect(ending.messages.at(-1)).toMatchObject({ type: 'ERROR', ...WORKER });
      expect(textsOf(ending)).toContain('It may be booked or not');
      return { ...ending, number: service.numberOf(ending.documentId) };
    }

    it('waits for a person, whatever events and retries come meanwhile', async () => {
      const { documentId, number, consignment } = await inDoubt();
      const detail = { documentId, documentType: 'TRANSPORT_BOOKING' };
      service.control.emitEvent({ contextId: 1, type: 'documentCreated', detail });
      await service.control.eventsDelivered();
      expect((await service.act(consignment, 'retry')).status).toBe(409);
      const again = await service.ending(documentId);
      expect(again.consignment).toMatchObject({ state: 'in-doubt', needsOperator: true });
      const [shipmentId = 0] = service.document(documentId).shipmentIds;
      const other = await service.ending(service.book(shipmentId));
      expect(other).toMatchObject({ workStatus: 'FAILED', pages: null });
      expect(textsOf(other)).toContain('It may be booked or not');
      expect(service.bookings('gls-dk', number)).toHaveLength(1);
    });

    it('goes on with the numbers a person found', async () => {
      const { documentId, number, consignment } = await inDoubt();
      const [booking] = service.bookings('gls-dk', number);
      const [container] = consignment.parts[0].containers;
      const trackingNumbers = { [container]: booking?.trackingNumbers[0] };
      const body = { answer: 'booked', carrierNumber: booking?.carrierNumber, trackingNumbers };
      expect((await service.act(consignment, 'resolve', body)).status).toBe(202);
      const ending = await service.ending(documentId);
      expect(ending).toMatchObject({
        trackingNumbers: booking?.trackingNumbers,
        carriersShipmentNumber: booking?.carrierNumber,
        workStatus: 'FAILED',
        consignment: { state: 'incomplete' },
      });
      expect(textsOf(ending)).toContain('there is no label');
      expect(service.bookings('gls-dk', number)).toHaveLength(1);
    });

    it('books again when a person saw that nothing is booked, and the carrier has ended its work', async () => {
      const { documentId, number, consignment } = await inDoubt({ kind: 'status', status: 500 });
      expect((await service.act(consignment, 'resolve', { answer: 'not-booked' })).status).toBe(202);
      expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
      expect(service.bookings('gls-dk', number)).toHaveLength(1);
    });

    it('books nothing again while the carrier may still book the lost request, whatever a person saw', async () => {
      const { documentId, number, consignment } = await inDoubt();
      const because = expect.stringMatching(`^${number} may still appear at GLS until [^ ]+Z: look again then$`);
      const one = await service.act(consignment, 'resolve', { answer: 'not-booked' });
      expect([one.status, one.body.detail]).toEqual([409, because]);
      for (const dryRun of [true, false]) {
        const body = { ids: [consignment.id], answer: 'not-booked', dryRun };
        const many = await service.operator('/consignments/resolve', { method: 'POST', body });
        expect(many.body.results).toMatchObject([{ outcome: 'not-possible', because }]);
      }
      expect((await service.ending(documentId)).consignment).toMatchObject({ state: 'in-doubt', run: 1 });
      expect(service.bookings('gls-dk', number)).toHaveLength(1);
    });

    it('ends when a person gives it up', async () => {
      const { documentId, number, consignment } = await inDoubt();
      expect((await service.act(consignment, 'resolve', { answer: 'give-up' })).status).toBe(202);
      expect((await service.ending(documentId)).consignment).toMatchObject({ state: 'refused', needsOperator: false });
      expect(service.bookings('gls-dk', number)).toHaveLength(1);
      expect((await service.act(consignment, 'resolve', { answer: 'give-up' })).status).toBe(409);
    });
  });
});

describe('a document that is not ours to book', () => {
  it.each(['DONE', 'ON_GOING'])('is left alone when it is %s', async (workStatus) => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    await service.ims(`PATCH /documents/${documentId}`, { workStatus });
    await service.send({ ...detailOf(documentId, shipmentId), eventId });
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus, messages: [], consignment: { state: 'skipped' } });
    expect(service.bookings('gls-dk', service.numberOf(documentId))).toEqual([]);
  });

  it('is found as skipped, and by the first name of that state', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    await service.ims(`PATCH /documents/${documentId}`, { workStatus: 'DONE' });
    await service.send({ ...detailOf(documentId, shipmentId), eventId });
    await service.ending(documentId);
    for (const state of ['skipped', 'set-aside']) {
      const { body } = await service.operator(`/consignments?q=${documentId}&state=${state}`);
      expect(body).toMatchObject({ consignments: [{ documentId: String(documentId), state: 'skipped' }] });
    }
  });

  it.each([
    ['refuses changes of it', true],
    ['takes changes of it', false],
  ])('is left alone when it is cancelled and the IMS %s', async (_what, refuseChangesOfCancelledDocument) => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    service.control.setEventTargets([]);
    service.control.cancelDocument(documentId);
    service.listenAgain();
    service.control.setSwitches({ refuseChangesOfCancelledDocument });
    await service.send({ ...detailOf(documentId, shipmentId), eventId });
    const ending = await service.ending(documentId);
    service.control.setSwitches({ refuseChangesOfCancelledDocument: true });
    expect(ending).toMatchObject({ messages: [], consignment: { state: 'skipped' } });
    expect(service.bookings('gls-dk', service.numberOf(documentId))).toEqual([]);
  });
});

function detailOf(documentId: number, shipmentId: number): object {
  return { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1', documentId, shipmentId };
}

describe('a shipment that cannot be booked', () => {
  const address = oneParcel.shipment['deliveryAddress'] as Record<string, string>;
  const box = oneParcel.containers[0] ?? {};

  it.each([
    ['has no address', { shipment: { deliveryAddress: null }, containers: [box] }, 'it has no delivery address'],
    [
      'has no country',
      { shipment: { deliveryAddress: { ...address, countryCode: null } }, containers: [box] },
      'its delivery address has no country',
    ],
    ['has no containers', { shipment: {}, containers: [] }, 'it has no parcels'],
    [
      'has a container without weight',
      { shipment: {}, containers: [box, { containerTypeName: 'Box' }] },
      /parcel #2 \(\d+\) has no weight/,
    ],
  ])('says so when it %s, and no carrier is asked', async (_what, { shipment, containers }, words) => {
    const id = service.ship({ shipment: { ...oneParcel.shipment, ...shipment }, containers }, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(id);
    const mark = service.mark();
    await service.send({ ...detailOf(documentId, id), eventId });
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'FAILED', pages: null, prints: [] });
    expect(ending.messages).toMatchObject([{ type: 'ERROR', text: expect.stringMatching(words) }]);
    expect(service.requestsSince(mark, 'gls-dk')).toEqual([]);
  });

  it('says so when it is cancelled meanwhile, and no carrier is asked', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    await service.ims(`PATCH /shipments/${shipmentId}`, { cancelled: true });
    await service.send({ ...detailOf(documentId, shipmentId), eventId });
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'FAILED', messages: [{ type: 'ERROR' }] });
    expect(textsOf(ending)).toContain('it is cancelled');
    expect(service.bookings('gls-dk', service.numberOf(documentId))).toEqual([]);
  });

  it('says so when it is not there', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    await service.send({ ...detailOf(documentId, 99), eventId });
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'FAILED', messages: [{ type: 'ERROR' }] });
    expect(textsOf(ending)).toContain('does not know the shipment with id 99');
  });

  it('says which carriers there are when it has another one', async () => {
    await service.ims('POST /carriers', { carrierName: 'Pigeon' });
    const ending = await service.run(oneParcel, { carrierName: 'Pigeon' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', messages: [{ type: 'ERROR' }] });
    for (const carrier of ['Pigeon', 'Bring', 'GLS', 'DAO', 'Pretend']) expect(textsOf(ending)).toContain(carrier);
  });
});

describe('the end in the IMS', () => {
  it('is DONE with a warning when the label is not printed', async () => {
    service.control.addFault({
      target: 'ims',
      path: 'printResource',
      kind: 'status',
      status: 422,
      body: { messageCode: 'invalid_Resource', messageText: 'The printer has no paper.' },
    });
    const ending = await service.run(oneParcel, { carrierName: 'GLS' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, prints: [], messages: [{ type: 'WARNING' }] });
    expect(textsOf(ending)).toContain('The printer has no paper.');
  });

  it('is DONE with a warning when nobody knows whether it was printed, and it is not printed twice', async () => {
    service.control.addFault({ target: 'ims', path: 'printResource', kind: 'drop-after' });
    const ending = await service.run(oneParcel, { carrierName: 'GLS' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [{ type: 'WARNING' }] });
    expect(ending.prints).toHaveLength(1);
    expect(textsOf(ending)).toContain('Look at the printer first');
  });

  it('is FAILED with a link to the label when the IMS does not take it', async () => {
    service.control.addFault({
      target: 'ims',
      path: '/attachments$',
      kind: 'status',
      status: 422,
      body: { messageCode: 'invalid_Attachment', messageText: 'The store is full.' },
      // A busy machine may get the answer too late, and attaches the label again.
      times: 'always',
    });
    const ending = await service.run(oneParcel, { carrierName: 'GLS' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', pages: null, prints: [] });
    expect(ending.trackingNumbers).toEqual([expect.any(String)]);
    expect(textsOf(ending)).toMatch(/The store is full\.[^]*http\S+\/labels\/\S+\.pdf/);
  });

  it('is FAILED with the numbers written when the label is a broken PDF', async () => {
    service.control.addFault({
      target: 'pretend',
      path: '/labels$',
      kind: 'status',
      status: 200,
      contentType: 'application/pdf',
      body: '%PDF-1.7 and nothing else',
      times: 50,
    });
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', pages: null, prints: [], messages: [{ type: 'ERROR' }] });
    expect(ending.trackingNumbers).toEqual([expect.any(String)]);
    expect(textsOf(ending)).toContain('there is no label');
    expect(service.bookings('pretend', service.numberOf(ending.documentId))).toHaveLength(1);
  });

  it('is FAILED with the numbers written when the carrier has no label', async () => {
    const ending = await service.run(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'nolabel' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', pages: null, messages: [{ type: 'ERROR' }] });
    expect(ending.trackingNumbers).toEqual([expect.any(String)]);
  });
});

describe('a cancelled document', () => {
  async function cancelled(documentId: number) {
    service.control.cancelDocument(documentId);
    const eventId = () => String(service.document(documentId)['documentCancelledEventId']);
    await until('the worker is told', () => service.messages(eventId()).length > 0);
    return service.messages(eventId());
  }

  it.each([
    ['Pretend', 'pretend'],
    ['DAO', 'dao'],
    ['Budbee', 'budbee'],
    ['Shipmondo', 'shipmondo'],
    ['nShift', 'nshift'],
  ])('is cancelled at %s, and the worker is told', async (carrierName, id) => {
    const { documentId } = await service.run(parcels(2), { carrierName });
    expect(await cancelled(documentId)).toMatchObject([{ type: 'INFO', ...WORKER }]);
    const states = service.bookings(id, service.numberOf(documentId)).map((booking) => booking.state);
    expect(new Set(states)).toEqual(new Set(['cancelled']));
    expect((await service.ending(documentId)).consignment.state).toBe('cancelled');
  });

  it('is still booked where the carrier cannot cancel, and the worker is told what to do', async () => {
    const { documentId } = await service.run(oneParcel, { carrierName: 'GLS' });
    const [message, ...more] = await cancelled(documentId);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ type: 'ERROR', text: expect.stringContaining('still booked') });
    expect((await service.ending(documentId)).consignment.state).toBe('closed');
  });

  it('leaves a newer booking of the shipment alone', async () => {
    const first = await service.run(oneParcel, { carrierName: 'Pretend' });
    const [shipmentId = 0] = service.document(first.documentId).shipmentIds;
    const second = await service.ending(service.book(shipmentId));
    await cancelled(first.documentId);
    const bookings = service.bookings('pretend', service.numberOf(first.documentId));
    expect(bookings.map((booking) => booking.state)).toEqual(['cancelled', 'booked']);
    expect((await service.ending(second.documentId)).consignment.state).toBe('closed');
  });

  it('is not booked when it is cancelled while it waits', async () => {
    service.control.addFault({ target: 'pretend', kind: 'status', status: 429, headers: { 'retry-after': '10' } });
    const shipmentId = service.ship(oneParcel, { carrierName: 'Pretend' });
    const documentId = service.book(shipmentId);
    await until('the carrier was asked', () => service.control.faults().some((fault) => fault.happened > 0));
    service.control.cancelDocument(documentId);
    const ending = await service.ending(documentId);
    expect(ending.consignment.state).toBe('cancelled');
    expect(service.bookings('pretend', service.numberOf(documentId))).toEqual([]);
  });
});
