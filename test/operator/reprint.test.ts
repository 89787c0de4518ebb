import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Area } from '../../src/areas/area.js';
import { asJsonb } from '../../src/db/json.js';
import { loadConsignment, reopenByDocument } from '../../src/consignment/ledger/consignment-rows.js';
import { requestCancelById } from '../../src/consignment/ledger/cancel-requests.js';
import { keepLabels, labelValues } from '../../src/consignment/ledger/label-rows.js';
import { named } from '../../src/db/named.js';
import { labelsToStore } from '../../src/consignment/steps/book.js';
import { assembleLabels } from '../../src/labels/assemble.js';
import { operatorActions } from '../../src/operator/actions.js';
import { label, pdfOf } from '../labels/pdfs.js';
import { bookedPart, effect, plan } from '../support/consignments.js';
import { type Stage, endBooked, insertReceived, trackingStage } from '../tracking/tracking-stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage({});
});
afterAll(() => stage.database.close());

/** A booking whose label is attached. @param template of the profile that it was planned with; `null`: it has none */
async function printedBy(template: string | null): Promise<string> {
  const id = await insertReceived(stage);
  const target = { format: 'pdf', widthMm: null, heightMm: null, dpi: 203, sheet: null, perSheet: 1 } as const;
  const print = { profile: 'tray', target, copies: 1, template, calls: 1 };
  await endBooked(stage, id, { plan: { ...plan(['box-1']), print }, parts: [bookedPart(1)] });
  const call = { kind: 'attachment', fileName: 'label.pdf', pages: 1 } as const;
  const attached = [effect('attachment:1', { call, state: 'done' })];
  await stage.database.query('update consignment set effects = $2::jsonb where id = $1', [id, asJsonb(attached)]);
  return id;
}

it('is refused where the template of the profile is not there any more, and the history has no print of which nothing is known', async () => {
  const id = await printedBy('tray-2');
  const printing = { mode: 'resource', template: { documentId: '{{documentId}}' } } as const;
  const areas = new Map([['1', {} as Area]]);
  const actions = operatorActions({ ...stage.tracking.booking, areas, printing }, () => undefined);
  await expect(actions.reprint(id, 'anna')).rejects.toMatchObject({
    name: 'NotPossible',
    message: expect.stringContaining('print-resource.tray-2.json is not there any more'),
  });
  expect(await stage.database.query('select what from journal')).toEqual([]);
});

it('is refused once an event has begun a new run, until that run has attached its own label', async () => {
  const id = await printedBy(null);
  const { database, tracking } = stage;
  const printing = { mode: 'resource', template: { documentId: '{{documentId}}' } } as const;
  const areas = new Map([['1', {} as Area]]);
  const actions = operatorActions({ ...tracking.booking, areas, printing }, () => undefined);
  expect(await actions.hindrances(id)).toMatchObject({ reprint: null });
  const stored = `parts = jsonb_set(parts, '{0,labels}', '"stored"')`;
  await database.query(`update consignment set state = 'incomplete', ${stored} where id = $1`, [id]);
  const event = { ...(await loadConsignment(database, id)), now: stage.clock.now() };
  expect(await reopenByDocument(database, event)).toBe(id);
  await expect(actions.reprint(id, 'anna')).rejects.toThrow('its label is not attached in the IMS yet');
});

it('is refused while a person waits for the cancellation', async () => {
  const id = await printedBy(null);
  const printing = { mode: 'resource', template: { documentId: '{{documentId}}' } } as const;
  const areas = new Map([['1', {} as Area]]);
  const actions = operatorActions({ ...stage.tracking.booking, areas, printing }, () => undefined);
  const { addressee } = await loadConsignment(stage.database, id);
  const now = stage.clock.now();
  await requestCancelById(stage.database, { id, by: { ...addressee, by: 'operator' }, now });
  await expect(actions.reprint(id, 'anna')).rejects.toThrow('it is to be cancelled');
});

it('prints nothing where its cancellation is asked for while the file for it is being attached', async () => {
  const id = await printedBy(null);
  const { database, tracking, clock } = stage;
  const given = label(await pdfOf({ text: '1' }));
  await database.query(`update consignment set parts = jsonb_set(parts, '{0,labels}', '"stored"') where id = $1`, [id]);
  const place = { id: ':id', from: '', now: ':now::timestamptz' };
  const values = { id, now: clock.now(), ...labelValues(labelsToStore(1, [given])) };
  await database.query(...named(keepLabels(place), values));
  const { addressee } = await loadConsignment(database, id);
  const by = { ...addressee, by: 'document' } as const;
  const printed: unknown[] = [];
  const ims = {
    attachToDocument: () => requestCancelById(database, { id, by, now: clock.now() }),
    printResource: async (body: unknown) => void printed.push(body),
  };
  const context = {
    ...tracking.booking,
    areas: new Map([['1', { ims } as unknown as Area]]),
    printing: { mode: 'resource', template: { fileName: '{{fileName}}' } },
    assemble: () => assembleLabels([given]),
  } as const;
  await expect(operatorActions(context, () => undefined).reprint(id, 'anna', { parcel: 'box-1' })).rejects.toThrow(
    'it is to be cancelled',
  );
  expect(printed).toEqual([]);
});
