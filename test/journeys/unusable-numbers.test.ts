import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { Booking, BookingWithLabels } from '../../carriers/contract/model.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { WORKER } from '../../src/sandbox/events/events.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { textsOf } from '../support/endings.js';
import { type Ending, type Service, parcels, startService, until } from '../support/harness.js';

const { oneParcel, toSweden } = sampleShipments;

type Booked = Extract<Booking['parcels'][number], { kind: 'booked' }>;

/** What becomes of a carrier's answers before we see them; the booking has been made by then. */
let bend: (answer: BookingWithLabels) => BookingWithLabels = (answer) => answer;
let service: Service;

beforeAll(async () => {
  service = await startService({ account: bending });
});

afterAll(() => service.stop());

afterEach(() => {
  bend = (answer) => answer;
  service.control.clearFaults();
});

function bending(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  const connect: typeof adapter.connect = (config, tools) => {
    const carrier: CarrierAccount = adapter.connect(config, tools);
    return { ...carrier, book: async (request) => bend(await carrier.book(request)) };
  };
  return { ...account, adapter: { ...adapter, connect } };
}

function withParcels(change: (parcel: Booked, place: number) => Partial<Booked>): typeof bend {
  return (answer) => {
    const parcelsOf = answer.booking.parcels.map((parcel, place) =>
      parcel.kind === 'booked' ? { ...parcel, ...change(parcel, place) } : parcel,
    );
    return { ...answer, booking: { ...answer.booking, parcels: parcelsOf } };
  };
}

const numbered = (trackingNumber: string) => withParcels(() => ({ trackingNumber }));

const CARRIERS = [
  { carrierName: 'GLS', id: 'gls-dk', sample: oneParcel },
  { carrierName: 'DAO', id: 'dao', sample: oneParcel },
  { carrierName: 'Pretend', id: 'pretend', sample: oneParcel },
  { carrierName: 'Bring', id: 'bring', sample: toSweden },
] as const;

/** Booked once, told, and nothing of it in the IMS. */
function expectKeptBack(ending: Ending, id: string): void {
  expect(ending).toMatchObject({
    workStatus: 'FAILED',
    trackingNumbers: ending.trackingNumbers.map(() => undefined),
    carriersShipmentNumber: undefined,
    pages: null,
    prints: [],
    consignment: { state: 'incomplete', needsOperator: false },
  });
  expect(ending.messages[0]).toMatchObject({ type: 'ERROR', ...WORKER });
  expect(textsOf(ending)).toContain('Do not create the transport booking again');
  expect(service.bookings(id, service.numberOf(ending.documentId)).length).toBeGreaterThan(0);
}

describe.each(CARRIERS)(
  'a number of $carrierName that another parcel on its way has',
  ({ carrierName, id, sample }) => {
    it('is kept back, and the worker is told whose it is', async () => {
      const first = await service.run(sample, { carrierName });
      const taken = String(first.trackingNumbers[0]);
      bend = numbered(taken);
      const ending = await service.run(sample, { carrierName });
      expectKeptBack(ending, id);
      expect(textsOf(ending)).toContain(taken);
      expect(textsOf(ending)).toContain(service.numberOf(first.documentId));
      // Asked for again, it is not booked again.
      const bookings = service.bookings(id, service.numberOf(ending.documentId)).length;
      bend = (answer) => answer;
      await service.act(ending.consignment, 'retry');
      const again = await service.ending(ending.documentId);
      expect(again).toMatchObject({ workStatus: 'FAILED', consignment: { state: 'incomplete' } });
      expect(service.bookings(id, service.numberOf(ending.documentId))).toHaveLength(bookings);
      expect(service.numberOf(first.documentId)).not.toBe(service.numberOf(ending.documentId));
    });
  },
);

describe('one number for several parcels of a shipment', () => {
  it.each([
    ['DAO', 'dao', '00057000000000099901'],
    ['Bring', 'bring', '370000000000099901'],
    ['Pretend', 'pretend', 'PR-99901'],
  ])('is written to none of them: %s', async (carrierName, id, number) => {
    bend = numbered(number);
    const sample = id === 'bring' ? { ...toSweden, containers: parcels(2).containers } : parcels(2);
    const ending = await service.run(sample, { carrierName });
    expectKeptBack(ending, id);
    expect(textsOf(ending)).toContain(number);
    expect(textsOf(ending)).toMatch(/#1 .*#2 /);
  });

  it('leaves the third parcel its own', async () => {
    bend = withParcels((parcel, place) => (place < 2 ? { trackingNumber: 'PR-99902' } : parcel));
    const ending = await service.run(parcels(3), { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', consignment: { state: 'incomplete' } });
    const [, , third] = service.bookings('pretend', service.numberOf(ending.documentId))[0]?.trackingNumbers ?? [];
    expect(ending.trackingNumbers).toEqual([undefined, undefined, third]);
  });

  it('is told apart although both parcels are booked in the same moment as those of another shipment', async () => {
    bend = numbered('PR-99903');
    const documents = [1, 2, 3].map(() => service.book(service.ship(oneParcel, { carrierName: 'Pretend' })));
    const endings = await Promise.all(documents.map((documentId) => service.ending(documentId)));
    expect(endings.map(({ workStatus }) => workStatus).sort()).toEqual(['DONE', 'FAILED', 'FAILED']);
  });
});

describe('a number that cannot be one', () => {
  it.each([
    { what: 'with a line break and ESC', carrierName: 'DAO', id: 'dao', number: '00057000\n0000\u001b[31m0000011' },
    { what: 'of 5,000 characters', carrierName: 'GLS', id: 'gls-dk', number: '9'.repeat(5_000) },
    { what: 'of blanks', carrierName: 'Pretend', id: 'pretend', number: '   ' },
    { what: 'that is not of the form of its carrier', carrierName: 'DAO', id: 'dao', number: 'ABC-1' },
    { what: 'written from right to left', carrierName: 'Pretend', id: 'pretend', number: 'PR\u202e100' },
  ])('is kept back: $what', async ({ carrierName, id, number }) => {
    bend = numbered(number);
    const ending = await service.run(oneParcel, { carrierName });
    expectKeptBack(ending, id);
    // eslint-disable-next-line no-control-regex -- none of these may reach a person's screen
    expect(textsOf(ending)).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(ending.messages.every(({ text }) => text.length < 1_000)).toBe(true);
    const shown = await service.operator(`/consignments/${ending.consignment.id}`);
    expect(shown.body.parts[0].unusable).toMatchObject([{ because: 'form' }]);
  });

  it('of the whole shipment is kept back too', async () => {
    bend = (answer) => ({ ...answer, booking: { ...answer.booking, carrierNumber: 'C\u001b[2J\n1' } });
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', carriersShipmentNumber: undefined });
    expect(textsOf(ending)).toContain('Do not create the transport booking again');
  });
});

describe('the answer to another request', () => {
  it('is not believed: Bring', async () => {
    bend = (answer) => ({ ...answer, answersReference: 'another-one' });
    const ending = await service.run(toSweden, { carrierName: 'Bring' });
    expectKeptBack(ending, 'bring');
    expect(textsOf(ending)).toContain('another-one');
  });
});

describe('our own booking', () => {
  it('that is found again after its answer was lost is no other one', async () => {
    service.control.addFault({ target: 'pretend', method: 'POST', path: '^/bookings$', kind: 'drop-after' });
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', messages: [] });
  });

  it('that is taken over by a newer document of the shipment keeps its numbers', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    service.control.emitEvent({ contextId: 1, type: 'packingCompleted', detail: { shipmentId } });
    await until('it is booked', async () => {
      const { consignments } = (await service.operator(`/consignments?q=${shipmentId}`)).body;
      return consignments[0]?.state === 'closed';
    });
    const ending = await service.ending(service.book(shipmentId));
    expect(ending).toMatchObject({ workStatus: 'DONE', trackingNumbers: [expect.any(String)] });
  });

  it('may have a number again that a cancelled one had', async () => {
    const first = await service.run(oneParcel, { carrierName: 'Pretend' });
    service.control.cancelDocument(first.documentId);
    await until('it is cancelled', async () => (await service.consignmentOf(first.documentId)).state === 'cancelled');
    bend = numbered(String(first.trackingNumbers[0]));
    expect(await service.run(oneParcel, { carrierName: 'Pretend' })).toMatchObject({ workStatus: 'DONE' });
  });
});

describe('a link of a carrier', () => {
  it.each([
    ['is a script', 'javascript:alert(1)'],
    ['is data', 'data:text/html,<p>1'],
    ['has no host', 'https:///track'],
    ['is no address', 'track 1'],
    ['has a line break', 'https://carrier.example/\n1'],
    ['comes with a password', 'https://user:secret@carrier.example/1'],
    ['is longer than any page needs', `https://carrier.example/${'x'.repeat(5_000)}`],
  ])('is not written when it %s', async (_what, trackingUrl) => {
    bend = withParcels(() => ({ trackingUrl }));
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', trackingNumbers: [expect.any(String)] });
    const [container] = service.containersOf(service.document(ending.documentId).shipmentIds[0]);
    expect(container?.['trackingUrl'] ?? null).toBeNull();
  });

  it('is written as it came when it is a page', async () => {
    bend = withParcels(() => ({ trackingUrl: 'https://carrier.example/track?q=1&x=2' }));
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    const [container] = service.containersOf(service.document(ending.documentId).shipmentIds[0]);
    expect(container?.['trackingUrl']).toBe('https://carrier.example/track?q=1&x=2');
  });
});
