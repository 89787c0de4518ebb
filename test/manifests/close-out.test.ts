import { expect, it } from '@jest/globals';
import { CarrierRejected } from '../../carriers/contract/errors.js';
import type { Booking } from '../../carriers/contract/model.js';
import { accountOf } from '../../src/accounts/account.js';
import { closeOutEach } from '../../src/manifests/close-out.js';
import { NOON, bookedPart, consignment, plan, bookingContext } from '../support/consignments.js';

const unable = () => Promise.reject(new Error('not in this test'));

it('tells the carrier that an account belongs to by now only of its own bookings, and says which ones it was not asked about', async () => {
  const told: (string | null)[] = [];
  const closeOut = async (bookings: readonly Booking[]) => {
    told.push(...bookings.map(({ carrierNumber }) => carrierNumber));
    return { number: 'M-1' };
  };
  const context = bookingContext({ book: unable, closeOut }, {}, { now: () => NOON });
  const former = { ...plan(['box-1']), carrierId: 'former', carrierName: 'Former Carrier' };
  const taken = consignment({
    id: 'c-1',
    shipmentNumber: '10001',
    state: 'closed',
    plan: former,
    parts: [bookedPart(1)],
  });
  const own = consignment({
    id: 'c-2',
    shipmentNumber: '10002',
    state: 'closed',
    plan: plan(['box-2']),
    parts: [bookedPart(2)],
  });
  const result = await closeOutEach(context, { taskId: 't-1', consignments: [taken, own] });
  expect(told).toEqual(['C-2']);
  expect(result).toEqual({
    numbers: ['M-1'],
    refused: [{ text: expect.stringMatching(/"main" is one of Test Carrier by now.*\(10001\)/), from: 'us' }],
    failed: [],
  });
});

it('closes out nothing that was booked for another customer of the carrier than the account has by now, and says so', async () => {
  const told: unknown[] = [];
  const closeOut = async (bookings: readonly Booking[]) => (told.push(bookings), { number: 'M-1' });
  const world = bookingContext({ book: unable, closeOut }, {}, { now: () => NOON });
  const accounts = new Map([['main', { ...accountOf(world, 'main'), customer: '6' }]]);
  const consignments = [
    consignment({
      state: 'closed',
      plan: { ...plan(['box-1']), configuredCustomer: '7' },
      parts: [bookedPart(1)],
    }),
  ];
  const text = 'account "main" is one of another customer of Test Carrier by now';
  expect(await closeOutEach({ ...world, accounts }, { taskId: 't-1', consignments })).toEqual({
    numbers: [],
    refused: [{ text, from: 'us' }],
    failed: [],
  });
  expect(told).toEqual([]);
});

it('says what was closed where the carrier refuses one of several calls, and makes the others all the same', async () => {
  const problem = { code: 'late', text: 'the day is closed', parcelId: null };
  const sizes: number[] = [];
  const closeOut = async (bookings: readonly Booking[]) => {
    sizes.push(bookings.length);
    if (sizes.length === 2) throw new CarrierRejected([problem]);
    return { number: `M-${sizes.length}` };
  };
  const context = bookingContext({ book: unable, closeOut }, {}, { now: () => NOON });
  const consignments = Array.from({ length: 1_001 }, (_none, n) =>
    consignment({
      id: `c-${n}`,
      shipmentNumber: String(10_000 + n),
      state: 'closed',
      plan: plan([`box-${n}`]),
      parts: [bookedPart(n)],
    }),
  );
  expect(await closeOutEach(context, { taskId: 't-1', consignments })).toEqual({
    numbers: ['M-1', 'M-3'],
    refused: [{ text: expect.stringMatching(/^the day is closed \(10500, 10501, .*\(\+490\)\)$/), from: 'carrier' }],
    failed: [],
  });
  expect(sizes).toEqual([500, 500, 1]);
});
