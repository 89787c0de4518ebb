import { expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import { CarrierUnavailable } from '../../carriers/contract/errors.js';
import { pageTexts } from '../../carriers/testing/page-texts.js';
import type { Area } from '../../src/areas/area.js';
import { apply } from '../../src/consignment/machine/apply.js';
import { fetchLabels } from '../../src/consignment/steps/fetch-labels.js';
import { assembleLabels } from '../../src/labels/assemble.js';
import { bookingRequest, parcel } from '../carriers/sample-request.js';
import { pdfOf } from '../labels/pdfs.js';
import { NOON, bookedPart, consignment, plan, transitionContext, bookingContext } from '../support/consignments.js';

const GIVE_UP_AFTER_MS = 30 * 60_000;

const boxes = [1, 2].map((n) =>
  bookedPart(n, {
    labels: 'missing',
    request: bookingRequest({ parcels: [parcel({ id: `box-${n}` })], options: { withReturnLabel: true } }),
  }),
);
const booking = consignment({ state: 'booked', plan: plan(['box-1', 'box-2']), parts: boxes, runStartedAt: NOON });

/** Gives the label of the first parcel, and does not answer for that of the second. */
const carrier = {
  fetchLabels: async (given: unknown) => {
    if (given !== boxes[0]?.booking) throw new CarrierUnavailable('no answer');
    return [{ format: 'pdf', bytes: await pdfOf({ text: 'label of box-1' }) }];
  },
} as unknown as CarrierAccount;

/** @returns the texts of the pages that are attached; `null`: it is waited for the label */
async function attachedAt(now: Date): Promise<readonly string[] | null> {
  const returnOf = async (parcelId: string) => ({ parcelId, label: await pdfOf({ text: `return of ${parcelId}` }) });
  const world = bookingContext(carrier, {}, { now: () => now });
  const context = {
    ...world,
    areas: new Map([[booking.area, { giveUpAfterMs: GIVE_UP_AFTER_MS } as Area]]),
    database: { ...world.database, query: async () => [] },
    assemble: assembleLabels,
    returnsBeside: async () =>
      (await Promise.all(['box-1', 'box-2'].map(returnOf))).map((made) => ({ ...made, problem: null })),
  };
  const { fact, labels } = await fetchLabels(context, booking, []);
  const { effects } = apply(booking, fact, transitionContext({ now, giveUpAfterMs: GIVE_UP_AFTER_MS }));
  if (!effects.some(({ call }) => call.kind === 'attachment')) return null;
  const [file] = labels.filter(({ n, k }) => n === 0 && k === 0);
  return pageTexts([{ format: 'pdf', bytes: file?.bytes ?? new Uint8Array() }]);
}

it('a label file has the return labels also where a label of a parcel was given up', async () => {
  expect(await attachedAt(new Date(NOON.getTime() + GIVE_UP_AFTER_MS))).toBeNull();
  expect(await attachedAt(new Date(NOON.getTime() + GIVE_UP_AFTER_MS + 1))).toEqual(
    ['label of box-1', 'return of box-1', 'return of box-2'].map((text) => expect.stringContaining(text)),
  );
});
