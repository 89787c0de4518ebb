import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';
import { sideBySide } from '../support/side-by-side.js';

const { oneParcel } = sampleShipments;
const MANY = 30;
/** While another booking is made; on a slow machine that takes its time. */
const MAX_PROBES = 3;
/** The sixteen that were sent before the circuit opened, and a few probes. */
const MAX_ASKED = 24;
// On a busy machine each of several waits may take that long.

let service: Service;
/** Begun before the others: it waits for a minute. */
let lostAnswers: Promise<void> | undefined;

beforeAll(async () => {
  // Before the run is left to itself: jest loads no modules between two tests.
  const own = await startService();
  [lostAnswers] = sideBySide([() => findsWhatWasBooked(own).finally(() => own.stop())]);
});

beforeEach(async () => {
  service = await startService();
});

afterEach(() => service.stop());

function bookMany(count = MANY, by = service): readonly number[] {
  return Array.from({ length: count }, () => by.book(by.ship(oneParcel, { carrierName: 'Pretend' })));
}

function said(event: string, by = service) {
  return by.lines.filter((line) => line.event === event);
}

function asked(): number {
  return service.requestsSince(0, 'pretend').length;
}

function done(documents: readonly number[], by = service): number {
  return documents.filter((id) => by.document(id).workStatus === 'DONE').length;
}

async function findsWhatWasBooked(own: Service): Promise<void> {
  own.control.addFault({ target: 'pretend', kind: 'drop-after', times: 'always' });
  const documents = bookMany(MANY, own);
  await until('the circuit opens', () => said('carrier does not answer', own).length > 0);
  own.control.clearFaults();
  await until('all are done', () => done(documents, own) === MANY);
  for (const id of documents) expect(own.bookings('pretend', own.numberOf(id))).toHaveLength(1);
}

it('leaves a carrier alone that is down, and books everything by itself when it answers again', async () => {
  service.control.addFault({ target: 'pretend', kind: 'status', status: 503, body: { errors: [] }, times: 'always' });
  const documents = bookMany();
  await until('the circuit opens', () => said('carrier does not answer').length > 0);
  await until('all are held', () => documents.every((id) => service.document(id).workStatus === 'ON_GOING'));
  const before = asked();
  expect(await service.run(oneParcel, { carrierName: 'GLS' })).toMatchObject({ workStatus: 'DONE', messages: [] });
  expect(asked() - before).toBeLessThanOrEqual(MAX_PROBES);
  expect(asked()).toBeLessThanOrEqual(MAX_ASKED);

  const held = await service.consignmentOf(documents.at(-1) ?? 0);
  expect(held.state).toBe('planned');

  service.control.clearFaults();
  await until('all are done', () => done(documents) === MANY);
  for (const id of documents) expect(service.bookings('pretend', service.numberOf(id))).toHaveLength(1);
  expect(said('carrier does not answer')).toEqual([
    expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ account: 'pretend' }) }),
  ]);
  expect(said('carrier answers again')).toEqual([
    expect.objectContaining({ level: 'info', fields: expect.objectContaining({ account: 'pretend' }) }),
  ]);
});

it('tells a worker once that the carrier does not answer at the moment', async () => {
  service.control.addFault({ target: 'pretend', kind: 'status', status: 503, body: { errors: [] }, times: 'always' });
  bookMany(8);
  await until('the circuit opens', () => said('carrier does not answer').length > 0);
  const late = service.book(service.ship(oneParcel, { carrierName: 'Pretend' }));
  const messages = () => service.messages(service.eventOf(late));
  await until('the worker is told', () => messages().length > 0);
  service.control.clearFaults();
  await until('it is done', () => done([late]) === 1);
  expect(messages()).toEqual([
    expect.objectContaining({ type: 'WARNING', text: expect.stringContaining('does not answer at the moment') }),
  ]);
});

it('cancels at once what is only held', async () => {
  service.control.addFault({ target: 'pretend', kind: 'status', status: 503, body: { errors: [] }, times: 'always' });
  bookMany(8);
  await until('the circuit opens', () => said('carrier does not answer').length > 0);
  const late = service.book(service.ship(oneParcel, { carrierName: 'Pretend' }));
  await until('it is held', async () => (await service.consignmentOf(late))?.state === 'planned');
  service.control.cancelDocument(late);
  expect((await service.ending(late)).consignment.state).toBe('cancelled');
  expect(service.bookings('pretend', service.numberOf(late))).toEqual([]);
});

it('finds what was booked while every answer was lost, and books none of it twice', async () => lostAnswers);
