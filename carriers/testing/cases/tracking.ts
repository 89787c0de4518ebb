import assert from 'node:assert/strict';
import type { CarrierAccount, TrackingStatus } from '../../contract/index.js';
import { rejects, showsNoSecret, trackingNumbers } from '../assertions.js';
import type { Fault } from '../carrier-server.js';
import { LOST, TOO_MANY, UNREADABLE, lastAnswer } from '../faults.js';
import { type ContractCase, type Stage, type Suite, TEST_NOW, nowhere, plain, staged } from '../suite.js';

const UNKNOWN_NUMBER = '70000000000';
const UNKNOWN_BOOKING = '70000000001';
const MINUTE_MS = 60_000;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** For a carrier that can be asked what became of parcels. */
export function trackingCases(suite: Suite): readonly ContractCase[] {
  return [
    staged(suite, 'tracking: tells what happened, and at which moment', (stage) => toldInTime(suite, stage)),
    staged(suite, 'tracking: tells the same whenever it is asked', async (stage) => {
      const [number, account] = await bookedParcel(suite, stage);
      happen(stage, number, ['registered', 0]);
      happen(stage, number, ['delivered', 5]);
      assert.deepEqual(await tracked(account, [number], stage), await tracked(account, [number], stage));
    }),
    staged(suite, 'tracking: answers for as many parcels as its traits promise, each under its number', (stage) =>
      manyAtOnce(suite, stage),
    ),
    staged(suite, 'tracking: knows nothing of a parcel that the carrier does not know', async ({ connect }) => {
      assert.deepEqual(await tracked(connect(), [UNKNOWN_NUMBER]), []);
    }),
    staged(suite, 'tracking: changes nothing at the carrier', async (stage) => {
      const [number, account] = await bookedParcel(suite, stage);
      happen(stage, number, ['delivered', 3]);
      const before = stage.server.simulator.bookings();
      await tracked(account, [number], stage);
      assert.deepEqual(stage.server.simulator.bookings(), before);
    }),
    ...askedAgain(suite),
    plain('tracking: can be asked again when the carrier does not answer', async () => {
      await rejects(tracked(nowhere(suite), [UNKNOWN_NUMBER]), 'CarrierUnavailable');
    }),
    staged(suite, 'tracking: is rejected when the carrier does not let us in', async ({ stranger }) => {
      const error = await rejects(tracked(stranger(), [UNKNOWN_NUMBER]), 'CarrierRejected');
      showsNoSecret(error, suite.secrets);
    }),
  ];
}

/** For a carrier that tells what changed in an account. */
export function feedCases(suite: Suite): readonly ContractCase[] {
  return [
    staged(suite, 'changes: come with a cursor, and change nothing at the carrier', async ({ connect, server }) => {
      await connect().book(suite.ordinary);
      const before = server.simulator.bookings();
      const told = await connect().trackChanges?.(null);
      assert.ok(told && told.cursor !== '' && told.waitMs >= 0);
      assert.deepEqual(server.simulator.bookings(), before);
    }),
    plain('changes: can be asked for again when the carrier does not answer', async () => {
      await rejects(nowhere(suite).trackChanges?.(null), 'CarrierUnavailable');
    }),
    ...[...LOST, ...UNREADABLE, TOO_MANY].map(([what, fault]) =>
      staged(suite, `changes: can be asked for again after ${what}`, async ({ failing }) => {
        showsNoSecret(await rejects(failing(fault).trackChanges?.(null), 'CarrierUnavailable'), suite.secrets);
      }),
    ),
    staged(suite, 'changes: are rejected when the carrier does not let us in', async ({ stranger }) => {
      showsNoSecret(await rejects(stranger().trackChanges?.(null), 'CarrierRejected'), suite.secrets);
    }),
  ];
}

function askedAgain({ http, ...suite }: Suite): readonly ContractCase[] {
  const cases = [...LOST, ...UNREADABLE, TOO_MANY] as readonly (readonly [string, Fault, string?])[];
  return cases.map(([what, fault, body]) =>
    staged({ http, ...suite }, `tracking: can be asked again after ${what}`, async ({ connect, failing }) => {
      const answerForNone = () => lastAnswer(http, (port) => tracked(connect(port), [UNKNOWN_NUMBER]));
      // What the carrier itself answers where it has nothing is no failure.
      if (body !== undefined && (await answerForNone()) === body) return;
      const error = await rejects(tracked(failing(fault), [UNKNOWN_NUMBER]), 'CarrierUnavailable');
      showsNoSecret(error, suite.secrets);
    }),
  );
}

async function toldInTime(suite: Suite, stage: Stage): Promise<void> {
  const [number, account] = await bookedParcel(suite, stage);
  const at = happen(stage, number, ['delivered', 7]);
  const events = await tracked(account, [number], stage);
  const told = events.map((event) => [event.trackingNumber, event.status, Date.parse(event.at)]);
  assert.deepEqual(told, [[number, 'delivered', at.getTime()]]);
  for (const event of events) assert.match(event.at, MOMENT, 'a moment needs an offset');
}

async function manyAtOnce(suite: Suite, stage: Stage): Promise<void> {
  const { trackAtOnce = 1 } = suite.adapter.traits;
  const numbers: string[] = [];
  const account = stage.connect();
  for (let n = 0; numbers.length < trackAtOnce; n += 1) {
    const { booking } = await account.book({ ...suite.ordinary, reference: `${suite.ordinary.reference}${n}` });
    numbers.push(...trackingNumbers(booking));
  }
  const asked = numbers.slice(0, trackAtOnce);
  for (const number of asked) happen(stage, number, ['delivered', 3]);
  const told = (await tracked(account, asked, stage)).map(({ trackingNumber }) => trackingNumber);
  assert.deepEqual([...told].sort(), [...asked].sort());
}

async function bookedParcel({ ordinary }: Suite, { connect }: Stage): Promise<readonly [string, CarrierAccount]> {
  const account = connect();
  const [number] = trackingNumbers((await account.book(ordinary)).booking);
  assert.ok(number !== undefined, 'the booking has no parcel');
  return [number, account];
}

function happen({ server }: Stage, trackingNumber: string, [status, minute]: readonly [TrackingStatus, number]): Date {
  const at = new Date(TEST_NOW.getTime() + minute * MINUTE_MS);
  server.happen({ id: `${trackingNumber}-${minute}`, trackingNumber, status, at, place: 'Odense' });
  return at;
}

/** @param stage has the bookings; a parcel without one is asked for with a number that the carrier does not know either */
async function tracked(account: CarrierAccount, numbers: readonly string[], stage?: Stage) {
  const bookings = stage?.server.simulator.bookings() ?? [];
  const carrierNumbers = numbers.flatMap((number) => {
    const booking = bookings.find(({ trackingNumbers: all }) => all.includes(number));
    const carrierNumber = booking ? booking.carrierNumber : UNKNOWN_BOOKING;
    return carrierNumber === null ? [] : [[number, carrierNumber] as const];
  });
  return (await account.track?.(numbers, Object.fromEntries(carrierNumbers))) ?? [];
}
