import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database, Sql } from '../../src/db/database.js';
import { parcels } from '../support/harness.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';

let seamed: SeamedService;

beforeAll(async () => {
  seamed = await openSeamed(null);
});
afterAll(async () => seamed?.close());

/** What a booking writes for itself, beside renewals of leases. */
const OWN_WRITE = /insert into consignment |^with saved as|set lease_owner = \$2/;

/** Collects the commits of bookings: the state that the row has afterwards. */
function collecting(commits: string[]): (database: Database) => Database {
  const stateAfter = async <Row>(sql: Sql, text: string, values?: readonly unknown[]): Promise<readonly Row[]> => {
    const rows = await sql.query<Row>(text, values);
    const [row] = rows as readonly { readonly state?: string }[];
    if (row && OWN_WRITE.test(text)) commits.push(row.state ?? 'not shown');
    return rows;
  };
  return (database) => ({
    ...database,
    query: (text, values) => stateAfter(database, text, values),
    transaction: (work) =>
      database.transaction((sql) => work({ ...sql, query: (text, values) => stateAfter(sql, text, values) })),
  });
}

function eventOf(eventType: string, documentId: number) {
  return { eventId: randomUUID(), eventType, documentType: 'TRANSPORT_BOOKING', contextId: '1', documentId };
}

/** @returns the end of one booking, and what became of it there */
async function bookOne(carrierName: string, seam: (database: Database, documentId: number) => Database) {
  const { service } = seamed;
  const shipmentId = service.ship(parcels(1), { carrierName });
  const { documentId } = service.bookQuietly(shipmentId);
  seamed.put((database) => seam(database, documentId));
  await service.send({ ...eventOf('documentCreated', documentId), shipmentId });
  const ending = await service.ending(documentId);
  return { ending, bookings: service.bookings('pretend', service.numberOf(documentId)) };
}

/** Something happens just before the first write of a plan. */
function beforeThePlan(happens: (documentId: number) => Promise<unknown>) {
  let isFirst = true;
  return (database: Database, documentId: number): Database => ({
    ...database,
    query: async (text, values) => {
      const isPlan = isFirst && text.startsWith('with saved as');
      if (isPlan) isFirst = false;
      if (isPlan) await happens(documentId);
      return database.query(text, values);
    },
  });
}

describe('the commits of a booking', () => {
  it('are those that docs/performance.md names, where the label comes with the answer', async () => {
    const commits: string[] = [];
    const { ending } = await bookOne('GLS', collecting(commits));
    expect(ending).toMatchObject({ workStatus: 'DONE' });
    expect(commits).toEqual(['received', 'booking', 'booked', 'labelled', 'closed']);
  });

  it('let nothing leave for a carrier whose booking was cancelled while it was planned', async () => {
    const cancel = (documentId: number) => seamed.service.send(eventOf('documentCancelled', documentId));
    const { ending, bookings } = await bookOne('Pretend', beforeThePlan(cancel));
    expect(ending.consignment.state).toBe('cancelled');
    expect(bookings).toEqual([]);
  });

  it('let one reference be taken by another booking while it is planned, and book under the next one', async () => {
    const take = () =>
      seamed.database.query(
        `insert into consignment (id, area, booked_on, event_id, state, account, reference, run_started_at, created_at, updated_at)
         select $1, '2', 'transport-booking', 'e', 'closed', 'pretend', shipment_number, now(), now(), now()
           from (select $2::text as shipment_number) given`,
        [randomUUID(), seamed.service.control.state().shipments.at(-1)?.shipmentNumber],
      );
    const { ending, bookings } = await bookOne('Pretend', beforeThePlan(take));
    expect(ending).toMatchObject({ workStatus: 'DONE' });
    expect(bookings.map(({ reference }) => reference)).toEqual([`${seamed.service.numberOf(ending.documentId)}.2`]);
  });
});
