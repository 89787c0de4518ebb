import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { until } from '../support/harness.js';
import { type Life, type Lives, MINUTE_MS, openLives } from '../support/lives.js';

const { shipment: sample, containers } = sampleShipments.oneParcel;
/** All tries of one call, and one of the next. */
const SEVERAL = 5;
const MESSAGE_AFTER_MS = 15_000;
const GIVE_UP_AFTER_MS = 30 * MINUTE_MS;

let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives();
  life = await lives.begin();
  life.service.listenAgain();
});
afterAll(async () => {
  await life.end();
  await lives.end();
});

/** A shipment that names its seller and says nothing else of who sends it; the seller answers 503. @returns its document */
function book(sellerNumber: string, times: number | 'always'): { documentId: number; sellerPath: string } {
  const { control } = life.service;
  const shipment = { ...sample, sellerNumber, carrierName: 'Pretend' };
  const shown = control.createShipment({ area: 1, shipment, containers });
  const reading = { target: 'ims', method: 'GET', kind: 'status' } as const;
  control.addFault({
    ...{ ...reading, path: `^/shipments/${shown.id}$`, times: 'always', status: 200 },
    body: { ...shown, sellerAddress: null, sellerContactPerson: null },
  });
  const seller = control.state().shipments.find((row) => row.id === shown.id)?.['sellerId'];
  const sellerPath = `/sellers/${String(seller)}`;
  control.addFault({ ...reading, path: `^${sellerPath}$`, times, status: 503 });
  return { documentId: life.service.book(shown.id), sellerPath };
}

it("books a shipment whose seller cannot be read now with the seller's address once it can be, never with the area's", async () => {
  const { service } = life;
  const mark = service.mark();
  const { documentId, sellerPath } = book('FJORD', SEVERAL);
  await until('it is booked', () => service.document(documentId).workStatus === 'DONE');
  const requests = service.requestsSince(mark);
  expect(requests.filter(({ path }) => path === sellerPath)).toHaveLength(SEVERAL + 1);
  const sent = requests.filter(({ target, method }) => target === 'pretend' && method === 'POST');
  expect(sent.map(({ body }) => body)).toMatchObject([{ sender: { name: 'Fjord & Fjeld ApS' } }]);
  expect(service.bookings('pretend', service.numberOf(documentId))).toHaveLength(1);
});

it('gives up a shipment whose seller can never be read: told when it takes longer and at the end, and nothing is booked', async () => {
  const { service } = life;
  const postponed = () => service.lines.filter(({ event }) => event === 'postponed').length;
  const before = postponed();
  const { documentId } = book('ULDVARER', 'always');
  const told = () => service.messages(service.eventOf(documentId));
  await until('it waits', () => postponed() > before);
  expect(told()).toEqual([]);

  life.forward(MESSAGE_AFTER_MS);
  await until('the worker is told', () => told().length > 0);
  expect(told()).toMatchObject([{ type: 'WARNING', text: expect.stringContaining('takes longer') }]);

  life.forward(GIVE_UP_AFTER_MS);
  const { workStatus, messages } = await service.ending(documentId);
  expect(workStatus).toBe('FAILED');
  expect(messages.at(-1)).toMatchObject({ type: 'ERROR', text: expect.stringContaining('have booked nothing') });
  // The clock may jump before it is noted that the worker was told: then he is told again.
  expect(new Set(messages.slice(0, -1).map(({ type }) => type))).toEqual(new Set(['WARNING']));
  expect(service.bookings('pretend', service.numberOf(documentId))).toEqual([]);
});
