import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { cancelAnswered } from '../support/endings.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;
const SECOND = 'Pretend Two';

let service: Service;

beforeAll(async () => {
  service = await startService({
    config: (config) => ({
      ...config,
      accounts: { ...config.accounts, 'pretend-two': { ...config.accounts['pretend'], imsCarrierName: SECOND } },
    }),
  });
  await service.ims('POST /carriers', { carrierName: SECOND });
});

afterEach(() => service.control.clearFaults());
afterAll(() => service.stop());

const named = (carrierName: string, more: object = {}) => ({
  ...{ carrierName, shipmentNumber: `t-${randomUUID().slice(0, 8)}` },
  ...more,
});

async function leave(...shipmentIds: readonly number[]): Promise<number> {
  for (const shipmentId of shipmentIds) await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
  return service.control.handOver(1, shipmentIds).id;
}

const shipmentsOf = (documentId: number) => service.document(documentId).shipmentIds;
const listsOf = async (note: number | string) =>
  (await service.operator(`/handovers/${note}`, { headers: { accept: 'application/json' } })).body.lists;
const untilThat = (note: number, expected: readonly object[]) =>
  until('the lists are as they should be', async () => {
    const lists: readonly object[] | undefined = await listsOf(note);
    return lists !== undefined && JSON.stringify(expected) === JSON.stringify(lists.map(states));
  });
const states = (list: object) => {
  const { account, closeOut, attachment } = list as Record<string, { state: string }>;
  return [account, closeOut?.state, attachment?.state];
};

/** Of the next close-out, or the next message. */
const refuse = (
  target: 'pretend' | 'ims',
  path: string,
  body: Readonly<Record<string, string | { code: string; text: string }[]>>,
) => service.control.addFault({ target, method: 'POST', path, kind: 'status', status: 422, times: 1, body });
const closedDay = () => refuse('pretend', '/manifests', { errors: [{ code: 'late', text: 'the day is closed' }] });

describe('a consignment note that comes before a booking has ended', () => {
  /** Certainly nothing is booked then, and it is tried again at once. */
  const closedNow = {
    ...({ target: 'pretend', method: 'POST', path: '/bookings$', kind: 'status', status: 503 } as const),
    body: { errors: [{ code: 'closed', text: 'closed for a moment' }] },
  };

  it('waits for it, and has it on its list', async () => {
    service.control.addFault({ ...closedNow, times: 'always' });
    const shipmentId = service.ship(oneParcel, named('Pretend'));
    const documentId = service.book(shipmentId);
    await until('it is under way', async () => (await service.consignmentOf(documentId)) !== null);
    const note = await leave(shipmentId);
    expect((await service.consignmentOf(documentId)).state).not.toBe('closed');
    service.control.clearFaults();
    const { trackingNumbers } = await service.ending(documentId);
    await until('it is listed', async () => (await listsOf(note)) !== undefined);
    expect(await listsOf(note)).toMatchObject([
      { account: 'pretend', consignments: [{ parcels: [{ trackingNumber: trackingNumbers[0] }] }] },
    ]);
    expect(await service.consignmentOf(documentId)).toMatchObject({ handedOverBy: String(note) });
    expect(service.messages(service.eventOf(note))).toEqual([]);
  });

  it('has its other lists at once', async () => {
    const other = await service.run(oneParcel, named('GLS'));
    service.control.addFault({ ...closedNow, times: 'always' });
    const waiting = service.ship(oneParcel, named('Pretend'));
    const documentId = service.book(waiting);
    await until('its carrier is asked', async () => (await service.consignmentOf(documentId))?.account === 'pretend');
    const note = await leave(...shipmentsOf(other.documentId), waiting);
    await untilThat(note, [['gls', 'not-offered', 'done']]);
    service.control.clearFaults();
    await untilThat(note, [
      ['gls', 'not-offered', 'done'],
      ['pretend', 'done', 'done'],
    ]);
  });

  it('tells the worker what is not on any list, because it was refused', async () => {
    const taken = await service.run(oneParcel, named('Pretend'));
    const refused = await service.run(oneParcel, named('Pretend', { termsOfDelivery: 'refused' }));
    expect(refused.consignment.state).toBe('refused');
    const note = await leave(...shipmentsOf(taken.documentId), ...shipmentsOf(refused.documentId));
    await until('it is told', () => service.messages(service.eventOf(note)).length > 0);
    const number = service.numberOf(refused.documentId);
    expect(service.messages(service.eventOf(note))).toMatchObject([
      { type: 'WARNING', text: expect.stringContaining(`Shipments ${number} of consignment note`) },
    ]);
    expect(await listsOf(note)).toMatchObject([{ totals: { consignments: 1 } }]);
  });

  it('tells the worker not to book again what its carrier may have', async () => {
    service.control.addFault({ target: 'dao', path: 'leveringsordre', kind: 'drop-after', times: 1 });
    const lost = await service.run(oneParcel, named('DAO'));
    expect(lost.consignment).toMatchObject({ state: 'in-doubt', needsOperator: true });
    const note = await leave(...shipmentsOf(lost.documentId));
    await until('it is told', () => service.messages(service.eventOf(note)).length > 0);
    const texts = service.messages(service.eventOf(note)).map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringContaining(`has shipments ${service.numberOf(lost.documentId)} of consignment note ${note}`),
    ]);
    expect(texts.join()).toContain('Do not book them again');
  });

  it('tells the worker not to book again what was booked after the list of its account was made', async () => {
    const listed = await service.run(oneParcel, named('GLS'));
    const deliveryAddress = Object(oneParcel.shipment['deliveryAddress']);
    const incomplete = { deliveryAddress: { ...deliveryAddress, postalCode: null } };
    const refused = await service.run(oneParcel, named('GLS', incomplete));
    expect(refused.consignment.state).toBe('refused');
    service.control.addFault({ ...closedNow, times: 'always' });
    const waiting = service.ship(oneParcel, named('Pretend'));
    const documentId = service.book(waiting);
    await until('its carrier is asked', async () => (await service.consignmentOf(documentId))?.account === 'pretend');
    const [shipmentId = 0] = shipmentsOf(refused.documentId);
    const note = await leave(...shipmentsOf(listed.documentId), shipmentId, waiting);
    await untilThat(note, [['gls', 'not-offered', 'done']]);
    await service.ims(`PATCH /shipments/${shipmentId}`, { deliveryAddress });
    const late = await service.ending(service.book(shipmentId));
    expect(late.consignment.state).toBe('closed');
    service.control.clearFaults();
    await until('it is told', () => service.messages(service.eventOf(note)).length > 0);
    const texts = service.messages(service.eventOf(note)).map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringContaining(
        `Parcels of shipments ${service.numberOf(late.documentId)} of consignment note ${note} are on no`,
      ),
    ]);
    expect(texts.join()).toContain('Do not book them again');
    expect(await service.consignmentOf(late.documentId)).toMatchObject({ handedOverBy: String(note) });
  });

  it('does not call booked what a later booking has taken over and cancelled', async () => {
    const shipmentId = service.ship(oneParcel, named('Pretend'));
    const odd = { messageType: 'ERROR', messageCode: 'invalid_Attachment', messageText: 'The file is too odd.' };
    service.control.addFault({
      ...({ target: 'ims', path: '/attachments', kind: 'status', status: 422, times: 'always', body: odd } as const),
    });
    const first = await service.ending(service.book(shipmentId));
    expect(first.consignment.state).toBe('incomplete');
    service.control.clearFaults();
    const second = await service.ending(service.book(shipmentId));
    expect(second.trackingNumbers).toEqual(first.trackingNumbers);
    service.control.cancelDocument(second.documentId);
    await cancelAnswered(service, second);
    const note = await leave(shipmentId);
    await until('it is told', () => service.messages(service.eventOf(note)).length > 0);
    const texts = service.messages(service.eventOf(note)).map(({ text }) => text);
    expect(texts).toEqual([expect.stringContaining('they are not booked with a carrier of ours')]);
  });
});

describe('a close-out that the carrier refuses', () => {
  it('is noted although the message about it is refused too, and holds up no other account', async () => {
    const [one, two] = [await service.run(oneParcel, named('Pretend')), await service.run(oneParcel, named(SECOND))];
    closedDay();
    service.control.addFault({
      ...{ target: 'pretend', method: 'POST', path: '/manifests', kind: 'status', status: 503, times: 1 },
    });
    refuse('ims', '/messages$', { messageType: 'ERROR', messageCode: 'invalid_Event', messageText: 'no such event' });
    const note = await leave(...shipmentsOf(one.documentId), ...shipmentsOf(two.documentId));
    await untilThat(note, [
      ['pretend', 'refused', 'done'],
      ['pretend-two', 'done', 'done'],
    ]);
    expect(service.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        event: 'handover message not sent',
        fields: expect.objectContaining({ document: String(note), message: 'close-out-failed' }),
      }),
    );
  });
});

describe('a second note of the same shipment', () => {
  it('takes it over from the first, which says so', async () => {
    const taken = await service.run(oneParcel, named('Pretend'));
    const shipmentIds = shipmentsOf(taken.documentId);
    const fault = { target: 'pretend', method: 'POST', path: '/manifests', kind: 'status', status: 503 } as const;
    service.control.addFault({ ...fault, times: 'always' });
    const mark = service.mark();
    const first = await leave(...shipmentIds);
    const manifests = () => service.requestsSince(mark, 'pretend').filter(({ path }) => path.includes('/manifests'));
    await until('the first was tried', () => manifests().length > 0);
    const second = first + 900_000;
    const event = { eventType: 'documentCreated', documentType: 'CONSIGNMENT_NOTE', contextId: '1', shipmentIds };
    await service.send({ ...event, eventId: randomUUID(), documentId: second });
    await until('the second has its list', async () => (await listsOf(second)) !== undefined);
    service.control.clearFaults();
    await untilThat(first, [['pretend', 'superseded', 'done']]);
    expect(await listsOf(first)).toMatchObject([
      {
        closeOut: { note: `left by consignment note ${second}` },
        consignments: [{ supersededBy: String(second) }],
      },
    ]);
    await until('the second is closed out', async () => (await listsOf(second))[0].closeOut.state === 'done');
    expect(manifests().filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe('a manifest', () => {
  it('says when it left, not when we heard of it', async () => {
    const taken = await service.run(oneParcel, named('Pretend'));
    const shipmentIds = shipmentsOf(taken.documentId);
    service.control.setEventTargets([]);
    const note = await leave(...shipmentIds);
    service.listenAgain();
    const detail = { eventId: service.eventOf(note), contextId: 1, documentType: 'CONSIGNMENT_NOTE' };
    const time = '2026-03-03T16:05:00Z';
    await service.send({
      'detail-type': 'documentCreated',
      time,
      detail: { ...detail, documentId: note, shipmentIds },
    });
    await until('it is listed', async () => (await listsOf(note)) !== undefined);
    expect(await listsOf(note)).toMatchObject([{ handedOverAt: '2026-03-03 17:05' }]);
    expect(await service.consignmentOf(taken.documentId)).toMatchObject({ handedOverAt: '2026-03-03T16:05:00.000Z' });
  });
});

describe('the list of handovers', () => {
  const page = async (query: string) => (await service.operator(`/handovers${query}`)).body;

  it('shows what was refused, what is open, and all of it page by page', async () => {
    const [good, bad] = [
      await service.run(oneParcel, named('Pretend')),
      await service.run(oneParcel, named('Pretend')),
    ];
    const done = await leave(...shipmentsOf(good.documentId));
    await untilThat(done, [['pretend', 'done', 'done']]);
    closedDay();
    const failed = await leave(...shipmentsOf(bad.documentId));
    await untilThat(failed, [['pretend', 'refused', 'done']]);
    const documentsIn = (body: { handovers: readonly { documentId: string }[] }) =>
      body.handovers.map(({ documentId }) => documentId);
    const ofFailed = await page('?state=failed&account=pretend&area=1');
    expect(ofFailed.handovers[0]).toMatchObject({
      ...{ documentId: String(failed), state: 'failed', totals: { parcels: 1 }, attachment: { state: 'done' } },
      closeOut: { state: 'refused', note: expect.stringContaining('the day is closed') },
    });
    expect((await service.operator('/manifests?state=failed&account=pretend&area=1')).body).toEqual(ofFailed);
    expect(ofFailed.manifests).toEqual(ofFailed.handovers);
    expect(documentsIn(ofFailed)).not.toContain(String(done));
    expect(documentsIn(await page('?state=done&limit=200'))).toContain(String(done));
    expect(documentsIn(await page('?state=open'))).toEqual([]);
    expect(documentsIn(await page('?area=2'))).toEqual([]);
    const all = documentsIn(await page('?limit=200'));
    expect(all.slice(0, 2)).toEqual([String(failed), String(done)]);
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const body = await page(`?limit=1${cursor && `&cursor=${cursor}`}`);
      pages.push(...documentsIn(body));
      ({ cursor } = body);
    }
    expect(pages).toEqual(all);
  });

  it.each(['state=maybe', 'cursor=x', 'cursor=99999999999999999999', 'limit=0', 'limit=201', 'area=1&area=2'])(
    'refuses ?%s',
    async (query) => {
      expect((await service.operator(`/handovers?${query}`)).status).toBe(400);
    },
  );
});

describe('a consignment note whose event names no shipment, while the IMS forbids to list shipments', () => {
  it('tells the worker once which right is missing, and is tried again by an operator once it is there', async () => {
    const taken = await service.run(oneParcel, named('Pretend'));
    service.control.addFault({
      ...({ target: 'ims', method: 'GET', path: '/shipments$', kind: 'status', status: 403, times: 'always' } as const),
      body: { message: 'Forbidden' },
    });
    service.control.setEventTargets([]);
    const note = await leave(...shipmentsOf(taken.documentId));
    service.listenAgain();
    const eventId = service.eventOf(note);
    await service.send({ eventId, contextId: '1', documentType: 'CONSIGNMENT_NOTE', documentId: note });
    const letter = `task-${eventId}`;
    await until('the task is given up', async () => {
      const { deadLetters } = (await service.operator('/dead-letters?kind=task')).body;
      return deadLetters.some(({ id }: { readonly id: string }) => id === letter);
    });
    const texts = service.messages(eventId);
    expect(texts).toMatchObject([{ type: 'WARNING', text: expect.stringContaining('not allowed to list shipments') }]);
    expect(texts[0]?.text).toContain(`No manifest is made for consignment note ${note}`);
    expect((await service.consignmentOf(taken.documentId)).state).toBe('closed');
    service.control.clearFaults();
    await service.operator(`/dead-letters/${letter}/retry`, { method: 'POST' });
    await untilThat(note, [['pretend', 'done', 'done']]);
    expect(service.messages(eventId)).toHaveLength(1);
  });
});
