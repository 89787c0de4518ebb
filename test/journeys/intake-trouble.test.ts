import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../src/db/database.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';
import { parcels } from '../support/harness.js';

let seamed: SeamedService;

beforeAll(async () => {
  seamed = await openSeamed(null);
});

afterAll(() => seamed.close());

afterEach(() => {
  seamed.put((database) => database);
});

function serverError(code: string): Error {
  return Object.assign(new Error(`a server says ${code}`), { code });
}

/** From now on bookings cannot be stored, a few times. */
function failBookings(times: number, error: () => Error): void {
  let left = times;
  const failing = (sql: Sql): Sql => ({
    ...sql,
    query: (text, values) => {
      if (!text.includes('insert into consignment') || left === 0) return sql.query(text, values);
      left -= 1;
      return Promise.reject(error());
    },
  });
  seamed.put((database) => ({
    ...database,
    transaction: (work) => database.transaction((sql) => work(failing(sql))),
  }));
}

function asked() {
  const { service } = seamed;
  const shipmentId = service.ship(parcels(1), { carrierName: 'GLS' });
  const { documentId } = service.bookQuietly(shipmentId);
  const event = {
    eventId: randomUUID(),
    eventType: 'documentCreated',
    documentType: 'TRANSPORT_BOOKING',
    contextId: '1',
    documentId,
    shipmentId,
  };
  return { documentId, event };
}

describe('an event that can be read and is not stored', () => {
  it.each<readonly [string, () => Error]>([
    ['another transaction has taken the same place', () => serverError('23505')],
    ['the database ends a deadlock', () => serverError('40P01')],
    ['a table is missing', () => serverError('42P01')],
    ['memory is short', () => serverError('53200')],
    ['the transaction was aborted before', () => serverError('25P02')],
    ['we make a mistake', () => new TypeError('x is undefined')],
  ])('is sent again and booked then, because it was answered 503: %s', async (_why, error) => {
    const { documentId, event } = asked();
    // Together with others, and alone.
    failBookings(2, error);
    const refused = await seamed.service.send(event);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    const again = await seamed.service.send(event);
    expect(again.body.results).toEqual([{ eventId: event.eventId, outcome: 'accepted' }]);
    expect((await seamed.service.ending(documentId)).workStatus).toBe('DONE');
  });

  it('is unreadable where a value of its own cannot be stored: that would end the same way every time', async () => {
    const { event } = asked();
    failBookings(2, () => serverError('22003'));
    const answer = await seamed.service.send(event);
    expect([answer.status, answer.body.results[0].outcome]).toEqual([202, 'unreadable']);
  });
});
