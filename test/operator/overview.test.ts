import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database, Sql } from '../../src/db/database.js';
import { say } from '../../src/messages/message.js';
import type { KeyUsage } from '../../src/ims/calls/client.js';
import { notTold } from '../../src/operator/overview/not-told.js';
import { type Overview, overviewReader } from '../../src/operator/overview/overview.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { carriersReader } from '../../src/operator/carriers/history.js';
import { needsPersonCounter } from '../../src/operator/needs-a-person/count.js';
import { NOW, accountNamed, before, insertRow, textsIn } from './stage.js';

const HOUR = 60;
const key: KeyUsage = { keyId: 'k1', areas: ['1'], busiestSecond: 12, perSecond: 50, reserved: 40 };

let database: Database;

beforeAll(async () => {
  database = await openEmptyDatabase();
});

afterEach(() =>
  database.script(
    'truncate consignment, label, journal, handover, webhook_delivery, subscriber, callback_heard, account_polled, tracking_login_refused, ims_usage, consignment_request, carrier_circuit, task, return_label cascade',
  ),
);

afterAll(() => database.close());

async function read(request: { area?: string; language?: 'en' | 'da' } = {}): Promise<Overview> {
  const accounts = new Map([['gls', accountNamed('gls', 'open')] as const, ['dao', accountNamed('dao')] as const]);
  const deps = { database, clock: { now: () => NOW }, accounts, textsIn: await textsIn(), usage: () => [key] };
  return overviewReader(deps)({ area: request.area ?? null, language: request.language ?? 'en', notes: 'shown' });
}

const refused = (shipmentNumber: string) =>
  say('refused', { shipmentNumber, carrier: 'GLS', problems: 'postcode 00000 does not exist' });

const entry = (id: string, what: string, at = before(5)) =>
  database.query('insert into journal (consignment_id, at, what) values ($1, $2, $3)', [id, at, what]);

interface GivenUp {
  readonly note: string;
  readonly at: Date;
  readonly state?: string;
}

const givenUp = (id: string, { note, at, state = 'given-up' }: GivenUp) =>
  database.query(
    `insert into task (id, kind, area, shipment_id, state, note, created_at)
     values ($1, 'look-at-delivery-note', '1', 's', $2, $3, $4)`,
    [id, state, note, at],
  );

interface Return {
  readonly parcel: string;
  readonly state: string;
  readonly note?: string;
  readonly at: Date;
  readonly quietFrom?: Date;
}

const returnLabel = (consignment: string, { parcel, state, note, at, quietFrom = at }: Return) =>
  database.query(
    `insert into return_label (account, booked_reference, parcel_id, attempt, consignment_id, reference, state, note, asked_at,
                               quiet_from, updated_at)
     values ('gls', 'b', $1, $1, $2, 'R-' || $1, $3, $4, $5, $6, $5)`,
    [parcel, consignment, state, note ?? null, at, quietFrom],
  );

describe('what needs a person', () => {
  it('is one cause for the bookings that one outage left in doubt, and another one for those of another outage', async () => {
    for (let n = 0; n < 18; n += 1)
      await insertRow(database, { id: `d${n}`, state: 'in-doubt', needsOperator: true, createdAt: before(10 + n) });
    await insertRow(database, { id: 'old', state: 'in-doubt', needsOperator: true, createdAt: before(9 * HOUR) });
    const { needsPerson } = await read();
    expect(needsPerson.bookings).toBe(19);
    expect(needsPerson.parcelsCannotLeave.map(({ kind, account, count }) => [kind, account, count])).toEqual([
      ['in-doubt', 'gls', 18],
      ['in-doubt', 'gls', 1],
    ]);
    expect(needsPerson.parcelsCannotLeave[0]).toMatchObject({
      reason: 'GLS did not say whether it has booked 18 shipments: look for them in its portal.',
      oldestAt: before(27),
      newestAt: before(10),
      list: '/consignments?needsOperator=true&account=gls',
    });
  });

  it('names the reason of a refused booking in the asked language', async () => {
    await insertRow(database, { id: 'r', state: 'refused', message: refused('s-r') });
    const [english] = (await read()).needsPerson.parcelsCannotLeave;
    const [danish] = (await read({ language: 'da' })).needsPerson.parcelsCannotLeave;
    expect(english?.reason).toContain('GLS says: "postcode 00000 does not exist"');
    expect(danish?.reason).toContain('GLS svarer: "postcode 00000 does not exist"');
  });

  it('is not a refused booking whose shipment is booked by now, nor one that was left alone for a week', async () => {
    await insertRow(database, { id: 'r', shipment: 's', state: 'refused', createdAt: before(HOUR) });
    await insertRow(database, { id: 'again', shipment: 's', createdAt: before(5) });
    await insertRow(database, { id: 'ancient', state: 'refused', createdAt: before(8 * 24 * HOUR) });
    expect((await read()).needsPerson).toMatchObject({ bookings: 0, parcelsCannotLeave: [], notTold: [] });
  });

  it('is what neither the carrier nor a subscriber was told', async () => {
    await database.query(
      `insert into handover (area, document_id, account, list, close_out, close_note, attachment, created_at)
       values ('1', 'n1', 'gls', '{}', 'refused', 'closed for today', 'done', $1)`,
      [before(30)],
    );
    await database.query(
      "insert into subscriber (id, url, secret, created_at) values ('sub', 'https://x.example/hook', 's', now())",
    );
    await database.query(
      `insert into webhook_delivery (subscriber_id, event_id, parcel_id, status, state, note, due_at, created_at, ended_at)
       select 'sub', n, n, 'delivered', 'dead', 'answered 500', $1::timestamptz, $1, $1 from generate_series(1, 3) n`,
      [before(20)],
    );
    const { notTold } = (await read()).needsPerson;
    expect(notTold.map(({ kind, count, reason, parcels }) => [kind, count, reason, parcels])).toEqual([
      ['dead-letter', 3, 'The subscriber https://x.example/hook did not accept a webhook: answered 500', 0],
      ['failed-manifest', 1, 'The manifest of gls failed: closed for today', 0],
    ]);
  });

  it('is a task that was given up within a week, by its kind, with the latest reason', async () => {
    await givenUp('t1', { note: 'not found', at: before(30) });
    await givenUp('t0', { note: 'closed for today', at: before(20) });
    await givenUp('old', { note: 'not found', at: before(8 * 24 * HOUR) });
    await givenUp('done', { note: 'done', at: before(1), state: 'done' });
    const { notTold, count, bookings } = (await read()).needsPerson;
    expect([bookings, count]).toEqual([0, 2]);
    expect(notTold).toEqual([
      {
        ...{ id: 'given-up-task:check-delivery-note', kind: 'given-up-task', area: '1', account: null, carrier: null },
        reason: 'Waybridge gave up the task check-delivery-note: closed for today',
        ...{ count: 2, parcels: 0, oldestAt: before(30), newestAt: before(20), named: [], ids: [] },
        list: '/dead-letters?kind=task',
      },
    ]);
    expect((await read({ area: '2' })).needsPerson).toMatchObject({ count: 0, notTold: [] });
  });

  it('is looked for with the index of untold workers', async () => {
    const plan = await database.transaction(async (sql) => {
      await sql.query('set local enable_seqscan = off');
      const lines: string[] = [];
      const query: Sql['query'] = async (text, values) => {
        const rows = await sql.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        lines.push(...rows.map((row) => row['QUERY PLAN']));
        return [];
      };
      await notTold({ ...sql, query }, { area: null, now: NOW });
      return lines.join('\n');
    });
    expect(plan).toContain('consignment_untold');
  });

  it('is a return label in doubt, however old, and one whose process ended, with their consignments', async () => {
    await insertRow(database, { id: 'a' });
    await insertRow(database, { id: 'b' });
    await returnLabel('a', { parcel: '1', state: 'in-doubt', note: 'no answer', at: before(9 * 24 * HOUR) });
    await returnLabel('b', { parcel: '2', state: 'asking', at: before(10), quietFrom: before(5) });
    await returnLabel('b', { parcel: '3', state: 'asking', at: before(1), quietFrom: before(-3) });
    await returnLabel('b', { parcel: '4', state: 'made', at: before(1) });
    const { notTold, count, bookings } = (await read()).needsPerson;
    expect([bookings, count]).toEqual([0, 2]);
    expect(notTold).toMatchObject([
      {
        ...{ id: 'return-in-doubt:gls', kind: 'return-in-doubt', area: '1', account: 'gls', count: 2, ids: [] },
        reason:
          'The carrier of gls did not say whether it made return label R-2: Waybridge ended before the answer came',
        oldestAt: before(9 * 24 * HOUR),
        newestAt: before(10),
        named: [
          { id: 'b', shipment: 's-b' },
          { id: 'a', shipment: 's-a' },
        ],
        list: '/consignments/b',
      },
    ]);
    expect((await read({ area: '2' })).needsPerson).toMatchObject({ count: 0, notTold: [] });
  });

  it('is a message to a worker that the IMS did not take, of a booking that nothing else is wrong with', async () => {
    const message = say('cancel-refused', {
      ...{ shipmentNumber: 's-a', carrier: 'GLS', carrierNumber: '1', problems: 'on its way' },
    });
    const row = { message, messageState: 'failed' } as const;
    await insertRow(database, { ...row, id: 'a' });
    await insertRow(database, {
      ...row,
      id: 'b',
      messageState: 'not-allowed',
      state: 'cancelled',
      createdAt: before(30),
    });
    await insertRow(database, { ...row, id: 'r', state: 'refused' });
    await insertRow(database, { ...row, id: 'old', createdAt: before(8 * 24 * HOUR) });
    await insertRow(database, { ...row, id: 'lost', messageState: 'unknown' });
    await insertRow(database, { ...row, id: 'told', messageState: 'done' });
    const { notTold, bookings } = (await read()).needsPerson;
    expect(bookings).toBe(1);
    expect(notTold).toEqual([
      {
        ...{ id: 'untold-worker:gls', kind: 'untold-worker', area: '1', account: 'gls', carrier: null, count: 2 },
        reason:
          'The warehouse system did not take messages to workers about bookings of gls: read them at the shipments',
        ...{ parcels: 0, oldestAt: before(30), newestAt: before(5), ids: [] },
        named: [
          { id: 'a', shipment: 's-a' },
          { id: 'b', shipment: 's-b' },
        ],
        list: '/consignments/a',
      },
    ]);
    expect((await read({ area: '2' })).needsPerson.notTold).toEqual([]);
  });

  it('is what one area has, when the area is asked for', async () => {
    await insertRow(database, { id: 'one', state: 'refused', area: '1' });
    await insertRow(database, { id: 'two', state: 'refused', area: '2' });
    const { needsPerson } = await read({ area: '2' });
    expect(needsPerson.parcelsCannotLeave.map(({ area, ids }) => [area, ids])).toEqual([['2', ['two']]]);
  });
});

describe('how everything goes', () => {
  it('is counted for each of the last hours by outcome, also where nothing was booked', async () => {
    await insertRow(database, { id: 'a', createdAt: before(10) });
    await insertRow(database, { id: 'b', state: 'refused', createdAt: before(20) });
    await insertRow(database, { id: 'c', state: 'booking', dueAt: NOW, createdAt: before(1) });
    await insertRow(database, { id: 'd', createdAt: before(3 * HOUR) });
    const { bookingsPerHour, underWay } = await read();
    expect(bookingsPerHour).toHaveLength(25);
    expect(bookingsPerHour.at(-1)).toMatchObject({
      from: new Date('2030-03-04T12:00:00Z'),
      total: 3,
      byOutcome: { booked: 1, refused: 1, underWay: 1, inDoubt: 0 },
    });
    expect(bookingsPerHour.at(-2)?.total).toBe(0);
    expect(bookingsPerHour.at(-4)?.total).toBe(1);
    expect(underWay).toEqual({ count: 1, oldestAt: before(1), waitingFor: {} });
  });

  it('says the time to the label, of the run that made it', async () => {
    for (const [id, ms] of [
      ['a', 1_000],
      ['b', 2_000],
      ['c', 9_000],
    ] as const) {
      await insertRow(database, { id, createdAt: before(10) });
      await database.query(
        `insert into label (consignment_id, n, bytes, sha256, created_at) values ($1, 0, '', '', $2)`,
        [id, new Date(before(10).getTime() + ms)],
      );
    }
    await insertRow(database, { id: 'none' });
    expect((await read()).timeToLabel).toMatchObject({ medianMs: 2_000, p95Ms: 8_300, labels: 3 });
  });

  it('says the time to the label by the hour in which the booking was asked for', async () => {
    for (const [id, minutes, ms] of [
      ['a', 10, 1_000],
      ['b', 20, 3_000],
      ['c', 2 * HOUR, 9_000],
    ] as const) {
      await insertRow(database, { id, createdAt: before(minutes) });
      await database.query(
        `insert into label (consignment_id, n, bytes, sha256, created_at) values ($1, 0, '', '', $2)`,
        [id, new Date(before(minutes).getTime() + ms)],
      );
    }
    await insertRow(database, { id: 'other-area', area: '2', createdAt: before(10) });
    const { perHour } = (await read({ area: '1' })).timeToLabel;
    expect(perHour).toHaveLength(25);
    expect(perHour.slice(-3)).toEqual([
      { from: new Date('2030-03-04T10:00:00Z'), medianMs: 9_000, p95Ms: 9_000 },
      { from: new Date('2030-03-04T11:00:00Z'), medianMs: null, p95Ms: null },
      { from: new Date('2030-03-04T12:00:00Z'), medianMs: 2_000, p95Ms: 2_900 },
    ]);
  });

  it('says for each account whether its carrier answers', async () => {
    await insertRow(database, { id: 'a' });
    for (const what of ['carrier booked', 'carrier booked', 'carrier refused', 'carrier unknown', 'label'])
      await entry('a', what);
    await entry('a', 'carrier unavailable', before(2 * HOUR));
    await database.query("insert into callback_heard values ('dao', $1)", [before(7)]);
    expect((await read()).carriers).toEqual([
      {
        ...{ account: 'gls', carrier: 'GLS', carrierId: 'gls', circuit: 'open', errorRate: 0.25, lastCallbackAt: null },
        calls: { booked: 2, refused: 1, unavailable: 0, unknown: 1 },
      },
      {
        ...{ account: 'dao', carrier: 'DAO', carrierId: 'dao', circuit: 'closed', errorRate: null },
        ...{ lastCallbackAt: before(7), calls: { booked: 0, refused: 0, unavailable: 0, unknown: 0 } },
      },
    ]);
  });

  it('says how much of the limits of the IMS is used, without what is only reserved', async () => {
    await database.query("insert into ims_usage values ('k1', '2030-03-04', 1200), ('k1', '2030-03-03', 99000)");
    expect((await read()).limits).toEqual([
      {
        areas: ['1'],
        perSecond: { used: 12, limit: 50 },
        perDay: { used: 1160, limit: 100_000, resetsAt: new Date('2030-03-05T00:00:00Z') },
      },
    ]);
  });
});

describe('the history of carriers', () => {
  const carriers = async (span: '4-hours' | '1-day' = '4-hours') => {
    const accounts = new Map([['gls', accountNamed('gls')] as const, ['dao', accountNamed('dao')] as const]);
    const { accounts: found } = await carriersReader({ database, clock: { now: () => NOW }, accounts })(span);
    return found;
  };

  it('has a bar for each three minutes with answers, failures and what was not sent', async () => {
    await insertRow(database, { id: 'a' });
    for (const what of ['carrier booked', 'carrier refused', 'carrier unknown', 'held'])
      await entry('a', what, before(1));
    await entry('a', 'carrier unavailable', before(61));
    const [gls, dao] = await carriers();
    expect(gls?.bars).toHaveLength(80);
    expect(gls?.bars.at(-1)).toMatchObject({ from: NOW, answered: 0, failed: 0, parked: 0 });
    expect(gls?.bars.at(-2)).toEqual({ from: before(3), answered: 2, failed: 1, parked: 1 });
    expect(gls?.bars.at(-22)).toEqual({ from: before(63), answered: 0, failed: 1, parked: 0 });
    expect(gls?.recentErrors).toBeCloseTo(1 / 3);
    expect([dao?.recentErrors, dao?.medianMs]).toEqual([null, null]);
  });

  it('measures the answered requests of bookings', async () => {
    const request = { step: 'book', account: 'gls', status: 201 };
    const sent = (id: string, ...requests: readonly object[]) =>
      database.query(
        'insert into consignment_request (consignment_id, n, at, requests) values ($1, 0, $2, $3::jsonb)',
        [...[id, before(5), JSON.stringify(requests)]],
      );
    for (const tookMs of [100, 200, 300]) await sent(`c${tookMs}`, { ...request, tookMs });
    await sent(
      'others',
      { ...request, tookMs: 9, step: 'write', account: null },
      { ...request, tookMs: 9, status: null },
    );
    expect((await carriers())[0]).toMatchObject({ medianMs: 200, p95Ms: 290 });
  });

  it('knows when each carrier called last, and when it answered a poll', async () => {
    await database.query("insert into callback_heard values ('dao', $1)", [before(7)]);
    await database.query("insert into account_polled values ('gls', $1), ('dao', $2)", [before(3), before(4)]);
    expect(await carriers()).toMatchObject([
      { account: 'gls', lastCallbackAt: null, lastPolledAt: before(3) },
      { account: 'dao', lastCallbackAt: before(7), lastPolledAt: before(4) },
    ]);
  });

  it('knows which carrier refuses the login of polls', async () => {
    await database.query("insert into tracking_login_refused values ('gls', $1), ('dao', $2)", [
      ...[before(-3), before(3)],
    ]);
    expect(await carriers()).toMatchObject([
      { account: 'gls', refusesPolls: true },
      { account: 'dao', refusesPolls: false },
    ]);
  });

  it('has the latest outage, with its end', async () => {
    const circuit = (account: string, stage: string, closedMs: number | null) =>
      database.query('insert into carrier_circuit (account, state) values ($1, $2::jsonb)', [
        account,
        JSON.stringify({ stage, sinceMs: Date.now() - 60_000, nextMs: 0, closedMs }),
      ]);
    await circuit('gls', 'closed', Date.now());
    const [gls, dao] = await carriers();
    const near = (at: Date | null | undefined, minutes: number) =>
      Math.abs((at?.getTime() ?? 0) - before(minutes).getTime()) < 30_000;
    expect([near(gls?.lastOutage?.since, 1), near(gls?.lastOutage?.until, 0), dao?.lastOutage]).toEqual([
      true,
      true,
      null,
    ]);
  });

  it('counts what waits for a carrier, and what only a person can find out', async () => {
    await insertRow(database, { id: 'w', state: 'planned', waitingFor: 'carrier', dueAt: before(-1) });
    // The settings of its account are being changed: the carrier may answer.
    const account = { waitingFor: 'carrier', waitsForAccount: true };
    await insertRow(database, { id: 'a', state: 'planned', dueAt: before(-1), ...account });
    await insertRow(database, { id: 'd', state: 'in-doubt', needsOperator: true });
    expect(await carriers()).toMatchObject([
      { account: 'gls', waiting: 1, unconfirmed: 1 },
      { account: 'dao', waiting: 0, unconfirmed: 0 },
    ]);
    expect((await read()).underWay.waitingFor).toEqual({ carrier: 1, account: 1 });
  });
});

describe('the number of what needs a person', () => {
  it('counts bookings, tasks that were given up and return labels in doubt, as the overview does', async () => {
    await insertRow(database, { id: 'd', state: 'in-doubt', needsOperator: true });
    await insertRow(database, { id: 'r', state: 'refused', area: '2' });
    await insertRow(database, { id: 'old', state: 'refused', createdAt: before(9 * 24 * HOUR) });
    const count = needsPersonCounter({ database, clock: { now: () => NOW } });
    await givenUp('t', { note: 'not found', at: before(30) });
    await returnLabel('d', { parcel: '1', state: 'in-doubt', at: before(10) });
    expect([await count(null), await count('2')]).toEqual([4, 1]);
    expect((await read()).needsPerson).toMatchObject({ bookings: 2, count: 4 });
  });
});
