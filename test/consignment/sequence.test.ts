import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sql } from '../../src/db/database.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../support/harness.js';
import { type Seam, type SeamedService, openSeamed } from '../support/seamed-service.js';

const LOOKS_AT_THE_OTHERS = 'shipment_id = $2 and id <> $3';
const LOOKS_WHICH_ARE_TAKEN = 'select reference from consignment';
const MINUTE_MS = 60_000;
/** Places of values in the statement that stores a new consignment. */
const ID = 0;
const BOOKED_ON = 2;
const SHIFT = `update consignment set created_at = created_at + $2 * interval '1 millisecond' where id = $1`;

/** Packing events are stored as if their transaction had begun so much later: earlier, when it is less than 0. */
const packedLaterBy =
  (ms: number): Seam =>
  (database) => {
    const shifting = (sql: Sql): Sql => ({
      ...sql,
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const rows = await sql.query<Row>(text, values);
        if (text.includes('insert into consignment') && values[BOOKED_ON] === 'packing-completed')
          await sql.query(SHIFT, [values[ID], ms]);
        return rows;
      },
    });
    return { ...database, transaction: (work) => database.transaction((sql) => work(shifting(sql))) };
  };

/** Whoever asks this gets an answer when two have asked. @param answer to the first two */
const together =
  (question: string, answer: <Row>(rows: readonly Row[]) => readonly Row[]): Seam =>
  (database) => {
    let asked = 0;
    let bothAsked = () => undefined as void;
    const both = new Promise<void>((done) => (bothAsked = done));
    return {
      ...database,
      query: async <Row>(text: string, values?: readonly unknown[]) => {
        const rows = await database.query<Row>(text, values);
        if (!text.includes(question)) return rows;
        asked += 1;
        if (asked > 2) return rows;
        if (asked === 2) bothAsked();
        await both;
        return answer(rows);
      },
    };
  };

/** The first two who look at a shipment's other bookings see none, as if the other's row were not committed yet. */
const unseen = together(LOOKS_AT_THE_OTHERS, () => []);

/** Both choose a reference at the same moment. */
const sameReference = together(LOOKS_WHICH_ARE_TAKEN, (rows) => rows);

/** The first who looks finds none taken, as if another instance stored its own right after. */
const takenUnseen: Seam = (database) => {
  let looked = false;
  return {
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      const rows = await database.query<Row>(text, values);
      if (looked || !text.includes(LOOKS_WHICH_ARE_TAKEN)) return rows;
      looked = true;
      return [];
    },
  };
};

function turns(databaseUrl: () => string | null): void {
  let seamed: SeamedService;

  beforeAll(async () => {
    seamed = await openSeamed(databaseUrl());
  });
  afterAll(() => seamed.close());

  const about = { contextId: '1', eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING' };

  /** A shipment that is packed and has a booking document; the events are sent by the test. */
  function shipped() {
    const { service } = seamed;
    const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
    const documentId = service.book(shipmentId);
    const ofShipment = { contextId: '1', shipmentId: String(shipmentId) };
    const packed = { ...ofShipment, eventId: `packed-${shipmentId}`, eventType: 'packingCompleted' };
    const asked = { ...about, ...ofShipment, documentId: String(documentId), eventId: service.eventOf(documentId) };
    return { documentId, packed, asked };
  }

  const stateOf = async (eventId: string) => {
    const rows = await seamed.database.query<{ state: string; due_at: Date | null }>(
      'select state, due_at from consignment where event_id = $1',
      [eventId],
    );
    return rows[0]?.due_at === null ? rows[0].state : null;
  };

  async function send(event: { readonly eventId: string }): Promise<void> {
    expect((await seamed.service.send(event)).status).toBe(202);
  }

  const atRest = ({ eventId }: { readonly eventId: string }) =>
    until(`${eventId} is at rest`, async () => (await stateOf(eventId)) !== null);

  async function expectOneBooking(documentId: number): Promise<void> {
    const { service } = seamed;
    const ending = await service.ending(documentId);
    const bookings = service.bookings('pretend', service.numberOf(documentId));
    expect(bookings).toMatchObject([{ reference: service.numberOf(documentId), state: 'booked' }]);
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: bookings[0]?.trackingNumbers });
  }

  function expectOneConflict(): void {
    const said = seamed.lines().map(({ event }) => event);
    expect(said.filter((what) => what === 'sequence conflict')).toHaveLength(1);
    expect(said).not.toContain('consignment broke');
  }

  it.each([
    ['that came a minute before it', -MINUTE_MS],
    ['that came a minute after it', MINUTE_MS],
  ])('does not book for a packing event %s, seen after the document was booked', async (_when, ms) => {
    seamed.put(packedLaterBy(ms));
    const { documentId, packed, asked } = shipped();
    await send(asked);
    await atRest(asked);
    await send(packed);
    await atRest(packed);
    expect(await stateOf(packed.eventId)).toBe('set-aside');
    await expectOneBooking(documentId);
  });

  it.each([
    ['that came a minute before it', -MINUTE_MS],
    ['that came a minute after it', MINUTE_MS],
  ])('takes over for a document what a packing event %s has booked', async (_when, ms) => {
    seamed.put(packedLaterBy(ms));
    const { documentId, packed, asked } = shipped();
    await send(packed);
    await atRest(packed);
    await send(asked);
    await atRest(asked);
    await expectOneBooking(documentId);
  });

  it('books once when neither sees the other until its plan is made', async () => {
    seamed.put(unseen);
    const { documentId, packed, asked } = shipped();
    await Promise.all([send(packed), send(asked)]);
    await Promise.all([atRest(packed), atRest(asked)]);
    await expectOneBooking(documentId);
    expectOneConflict();
  });

  it('gives one of two documents that are prepared at once another reference at once, and both are booked', async () => {
    seamed.put(sameReference);
    const { service } = seamed;
    const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
    const [earlier, later] = [service.book(shipmentId), service.book(shipmentId)];
    // Named by its document alone, its shipment is not known to be the same.
    const byDocument = { ...about, eventId: service.eventOf(later), documentId: later };
    const byShipment = { ...about, eventId: service.eventOf(earlier), documentId: earlier, shipmentId };
    // The first is the older one, so it does not wait for the other, which cannot see that they belong together.
    await send(byDocument);
    await send(byShipment);

    const endings = [await service.ending(earlier), await service.ending(later)];
    expect(endings).toMatchObject([{ workStatus: 'DONE' }, { workStatus: 'DONE' }]);
    const number = service.numberOf(later);
    const references = service.bookings('pretend', number).map(({ reference }) => reference);
    expect(references.toSorted()).toEqual([number, `${number}.2`]);
    expectOneConflict();
    for (const { consignment } of endings)
      expect(consignment.history.map((entry: { what: string }) => entry.what)).not.toContain('broke');
  });

  it('takes another reference when another instance has taken it since it looked', async () => {
    const { service } = seamed;
    const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' });
    const book = async () => {
      const documentId = service.book(shipmentId);
      const event = { ...about, eventId: service.eventOf(documentId), documentId, shipmentId };
      await send(event);
      return service.ending(documentId);
    };
    expect(await book()).toMatchObject({ workStatus: 'DONE' });
    seamed.put(takenUnseen);
    const { workStatus, consignment } = await book();
    expect([workStatus, consignment.reference]).toEqual(['DONE', `${consignment.shipmentNumber}.2`]);
    expectOneConflict();
  });

  it.each([
    ['has the same number in two areas', ['SAME-A', 'SAME-A'], ['SAME-A', 'SAME-A.2']],
    ['could be taken for a part of the other', ['PART', 'PART-1'], ['PART', 'PART-1.2']],
  ])('prepares once each what %s and comes at the same moment', async (_what, [first, second], references) => {
    seamed.put(sameReference);
    const { service } = seamed;
    const ask = async (area: number, shipmentNumber: string | undefined) => {
      const named = { carrierName: 'Pretend', shipmentNumber };
      const documentId = service.book(service.ship(sampleShipments.oneParcel, named, area));
      const event = { ...about, contextId: String(area), eventId: service.eventOf(documentId), documentId };
      await send(event);
      return event;
    };
    const asked = [await ask(1, first), await ask(2, second)];
    await Promise.all(asked.map(atRest));
    const booked = service.bookings('pretend', String(first)).map(({ reference }) => reference);
    expect(booked.toSorted()).toEqual(references);
    expect(seamed.lines().map(({ event }) => event)).not.toContain('sequence conflict');
  });
}

describe('two wishes for one shipment', () => {
  turns(() => null);
});

describeOnServer('two wishes for one shipment', (url) => describe('in turn', () => turns(url)));
