import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/db/database.js';
import { labelsToPrint } from '../../src/operator/parcel-labels.js';
import { bookingRequest, parcel } from '../carriers/sample-request.js';
import { bookedPart, consignment, plan } from '../support/consignments.js';

/** A database with these labels of the first part, and one of another, of which nothing else is read. */
function storing(...texts: readonly string[]): Database {
  const ofAnother = { n: 2, k: 0, bytes: Buffer.from('another'), sha256: 'another', pages: 1 };
  const rows = [...texts.map((text, k) => ({ ...ofAnother, n: 1, k, bytes: Buffer.from(text) })), ofAnother];
  return { query: () => Promise.resolve(rows) } as unknown as Database;
}

function booked(...containers: readonly string[]) {
  const request = bookingRequest({ parcels: containers.map((id) => parcel({ id })) });
  return consignment({ plan: plan(containers), parts: [bookedPart(1, { request })] });
}

async function printed(database: Database, containers: readonly string[], asked: string) {
  const labels = await labelsToPrint(database, booked(...containers), asked);
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
