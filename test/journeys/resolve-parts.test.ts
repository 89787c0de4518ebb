import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { allTexts, operatorNeeded } from '../support/endings.js';
import { type Service, parcels, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Two parcels with DAO that somebody may have booked before our records began: each is a request of its own. */
async function twoInDoubt() {
  const shipmentId = service.ship(parcels(2, oneParcel), { carrierName: 'DAO' });
  const { documentId } = service.bookQuietly(shipmentId);
  await service.ims(`PATCH /documents/${documentId}`, { workStatus: 'ON_GOING' });
  const wish = { method: 'POST', body: { area: '1', document: String(documentId) } };
  expect((await service.operator('/replay', wish)).status).toBe(200);
  const { consignment, messages } = await operatorNeeded(service, documentId);
  const ids = service.containersOf(shipmentId).map((row) => String(row['id']));
  const number = service.numberOf(documentId);
  const [first, second] = [`${number}-1`, `${number}-2`];
  return { documentId, consignment, messages, ids, number, first, second };
}

describe('two parts of which nobody knows whether they are booked', () => {
  it('are named both to the worker', async () => {
    const { messages, first, second } = await twoInDoubt();
    expect(messages).toMatchObject([{ type: 'ERROR', text: expect.stringContaining(`${first}, ${second}`) }]);
  });

  it('get an answer each: what is there keeps its number, what is not is booked', async () => {
    const { documentId, consignment, ids, number, first, second } = await twoInDoubt();
    const [container = '', other = ''] = ids;
    const found = { carrierNumber: null, trackingNumbers: { [container]: '00057151270000000001' } };
    const answers = [
      { reference: first, outcome: 'booked', ...found },
      { reference: second, outcome: 'not-booked' },
    ];
    expect((await service.act(consignment, 'resolve', { parts: answers })).status).toBe(202);
    const ending = await service.ending(documentId);
    const bookings = service.bookings('dao', number);
    expect(bookings).toHaveLength(1);
    expect(ending.trackingNumbers).toEqual(['00057151270000000001', bookings[0]?.trackingNumbers[0]]);
    expect(ending.consignment.parts.flatMap((part: { containers: string[] }) => part.containers)).toContain(other);
  });

  it('are not settled by an answer that leaves one open, or is about something else', async () => {
    const { consignment, ids, number, first, second } = await twoInDoubt();
    const [container = '', other = ''] = ids;
    const no = (reference: string) => ({ reference, outcome: 'not-booked' });
    const booked = (trackingNumbers: object) => ({ reference: first, outcome: 'booked', trackingNumbers });
    const told = async (body: object) => {
      const { status, body: problem } = await service.act(consignment, 'resolve', body);
      return [status, problem.detail];
    };
    expect(await told({ parts: [no(first)] })).toEqual([409, `an answer is missing for ${second}`]);
    const both = `${first}, ${second} are in doubt: answer for each of them in "parts"`;
    expect(await told({ answer: 'not-booked' })).toEqual([409, both]);
    expect(await told({ answer: 'booked', trackingNumbers: { [container]: '1' } })).toEqual([409, both]);
    expect(await told({ parts: [no(first), no(second), no(first)] })).toEqual([409, 'each reference is answered once']);
    const strange = [409, `${number}-3 is not in doubt; in doubt: ${first}, ${second}`];
    expect(await told({ parts: [no(first), no(second), no(`${number}-3`)] })).toEqual(strange);
    const lacking = [409, `container ${container} needs its tracking number`];
    expect(await told({ parts: [booked({}), no(second)] })).toEqual(lacking);
    const others = [409, `${first} has no container ${other}`];
    expect(await told({ parts: [booked({ [container]: '1', [other]: '2' }), no(second)] })).toEqual(others);
    expect(service.bookings('dao', number)).toEqual([]);
  });

  it.each([
    ['no parts', { parts: [] }],
    ['parts beside an answer', { answer: 'not-booked', parts: [{ reference: '1', outcome: 'not-booked' }] }],
    ['a part without a reference', { parts: [{ outcome: 'not-booked' }] }],
    ['a part without an outcome', { parts: [{ reference: '1' }] }],
    ['a part without its numbers', { parts: [{ reference: '1', outcome: 'booked' }] }],
    ['a part that is nothing', { parts: [null] }],
  ])('cannot be answered by %s', async (_what, body) => {
    expect((await service.operator('/consignments/any/resolve', { method: 'POST', body })).status).toBe(400);
  });

  it('end when a person gives them up', async () => {
    const { documentId, consignment } = await twoInDoubt();
    expect((await service.act(consignment, 'resolve', { answer: 'give-up' })).status).toBe(202);
    expect((await service.ending(documentId)).consignment).toMatchObject({ state: 'refused' });
  });
});

it('a cancellation names the part of which nobody knows whether it is booked', async () => {
  const shipmentId = service.ship(parcels(2, oneParcel), { carrierName: 'DAO' });
  service.control.addFault({ target: 'dao', path: '/DAODirekte/leveringsordre', kind: 'drop-after', after: 1 });
  const documentId = service.book(shipmentId);
  const { consignment } = await operatorNeeded(service, documentId);
  await service.act(consignment, 'resolve', { answer: 'give-up' });
  await service.ending(documentId);
  const texts = () => allTexts(service);
  const before = texts().length;
  service.control.cancelDocument(documentId);
  await until('two messages came', () => texts().length === before + 2);
  const number = service.numberOf(documentId);
  expect(texts().slice(before)).toEqual([
    expect.stringContaining(`Shipment ${number} is cancelled with DAO`),
    expect.stringContaining(`It may still be booked as ${number}-2`),
  ]);
});
