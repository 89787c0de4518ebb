import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type AlertContext, tellTroubles } from '../../src/alerts/alerts.js';
import { insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import type { Database, Sql } from '../../src/db/database.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import { withTimeout } from '../../src/worker/with-timeout.js';
import { keepLog } from '../support/log-lines.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { HandClock } from '../tracking/tracking-stage.js';
import { type Receiver, isSignedWith, startReceiver } from '../webhooks/receiver.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const allowed = createHttpPort({ allowPrivateAddresses: 'allowed' });
const refused = createHttpPort({ allowPrivateAddresses: 'refused' });

let database: Database;
let receiver: Receiver;
let clock: HandClock;
let lines: ReturnType<typeof keepLog>;
let documents = 0;

beforeAll(async () => {
  database = await openEmptyDatabase();
});
beforeEach(async () => {
  await database.script('truncate consignment, alert, task, return_label, handover cascade');
  receiver = await startReceiver();
  clock = new HandClock();
  lines = keepLog();
});
afterEach(() => receiver.close());
afterAll(async () => {
  allowed.close();
  refused.close();
  await database.close();
});

/** A booking at this account that only a person can continue. @returns its id */
async function inDoubt(account: string): Promise<string> {
  const addressee = { eventId: 'e-1', userId: null, deviceName: null };
  const of = {
    area: '1',
    bookedOn: 'transport-booking',
    documentId: `d-${(documents += 1)}`,
    shipmentId: null,
  } as const;
  const id = (await insertConsignment(database, { ...of, addressee, now: clock.now() })) ?? '';
  await database.query(
    `update consignment set state = 'in-doubt', waits_for_person = true, due_at = null, account = $2, updated_at = $3
      where id = $1`,
    [id, account, clock.now()],
  );
  return id;
}

function context(changes: Partial<AlertContext> = {}): AlertContext {
  return {
    ...{ database, clock, random: () => 0, log: lines.log, owner: 'one', post: allowed.links.post },
    receiver: { url: receiver.url, secret: SECRET },
    publicUrl: 'https://waybridge.example',
    ...changes,
  };
}

/** One look at what needs a person, and the deliveries that follow. */
function look(changes: Partial<AlertContext> = {}): Promise<void> {
  return tellTroubles(context(changes));
}

it('tells what needs a person, with a count, the account, links and what to do, signed', async () => {
  const id = await inDoubt('gls');
  await look({ clock: { now: () => new Date() } });
  const [alert] = receiver.received;
  expect(receiver.received).toHaveLength(1);
  expect(alert && isSignedWith(SECRET, alert)).toBe(true);
  expect(alert?.json).toMatchObject({
    type: 'waybridge.needs-person',
    text: expect.stringMatching(
      /bookings in doubt at gls: 1\. What to do: look.* https:\/\/waybridge\.example\/needs-a-person$/,
    ),
    data: {
      page: 'https://waybridge.example/needs-a-person',
      ...{ kind: 'bookings-in-doubt', account: 'gls', count: 1, runbook: 'bookings-in-doubt' },
      consignments: [
        {
          ...{ id, url: `https://waybridge.example/consignments/${id}` },
          api: `https://waybridge.example/api/v1/consignments/${id}`,
        },
      ],
    },
  });
});

it('tells of refused bookings that were not booked again, and not where `kinds` leaves them out', async () => {
  const refusedOf = async (shipmentId: string) => {
    const id = await inDoubt('gls');
    await database.query(
      `update consignment set state = 'refused', waits_for_person = false, shipment_id = $2, created_at = $3 where id = $1`,
      [id, shipmentId, clock.now()],
    );
    return id;
  };
  const left = await refusedOf('1');
  await refusedOf('2');
  clock.forward(MINUTE_MS);
  const again = await refusedOf('2');
  await database.query(`update consignment set state = 'closed' where id = $1`, [again]);
  await look({ receiver: { url: receiver.url, secret: SECRET, kinds: ['bookings-in-doubt'] } });
  expect(receiver.received).toEqual([]);
  await look();
  expect(receiver.received.map(({ json }) => json.data)).toMatchObject([
    { kind: 'bookings-refused', account: 'gls', count: 1, runbook: 'refused', consignments: [{ id: left }] },
  ]);
});

it('tells of tasks that were given up, and of return labels in doubt with their consignments', async () => {
  await database.query(
    `insert into task (id, kind, area, state, note, created_at) values ('t', 'choose-carrier', '1', 'given-up', 'closed', $1)`,
    [clock.now()],
  );
  await database.query(
    `insert into return_label (account, booked_reference, parcel_id, attempt, consignment_id, reference, state, asked_at,
                               quiet_from, updated_at)
     select 'dao', 'b', n, n, 'c', 'R-' || n, state, $1::timestamptz, $1::timestamptz + make_interval(mins => quiet), $1
       from (values ('1', 'in-doubt', 5), ('2', 'asking', 0), ('3', 'asking', 5), ('4', 'made', 0)) given (n, state, quiet)`,
    [clock.now()],
  );
  await look();
  const told = receiver.received.map(({ json }) => json.data);
  expect(told).toHaveLength(2);
  expect(told).toEqual(
    expect.arrayContaining([
      {
        ...{ kind: 'tasks-given-up', account: null, count: 1, runbook: 'given-up', consignments: [] },
        page: 'https://waybridge.example/dead-letters?kind=task',
      },
      {
        page: 'https://waybridge.example/needs-a-person',
        ...{ kind: 'return-labels-in-doubt', account: 'dao', count: 2, runbook: 'return-labels-in-doubt' },
        consignments: [expect.objectContaining({ id: 'c', url: 'https://waybridge.example/consignments/c' })],
      },
    ]),
  );
});

it('says nothing while nothing needs a person', async () => {
  await look();
  expect(receiver.received).toEqual([]);
});

it('tells a cause once, and again after an hour only when there is a new case', async () => {
  await inDoubt('gls');
  await look();
  clock.forward(10 * MINUTE_MS);
  await inDoubt('gls');
  await look();
  expect(receiver.received).toHaveLength(1);
  clock.forward(HOUR_MS);
  await look();
  expect(receiver.received).toHaveLength(2);
  expect(receiver.received[1]?.json.data.count).toBe(2);
  clock.forward(2 * HOUR_MS);
  await look();
  expect(receiver.received).toHaveLength(2);
});

it('tells of a cause that ended and came back', async () => {
  const first = await inDoubt('gls');
  await look();
  await database.query('update consignment set waits_for_person = false where id = $1', [first]);
  clock.forward(2 * HOUR_MS);
  await look();
  await inDoubt('gls');
  await look();
  expect(receiver.received).toHaveLength(2);
});

it('says nothing anew while the IMS does not take what is written to it about the booking', async () => {
  const id = await inDoubt('gls');
  await look();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    clock.forward(HOUR_MS + MINUTE_MS);
    await database.query('update consignment set tries = tries + 1, updated_at = $2 where id = $1', [id, clock.now()]);
    await look();
  }
  expect(receiver.received).toHaveLength(1);
});

it('tells of a booking that was resolved, and is in doubt again before the next look', async () => {
  const id = await inDoubt('gls');
  await look();
  clock.forward(2 * HOUR_MS);
  await database.query('update consignment set run = run + 1, run_started_at = $2, updated_at = $2 where id = $1', [
    id,
    clock.now(),
  ]);
  await look();
  expect(receiver.received).toHaveLength(2);
});

/** A manifest of `gls` with this close-out. @returns changes the close-out */
async function manifest(documentId: string, closeOut: string): Promise<(closeOut: string) => Promise<unknown>> {
  await database.query(
    `insert into handover (area, document_id, account, list, close_out, attachment, created_at)
     values ('1', $1, 'gls', '{}', $2, 'done', $3)`,
    [documentId, closeOut, clock.now()],
  );
  return (changed) =>
    database.query('update handover set close_out = $2 where document_id = $1', [documentId, changed]);
}

it('tells of a case that was tried again and failed again, while another of its cause stood all the time', async () => {
  await manifest('m-1', 'refused');
  const second = await manifest('m-2', 'refused');
  await look();
  clock.forward(2 * HOUR_MS);
  await second('open');
  await look();
  expect(receiver.received).toHaveLength(1);
  clock.forward(24 * HOUR_MS);
  await second('given-up');
  await look();
  expect(receiver.received.map(({ json }) => json.data.count)).toEqual([2, 2]);
  clock.forward(2 * HOUR_MS);
  await look();
  expect(receiver.received).toHaveLength(2);
});

it('tells of an older case that fails after the newer one was settled within the quiet hour', async () => {
  const older = await manifest('m-1', 'open');
  const newer = await manifest('m-2', 'refused');
  await look();
  clock.forward(10 * MINUTE_MS);
  await newer('done');
  await look();
  clock.forward(10 * MINUTE_MS);
  await older('given-up');
  await look();
  expect(receiver.received).toHaveLength(1);
  clock.forward(HOUR_MS);
  await look();
  expect(receiver.received).toHaveLength(2);
});

it('tells of an older case that fails between the same two looks in which the newer one is settled', async () => {
  const older = await manifest('m-1', 'open');
  const newer = await manifest('m-2', 'refused');
  await look();
  await newer('done');
  await older('given-up');
  await look();
  expect(receiver.received).toHaveLength(1);
  clock.forward(2 * HOUR_MS);
  await look();
  expect(receiver.received).toHaveLength(2);
});

it('says nothing anew when one of two cases was settled', async () => {
  await manifest('m-1', 'refused');
  const second = await manifest('m-2', 'refused');
  await look();
  await second('done');
  await look();
  clock.forward(2 * HOUR_MS);
  await look();
  expect(receiver.received).toHaveLength(1);
});

it('tells two accounts apart', async () => {
  await inDoubt('gls');
  await inDoubt('dao');
  await look();
  expect(receiver.received.map(({ json }) => json.data.account).sort()).toEqual(['dao', 'gls']);
});

it('sends an alert again that the receiver did not take, under the same id', async () => {
  await inDoubt('gls');
  receiver.answer = () => 503;
  await look();
  receiver.answer = () => 204;
  clock.forward(MINUTE_MS);
  await look();
  expect(receiver.received).toHaveLength(2);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
});

it('takes no id twice after a backup was restored, whose rows begin at an earlier number', async () => {
  await inDoubt('gls');
  await look();
  await database.script('truncate alert restart identity');
  await inDoubt('dao');
  await look();
  expect(receiver.received.map(({ json }) => json.data.account)).toEqual(['gls', 'dao', 'gls']);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
});

it('keeps the id of an alert that an instance of a version without random ids has added', async () => {
  const [row] = await database.query<{ id: string }>(
    `insert into alert (cause, count, newest, body, due_at, created_at) values ('c', 1, '1', '{}', $1, $1) returning id`,
    [clock.now()],
  );
  await look();
  expect(receiver.received.map(({ id }) => id)).toEqual([`alert_${row?.id}`]);
});

it('is sent within five minutes after the receiver takes alerts again, however long it took none', async () => {
  await inDoubt('gls');
  receiver.answer = () => 500;
  for (let minutes = 0; minutes < 240; minutes += 5) {
    await look();
    clock.forward(5 * MINUTE_MS);
  }
  const before = receiver.received.length;
  receiver.answer = () => 200;
  await look();
  expect(receiver.received).toHaveLength(before + 1);
});

/** The receiver takes nothing for as long as an alert is tried. */
async function tryInVain(): Promise<void> {
  receiver.answer = () => 500;
  await look();
  clock.forward(25 * HOUR_MS);
  await look();
}

it('gives an alert up after a day, and says so as an error', async () => {
  await inDoubt('gls');
  await tryInVain();
  expect(lines.lines.filter(({ level }) => level === 'error')).toMatchObject([{ event: 'alert not delivered' }]);
  expect(await database.query('select state from alert')).toEqual([{ state: 'dead' }]);
});

it('tells a cause anew whose alert was given up, once the receiver takes it', async () => {
  await inDoubt('gls');
  await tryInVain();
  const refusedAlerts = receiver.received.length;
  receiver.answer = () => 204;
  await look();
  clock.forward(2 * HOUR_MS);
  await look();
  expect(receiver.received.slice(refusedAlerts).map(({ json }) => json.data)).toMatchObject([
    { account: 'gls', count: 1 },
  ]);
});

it('goes to no private address', async () => {
  await inDoubt('gls');
  await look({ post: refused.links.post });
  expect(receiver.received).toEqual([]);
  expect(lines.lines).toMatchObject([{ level: 'warn', event: 'alert not delivered' }]);
});

it('shows the host of the receiver where an alert is not delivered, and not the rest of the address', async () => {
  await inDoubt('gls');
  const host = '127.0.0.1:1';
  await look({ receiver: { url: `http://${host}/services/tok3n-of-the-hook?key=k3y-of-the-hook`, secret: SECRET } });
  const seen = JSON.stringify([lines.lines, await database.query('select note from alert')]);
  expect(seen).toContain(host);
  expect(seen).not.toMatch(/services|tok3n|k3y/);
});

it('is sent by one of two instances', async () => {
  await inDoubt('gls');
  await Promise.all([look(), look({ owner: 'two' })]);
  expect(receiver.received).toHaveLength(1);
});

/** The database of an instance that does this around its reading of what needs a person. */
function aroundReading(around: (read: () => Promise<unknown>) => Promise<unknown>): Pick<AlertContext, 'database'> {
  const watched = <Handle extends Sql>(sql: Handle): Handle => ({
    ...sql,
    query: (text: string, values?: readonly unknown[]) =>
      text.includes('from consignment') ? around(() => sql.query(text, values)) : sql.query(text, values),
  });
  const transaction: Database['transaction'] = (work) => database.transaction((sql) => work(watched(sql)));
  return { database: { ...watched(database), transaction } };
}

it('lets a booking be stored while it reads what needs a person', async () => {
  let stored = 'not while it reads';
  const whileReading = aroundReading(async (read) => {
    const booking = inDoubt('gls').then(() => 'while it reads');
    stored = await withTimeout(booking, 2_000, () => stored);
    return read();
  });
  await look(whileReading);
  expect(stored).toBe('while it reads');
});

it('tells nothing twice when one of two instances read before the other and stores after it', async () => {
  const readBefore = aroundReading(async (read) => {
    const nothingYet = await read();
    await inDoubt('gls');
    await look({ owner: 'two' });
    return nothingYet;
  });
  await look(readBefore);
  expect(receiver.received).toHaveLength(1);
  clock.forward(2 * HOUR_MS);
  await look();
  expect(receiver.received).toHaveLength(1);
});
