import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, DatabaseUnavailable } from '../../src/db/database.js';
import { parcels } from '../support/harness.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';

let seamed: SeamedService;

beforeAll(async () => {
  seamed = await openSeamed(null);
});
afterAll(async () => seamed?.close());

/** The connection breaks once, while a commit after which the row is in this state is answered. */
function losingAnswerOf(state: string) {
  let isLost = false;
  return (database: Database): Database => ({
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      const rows = await database.query<Row>(text, values);
      if (isLost || !text.startsWith('with saved as') || !values?.includes(state)) return rows;
      isLost = true;
      throw new DatabaseUnavailable('Connection terminated unexpectedly');
    },
  });
}

/** Once, a commit after which the row is in this state fails, and before the next attempt this instance claims the row again. */
function claimingInPlaceOf(state: string, from: string) {
  let isOver = false;
  return (database: Database): Database => ({
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      if (isOver || !text.startsWith('with saved as') || !values?.includes(state))
        return database.query<Row>(text, values);
      isOver = true;
      await database.query('update consignment set version = version + 1, lease_until = now() where state = $1', [
        from,
      ]);
      throw new DatabaseUnavailable('Connection terminated unexpectedly');
    },
  });
}

/** Once, a commit after which the row is in this state takes longer than the lease. */
function takingLongAfter(state: string) {
  let isOver = false;
  return (database: Database): Database => ({
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      const rows = await database.query<Row>(text, values);
      if (isOver || !text.startsWith('with saved as') || !values?.includes(state)) return rows;
      isOver = true;
      return rows.map((row) => ({ ...row, lease_until: new Date(0) }));
    },
  });
}

/** Once, the answer to a commit after which the row is in this state is lost, and the database answers again after the lease. */
function awayPastLeaseAfter(state: string) {
  let isOver = false;
  return (database: Database): Database => ({
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      const rows = await database.query<Row>(text, values);
      if (isOver || !text.startsWith('with saved as') || !values?.includes(state)) return rows;
      isOver = true;
      await database.query('update consignment set lease_until = now() where state = $1', [state]);
      throw new DatabaseUnavailable('Connection terminated unexpectedly');
    },
  });
}

/** Once, a commit after which the row is in this state waits in the server until the next attempt, while its connection breaks. */
function comingLate(state: string) {
  let late: (() => Promise<unknown>) | null = null;
  return (database: Database): Database => ({
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      if (!text.startsWith('with saved as') || !values?.includes(state)) return database.query<Row>(text, values);
      if (late !== null) {
        await late();
        return database.query<Row>(text, values);
      }
      late = () => database.query(text, values);
      throw new DatabaseUnavailable('Connection terminated unexpectedly');
    },
  });
}

/** Notes each claim of a booking that had no lease. */
function noting(database: Database, claims: string[]): Database {
  return {
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      const rows = await database.query<Row>(text, values);
      if (rows.length > 0 && text.includes('update consignment set lease_owner = $2')) claims.push(text);
      return rows;
    },
  };
}

/** @returns the document */
async function book(carrierName: string): Promise<number> {
  const { service } = seamed;
  const shipmentId = service.ship(parcels(1), { carrierName });
  const { documentId } = service.bookQuietly(shipmentId);
  const event = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
  await service.send({ ...event, eventId: randomUUID(), documentId, shipmentId });
  return documentId;
}

describe('a commit whose answer', () => {
  it.each([
    ['is lost', 'DAO', 'dao', losingAnswerOf],
    ['is lost', 'GLS', 'gls-dk', losingAnswerOf],
    ['comes after the lease', 'DAO', 'dao', takingLongAfter],
  ])('%s before the request leaves for %s puts no question to a person, and books once', async (...given) => {
    const [, carrierName, carrier, troubling] = given;
    seamed.put(troubling('booking'));
    const documentId = await book(carrierName);
    const ending = await seamed.service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'DONE', trackingNumbers: [expect.any(String)] });
    expect(ending.messages.filter(({ type }) => type === 'ERROR')).toEqual([]);
    expect(seamed.service.bookings(carrier, seamed.service.numberOf(documentId))).toHaveLength(1);
    expect(seamed.lines().filter(({ event }) => event === 'in doubt')).toEqual([]);
  });

  it('is lost with the booking itself loses no booking, although the same instance has the row again', async () => {
    seamed.put(claimingInPlaceOf('booked', 'booking'));
    const documentId = await book('GLS');
    const ending = await seamed.service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: [expect.any(String)] });
    expect(seamed.service.bookings('gls-dk', seamed.service.numberOf(documentId))).toHaveLength(1);
    expect(seamed.lines()).toContainEqual(
      expect.objectContaining({
        event: 'late answer of a carrier',
        fields: expect.objectContaining({ outcome: 'written' }),
      }),
    );
  });

  it.each([
    ['is lost after a booking', 'booked', losingAnswerOf],
    ['is lost after the numbers and the label file', 'labelled', losingAnswerOf],
    ['is lost before the booking is stored', 'booked', comingLate],
  ])('%s has nobody wait: the same instance goes on at once, and prints the label', async (_what, state, troubling) => {
    const claims: string[] = [];
    seamed.put((database) => noting(troubling(state)(database), claims));
    const ending = await seamed.service.ending(await book('GLS'));
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, prints: [expect.anything()] });
    expect(ending.messages.filter(({ type }) => type === 'ERROR')).toEqual([]);
    expect(claims).toEqual([]);
  });

  it.each([
    ['DAO', 'a booking', 'booked'],
    ['GLS', 'a booking', 'booked'],
    ['GLS', 'the numbers and the label file', 'labelled'],
  ])(
    'comes to %s after %s, and after the lease, blames neither the carrier nor the IMS for requests that were not sent',
    async (carrierName, _what, state) => {
      seamed.put(awayPastLeaseAfter(state));
      const ending = await seamed.service.ending(await book(carrierName));
      expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, prints: [expect.anything()], messages: [] });
      const blamed = seamed
        .lines()
        .filter(({ event, fields }) => event === 'not written' || fields?.['result'] === 'unavailable');
      expect(blamed).toEqual([]);
    },
  );

  it('is lost with the plan itself stores no plan past the check of the siblings, although the same instance has the row again', async () => {
    const plans: unknown[] = [];
    seamed.put((database) => {
      const under = claimingInPlaceOf('booking', 'received')(database);
      const query = async <Row>(text: string, values?: readonly unknown[]) => {
        const rows = await under.query<Row>(text, values);
        if (text.startsWith('with saved as') && values?.includes('planned')) plans.push(...rows);
        return rows;
      };
      return { ...under, query };
    });
    const documentId = await book('GLS');
    expect(await seamed.service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(seamed.service.bookings('gls-dk', seamed.service.numberOf(documentId))).toHaveLength(1);
    expect(plans).toEqual([]);
  });
});
