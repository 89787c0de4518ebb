import assert from 'node:assert/strict';
import type { BookingRequest, BookingWithLabels, CarrierAccount, Label, LabelForm } from '../../contract/index.js';
import { pageCount, pageSizes, rejects, showNumbers, trackingNumbers } from '../assertions.js';
import { answering } from '../carrier-server.js';
import { LOST, TOO_MANY, reversed, rewriting } from '../faults.js';
import { pageTexts } from '../page-texts.js';
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
        assert.equal(await pageCount(await labelsAt(connect(), request)), request.parcels.length);
      }),
    ),
    ...variants.map(([what, request]) =>
      staged(suite, `labels: show on each page the number of its parcel, in the order of ${what}`, async (stage) => {
        const account = stage.connect();
        await showsItsParcels(account, await account.book(request));
      }),
    ),
    ...(ordinary.parcels.length > 1 && suite.parcelsMatchedBy === 'id' && suite.adapter.traits.api !== 'none'
      ? [reorderedCase(suite)]
      : []),
    ...sizeCases(suite),
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

function reorderedCase(suite: Suite): ContractCase {
  const name = 'labels: belong to their parcels when the answer names the parcels in another order';
  return staged(suite, name, async ({ connect }) => {
    const booked = await connect(rewriting(suite.http, reversed)).book(suite.ordinary);
    await showsItsParcels(connect(), booked);
  });
}

async function labelsAt(account: CarrierAccount, request: BookingRequest): Promise<readonly Label[]> {
  return labelsOf(account, await account.book(request));
}

async function labelsOf(account: CarrierAccount, { booking, labels }: BookingWithLabels): Promise<readonly Label[]> {
  return labels.length > 0 ? labels : ((await account.fetchLabels?.(booking)) ?? []);
}

/** One page after the other goes onto the parcels as they stand in the booking. */
async function showsItsParcels(account: CarrierAccount, booked: BookingWithLabels): Promise<void> {
  showNumbers(await pageTexts(await labelsOf(account, booked)), trackingNumbers(booked.booking));
}

/** Cases for page sizes; none where a form has no size, because then any page is right. */
function sizeCases(suite: Suite): readonly ContractCase[] {
  const forms = suite.adapter.traits.labels.filter(({ format }) => format === 'pdf');
  if (forms.some(({ widthMm }) => widthMm === undefined)) return [];
  return [
    staged(suite, 'labels: have pages of a size that the traits state', async ({ connect }) => {
      for (const size of await pageSizes(await labelsAt(connect(), suite.ordinary)))
        assert.ok(forms.some(isOf(size)), `a page has ${size.join(' × ')} mm`);
    }),
  ];
}

function isOf([widthMm, heightMm]: readonly [number, number]): (form: LabelForm) => boolean {
  return (form) => form.widthMm === widthMm && form.heightMm === heightMm;
}
