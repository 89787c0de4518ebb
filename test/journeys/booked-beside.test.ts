import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { cancelAnswered, textsOf } from '../support/endings.js';
import { type Ending, type Service, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;

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

/** Booked at DAO; its label could not be attached. Then the shipment gets another carrier. */
async function movedToGls() {
  const shipmentId = service.ship(oneParcel, { carrierName: 'DAO' });
  service.control.addFault(labelRefused);
  const first = await service.ending(service.book(shipmentId));
  service.control.clearFaults();
  expect(first.consignment.state).toBe('incomplete');
  await service.ims(`PATCH /shipments/${shipmentId}`, { carrierName: 'GLS' });
  return { shipmentId, first };
}

async function bookedAtDao(shipmentId: number): Promise<Ending> {
  await service.ims(`PATCH /shipments/${shipmentId}`, { carrierName: 'DAO' });
  return service.ending(service.book(shipmentId));
}

describe('numbers that stay booked beside a booking at another carrier', () => {
  it('are not handed out at the first carrier after two retries that did not come as far as telling them again', async () => {
    const { shipmentId, first } = await movedToGls();
    service.control.addFault(labelRefused);
    const second = await service.ending(service.book(shipmentId));
    service.control.clearFaults();
    expect(second.consignment.state).toBe('incomplete');
    expect(textsOf(second)).toContain(`still booked with DAO, as ${first.trackingNumbers[0]}`);
    for (const run of [2, 3]) {
      const body = { messageCode: 'unknown_Shipment', messageText: 'There is none.' };
      const path = `/shipments/${shipmentId}$`;
      service.control.addFault({ target: 'ims', method: 'GET', path, kind: 'status', status: 404, body });
      expect((await service.act(second.consignment, 'retry')).status).toBe(202);
      await until('it runs again', async () => (await service.look(second.documentId)).consignment.run === run);
      expect((await service.ending(second.documentId)).consignment.state).toBe('incomplete');
    }
    const third = await bookedAtDao(shipmentId);
    expect(third).toMatchObject({ workStatus: 'DONE' });
    expect(third.trackingNumbers).not.toEqual(first.trackingNumbers);
  });

  it('are handed out at the first carrier where nobody was told of them, because the warehouse system refused the message', async () => {
    const { shipmentId, first } = await movedToGls();
    // A busy machine may get the answer too late, and sends the message again.
    const refused = { path: '/messages', kind: 'status', status: 422, body: TOO_ODD, times: 'always' } as const;
    service.control.addFault({ target: 'ims', ...refused });
    const second = await service.ending(service.book(shipmentId));
    service.control.clearFaults();
    expect(textsOf(second)).not.toContain('Throw labels');
    const third = await bookedAtDao(shipmentId);
    expect(third).toMatchObject({ workStatus: 'DONE', trackingNumbers: first.trackingNumbers });
  });
});

describe('a booking that is refused', () => {
  const refused = {
    target: 'gls-dk',
    method: 'POST',
    kind: 'status',
    status: 400,
    body: { Message: 'Not today.' },
  } as const;

  it('tells its worker of the earlier one that is booked, whose numbers stay usable', async () => {
    const { shipmentId, first } = await movedToGls();
    service.control.addFault(refused);
    const second = await service.ending(service.book(shipmentId));
    expect(second).toMatchObject({ workStatus: 'FAILED', consignment: { state: 'refused' } });
    const [refusal, ...more] = second.messages;
    expect(refusal?.text).toContain('Not today');
    expect(more).toMatchObject([
      {
        type: 'WARNING',
        text: expect.stringContaining(
          `is booked with DAO by another transport booking, as ${first.trackingNumbers[0]}.`,
        ),
      },
    ]);
    expect(await bookedAtDao(shipmentId)).toMatchObject({ workStatus: 'DONE', trackingNumbers: first.trackingNumbers });
  });

  it('shows an operator that its worker was not told of the earlier one', async () => {
    const { shipmentId } = await movedToGls();
    service.control.addFault(refused);
    const path = '/messages';
    service.control.addFault({ target: 'ims', path, kind: 'status', status: 422, body: TOO_ODD, times: 'always' });
    const second = await service.ending(service.book(shipmentId));
    expect(textsOf(second)).toBe('');
    expect(second.consignment.notDone).toMatchObject([
      { what: 'message', because: 'The file is too odd.' },
      { what: 'still-booked-notice', state: 'failed', because: 'The file is too odd.' },
    ]);
  });

  it('before it was sent, tells of the earlier one also where its event named no shipment', async () => {
    const { shipmentId, first } = await movedToGls();
    const deliveryAddress = { ...(oneParcel.shipment['deliveryAddress'] as object), countryCode: null };
    await service.ims(`PATCH /shipments/${shipmentId}`, { deliveryAddress });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    const about = { contextId: '1', eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING' };
    expect((await service.send({ ...about, eventId, documentId: String(documentId) })).status).toBe(202);
    const second = await service.ending(documentId);
    expect(second.consignment).toMatchObject({ state: 'refused', shipmentId: String(shipmentId) });
    expect(textsOf(second)).toContain(
      `is booked with DAO by another transport booking, as ${first.trackingNumbers[0]}.`,
    );
  });

  it('does not tell its worker of an earlier one that is cancelled, or was told to be cancelled in the portal', async () => {
    const cancelled = await movedToGls();
    service.control.cancelDocument(cancelled.first.documentId);
    await cancelAnswered(service, cancelled.first);
    const left = await movedToGls();
    const body = { status: 'FEJL', fejlkode: '42', fejltekst: 'Pakken er afhentet' };
    service.control.addFault({ target: 'dao', path: '/AnnullerePakke\\.php$', kind: 'status', status: 200, body });
    service.control.cancelDocument(left.first.documentId);
    await cancelAnswered(service, left.first);
    for (const { shipmentId } of [cancelled, left]) {
      service.control.addFault(refused);
      const second = await service.ending(service.book(shipmentId));
      expect(second.messages).toMatchObject([{ text: expect.stringContaining('Not today') }]);
    }
  });
});
