import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { cancelAnswered, ranAgain } from '../support/endings.js';
import { type Ending, type Service, parcels, startService, until } from '../support/harness.js';

let service: Service;
let first: Ending;
let second: Ending;

beforeAll(async () => {
  service = await startService({ client: 'consignment' });
  first = await service.run(parcels(2), { carrierName: 'GLS' });
  second = await service.run(parcels(1), { carrierName: 'Pretend' });
});

afterAll(() => service.stop());

const typed = (ending: Ending, type: string) => ending.messages.filter((message) => message.type === type);

describe('with the scope of consignments alone', () => {
  it('books and writes the tracking numbers', () => {
    const bookings = [
      ...service.bookings('gls-dk', service.numberOf(first.documentId)),
      ...service.bookings('pretend', service.numberOf(second.documentId)),
    ];
    expect([first.trackingNumbers, second.trackingNumbers]).toEqual(bookings.map((booking) => booking.trackingNumbers));
    expect([first.consignment.state, second.consignment.state]).toEqual(['closed', 'closed']);
  });

  it('says once, over two bookings, what it is not allowed to do', () => {
    const [warning, ...more] = [...typed(first, 'WARNING'), ...typed(second, 'WARNING')];
    expect(more).toEqual([]);
    for (const lack of ['documents stay open', 'not saved on the shipment', 'labels are not saved and not printed'])
      expect(warning?.text).toContain(lack);
    expect(warning?.text).not.toMatch(/PATCH|POST|\{id\}|api\//);
  });

  it('tells the operator what was left out, and that the document stays PENDING', () => {
    expect(first).toMatchObject({ workStatus: 'PENDING', prints: [] });
    expect(first.consignment.printed).toBe('no');
    const texts = first.consignment.notDone.map(({ text }: { text: string }) => text);
    expect(texts).toEqual([
      expect.stringContaining('is not on the shipment in the IMS'),
      expect.stringContaining('The label is not attached in the IMS'),
      'The label was not printed.',
      'The document stays PENDING in the IMS instead of DONE.',
    ]);
  });

  it('tells the worker not to create the transport booking again, although it stays open', () => {
    const [text] = typed(first, 'INFO').map((message) => message.text);
    expect(text).toMatch(/not printed.*Open and print it here.*stays open.*do not create it again/s);
  });

  it('names the label instead of a reprint to an operator who tries it again', async () => {
    const { status, body } = await service.act(first.consignment, 'retry');
    expect(status).toBe(409);
    expect(body.detail).toContain(`its label is at /api/v1/consignments/${first.consignment.id}/labels/0`);
    expect(body.detail).not.toContain('reprint');
  });

  it('does not ask for what its token does not cover', () => {
    const asked = service.requestsSince(0, 'ims').filter((request) => request.status === 403);
    expect(asked.map((request) => `${request.method} ${request.path}`)).toEqual([]);
  });

  describe('gives the worker a link', () => {
    const linkOf = (ending: Ending) => {
      const link = new URL(/http\S+\/labels\/\S+/.exec(typed(ending, 'INFO')[0]?.text ?? '')?.[0] ?? '');
      return `${link.pathname}${link.search}`;
    };

    it('that gives the label without signing in', async () => {
      const answer = await service.ask(linkOf(first));
      expect([answer.status, answer.type]).toEqual([200, 'application/pdf']);
      expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect(answer.headers.get('cache-control')).toContain('no-store');
    });

    it.each<readonly [string, (link: string) => string]>([
      [
        'another signature',
        (link) => link.replace(/signature=(.)/, (_all, first) => `signature=${first === '_' ? 'x' : '_'}`),
      ],
      ['a later end', (link) => link.replace(/expires=\d+/, 'expires=99999999999')],
      ['an end in the past', (link) => link.replace(/expires=\d+/, 'expires=1')],
      ['no signature', (link) => link.replace(/&signature=.*/, '')],
      ['two signatures', (link) => `${link}&signature=x`],
      ['no end', (link) => link.replace(/expires=\d+&/, '')],
      ["another booking's label", (link) => link.replace(/labels\/[^?]+/, `labels/${second.consignment.id}.pdf`)],
      ['a path', (link) => link.replace(/labels\/[^?]+/, 'labels/..%2F..%2Fpackage.json')],
    ])('that gives nothing with %s', async (_what, tamper) => {
      const answer = await service.ask(tamper(linkOf(first)));
      expect([answer.status, answer.type]).toEqual([403, expect.stringContaining('application/problem+json')]);
    });

    it('that leaves out the label of a parcel that is cancelled, while another one could not be', async () => {
      const partly = await service.run(parcels(2), { carrierName: 'DAO' });
      const pages = async ({ bytes }: { readonly bytes: Buffer }) => (await PDFDocument.load(bytes)).getPageCount();
      expect(await pages(await service.ask(linkOf(partly)))).toBe(2);
      const body = { status: 'FEJL', fejlkode: '42', fejltekst: 'Pakken er afhentet' };
      service.control.addFault({ target: 'dao', path: '/AnnullerePakke', kind: 'status', status: 200, body, after: 1 });
      await service.act(partly.consignment, 'cancel');
      await cancelAnswered(service, partly);
      const own = `/consignments/${partly.consignment.id}`;
      expect(await pages(await service.ask(linkOf(partly)))).toBe(1);
      expect(await pages(await service.operator(`${own}/labels/0`))).toBe(1);
      expect((await service.operator(own)).body).toMatchObject({ labels: [0, 1], labelPages: null });
    });

    it('that gives no label while the booking is to be cancelled, and says what to do', async () => {
      const asked = await service.run(parcels(1), { carrierName: 'DAO' });
      const link = linkOf(asked);
      expect((await service.ask(link)).status).toBe(200);
      service.control.addFault({
        ...{ target: 'dao', path: '/AnnullerePakke', kind: 'status', status: 503, times: 'always' },
      });
      await service.act(asked.consignment, 'cancel');
      expect(await service.ask(link)).toMatchObject({
        status: 409,
        body: {
          title: 'This booking is to be cancelled',
          detail: expect.stringMatching(/^Do not use its label.*Open this link again/),
        },
      });
      service.control.clearFaults();
      await cancelAnswered(service, asked);
      expect((await service.ask(link)).status).toBe(410);
    });

    it('that gives no label once the booking is cancelled, and says what to do', async () => {
      const link = linkOf(second);
      expect((await service.ask(link)).status).toBe(200);
      await service.act(second.consignment, 'cancel');
      await until('it is cancelled', async () => {
        const { consignment } = await service.look(second.documentId);
        return consignment.state === 'cancelled';
      });
      const { status, body } = await service.ask(link);
      expect({ status, body }).toMatchObject({
        status: 410,
        body: {
          title: 'This booking is cancelled',
          detail: expect.stringMatching(/^Do not use its label.*use the label of its newer booking, or book it again/),
        },
      });
    });
  });
});

describe('a cancelled document whose status may not be read or set', () => {
  const { oneParcel, withoutPostalCode } = sampleShipments;
  const bookingsOf = (documentId: number) => service.bookings('gls-dk', service.numberOf(documentId));

  it('is not booked when its cancellation comes before its creation', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    service.control.cancelDocument(documentId);
    await service.control.eventsDelivered();
    const event = { eventId, eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
    await service.send({ ...event, documentId, shipmentId });
    const ending = await service.ending(documentId);
    expect(ending.consignment.state).toBe('skipped');
    expect(bookingsOf(documentId)).toEqual([]);
  });

  it('is not booked by a retry', async () => {
    const shipmentId = service.ship(withoutPostalCode, { carrierName: 'GLS' });
    const refused = await service.ending(service.book(shipmentId));
    service.control.cancelDocument(refused.documentId);
    await service.control.eventsDelivered();
    await service.ims(`PATCH /shipments/${shipmentId}`, { deliveryAddress_postalCode: '6760' });
    expect((await service.act(refused.consignment, 'retry')).status).toBe(202);
    const { consignment } = await ranAgain(service, refused.documentId);
    expect(consignment.lastAction).toMatchObject({ result: 'refused', text: expect.stringContaining('is cancelled') });
    expect(bookingsOf(refused.documentId)).toEqual([]);
  });
});
