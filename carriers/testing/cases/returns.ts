import assert from 'node:assert/strict';
import type { BookingRequest, BookingWithLabels, CarrierAccount } from '../../contract/index.js';
import { deepFreeze, errorOf, pageCount, rejects, showNumbers, showsNoSecret, trackingNumbers } from '../assertions.js';
import { answering } from '../carrier-server.js';
import { LOST, TOO_MANY, UNREADABLE } from '../faults.js';
import { pageTexts } from '../page-texts.js';
import { type ContractCase, type Stage, type Suite, nowhere, staged } from '../suite.js';
import { MAX_DEADLINE_MS, watched } from './booking.js';

/** A return label for one parcel that was booked. */
export function returnCases(suite: Suite): readonly ContractCase[] {
  const { changes } = suite;
  const request = returnOf(suite);
  return [
    staged(suite, 'returns: are booked for the parcel, with a tracking number that the carrier gave', async (stage) => {
      const { booking } = await returnAt(stage.connect(), deepFreeze(request));
      assert.deepEqual(
        booking.parcels.map(({ parcelId }) => parcelId),
        request.parcels.map(({ id }) => id),
      );
      const made = stage.server.simulator.returns?.() ?? [];
      assert.deepEqual(
        made.map(({ reference, trackingNumber }) => [reference, trackingNumber]),
        [[request.reference, ...trackingNumbers(booking)]],
      );
      assert.deepEqual(stage.server.simulator.bookings(), [], 'the carrier has booked it as a parcel to a customer');
    }),
    staged(suite, 'returns: go from the customer to the warehouse', async ({ server, connect }) => {
      await returnAt(connect(), request);
      const [made] = server.simulator.returns?.() ?? [];
      assert.ok(made, 'the carrier has no return');
      const isOf = (lines: readonly string[], { address }: BookingRequest['sender']) =>
        address.name !== null && lines.some((line) => line.includes(address.name ?? ''));
      assert.ok(isOf(made.sender, request.sender), `the sender is ${made.sender.join(', ')}`);
      assert.ok(isOf(made.recipient, request.recipient), `the recipient is ${made.recipient.join(', ')}`);
    }),
    staged(suite, 'returns: have a label of one page that shows their number', async ({ connect }) => {
      const account = connect();
      const { booking, labels } = await returnAt(account, request);
      const all = labels.length > 0 ? labels : ((await account.fetchLabels?.(booking)) ?? []);
      assert.equal(await pageCount(all), 1);
      showNumbers(await pageTexts(all), trackingNumbers(booking));
    }),
    staged(suite, 'returns: take one changing request', async ({ server, connect }) => {
      await returnAt(connect(), request);
      assert.equal(server.asked().filter(changes).length, 1);
    }),
    staged(suite, 'returns: give every request a deadline', (stage) => returnInTime(suite, stage)),
    ...(suite.able.findByReference ? [foundCase(suite)] : []),
    ...failingReturns(suite),
  ];
}

function foundCase(suite: Suite): ContractCase {
  return staged(suite, 'returns: are found by their reference', async ({ connect, untilVisible }) => {
    const { carrierNumber } = (await connect().book(suite.ordinary)).booking;
    const request = { ...returnOf(suite), ...(carrierNumber && { returnOf: carrierNumber }) };
    const { booking } = await returnAt(connect(), request);
    untilVisible();
    const found = await connect().findByReference?.(request);
    assert.deepEqual(
      found?.parcels.map(({ trackingNumber }) => trackingNumber),
      trackingNumbers(booking),
    );
  });
}

function failingReturns(suite: Suite): readonly ContractCase[] {
  const { secrets } = suite;
  const request = returnOf(suite);
  const refused = refusedReturnOf(suite);
  return [
    staged(suite, 'returns: are rejected with problems when the carrier refuses them', async ({ server, connect }) => {
      const { problems } = await rejects(connect().returnLabel?.(refused), 'CarrierRejected');
      assert.ok(problems.length > 0, 'the error names no problem');
      assert.deepEqual(server.simulator.returns?.() ?? [], []);
    }),
    staged(suite, 'returns: are rejected when the carrier does not let us in', async ({ stranger }) => {
      showsNoSecret(await rejects(stranger().returnLabel?.(request), 'CarrierRejected'), secrets);
    }),
    ...[...LOST, ...UNREADABLE].map(([what, fault]) =>
      staged(suite, `returns: have an unknown outcome after ${what}, and show no secret`, async (stage) => {
        const error = await rejects(stage.failingToChange(fault).returnLabel?.(request), 'OutcomeUnknown');
        showsNoSecret(error, secrets);
        assert.equal(stage.server.asked().filter(suite.changes).length, 1, 'the adapter asked more than once');
      }),
    ),
    staged(suite, 'returns: were certainly not made after status 429', async ({ failing }) => {
      await rejects(failing(TOO_MANY[1]).returnLabel?.(request), 'CarrierUnavailable');
    }),
    staged(suite, 'returns: were certainly not made by a carrier that is not there', async () => {
      await rejects(nowhere(suite).returnLabel?.(request), 'CarrierUnavailable');
    }),
    staged(suite, 'returns: show no secret after status 401', async ({ failing }) => {
      showsNoSecret(await errorOf(failing(answering(401, 'who are you')).returnLabel?.(request)), secrets);
    }),
  ];
}

async function returnInTime(suite: Suite, { connect }: Stage): Promise<void> {
  const waits: number[] = [];
  await returnAt(connect({ ...suite.http, send: watched(suite.http, waits) }), returnOf(suite));
  const isBounded = waits.every((ms) => ms > 0 && ms <= MAX_DEADLINE_MS);
  assert.ok(isBounded, `the adapter waits for ${waits.join(', ')} ms`);
}

async function returnAt(account: CarrierAccount, request: BookingRequest): Promise<BookingWithLabels> {
  return (await account.returnLabel?.(request)) ?? assert.fail('the account makes no return labels');
}

/** The first parcel of the ordinary booking, on its way back. */
function returnOf({ adapter, ordinary }: Suite): BookingRequest {
  const { maxReferenceLength } = adapter.traits;
  return {
    ...ordinary,
    reference: `R${ordinary.reference}`.slice(0, maxReferenceLength),
    sender: ordinary.recipient,
    recipient: ordinary.sender,
    ...{ options: {}, deliverToPickUpPoint: false, pickUpPointId: null, privateDelivery: false },
    ...{ unattendedDelivery: false, notesOnDelivery: null, parcels: ordinary.parcels.slice(0, 1) },
  };
}

/** A return whose warehouse has the address, and which has the service, for which the carrier refuses a booking. */
function refusedReturnOf(suite: Suite): BookingRequest {
  const { recipient, service } = suite.refused;
  return { ...returnOf(suite), recipient, service };
}
