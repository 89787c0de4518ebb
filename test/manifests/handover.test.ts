import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, type Service, parcels, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

const named = (carrierName: string) => ({ carrierName, shipmentNumber: `h-${randomUUID().slice(0, 8)}` });

/** The carriers leave with these. @returns the consignment note */
async function leave(...taken: readonly Ending[]): Promise<number> {
  const shipmentIds = taken.flatMap(({ documentId }) => service.document(documentId).shipmentIds);
  for (const shipmentId of shipmentIds) await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
  return service.control.handOver(1, shipmentIds).id;
}

const overview = (note: number, query = '') =>
  service.operator(`/handovers/${note}${query}`, { headers: { accept: 'application/json' } });

async function untilListed(note: number, states: readonly string[]): Promise<void> {
  await until('the lists are through', async () => {
    const { status, body } = await overview(note);
    return (
      status === 200 &&
      body.lists.every((list: { attachment: { state: string } }) => states.includes(list.attachment.state))
    );
  });
}

const attached = (note: number) => service.control.state().attachments.filter((row) => row.ownerId === note);

const manifests = (mark = 0) =>
  service.requestsSince(mark, 'pretend').filter(({ path }) => path.includes('/manifests'));

describe('the manifest of own vehicles', () => {
  it('is a route list: by route and postal code, with the SSCC of each parcel', async () => {
    const to = (postalCode: string) => {
      const deliveryAddress = { ...Object(oneParcel.shipment['deliveryAddress']), postalCode };
      return service.run(oneParcel, { ...named('Own fleet'), deliveryAddress });
    };
    const [north, south, near] = [await to('9000'), await to('5000'), await to('800')];
    const note = await leave(north, south, near);
    await untilListed(note, ['done']);
    const { body } = await overview(note);
    const [{ consignments }] = body.lists;
    expect(consignments.map(({ route }: { route: string }) => route)).toEqual([
      'DK 800 Odense C',
      'DK 5000 Odense C',
      'DK 9000 Odense C',
    ]);
    const numbers = consignments.map(
      (each: { parcels: { trackingNumber: string }[] }) => each.parcels[0]?.trackingNumber,
    );
    expect(numbers).toEqual([near, south, north].map(({ trackingNumbers }) => trackingNumbers[0]));
  });
});

describe('a consignment note', () => {
  it('makes a list for each carrier account, closes out where the carrier wants it, and attaches the lists once', async () => {
    const gls = await service.run(oneParcel, named('GLS'));
    const first = await service.run(parcels(3), named('Pretend'));
    const second = await service.run(oneParcel, named('Pretend'));
    const left = await service.run(oneParcel, named('Pretend'));
    const mark = service.mark();
    const note = await leave(gls, first, second);
    await untilListed(note, ['done']);
    const { body } = await overview(note);
    expect(body.lists).toMatchObject([
      { account: 'gls', closeOut: { state: 'not-offered' }, totals: { consignments: 1, parcels: 1 } },
      {
        account: 'pretend',
        closeOut: { state: 'done', note: expect.stringMatching(/^PM/) },
        totals: { consignments: 2, parcels: 4 },
        consignments: [
          { parcels: first.trackingNumbers.map((trackingNumber) => ({ trackingNumber, weightGrams: 2450 })) },
          { parcels: [{ trackingNumber: second.trackingNumbers[0] }] },
        ],
      },
    ]);
    expect(manifests(mark)).toHaveLength(1);
    expect(attached(note).map(({ fileName, timesAttached }) => [fileName, timesAttached])).toEqual([
      [`HANDOVER_LIST_${note}_gls.pdf`, 1],
      [`HANDOVER_LIST_${note}_pretend.pdf`, 1],
    ]);
    for (const taken of [gls, first, second])
      expect(await service.consignmentOf(taken.documentId)).toMatchObject({ handedOverBy: String(note) });
    expect((await service.consignmentOf(left.documentId)).handedOverAt).toBeNull();
  });

  it('has its lists as one PDF, or as that of one account', async () => {
    const note = await leave(
      await service.run(oneParcel, named('GLS')),
      await service.run(oneParcel, named('Pretend')),
    );
    await untilListed(note, ['done']);
    const all = await service.operator(`/handovers/${note}`);
    expect([all.status, all.type]).toEqual([200, 'application/pdf']);
    expect((await PDFDocument.load(all.bytes)).getPageCount()).toBe(2);
    expect((await service.operator(`/manifests/${note}`)).bytes.equals(all.bytes)).toBe(true);
    const one = await service.operator(`/handovers/${note}?account=gls`);
    expect((await PDFDocument.load(one.bytes)).getPageCount()).toBe(1);
    expect(one.bytes.equals((await service.operator(`/handovers/${note}?account=gls`)).bytes)).toBe(true);
    for (const path of [`${note}?account=dao`, `${note}?area=2`, '999', 'a%0Ab'])
      expect((await service.operator(`/handovers/${path}`)).status).toBe(404);
    expect((await service.operator(`/handovers/${note}?area=1&area=2`)).status).toBe(400);
  });

  it('is found out where its event does not say what it is', async () => {
    const taken = await service.run(oneParcel, named('Pretend'));
    service.control.setEventTargets([]);
    const note = await leave(taken);
    service.listenAgain();
    const shipmentIds = service.document(taken.documentId).shipmentIds;
    const event = { eventId: service.eventOf(note), contextId: '1', documentId: note, shipmentIds };
    expect((await service.send(event)).status).toBe(202);
    await untilListed(note, ['done']);
    expect(await service.consignmentOf(taken.documentId)).toMatchObject({ handedOverBy: String(note) });
  });

  it('has its shipments read in the warehouse system where its event names none', async () => {
    const taken = await service.run(oneParcel, named('Pretend'));
    const left = await service.run(oneParcel, named('Pretend'));
    service.control.setEventTargets([]);
    const note = await leave(taken);
    service.listenAgain();
    const event = {
      eventId: service.eventOf(note),
      contextId: '1',
      documentType: 'CONSIGNMENT_NOTE',
      documentId: note,
    };
    expect((await service.send(event)).status).toBe(202);
    await untilListed(note, ['done']);
    expect((await overview(note)).body.lists).toMatchObject([
      { account: 'pretend', closeOut: { state: 'done' }, totals: { consignments: 1 } },
    ]);
    expect(await service.consignmentOf(taken.documentId)).toMatchObject({ handedOverBy: String(note) });
    expect((await service.consignmentOf(left.documentId)).handedOverAt).toBeNull();
  });

  it('is closed out later where the carrier does not answer, and attached meanwhile', async () => {
    const taken = await service.run(oneParcel, named('Pretend'));
    service.control.addFault({
      target: 'pretend',
      method: 'POST',
      path: '/manifests',
      kind: 'status',
      status: 503,
      times: 1,
    });
    const note = await leave(taken);
    await until('it is closed out', async () => (await overview(note)).body.lists?.[0].closeOut.state === 'done');
    expect(attached(note)).toMatchObject([{ timesAttached: 1 }]);
  });

  it('tells the worker once when the carrier does not take it', async () => {
    const taken = await service.run(oneParcel, named('Pretend'));
    service.control.addFault({
      ...{ target: 'pretend', method: 'POST', path: '/manifests', kind: 'status', status: 422, times: 1 },
      body: { errors: [{ code: 'late', text: 'the day is closed' }] },
    });
    const note = await leave(taken);
    await until('it is refused', async () => (await overview(note)).body.lists?.[0].closeOut.state === 'refused');
    await untilListed(note, ['done']);
    expect(service.messages(service.eventOf(note))).toMatchObject([
      { type: 'WARNING', text: expect.stringContaining('the day is closed') },
    ]);
  });

  it('of shipments that are not ours makes no list', async () => {
    const shipmentId = service.ship(oneParcel, named('GLS'));
    await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    const note = service.control.handOver(1, [shipmentId]).id;
    await until('it was looked at', () => service.lines.some((line) => line.fields['task'] === service.eventOf(note)));
    expect((await overview(note)).status).toBe(404);
  });
});

describe('a client that may not attach', () => {
  it('still has its lists with us', async () => {
    const narrow = await startService({ client: 'consignment' });
    const other = service;
    service = narrow;
    try {
      const note = await leave(await narrow.run(oneParcel, named('GLS')));
      await untilListed(note, ['not-allowed']);
      expect((await narrow.operator(`/handovers/${note}`)).type).toBe('application/pdf');
      expect(attached(note)).toEqual([]);
    } finally {
      service = other;
      await narrow.stop();
    }
  });
});
