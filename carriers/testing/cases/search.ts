import assert from 'node:assert/strict';
import { pageCount, rejects, showNumbers, trackingNumbers } from '../assertions.js';
import { type Fault, losingTheAnswer } from '../carrier-server.js';
import { LOST, TOO_MANY, UNREADABLE, lastAnswer } from '../faults.js';
import { pageTexts } from '../page-texts.js';
import { type ContractCase, type Stage, type Suite, staged } from '../suite.js';

export function searchCases(suite: Suite): readonly ContractCase[] {
  const { ordinary } = suite;
  return [
    staged(suite, 'search: finds what was booked', async ({ connect, untilVisible }) => {
      const { booking } = await connect().book(ordinary);
      untilVisible();
      const found = await connect().findByReference?.(ordinary);
      assert.equal(found?.carrierNumber, booking.carrierNumber);
      assert.deepEqual(
        found?.parcels.map((parcel) => parcel.trackingNumber),
        trackingNumbers(booking),
      );
      const ids = found?.parcels.map(({ parcelId }) => parcelId) ?? [];
      if (ids.some((id) => id !== null))
        assert.deepEqual(
          ids,
          ordinary.parcels.map(({ id }) => id),
        );
    }),
    labelledSearch(suite),
    staged(
      suite,
      'search: finds a booking whose answer was lost',
      async ({ server, connect, failingToChange, untilVisible }) => {
        await rejects(failingToChange(losingTheAnswer).book(ordinary), 'OutcomeUnknown');
        server.failWith(null);
        untilVisible();
        const found = await connect().findByReference?.(ordinary);
        const [booked] = server.simulator.bookings();
        assert.ok(booked, 'the simulator booked nothing');
        assert.deepEqual(
          found?.parcels.map((parcel) => parcel.trackingNumber),
          booked.trackingNumbers,
        );
      },
    ),
    staged(
      suite,
      'search: finds none where nothing was booked under this reference',
      async ({ connect, untilVisible }) => {
        await connect().book({ ...ordinary, reference: `${ordinary.reference}9` });
        untilVisible();
        assert.equal(await connect().findByReference?.(ordinary), null);
      },
    ),
    ...askedAgain(suite),
  ];
}

function labelledSearch(suite: Suite): ContractCase {
  const { ordinary } = suite;
  return staged(suite, 'search: gives labels, where it gives any, in the order of its parcels', async (stage) => {
    const { booking } = await stage.connect().book(ordinary);
    stage.untilVisible();
    const { labels } = (await stage.connect().findByReference?.(ordinary)) ?? {};
    if (labels === undefined) return;
    assert.equal(await pageCount(labels), ordinary.parcels.length);
    showNumbers(await pageTexts(labels), trackingNumbers(booking));
  });
}

function askedAgain(suite: Suite): readonly ContractCase[] {
  const cases = [...LOST, ...UNREADABLE, TOO_MANY] as readonly (readonly [string, Fault, string?])[];
  return cases.map(([what, fault, body]) =>
    staged(suite, `search: can be asked again after ${what}`, async (stage) => {
      // What the carrier itself answers where it has nothing is no failure.
      if (body !== undefined && (await answerForNone(suite, stage)) === body) return;
      await rejects(stage.failing(fault).findByReference?.(suite.ordinary), 'CarrierUnavailable');
    }),
  );
}

/** The JSON that the simulator answers when it has no booking under the reference. */
function answerForNone({ ordinary, http }: Suite, { connect }: Stage): Promise<string | null> {
  return lastAnswer(http, (port) => connect(port).findByReference?.(ordinary));
}
