import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import type { Database } from '../../src/db/database.js';
import { describeOnServer } from '../db/postgres-server.js';
import { type Ending, until } from '../support/harness.js';
import { eventTarget } from '../../src/cli/sandbox/sandbox-config.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';

const { oneParcel } = sampleShipments;

/** Every statement that stores an outcome fails: as if the process died when it had asked. */
const dyingAfterTheIntent = (database: Database): Database => ({
  ...database,
  query: async (text, values) => {
    if (/^(update|delete from) return_label/.test(text)) throw new Error('the process is gone');
    return database.query(text, values);
  },
  transaction: async () => {
    throw new Error('the process is gone');
  },
});

/** What comes after the outcome cannot be stored. */
const dyingAfterTheOutcome = (database: Database): Database => ({
  ...database,
  query: async (text, values) => {
    if (text.startsWith('update return_label set label')) throw new Error('the process is gone');
    return database.query(text, values);
  },
});

/** The intent cannot be stored. */
const withoutIntent = (database: Database): Database => ({
  ...database,
  query: async (text, values) => {
    if (text.startsWith('insert into return_label')) throw new Error('the disk is full');
    return database.query(text, values);
  },
});

const asItIs = (database: Database) => database;

function behaviour(open: () => Promise<SeamedService>): void {
  let seamed: SeamedService;

  beforeAll(async () => {
    seamed = await open();
    seamed.service.control.setEventTargets([eventTarget(seamed.service.url)]);
  });
  afterAll(() => seamed.close());
  afterEach(() => {
    seamed.put(asItIs);
    seamed.service.control.clearFaults();
  });

  const book = (carrierName: string) => seamed.service.run(oneParcel, { carrierName });
  const make = ({ consignment }: Ending) =>
    seamed.service.operator(`/consignments/${consignment.id}/return-label`, { method: 'POST' });
  const look = ({ consignment }: Ending) => seamed.service.operator(`/consignments/${consignment.id}/return-label`);
  const madeBy = (carrier: string, { consignment }: Ending) =>
    (seamed.service.control.returns(carrier) ?? []).filter(({ reference }) =>
      reference.startsWith(`${consignment.reference}-R`),
    );
  const forget = (minutes: number) =>
    seamed.database.query('update return_label set asked_at = asked_at - make_interval(mins => $1)', [minutes]);

  it('leaves nothing, and asks no carrier, when the intent cannot be stored', async () => {
    const booked = await book('Pretend');
    seamed.put(withoutIntent);
    expect((await make(booked)).status).toBe(500);
    seamed.put(asItIs);
    expect(madeBy('pretend', booked)).toEqual([]);
    expect(await make(booked)).toMatchObject({ status: 200, body: { state: 'made' } });
  });

  it('is in doubt, and not asked for again, when its process died after it had asked', async () => {
    const booked = await book('DAO');
    seamed.put(dyingAfterTheIntent);
    await make(booked);
    seamed.put(asItIs);
    expect(await make(booked)).toMatchObject({ status: 202, body: { state: 'asking', whatToDo: /GET/ } });
    await forget(2);
    const again = await make(booked);
    expect([again.status, again.body.detail]).toEqual([409, expect.stringMatching(/Waybridge ended.*portal of DAO/)]);
    expect((await look(booked)).body).toMatchObject({ state: 'in-doubt' });
    expect(madeBy('dao', booked)).toHaveLength(1);
  });

  it('has its label when its process died after it was made, also where the carrier gives that only once', async () => {
    const booked = await book('GLS');
    seamed.put(dyingAfterTheOutcome);
    await make(booked);
    seamed.put(asItIs);
    const { body } = await make(booked);
    expect(body).toMatchObject({ state: 'made', label: expect.any(String) });
    const label = await seamed.service.operator(body.label.replace('/api/v1', ''));
    expect((await PDFDocument.load(label.bytes)).getPageCount()).toBe(1);
    expect(madeBy('gls-dk', booked)).toHaveLength(1);
  });

  it('is looked up when its process died after it had asked a carrier that can be searched', async () => {
    const booked = await book('Pretend');
    seamed.put(dyingAfterTheIntent);
    await make(booked);
    seamed.put(asItIs);
    await forget(2);
    await until('the carrier finds it', async () => (await make(booked)).status === 200);
    const [made, ...more] = madeBy('pretend', booked);
    expect(more).toEqual([]);
    const { body } = await look(booked);
    expect(body).toMatchObject({ state: 'made', trackingNumber: made?.trackingNumber, label: expect.any(String) });
  });

  it('is asked for again when its process died before the request left, once the carrier certainly has none', async () => {
    const booked = await book('Pretend');
    seamed.service.control.addFault({ target: 'pretend', path: '/returns$', kind: 'drop-before', times: 'always' });
    seamed.put(dyingAfterTheIntent);
    await make(booked);
    seamed.put(asItIs);
    seamed.service.control.clearFaults();
    await forget(2);
    const early = await make(booked);
    expect([early.status, early.body.detail]).toEqual([409, expect.stringMatching(/may still make it/)]);
    await seamed.database.query('update return_label set quiet_from = asked_at');
    expect(await make(booked)).toMatchObject({ status: 200, body: { state: 'made' } });
    expect(madeBy('pretend', booked)).toHaveLength(1);
  });
}

describe('a return label on the embedded database', () => behaviour(() => openSeamed(null)));
describeOnServer('a return label', (url) => {
  describe('on a server', () => behaviour(() => openSeamed(url())));
});
