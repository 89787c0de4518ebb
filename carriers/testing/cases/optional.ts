import assert from 'node:assert/strict';
import { errorOf, rejects, showsNoSecret } from '../assertions.js';
import { answering } from '../carrier-server.js';
import { LOST, TOO_MANY, UNREADABLE } from '../faults.js';
import { type ContractCase, type Suite, nowhere, staged } from '../suite.js';

export const PAGE = answering(200, '<html>maintenance</html>', { 'content-type': 'text/html' });

export function quoteCases(suite: Suite): readonly ContractCase[] {
  const { ordinary } = suite;
  return [
    staged(suite, 'quote: has a price in a currency and books nothing', async ({ server, connect }) => {
      const quote = await connect().quote?.(ordinary);
      assert.match(quote?.amount ?? '', /^\d+(\.\d+)?$/);
      assert.match(quote?.currency ?? '', /^[A-Z]{3}$/);
      assert.match(quote?.estimatedDelivery ?? '2030-03-05', /^\d{4}-\d\d-\d\d$/);
      assert.deepEqual(server.simulator.bookings(), []);
    }),
    ...[...LOST, ...UNREADABLE, TOO_MANY].map(([what, fault]) =>
      staged(suite, `quote: is not to be had just now after ${what}`, async ({ failing }) => {
        await rejects(failing(fault).quote?.(ordinary), 'CarrierUnavailable');
      }),
    ),
    staged(suite, 'quote: is not to be had from a carrier that is not there', async () => {
      await rejects(nowhere(suite).quote?.(ordinary), 'CarrierUnavailable');
    }),
    staged(suite, 'quote: shows no secret', async ({ failing }) => {
      showsNoSecret(await errorOf(failing(answering(500, 'oops')).quote?.(ordinary)), suite.secrets);
    }),
  ];
}

export function probeCases(suite: Suite): readonly ContractCase[] {
  const { secrets } = suite;
  const silent = [
    ...[...LOST, TOO_MANY],
    ['status 503', answering(503, 'down')] as const,
    ['a page with status 200', PAGE] as const,
    ['a redirect', answering(302, '', { location: '/elsewhere' })] as const,
  ];
  return [
    staged(
      suite,
      'probe: is answered by a carrier that answers, books nothing and asks for nothing that could be booked',
      async ({ server, connect }) => {
        await connect().probe?.();
        assert.equal(server.asked().length, 1);
        assert.deepEqual(server.simulator.bookings(), []);
      },
    ),
    staged(suite, 'probe: is answered too where the carrier does not let us in', async ({ stranger }) => {
      await stranger().probe?.();
    }),
    ...silent.map(([what, fault]) =>
      staged(suite, `probe: is not answered after ${what}, and shows no secret`, async ({ server, failing }) => {
        showsNoSecret(await rejects(failing(fault).probe?.(), 'CarrierUnavailable'), secrets);
        assert.deepEqual(server.simulator.bookings(), []);
      }),
    ),
    staged(suite, 'probe: is not answered by a carrier that is not there', async () => {
      await rejects(nowhere(suite).probe?.(), 'CarrierUnavailable');
    }),
  ];
}

export function closeOutCases(suite: Suite): readonly ContractCase[] {
  const { ordinary } = suite;
  return [
    staged(suite, 'close-out: takes what was booked, and again without harm', async ({ connect }) => {
      const { booking } = await connect().book(ordinary);
      const first = await connect().closeOut?.([booking]);
      assert.deepEqual(await connect().closeOut?.([booking]), first);
    }),
    ...LOST.map(([what, fault]) =>
      staged(suite, `close-out: has an unknown outcome after ${what}`, async ({ connect, failing }) => {
        const { booking } = await connect().book(ordinary);
        await rejects(failing(fault).closeOut?.([booking]), 'OutcomeUnknown');
      }),
    ),
  ];
}

export function cancelCases(suite: Suite): readonly ContractCase[] {
  const { ordinary } = suite;
  return [
    staged(suite, 'cancel: cancels what was booked, and again without harm', async ({ server, connect }) => {
      const { booking } = await connect().book(ordinary);
      assert.deepEqual(await connect().cancel?.(booking), { kind: 'cancelled' });
      assert.deepEqual(
        server.simulator.bookings().map(({ state }) => state),
        ['cancelled'],
      );
      assert.ok(await connect().cancel?.(booking));
    }),
    ...LOST.map(([what, fault]) =>
      staged(suite, `cancel: has an unknown outcome after ${what}`, async ({ connect, failing }) => {
        const { booking } = await connect().book(ordinary);
        await rejects(failing(fault).cancel?.(booking), 'OutcomeUnknown');
      }),
    ),
    staged(suite, 'cancel: certainly cancels nothing after status 429', async ({ connect, failing }) => {
      const { booking } = await connect().book(ordinary);
      await rejects(failing(TOO_MANY[1]).cancel?.(booking), 'CarrierUnavailable');
    }),
  ];
}
