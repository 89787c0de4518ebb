import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { CarrierRejected, CarrierUnavailable } from '../../carriers/contract/errors.js';
import { arrivalsIn } from '../../src/intake/arrivals.js';
import { takeIn } from '../../src/intake/intake.js';
import { whatToDo } from '../../src/dashboard/inbox/manifest-view.js';
import { insertTask } from '../../src/tasks/task-rows.js';
import { taskHandlers } from '../../src/app/task-handlers.js';
import { runTask } from '../../src/tasks/run-task.js';
import { retryManifests } from '../../src/manifests/retry-manifest.js';
import { handoverQueries } from '../../src/manifests/handover-queries.js';
import type { Part } from '../../src/consignment/consignment.js';
import type { BookingContext } from '../../src/consignment/context.js';
import type { Account } from '../../src/accounts/account.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { silentLog } from '../../src/log.js';
import type { Script, TestIms } from '../ims/ims-server.js';
import { startUsedIms, contextOfArea } from '../support/area-context.js';
import { bookedPart, plan } from '../support/consignments.js';
import { keepLog } from '../support/log-lines.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const MIDNIGHT = Date.parse('2026-03-03T00:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OTHERS_RUN_UNTIL = 95_000;
/** In truth the same; here it shows which way a request went. */
const BACKGROUND_KEY = 'area-550-background';
const NUMBERED = ['T-box-1', 'T-box-3'].map((trackingNumber) => ({ trackingNumber, weightGrams: null }));
const words = {
  ...{ title: 't', sender: 's', date: 'd', document: 'd', shipment: 's', carrierNumber: 'c', trackingNumber: 't' },
  ...{ weight: 'w', consignments: 'c', parcels: 'p', driver: 'd', signature: 's', time: 't', page: 'p' },
};

let database: Database;
let ims: TestIms;

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrate(database);
});
afterEach(async () => {
  await ims.close();
  await database.script('truncate consignment, consignment_note, event, task, handover cascade');
});
afterAll(() => database.close());

type Close = NonNullable<Account['carrier']['closeOut']>;

interface Scene {
  readonly context: BookingContext;
  run(): Promise<void>;
  dueAt(): Promise<Date | null>;
  list(): Promise<object>;
}

/** A note whose lists are made, of which only the second is closed out, with an IMS that has taken so many requests today. */
async function sceneWith(close: Close, used: number, api?: Script): Promise<Scene> {
  ims = await startUsedIms(used, api);
  const bulkhead = {
    run: (_id: string, work: (call: (one: () => unknown) => unknown) => unknown) => work((one) => one()),
  };
  const adapter = { id: 'nord', name: 'Nord' };
  const account = { name: 'nord', adapter, carrier: { closeOut: close }, bulkhead } as unknown as Account;
  const imsBackground = ims.client.area('550', BACKGROUND_KEY, 'background');
  const context = { ...contextOfArea(database, ims, { imsBackground }), accounts: new Map([['nord', account]]) };
  await begin(ims.clock.now());
  return {
    context,
    run: async () => void (await runTask(context, taskHandlers, 'event-1')),
    dueAt: async () => (await database.query<{ due_at: Date | null }>('select due_at from task'))[0]?.due_at ?? null,
    list: async () => {
      const found = await handoverQueries(database).overview({ documentId: '700', area: null, account: null });
      return (found as { readonly lists: readonly object[] }).lists[1] ?? {};
    },
  };
}

async function begin(now: Date): Promise<void> {
  await database.query(
    `insert into consignment (id, area, booked_on, shipment_id, event_id, state, plan, parts, run_started_at,
                              handed_over_at, handed_over_by, created_at, updated_at)
     values ('c-1', '550', 'transport-booking', '601', 'event-0', 'closed', $2::jsonb, $3::jsonb, $1, $1, '700', $1, $1)`,
    [
      now,
      JSON.stringify({ plan: { ...plan(['box-1']), account: 'nord', carrierId: 'nord', carrierName: 'Nord' } }),
      JSON.stringify([
        { n: 1, state: 'booked', request: { parcels: [] }, booking: { carrierNumber: 'N1', parcels: [] } },
      ]),
    ],
  );
  const taken = { consignmentId: 'c-1', shipmentNumber: '10045', carrierNumber: 'N1', parcels: NUMBERED };
  const list = { account: 'nord', carrierName: 'Nord', documentId: '700', sender: [], handedOverAt: '-', words };
  await database.query(
    `insert into handover (area, document_id, account, list, close_out, attachment, created_at)
     values ('550', '700', 'alfa', $1::jsonb, 'not-offered', 'open', $2),
            ('550', '700', 'nord', $1::jsonb, 'open', 'open', $2)`,
    [JSON.stringify({ ...list, consignments: [taken] }), now],
  );
  const addressee = { eventId: 'event-1', userId: null, deviceName: null };
  const about = { area: '550', shipmentId: null, documentId: '700', addressee, createdAt: now };
  await insertTask(database, { id: 'event-1', kind: 'handover', ...about });
}

const messages = () => ims.calls.filter(({ url }) => url.endsWith('/messages'));

it('tries a close-out again soon, although the list can be attached only tomorrow', async () => {
  let attempts = 0;
  const scene = await sceneWith(async () => {
    attempts += 1;
    if (attempts === 1) throw new CarrierUnavailable('not now', null);
    return { number: 'M1' };
  }, OTHERS_RUN_UNTIL);
  await scene.run();
  const again = await scene.dueAt();
  expect((again?.getTime() ?? Infinity) - ims.clock.now().getTime()).toBeLessThan(60_000);
  ims.clock.forward(60_000);
  await scene.run();
  expect(await scene.list()).toMatchObject({ closeOut: { state: 'done', note: 'M1' }, attachment: { state: 'open' } });
  expect(await scene.dueAt()).toEqual(new Date(MIDNIGHT + 5 * 60_000));
  ims.clock.forward(MIDNIGHT + 6 * 60_000 - ims.clock.now().getTime());
  await scene.run();
  expect(await scene.list()).toMatchObject({ attachment: { state: 'done' } });
  expect(await scene.dueAt()).toBeNull();
});

it('warns by the way of what nobody waits for, after the verdict is noted', async () => {
  const refused = async () => {
    throw new CarrierRejected([{ code: null, text: 'the day is closed', parcelId: null }]);
  };
  let answer = 503;
  const scene = await sceneWith(refused, 0, ({ url }) => ({
    status: url.endsWith('/messages') ? answer : 200,
    json: {},
  }));
  await scene.run();
  expect(await scene.list()).toMatchObject({ closeOut: { state: 'refused' }, attachment: { state: 'done' } });
  expect(await scene.dueAt()).not.toBeNull();
  answer = 200;
  ims.clock.forward(60_000);
  await scene.run();
  expect(await scene.dueAt()).toBeNull();
  expect(messages().map(({ headers }) => headers['x-api-key'])).toEqual(messages().map(() => BACKGROUND_KEY));
  expect(
    messages()
      .map(({ body }) => JSON.parse(body))
      .at(-1),
  ).toMatchObject({ messageText: 'close-out-failed' });
});

it('gives up after a day what was never answered, and leaves nothing open', async () => {
  const scene = await sceneWith(
    async () => {
      throw new CarrierUnavailable('not now', null);
    },
    0,
    () => ({ status: 503 }),
  );
  await scene.run();
  expect(await scene.list()).toMatchObject({ state: 'open' });
  ims.clock.forward(25 * HOUR_MS);
  await scene.run();
  expect(await scene.list()).toMatchObject({
    ...{ state: 'failed', closeOut: { state: 'given-up', note: 'not now' } },
    attachment: { state: 'given-up', note: expect.stringContaining('503') },
  });
  expect(await scene.dueAt()).toBeNull();
});

it('gives up after a day a list that cannot be drawn', async () => {
  const scene = await sceneWith(async () => ({ number: null }), 0);
  await database.script("update handover set list = list - 'words'");
  await scene.run();
  expect(await scene.dueAt()).not.toBeNull();
  ims.clock.forward(25 * HOUR_MS);
  await scene.run();
  expect(await scene.list()).toMatchObject({ state: 'failed', attachment: { state: 'given-up' } });
  expect(await scene.dueAt()).toBeNull();
});

it.each([
  ['does not accept the key', 401],
  ['answers in a way that was not foreseen', 409],
])('ends after a day where the IMS takes the list, and %s at the message', async (_what, status) => {
  const refused = async () => {
    throw new CarrierRejected([{ code: null, text: 'the day is closed', parcelId: null }]);
  };
  const scene = await sceneWith(refused, 0, ({ url }) => ({
    status: url.endsWith('/messages') ? status : 200,
    json: {},
  }));
  await scene.run();
  expect(await scene.dueAt()).not.toBeNull();
  ims.clock.forward(25 * HOUR_MS);
  const { log, lines } = keepLog();
  await runTask({ ...scene.context, log }, taskHandlers, 'event-1');
  expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
    { event: 'handover message not sent', fields: { message: 'close-out-failed' } },
  ]);
  expect(await scene.dueAt()).toBeNull();
});

it('leaves nothing open of an area that is not configured any more', async () => {
  const scene = await sceneWith(async () => ({ number: null }), 0);
  const context = { ...scene.context, areas: new Map() };
  ims.clock.forward(25 * HOUR_MS);
  await runTask(context, taskHandlers, 'event-1');
  expect(await scene.list()).toMatchObject({ closeOut: { state: 'given-up' }, attachment: { state: 'given-up' } });
});

it.each<readonly [string, ReadonlyMap<string, Account>, RegExp]>([
  [
    'is not configured any more',
    new Map(),
    /.nord. is not in the configuration any more: put it back.*waybridge\.yaml/,
  ],
  [
    'belongs by now to a carrier that closes nothing out',
    new Map([['nord', { name: 'nord', adapter: { id: 'syd', name: 'Syd' }, carrier: {} } as unknown as Account]]),
    /.nord. is one of Syd by now/,
  ],
])('tells people about an open close-out whose account %s', async (_what, accounts, because) => {
  const scene = await sceneWith(async () => ({ number: null }), 0);
  const warned: unknown[] = [];
  const log = { ...silentLog, warn: (what: string, fields?: object) => void warned.push([what, fields]) };
  await runTask({ ...scene.context, accounts, log }, taskHandlers, 'event-1');
  expect(await scene.list()).toMatchObject({
    ...{ state: 'failed' },
    closeOut: { state: 'refused', note: expect.stringMatching(because) },
  });
  const [advice] = whatToDo((await scene.list()) as Parameters<typeof whatToDo>[0]);
  expect(advice).toMatch(/^Nord was not asked: account .nord. is .* then retry; or close out in the portal of Nord\.$/);
  expect(warned).toContainEqual(['close-out not asked', { document: '700', account: 'nord' }]);
  expect(messages()).toHaveLength(1);
});

it.each<readonly [string, ReadonlyMap<string, Account>, string]>([
  ['asks for the close-out of a list whose account is not configured any more', new Map(), 'refused'],
  [
    'asks for no close-out where the account was renamed, and its carrier wants none',
    new Map([['north', { name: 'north', adapter: { id: 'nord', name: 'Nord' }, carrier: {} } as unknown as Account]]),
    'not-offered',
  ],
])('%s', async (_what, accounts, state) => {
  const scene = await sceneWith(async () => ({ number: null }), 0);
  await database.query("delete from handover where account = 'nord'");
  await database.query('update consignment set parts = $1::jsonb', [JSON.stringify([bookedPart(1)])]);
  await runTask({ ...scene.context, accounts }, taskHandlers, 'event-1');
  expect(await scene.list()).toMatchObject({ closeOut: { state } });
});

interface Late {
  readonly closed: readonly string[];
  readonly told: readonly string[];
}

/**
 * The first close-out fails. Then `second` is booked, another booking of the shipment; it is later.
 * @returns the carrier's numbers that are closed out, and the messages
 */
async function closedAfter(
  second: readonly Part[],
  first: readonly Part[],
  failure: Error = new CarrierUnavailable('not now', null),
): Promise<Late> {
  const closed: (string | null)[] = [];
  let attempts = 0;
  const scene = await sceneWith(async (bookings) => {
    attempts += 1;
    if (attempts === 1) throw failure;
    closed.push(...bookings.map(({ carrierNumber }) => carrierNumber));
    return { number: 'M1' };
  }, 0);
  await database.query('update consignment set parts = $1::jsonb', [JSON.stringify(first)]);
  await keepNoteOf('601');
  await scene.run();
  if (failure instanceof CarrierRejected) ims.clock.forward(3 * DAY_MS);
  await bookLate(second);
  if (failure instanceof CarrierRejected) await retryLists();
  ims.clock.forward(60_000);
  await scene.run();
  const told = messages().map(({ body }) => JSON.parse(body).messageText);
  return { closed: closed.map(String), told };
}

async function keepNoteOf(shipmentId: string): Promise<void> {
  await database.query(
    `insert into consignment_note (area, document_id, shipment_ids, left_at, created_at)
     values ('550', '700', $2::jsonb, $1, $1)`,
    [ims.clock.now(), JSON.stringify([shipmentId])],
  );
}

/** As an operator does. */
async function retryLists(): Promise<void> {
  const failed = await database.query<{ id: number }>('select id from handover');
  await retryManifests(
    database,
    failed.map(({ id }) => String(id)),
    ims.clock.now(),
  );
}

/** Books the shipment again, with the same account. */
async function bookLate(parts: readonly Part[]): Promise<void> {
  const latePlan = { ...plan(['box-1', 'box-2']), account: 'nord', carrierId: 'nord', carrierName: 'Nord', turn: 2 };
  await database.query(
    `insert into consignment (id, area, booked_on, shipment_id, event_id, state, plan, parts, run_started_at,
                              created_at, updated_at)
     values ('c-2', '550', 'transport-booking', '601', 'event-2', 'closed', $2::jsonb, $3::jsonb, $1, $1, $1)`,
    [ims.clock.now(), JSON.stringify({ plan: latePlan }), JSON.stringify(parts)],
  );
}

it('closes out what was booked after the manifest was made and before the carrier closes, and tells the worker of it', async () => {
  expect(await closedAfter([bookedPart(2)], [bookedPart(1)])).toEqual({
    closed: ['C-1', 'C-2'],
    told: ['late-for-manifest'],
  });
});

it('closes out what a later booking has taken over once, and not what that one has cancelled', async () => {
  const cancelled: Part = { ...bookedPart(3), state: 'cancelled' };
  expect(await closedAfter([bookedPart(1), cancelled], [bookedPart(1), bookedPart(3)])).toEqual({
    closed: ['C-1'],
    told: [],
  });
});

it('does not close out what a worker was told to throw away, since a later booking replaces it', async () => {
  const left = { ...bookedPart(1), leftToPerson: true };
  expect((await closedAfter([bookedPart(2)], [left])).closed).toEqual(['C-2']);
});

it('closes out nothing that was booked days after its note, where an operator retries the manifest then', async () => {
  const closedToday = new CarrierRejected([{ code: null, text: 'closed', parcelId: null }]);
  const { closed, told } = await closedAfter([bookedPart(2)], [bookedPart(1)], closedToday);
  expect(closed).toEqual(['C-1']);
  expect(told).not.toContain('late-for-manifest');
  const late = await database.query("select handed_over_by from consignment where id = 'c-2'");
  expect(late).toEqual([{ handed_over_by: null }]);
});

it('tells of a booking that was begun after the time for which a manifest waits, where there is no manifest', async () => {
  const scene = await sceneWith(async () => ({ number: 'M1' }), 0);
  await database.query('delete from handover');
  await keepNoteOf('601');
  ims.clock.forward(DAY_MS);
  await database.query(
    `update consignment set handed_over_at = null, handed_over_by = null, parts = $1::jsonb, created_at = $2,
            run_started_at = $2, updated_at = $2`,
    [JSON.stringify([bookedPart(1)]), ims.clock.now()],
  );
  await scene.run();
  expect(messages().map(({ body }) => JSON.parse(body).messageText)).toEqual(['late-for-manifest']);
  expect(await database.query('select account from handover')).toEqual([]);
});

it.each([1, 2])('takes along by its note a booking whose run %d waits for the requests of a new day', async (run) => {
  await sceneWith(async () => ({ number: 'M1' }), 0);
  const now = ims.clock.now();
  await database.query(
    `update consignment set state = 'labelled', handed_over_at = null, handed_over_by = null, run = $1, run_started_at = $2,
            created_at = $3, updated_at = $3`,
    [run, new Date(MIDNIGHT + 8_000), now],
  );
  const note = {
    eventType: 'documentCreated',
    documentType: 'CONSIGNMENT_NOTE',
    documentId: '701',
    shipmentIds: ['601'],
  };
  const body = JSON.stringify({ eventId: 'event-7', contextId: '550', ...note });
  const arrivals = arrivalsIn(Buffer.from(body)).map((each) => ({ ...each, now }));
  await takeIn(database, arrivals, new Map([['550', { bookOn: 'transport-booking' }]]));
  const taken = await database.query("select handed_over_by from consignment where id = 'c-1'");
  expect(taken).toEqual([{ handed_over_by: '701' }]);
});

it('closes out, where an operator retries the manifest, what was begun before its note and could be booked only long after it', async () => {
  const closed: (string | null)[] = [];
  const scene = await sceneWith(async (bookings) => {
    closed.push(...bookings.map(({ carrierNumber }) => carrierNumber));
    if (closed.length === 1) throw new CarrierRejected([{ code: null, text: 'closed', parcelId: null }]);
    return { number: 'M1' };
  }, 0);
  await database.query('update consignment set parts = $1::jsonb', [JSON.stringify([bookedPart(1)])]);
  await keepNoteOf('601');
  await bookLate([bookedPart(2)]);
  await database.script("update consignment set state = 'planned' where id = 'c-2'");
  ims.clock.forward(HOUR_MS);
  await scene.run();
  await database.query(
    "update consignment set state = 'closed', run_started_at = $1, updated_at = $1 where id = 'c-2'",
    [ims.clock.now()],
  );
  await retryLists();
  await scene.run();
  expect(closed).toEqual(['C-1', 'C-1', 'C-2']);
});

it('does not attach a manifest whose bookings all left by a newer note, and closes out the late ones of its own note', async () => {
  const closed: (string | null)[] = [];
  const scene = await sceneWith(async (bookings) => {
    closed.push(...bookings.map(({ carrierNumber }) => carrierNumber));
    return { number: 'M1' };
  }, 0);
  await keepNoteOf('601');
  await bookLate([bookedPart(2)]);
  await database.query("update consignment set handed_over_by = '701' where id = 'c-1'");
  await scene.run();
  expect(closed).toEqual(['C-2']);
  expect(await scene.list()).toMatchObject({
    closeOut: { state: 'done', note: 'M1' },
    attachment: { state: 'superseded', note: 'left by consignment note 701' },
  });
  expect(ims.calls.filter(({ url }) => url.endsWith('/attachments'))).toEqual([]);
});
