import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, until } from '../support/harness.js';
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
async function givenUp(kind: 'drop-before' | 'drop-after') {
  const { service } = life;
  const { control } = service;
  const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  control.addFault({ target: 'pretend', method: 'POST', path: '^/bookings$', kind });
  const away = { target: 'pretend', method: 'GET', path: '^/bookings$', kind: 'status', status: 503 } as const;
  control.addFault({ ...away, times: 'always' });
  const documentId = service.book(shipmentId);
  await until('the carrier is asked for it', () => (control.faults().at(-1)?.happened ?? 0) > 0);
  life.forward(GIVE_UP_AFTER_MS);
  await until('a person is asked', async () => (await service.consignmentOf(documentId))?.needsOperator === true);
  const { consignment } = await service.ending(documentId);
  expect((await service.act(consignment, 'resolve', { answer: 'give-up' })).status).toBe(202);
  expect(await service.ending(documentId)).toMatchObject({ consignment: { state: 'refused' } });
  control.clearFaults();
  return { shipmentId, documentId, consignment };
}

async function retried({ documentId, consignment }: Pick<Ending, 'documentId' | 'consignment'>): Promise<Ending> {
  expect((await life.service.act(consignment, 'retry')).status).toBe(202);
  return life.service.ending(documentId);
}

const bookingsOf = (documentId: number) => life.service.bookings('pretend', life.service.numberOf(documentId));

it('a doubt that was given up is not booked by a retry once a newer document has booked the shipment', async () => {
  const { shipmentId, ...first } = await givenUp('drop-before');
  const second = await life.service.ending(life.service.book(shipmentId));
  expect(second.workStatus).toBe('DONE');
  const after = await retried(first);
  expect(after).toMatchObject({ workStatus: 'FAILED', consignment: { state: 'refused' } });
  expect(after.messages.at(-1)?.text).toContain('another one has booked it since');
  expect(bookingsOf(first.documentId).map(({ trackingNumbers }) => trackingNumbers)).toEqual([second.trackingNumbers]);
});

it('a doubt that was given up, and was booked after all, is told by a retry once a newer document has booked the shipment', async () => {
  const { shipmentId, ...first } = await givenUp('drop-after');
  const second = await life.service.ending(life.service.book(shipmentId));
  const after = await retried(first);
  const [lost] = bookingsOf(first.documentId).filter(
    ({ trackingNumbers }) => trackingNumbers[0] !== second.trackingNumbers[0],
  );
  expect(after.consignment.state).toBe('incomplete');
  expect(after.messages.at(-1)?.text).toContain(String(lost?.trackingNumbers[0]));
  expect((await life.service.look(second.documentId)).trackingNumbers).toEqual(second.trackingNumbers);
});

it('a doubt that was given up is booked by a retry where nothing else has booked the shipment', async () => {
  const first = await givenUp('drop-before');
  expect(await retried(first)).toMatchObject({ workStatus: 'DONE', consignment: { state: 'closed' } });
  expect(bookingsOf(first.documentId)).toHaveLength(1);
});

it('a doubt that was given up, and was booked after all, gets its label by a retry', async () => {
  const first = await givenUp('drop-after');
  const after = await retried(first);
  expect(after).toMatchObject({ workStatus: 'DONE', consignment: { state: 'closed' } });
  expect(bookingsOf(first.documentId).map(({ trackingNumbers }) => trackingNumbers)).toEqual([after.trackingNumbers]);
});
