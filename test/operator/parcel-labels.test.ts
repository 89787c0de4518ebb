import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/db/database.js';
import { labelsToPrint, voidOfLabel } from '../../src/operator/labels/parcel-labels.js';
import { bookingRequest, parcel } from '../carriers/sample-request.js';
import { bookedPart, consignment, part, plan } from '../support/consignments.js';

/** A database with these labels of the first part, and one of another, of which nothing else is read. */
function storing(...texts: readonly string[]): Database {
  const ofAnother = { n: 2, k: 0, bytes: Buffer.from('another'), sha256: 'another', pages: 1 };
  const rows = [...texts.map((text, k) => ({ ...ofAnother, n: 1, k, bytes: Buffer.from(text) })), ofAnother];
  return { query: () => Promise.resolve(rows) } as unknown as Database;
}

function booked(...containers: readonly string[]) {
  const request = bookingRequest({ parcels: containers.map((id) => parcel({ id })) });
  return consignment({ plan: plan(containers), parts: [bookedPart(1, { request, labels: 'stored' })] });
}

async function printed(database: Database, containers: readonly string[], asked: string) {
  const labels = await labelsToPrint(database, booked(...containers), { parcel: asked, others: [] });
  return labels.map(({ bytes, ...how }) => ({ text: Buffer.from(bytes).toString(), only: how.only }));
}

describe('the label of one parcel, to be printed again', () => {
  it('is its own one, of as many labels as there are parcels', async () => {
    expect(await printed(storing('a', 'b'), ['box-1', 'box-2'], 'box-2')).toEqual([{ text: 'b' }]);
  });

  it('is its page, where one label has all of them', async () => {
    const only = { place: 1, of: 2 };
    expect(await printed(storing('all'), ['box-1', 'box-2'], 'box-2')).toEqual([{ text: 'all', only }]);
  });

  it.each([[['label and CN 22']], [['label', 'CN 22']]])(
    'is all that the carrier gave for the only parcel: %j',
    async (given) => {
      expect(await printed(storing(...given), ['box-1'], 'box-1')).toEqual(given.map((text) => ({ text })));
    },
  );

  it('is not printed where the carrier gave none', async () => {
    await expect(printed(storing(), ['box-1'], 'box-1')).rejects.toThrow('the carrier gave 0 labels for 1 parcels');
  });

  it('is not told apart where there are more labels than parcels', async () => {
    await expect(printed(storing('a', 'b', 'c'), ['box-1', 'box-2'], 'box-1')).rejects.toThrow(
      'the carrier gave 3 labels for 2 parcels: which is whose cannot be told',
    );
  });
});

describe('the label of a booking', () => {
  const [first, second] = [bookedPart(1), bookedPart(2)];
  const cancelled = (n: number) => bookedPart(n, { state: 'cancelled' });
  const later = (...parts: ReturnType<typeof part>[]) =>
    consignment({ id: 'c-2', state: 'cancelled', plan: { ...plan(['box-1', 'box-2']), turn: 2 }, parts });
  const earlier = (...parts: ReturnType<typeof part>[]) =>
    consignment({ state: 'incomplete', plan: { ...plan(['box-1', 'box-2']), turn: 1 }, parts });

  it.each([
    ['must not be used once it is cancelled', [earlier(cancelled(1), cancelled(2))], true],
    ['may be used while a parcel stays booked', [earlier(cancelled(1), second)], false],
    ['may be used beside a newer booking', [earlier(first), later(cancelled(3))], false],
    ['may be used after a newer booking took its parcels over', [earlier(first), later(first, second)], false],
    ['must not be used once that one is cancelled', [earlier(first), later(cancelled(1), second)], true],
    ['is none before it is booked', [earlier(part(1))], false],
  ] as const)('%s', (_case, [one, ...others], isVoid) => {
    expect(voidOfLabel(one, others) === 'all').toBe(isVoid);
  });
});
