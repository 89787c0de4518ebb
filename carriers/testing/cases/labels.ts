import assert from 'node:assert/strict';
import { pageCount, rejects } from '../assertions.js';
import { answering } from '../carrier-server.js';
import { LOST, TOO_MANY } from '../faults.js';
import { type ContractCase, type Suite, staged } from '../suite.js';
import { PAGE } from './optional.js';

export function labelCases(suite: Suite): readonly ContractCase[] {
  const { able, ordinary, variants } = suite;
  const failures = [
    ...[...LOST, TOO_MANY],
    ['a page with status 200', PAGE] as const,
    ['no PDF under its name', answering(200, 'moved', { 'content-type': 'application/pdf' })] as const,
  ];
  return [
    ...variants.map(([what, request]) =>
      staged(suite, `labels: are PDFs with a page for each parcel of ${what}`, async ({ connect }) => {
        const account = connect();
        const { booking, labels } = await account.book(request);
        const all = labels.length > 0 ? labels : ((await account.fetchLabels?.(booking)) ?? []);
        assert.equal(await pageCount(all), request.parcels.length);
      }),
    ),
    ...(able.fetchLabels ? failures : []).map(([what, fault]) =>
      staged(suite, `labels: can be fetched again after ${what}`, async ({ server, connect, failing }) => {
        const { booking } = await connect().book(ordinary);
        await rejects(failing(fault).fetchLabels?.(booking), 'CarrierUnavailable');
        server.failWith(null);
        assert.equal(await pageCount((await connect().fetchLabels?.(booking)) ?? []), ordinary.parcels.length);
      }),
    ),
  ];
}
