import { describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import type { CarrierAdapter, Label } from '../../../carriers/contract/index.js';
import { pretend } from '../../../carriers/pretend/index.js';
import { type Spoil, outcomeOf, spoiled } from './spoiled.js';

const IN_ORDER = 'labels: show on each page the number of its parcel, in the order of two parcels';

/** Spoils the labels that are fetched. */
function labelled(change: (labels: readonly Label[]) => Promise<readonly Label[]>): Spoil {
  return ({ fetchLabels }) => ({ fetchLabels: async (booking) => change((await fetchLabels?.(booking)) ?? []) });
}

/** Each page as a label of its own. */
async function apart([all]: readonly Label[]): Promise<readonly Label[]> {
  const source = await PDFDocument.load(all?.bytes ?? new Uint8Array());
  return Promise.all(source.getPageIndices().map((page) => withPages(source, [page])));
}

async function swapped([all]: readonly Label[]): Promise<readonly Label[]> {
  const source = await PDFDocument.load(all?.bytes ?? new Uint8Array());
  return [await withPages(source, source.getPageIndices().toReversed())];
}

async function withPages(source: PDFDocument, pages: number[]): Promise<Label> {
  const copy = await PDFDocument.create();
  for (const page of await copy.copyPages(source, pages)) copy.addPage(page);
  return { format: 'pdf', bytes: await copy.save() };
}

describe('the cases of labels', () => {
  it.each<readonly [string, Spoil]>([
    ['swaps the pages of two parcels', labelled(swapped)],
    ['gives the labels of two parcels in the other order', labelled(async (all) => (await apart(all)).toReversed())],
    [
      'gives the label of one parcel twice',
      labelled(async (all) => (await apart(all)).map((_one, _n, [first]) => first as Label)),
    ],
    ['gives pages of its own', labelled(async (all) => [await blank(all)])],
  ])('find an adapter that %s', async (_what, spoil) => {
    expect(await outcomeOf(pretend as CarrierAdapter, IN_ORDER)).toBe('passes');
    expect(await outcomeOf(spoiled(spoil), IN_ORDER)).toBe('fails');
  });

  it('find no fault with a label for each parcel', async () => {
    expect(await outcomeOf(spoiled(labelled(apart)), IN_ORDER)).toBe('passes');
  });
});

async function blank([all]: readonly Label[]): Promise<Label> {
  const source = await PDFDocument.load(all?.bytes ?? new Uint8Array());
  const copy = await PDFDocument.create();
  for (const page of source.getPages()) copy.addPage([page.getWidth(), page.getHeight()]);
  return { format: 'pdf', bytes: await copy.save() };
}
