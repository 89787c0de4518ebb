import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { allTexts, operatorNeeded, ranAgain, textsOf } from '../support/endings.js';
import { until } from '../support/harness.js';
import { type Life, type Lives, MINUTE_MS, openLives } from '../support/lives.js';

const GIVE_UP_AFTER_MS = 30 * MINUTE_MS;

let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives();
  life = await lives.begin();
  life.service.listenAgain();
});
afterEach(() => life.service.control.clearFaults());
afterAll(async () => {
  await life.end();
  await lives.end();
});

/** The answer is lost, the carrier's search is away, and a person ends it without having looked. */
async function givenUp(
  kind: 'drop-before' | 'drop-after',
  event: 'transport booking' | 'packing completed' = 'transport booking',
) {
  const { service } = life;
  const { control } = service;
  const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  control.addFault({ target: 'pretend', method: 'POST', path: '^/bookings$', kind });
  const away = { target: 'pretend', method: 'GET', path: '^/bookings$', kind: 'status', status: 503 } as const;
  control.addFault({ ...away, times: 'always' });
  if (event === 'transport booking') service.book(shipmentId);
  else control.emitEvent({ contextId: 1, type: 'packingCompleted', detail: { shipmentId } });
  await until('the carrier is asked for it', () => (control.faults().at(-1)?.happened ?? 0) > 0);
  for (const each of [lives, life]) each.forward(GIVE_UP_AFTER_MS);
  await until('a person is asked', async () => (await bookingOf(shipmentId))?.needsOperator === true);
  const { id, documentId } = await atRest(shipmentId);
  expect((await service.act({ id }, 'resolve', { answer: 'give-up' })).status).toBe(202);
  expect(await atRest(shipmentId)).toMatchObject({ state: 'refused' });
  control.clearFaults();
  return { shipmentId, id, documentId: Number(documentId) };
}

/** Its first booking, as the operator's list shows it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function bookingOf(shipmentId: number): Promise<any> {
  const { body } = await life.service.operator(`/consignments?q=${shipmentId}`);
  return body.consignments.at(-1);
}

async function atRest(shipmentId: number) {
  await until('it comes to rest', async () => (await bookingOf(shipmentId)).dueAt === null);
  return bookingOf(shipmentId);
}

/** @returns how it ended, and what was told since */
async function retried({ id, shipmentId }: { readonly id: string; readonly shipmentId: number }) {
  const texts = () => allTexts(life.service);
  const before = texts().length;
  expect((await life.service.act({ id }, 'retry')).status).toBe(202);
  const { state } = await atRest(shipmentId);
  return { state, told: texts().slice(before).join('\n') };
}

const bookingsOf = (documentId: number) => life.service.bookings('pretend', life.service.numberOf(documentId));

/** The number of the booking that no document has. */
function lostNumber(shipmentId: number, known: readonly unknown[]): string {
  const number = String(life.service.control.state().shipments.find(({ id }) => id === shipmentId)?.shipmentNumber);
  const numbers = life.service.bookings('pretend', number).flatMap(({ trackingNumbers }) => trackingNumbers);
  return numbers.find((one) => !known.includes(one)) ?? 'none is lost';
}

describe('a doubt that was given up, and is tried again', () => {
  it('is not booked once a newer document has booked the shipment', async () => {
    const first = await givenUp('drop-before');
    const second = await life.service.ending(life.service.book(first.shipmentId));
    expect(second.workStatus).toBe('DONE');
    const { state, told } = await retried(first);
    expect([state, told]).toEqual(['refused', expect.stringContaining('another one has booked it since')]);
    const bookings = bookingsOf(first.documentId);
    expect(bookings.map(({ trackingNumbers }) => trackingNumbers)).toEqual([second.trackingNumbers]);
  });

  it('is not booked by another event of its document either', async () => {
    const { shipmentId, documentId } = await givenUp('drop-before');
    expect(await life.service.ending(life.service.book(shipmentId))).toMatchObject({ workStatus: 'DONE' });
    const event = {
      eventId: randomUUID(),
      eventType: 'documentCreated',
      contextId: '1',
      shipmentId: String(shipmentId),
    };
    await life.service.send({ ...event, documentType: 'TRANSPORT_BOOKING', documentId: String(documentId) });
    await ranAgain(life.service, documentId);
    expect(bookingsOf(documentId)).toHaveLength(1);
  });

  it('is booked where nothing else has booked the shipment', async () => {
    const first = await givenUp('drop-before');
    expect(await retried(first)).toMatchObject({ state: 'closed' });
    expect(bookingsOf(first.documentId)).toHaveLength(1);
  });

  it('gets its label where it was booked after all', async () => {
    const first = await givenUp('drop-after');
    expect(await retried(first)).toMatchObject({ state: 'closed' });
    const { trackingNumbers } = await life.service.look(first.documentId);
    expect(bookingsOf(first.documentId)).toMatchObject([{ trackingNumbers }]);
  });

  it.each(['transport booking', 'packing completed'] as const)(
    'is told where a %s was booked after all, and a newer document has booked the shipment',
    async (event) => {
      const first = await givenUp('drop-after', event);
      const second = await life.service.ending(life.service.book(first.shipmentId));
      const { state, told } = await retried(first);
      expect(state).toBe('incomplete');
      expect(told).toContain(lostNumber(first.shipmentId, second.trackingNumbers));
      expect((await life.service.look(second.documentId)).trackingNumbers).toEqual(second.trackingNumbers);
    },
  );

  it('is told where it was booked after all, and its document is cancelled', async () => {
    const first = await givenUp('drop-after');
    life.service.control.cancelDocument(first.documentId);
    await life.service.control.eventsDelivered();
    expect((await retried(first)).told).toContain(lostNumber(first.shipmentId, []));
  });

  it('is told where it was booked after all, and its shipment is cancelled', async () => {
    const first = await givenUp('drop-after');
    await life.service.ims(`PATCH /shipments/${first.shipmentId}`, { cancelled: true });
    expect((await retried(first)).told).toContain(lostNumber(first.shipmentId, []));
  });
});

it('a person who ends a doubt has its worker told of the earlier booking of the shipment', async () => {
  const { service } = life;
  const { control } = service;
  const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName: 'DAO' });
  // A busy machine may get the answer too late, and attaches the label again.
  control.addFault({ target: 'ims', path: '/attachments', kind: 'status', status: 422, times: 'always' });
  const first = await service.ending(service.book(shipmentId));
  control.clearFaults();
  expect(first.consignment.state).toBe('incomplete');
  await service.ims(`PATCH /shipments/${shipmentId}`, { carrierName: 'Pretend' });
  control.addFault({ target: 'pretend', method: 'POST', path: '^/bookings$', kind: 'drop-before' });
  const away = { target: 'pretend', method: 'GET', path: '^/bookings$', kind: 'status', status: 503 } as const;
  control.addFault({ ...away, times: 'always' });
  const documentId = service.book(shipmentId);
  await until('the carrier is asked for it', () => (control.faults().at(-1)?.happened ?? 0) > 0);
  for (const each of [lives, life]) each.forward(GIVE_UP_AFTER_MS);
  const { consignment } = await operatorNeeded(service, documentId);
  expect((await service.act(consignment, 'resolve', { answer: 'give-up' })).status).toBe(202);
  await until('it is ended', async () => (await service.look(documentId)).consignment.state === 'refused');
  expect(textsOf(await service.ending(documentId))).toContain(
    `is booked with DAO by another transport booking, as ${first.trackingNumbers[0]}.`,
  );
});

it('a cancellation whose event names no type books nothing of a doubt that was given up', async () => {
  const { documentId } = await givenUp('drop-before');
  const { control } = life.service;
  const flatEventFields = ['eventId', 'contextId', 'documentType', 'documentId', 'shipmentId'];
  control.setSwitches({ eventShape: 'flat', flatEventFields });
  const mark = life.service.mark();
  control.cancelDocument(documentId);
  await control.eventsDelivered();
  control.setSwitches({ eventShape: 'envelope' });
  const isRead = () => life.service.requestsSince(mark, 'ims').some(({ path }) => path === `/documents/${documentId}`);
  await until('the document is read', isRead);
  await life.service.ending(documentId);
  expect(bookingsOf(documentId)).toEqual([]);
});
