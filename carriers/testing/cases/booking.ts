import assert from 'node:assert/strict';
import type { BookingRequest, HttpPort } from '../../contract/index.js';
import { deepFreeze, rejects, trackingNumbers } from '../assertions.js';
import { reversed, rewriting, withoutLast } from '../faults.js';
import { type ContractCase, type Stage, type Suite, staged } from '../suite.js';

/** No packer waits longer for one answer. */
export const MAX_DEADLINE_MS = 60_000;

export function watched(http: HttpPort, waits: number[]): HttpPort['send'] {
  return (request) => {
    waits.push(request.timeoutMs);
    return http.send(request);
  };
}

export function bookingCases(suite: Suite): readonly ContractCase[] {
  const { adapter, ordinary, variants, changes } = suite;
  return [
    ...variants.map(([what, request]) =>
      staged(suite, `booking: books ${what} and returns every parcel in its order`, async ({ server, connect }) => {
        const { booking } = await connect().book(deepFreeze(request));
        assert.deepEqual(
          booking.parcels.map(({ parcelId }) => parcelId),
          request.parcels.map(({ id }) => id),
        );
        const booked = server.simulator
          .bookings()
          .map(({ reference, carrierNumber, trackingNumbers: numbers, state }) => [
            ...[reference, carrierNumber, state],
            ...numbers,
          ]);
        const { carrierNumber } = booking;
        assert.deepEqual(booked, [[request.reference, carrierNumber, 'booked', ...trackingNumbers(booking)]]);
      }),
    ),
    ...variants.map(([what, request]) =>
      staged(suite, `booking: finds nothing to object to beforehand in ${what}`, async ({ connect }) => {
        assert.deepEqual(connect().check?.(request) ?? [], []);
      }),
    ),
    staged(suite, 'booking: sends one changing request for a booking', async ({ server, connect }) => {
      await connect().book(ordinary);
      assert.equal(server.asked().filter(changes).length, 1);
    }),
    staged(suite, 'booking: gives every request a deadline', (stage) => bookInTime(suite, stage)),
    staged(suite, 'booking: takes a reference as long as its traits promise', async ({ server, connect }) => {
      const reference = 'R'.padEnd(adapter.traits.maxReferenceLength, '0123456789');
      await connect().book({ ...ordinary, reference });
      assert.deepEqual(
        server.simulator.bookings().map((booking) => booking.reference),
        [reference],
      );
    }),
    staged(suite, 'booking: does with a repeated reference what its traits say', (stage) => bookTwice(suite, stage)),
    staged(suite, 'booking: leaves the request that it is given as it is', async ({ connect }) => {
      const before = JSON.stringify(ordinary);
      const request: BookingRequest = JSON.parse(before);
      await connect().book(request);
      assert.equal(JSON.stringify(request), before, 'the adapter changed it');
    }),
    staged(suite, 'booking: keeps nothing from one booking to the next', (stage) => bookTwoAtOnce(suite, stage)),
    ...(ordinary.parcels.length > 1 ? severalParcels(suite) : []),
  ];
}

async function bookInTime({ http, ordinary }: Suite, { connect }: Stage): Promise<void> {
  const waits: number[] = [];
  await connect({ ...http, send: watched(http, waits) }).book(ordinary);
  const isBounded = waits.every((ms) => ms > 0 && ms <= MAX_DEADLINE_MS);
  assert.ok(isBounded, `the adapter waits for ${waits.join(', ')} ms`);
}

async function bookTwoAtOnce({ ordinary }: Suite, { server, connect }: Stage): Promise<void> {
  const account = connect();
  const other = { ...ordinary, reference: `${ordinary.reference}9`, parcels: ordinary.parcels.slice(0, 1) };
  const [first, second] = await Promise.all([account.book(ordinary), account.book(other)]);
  const numbers = (reference: string) =>
    server.simulator.bookings().find((booking) => booking.reference === reference)?.trackingNumbers;
  assert.deepEqual(trackingNumbers(first.booking), numbers(ordinary.reference));
  assert.deepEqual(trackingNumbers(second.booking), numbers(other.reference));
}

async function bookTwice({ adapter, ordinary }: Suite, { connect }: Stage): Promise<void> {
  const first = await connect().book(ordinary);
  const second = connect().book(ordinary);
  switch (adapter.traits.repeatedBooking) {
    case 'books-again':
      return assert.notDeepEqual(trackingNumbers((await second).booking), trackingNumbers(first.booking));
    case 'returns-first':
      return assert.deepEqual(trackingNumbers((await second).booking), trackingNumbers(first.booking));
    case 'refused':
      assert.equal((await rejects(second, 'CarrierRejected')).because, 'duplicate');
  }
}

function severalParcels(suite: Suite): readonly ContractCase[] {
  const { ordinary, http } = suite;
  const leftOut = staged(
    suite,
    'booking: does not know what became of it when the answer leaves out a parcel',
    async ({ connect }) => {
      await rejects(connect(rewriting(http, withoutLast)).book(ordinary), 'OutcomeUnknown');
    },
  );
  const reordered = staged(
    suite,
    'booking: gives each parcel its own number when the answer names them in another order',
    async ({ server, connect }) => {
      const { booking } = await connect(rewriting(http, reversed)).book(ordinary);
      assert.deepEqual(
        booking.parcels.map(({ parcelId }) => parcelId),
        ordinary.parcels.map(({ id }) => id),
      );
      assert.deepEqual(trackingNumbers(booking), server.simulator.bookings()[0]?.trackingNumbers);
    },
  );
  return suite.parcelsMatchedBy === 'id' ? [reordered, leftOut] : [leftOut];
}
