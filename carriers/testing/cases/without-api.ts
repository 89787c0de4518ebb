import assert from 'node:assert/strict';
import { CarrierUnavailable, type NumberPort, NumbersUsedUp } from '../../contract/index.js';
import { deepFreeze, rejects, trackingNumbers } from '../assertions.js';
import { type ContractCase, type Suite, staged } from '../suite.js';

/** A carrier whose parcels we number ourselves: nothing is sent, so no answer can be lost. */
export function withoutApiCases(suite: Suite): readonly ContractCase[] {
  const { ordinary, variants } = suite;
  return [
    ...variants.map(([what, request]) =>
      staged(
        suite,
        `booking: books ${what} and returns every parcel in its order, and sends nothing`,
        async (stage) => {
          const { booking, labels } = await stage.connect().book(deepFreeze(request));
          assert.deepEqual(
            booking.parcels.map(({ parcelId }) => parcelId),
            request.parcels.map(({ id }) => id),
          );
          assert.equal(new Set(trackingNumbers(booking)).size, request.parcels.length, 'parcels share a number');
          assert.ok(labels.length > 0, 'the labels do not come with the booking');
          assert.deepEqual(stage.server.seen, []);
        },
      ),
    ),
    ...variants.map(([what, request]) =>
      staged(suite, `booking: finds nothing to object to beforehand in ${what}`, async ({ connect }) => {
        assert.deepEqual(connect().check?.(request) ?? [], []);
      }),
    ),
    staged(suite, 'booking: gives a repeated request the same numbers and labels', async ({ connect }) => {
      const first = await connect().book(ordinary);
      assert.deepEqual(await connect().book(ordinary), first);
    }),
    staged(suite, 'booking: gives no number to two bookings', async ({ connect }) => {
      const account = connect();
      const requests = ['1', '2', '3', '4'].map((n) => ({ ...ordinary, reference: `${ordinary.reference}${n}` }));
      const booked = await Promise.all(requests.map((request) => account.book(request)));
      const numbers = booked.flatMap(({ booking }) => trackingNumbers(booking));
      assert.equal(new Set(numbers).size, numbers.length);
    }),
    staged(suite, 'booking: takes a reference as long as its traits promise', async ({ connect }) => {
      const reference = 'R'.padEnd(suite.adapter.traits.maxReferenceLength, '0123456789');
      const { booking } = await connect().book({ ...ordinary, reference });
      assert.equal(booking.parcels.length, ordinary.parcels.length);
    }),
    ...failingWithoutApi(suite),
  ];
}

function failingWithoutApi(suite: Suite): readonly ContractCase[] {
  const { ordinary, refused } = suite;
  return [
    staged(suite, 'failing: is rejected with problems when it refuses the request itself', async ({ connect }) => {
      const { problems } = await rejects(connect().book(refused), 'CarrierRejected');
      assert.ok(problems.length > 0, 'the error names no problem');
    }),
    staged(suite, 'failing: was certainly not made while no numbers are given out', async ({ connect }) => {
      const away = refusing(new CarrierUnavailable('the database is away'));
      await rejects(connect(suite.http, away).book(ordinary), 'CarrierUnavailable');
    }),
    staged(suite, 'failing: is rejected when the numbers are used up', async ({ connect }) => {
      const { problems } = await rejects(
        connect(suite.http, refusing(new NumbersUsedUp('none are left'))).book(ordinary),
        'CarrierRejected',
      );
      assert.ok(problems.length > 0, 'the error names no problem');
    }),
    ...(suite.able.cancel ? [cancelCase(suite)] : []),
  ];
}

function cancelCase(suite: Suite): ContractCase {
  return staged(suite, 'cancel: cancels what was booked, and again without harm', async ({ connect }) => {
    const { booking } = await connect().book(suite.ordinary);
    assert.deepEqual(await connect().cancel?.(booking), { kind: 'cancelled' });
    assert.deepEqual(await connect().cancel?.(booking), { kind: 'cancelled' });
  });
}

function refusing(error: Error): NumberPort {
  return { take: () => Promise.reject(error) };
}
