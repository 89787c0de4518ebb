import assert from 'node:assert/strict';
import { errorOf, rejects, showsNoSecret } from '../assertions.js';
import { type Fault, answering } from '../carrier-server.js';
import { LOST, TOO_MANY, UNREADABLE } from '../faults.js';
import { type ContractCase, type Suite, nowhere, plain, staged } from '../suite.js';

/** A booking that fails is rejected, certainly not made, or of unknown outcome: which one decides whether it is made again. */
export function failingCases(suite: Suite): readonly ContractCase[] {
  const { ordinary, refused } = suite;
  return [
    staged(suite, 'failing: is rejected with problems when the carrier refuses it', async ({ server, connect }) => {
      const { problems } = await rejects(connect().book(refused), 'CarrierRejected');
      assert.ok(problems.length > 0, 'the error names no problem');
      assert.deepEqual(server.simulator.bookings(), []);
    }),
    staged(suite, 'failing: is rejected when the carrier does not let us in', async ({ server, stranger }) => {
      await rejects(stranger().book(ordinary), 'CarrierRejected');
      assert.deepEqual(server.simulator.bookings(), []);
    }),
    ...[...LOST, ...UNREADABLE].map(([what, fault]) =>
      staged(
        suite,
        `failing: asks once, and has an unknown outcome after ${what}`,
        async ({ server, failingToChange }) => {
          await rejects(failingToChange(fault).book(ordinary), 'OutcomeUnknown');
          assert.equal(server.asked().filter(suite.changes).length, 1, 'the adapter asked more than once');
        },
      ),
    ),
    staged(
      suite,
      'failing: was certainly not made after status 429, and waits as long as the carrier asks',
      async ({ failingToChange }) => {
        const fault = answering(429, '', { 'retry-after': '7' });
        const error = await rejects(failingToChange(fault).book(ordinary), 'CarrierUnavailable');
        assert.equal(error.retryAfterMs, 7_000);
      },
    ),
    ...aroundTheBooking(suite),
    ...provenOnlyByTraits(suite),
    plain('failing: was certainly not made when the connection is refused', async () => {
      await rejects(nowhere(suite).book(ordinary), 'CarrierUnavailable');
    }),
    ...secretive(suite),
  ];
}

/** An adapter may read before it books, and after it. Where it does not, these cases find nothing. */
function aroundTheBooking(suite: Suite): readonly ContractCase[] {
  const { ordinary } = suite;
  return LOST.flatMap(([what, fault]) => [
    staged(suite, `failing: was certainly not made when a read before it ends with ${what}`, async (stage) => {
      await bookedOr('CarrierUnavailable', stage.failingToRead(fault, 'before').book(ordinary));
      if (stage.server.asked().some(suite.changes)) return;
      assert.deepEqual(stage.server.simulator.bookings(), []);
    }),
    staged(suite, `failing: has an unknown outcome when a read after it ends with ${what}`, async (stage) => {
      await bookedOr('OutcomeUnknown', stage.failingToRead(fault, 'after').book(ordinary));
    }),
  ]);
}

async function bookedOr(name: 'CarrierUnavailable' | 'OutcomeUnknown', booking: Promise<unknown>): Promise<void> {
  const failure = await booking.then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (failure !== null) await rejects(Promise.reject(failure.error as Error), name);
}

function provenOnlyByTraits(suite: Suite): readonly ContractCase[] {
  const answers: Suite['moreAnswers'] = [
    ['503', 503, 'Service Unavailable'],
    ['503 with a code', 503, '{"errors":[{"code":"closed","text":"closed"}]}'],
    ...suite.moreAnswers,
  ];
  return answers.map(([what, status, body]) =>
    staged(
      suite,
      `failing: was certainly not made after ${what} only where the traits say so`,
      async ({ failingToChange }) => {
        const answer = { status, headers: {}, body: new TextEncoder().encode(body) };
        const proven = suite.adapter.traits.nothingBookedAfter?.(answer) === true;
        const account = failingToChange(answering(status, body, { 'content-type': 'application/json' }));
        await rejects(account.book(suite.ordinary), proven ? 'CarrierUnavailable' : 'OutcomeUnknown');
      },
    ),
  );
}

function secretive(suite: Suite): readonly ContractCase[] {
  const faults: readonly (readonly [string, Fault | null, string?])[] = [
    ['a refusal', null],
    ['status 401', answering(401, 'who are you')],
    TOO_MANY,
    ...LOST,
    ...UNREADABLE,
  ];
  return faults.map(([what, fault]) =>
    staged(suite, `failing: shows no secret after ${what}`, async ({ connect, failing }) => {
      const account = fault === null ? connect() : failing(fault);
      showsNoSecret(await errorOf(account.book(suite.refused)), suite.secrets);
    }),
  );
}
