import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Part } from '../../src/consignment/consignment.js';
import { loadConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import { operatorActions } from '../../src/operator/actions.js';
import { labelsToPrint } from '../../src/operator/labels/parcel-labels.js';
import { operatorQueries } from '../../src/operator/operator-queries.js';
import { fieldNames } from '../../src/operator/requests/field-names.js';
import { bookingRequest, parcel } from '../carriers/sample-request.js';
import { bookedPart, plan } from '../support/consignments.js';
import { type Stage, endBooked, insertReceived, trackingStage } from '../tracking/tracking-stage.js';
import { textsIn } from './stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage({});
});
afterAll(() => stage.database.close());

/** A booking of two parts, each with a label of its own and no file of both. */
async function withLabels(first: Partial<Part>): Promise<string> {
  const { database, clock } = stage;
  const id = await insertReceived(stage);
  const request = (n: number) =>
    bookingRequest({ reference: `${id}-${n}`, parcels: [parcel({ id: `box-${n}-${id}` })] });
  const parts = [
    bookedPart(1, { request: request(1), labels: 'stored', ...first }),
    bookedPart(2, { request: request(2), labels: 'stored' }),
  ];
  await endBooked(stage, id, { plan: plan([`box-1-${id}`, `box-2-${id}`]), parts });
  for (const n of [1, 2])
    await database.query(
      `insert into label (consignment_id, n, k, bytes, sha256, pages, created_at) values ($1, $2, 0, $3, 'sha', 1, $4)`,
      [id, n, Buffer.from(`^XA^FDlabel ${n}^FS^XZ`), clock.now()],
    );
  return id;
}

async function shown(id: string): Promise<unknown> {
  const queries = operatorQueries(stage.database, await textsIn(), fieldNames({}));
  return ((await queries.one(id, 'en')) as { readonly labels: unknown }).labels;
}

describe('of the labels of a booking, an operator is shown', () => {
  it.each([
    ['all, while their parcels are booked', {}, [1, 2]],
    ['none of a cancelled parcel', { state: 'cancelled' }, [2]],
    [
      'none with a number that may be of another parcel',
      { unusable: [{ parcelId: 'box-1', given: 'T-9', because: 'taken' }] },
      [2],
    ],
    ['none from before its numbers were corrected', { labels: 'not-to-be-had' }, [2]],
  ] as const)('%s', async (_case, first, labels) => {
    expect(await shown(await withLabels(first))).toEqual(labels);
  });
});

it('the label of a cancelled part is not given while another part is booked', async () => {
  const id = await withLabels({ state: 'cancelled' });
  const actions = operatorActions({ ...stage.tracking.booking, areas: new Map() }, () => undefined);
  await expect(actions.label(id, 1)).rejects.toThrow('its parcels are cancelled');
  expect(Buffer.from((await actions.label(id, 2)).bytes).toString()).toBe('^XA^FDlabel 2^FS^XZ');
});

it('a label from before its numbers were corrected is neither given nor printed', async () => {
  const id = await withLabels({ labels: 'not-to-be-had' });
  const actions = operatorActions({ ...stage.tracking.booking, areas: new Map() }, () => undefined);
  await expect(actions.label(id, 1)).rejects.toThrow('from before its numbers were corrected');
  const consignment = await loadConsignment(stage.database, id);
  const wanted = { parcel: null, others: [] };
  expect(await labelsToPrint(stage.database, consignment, wanted)).toHaveLength(1);
  await expect(labelsToPrint(stage.database, consignment, { ...wanted, parcel: `box-1-${id}` })).rejects.toThrow(
    'is none of its parcels',
  );
});
