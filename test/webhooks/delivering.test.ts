import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TrackingEvent, TrackingStatus } from '../../carriers/contract/tracking.js';
import { createSubscribers } from '../../src/webhooks/subscribers.js';
import { type WebhookContext, startWebhooks } from '../../src/webhooks/deliver-webhooks.js';
import { applyEvents } from '../../src/tracking/events/apply-events.js';
import { parcelKey } from '../../src/tracking/events/tracking-event-rows.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import { until } from '../support/harness.js';
import { event } from '../tracking/callers.js';
import { type Stage, newParcel, register, trackingStage } from '../tracking/tracking-stage.js';
import { type Receiver, startReceiver } from './receiver.js';

const HOUR_MS = 3_600_000;
const allowed = createHttpPort({ allowPrivateAddresses: 'allowed' });
const refused = createHttpPort({ allowPrivateAddresses: 'refused' });

let stage: Stage;
let receiver: Receiver;
const running: ReturnType<typeof startWebhooks>[] = [];

beforeAll(async () => {
  stage = await trackingStage(() => Promise.reject(new Error('not in this test')));
});

beforeEach(async () => {
  await stage.database.script(
    'truncate subscriber, webhook_delivery, tracking_event, tracked_parcel, tracking_outbox restart identity cascade',
  );
  receiver = await startReceiver();
});

afterEach(async () => {
  for (const webhooks of running.splice(0)) await webhooks.stop(1_000);
  await receiver.close();
});

afterAll(async () => {
  allowed.close();
  refused.close();
  await stage.database.close();
});

function context(changes: Partial<WebhookContext> = {}): WebhookContext {
  const { log, random } = stage.tracking.booking;
  return {
    database: stage.database,
    clock: stage.clock,
    log,
    random,
    owner: 'first',
    post: allowed.links.post,
    ...changes,
  };
}

function start(changes: Partial<WebhookContext> = {}): ReturnType<typeof startWebhooks> {
  const webhooks = startWebhooks(context(changes));
  running.push(webhooks);
  return webhooks;
}

const subscribers = () =>
  createSubscribers({ database: stage.database, clock: stage.clock, requireAddress: allowed.links.requireAddress });

/** Between two events. All of them together come sooner than a delivery under way counts as lost. */
const BETWEEN_MS = 100;

/** The carrier tells. */
async function tell(trackingNumber: string, ...statuses: readonly TrackingStatus[]): Promise<void> {
  for (const status of statuses) {
    stage.clock.forward(BETWEEN_MS);
    const told = event({ trackingNumber, status, at: stage.clock.now().toISOString() });
    const context = { options: stage.tracking.options, now: stage.clock.now() };
    await stage.database.transaction((sql) => applyEvents(sql, [{ account: 'main', event: told }], context));
  }
}

async function triesOf(subscriberId: string): Promise<number> {
  const rows = await stage.database.query<{ tries: number }>(
    'select tries from webhook_delivery where subscriber_id = $1',
    [subscriberId],
  );
  return rows[0]?.tries ?? 0;
}

const statusesOf = (trackingNumber: string) =>
  receiver.received
    .filter(({ json }) => json.data.trackingNumber === trackingNumber)
    .map(({ json }) => json.data.event.status);

describe('what a subscriber does not take', () => {
  it('is sent again under the same id, and what is behind it of the same parcel waits', async () => {
    await register(stage, [newParcel('A'), newParcel('B')]);
    await subscribers().add({ url: receiver.url, area: null });
    receiver.answer = ({ json }) => (json.data.trackingNumber === 'A' ? 500 : 200);
    start();
    await tell('A', 'handed-over', 'in-transit');
    await tell('B', 'handed-over', 'in-transit');
    await until('the other parcel goes on', () => statusesOf('B').length === 2);
    expect(new Set(statusesOf('A'))).toEqual(new Set(['handed-over']));
    receiver.answer = () => 200;
    stage.clock.forward(HOUR_MS);
    await until('it goes on', () => statusesOf('A').at(-1) === 'in-transit');
    const ids = receiver.received.filter(({ json }) => json.data.event.status === 'handed-over').map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it('is not mistaken for another after a backup was restored, whose rows begin at an earlier number', async () => {
    await register(stage, [newParcel('A')]);
    await subscribers().add({ url: receiver.url, area: null });
    start();
    await tell('A', 'handed-over');
    await until('the first is there', () => receiver.received.length === 1);
    await until('it is noted', async () => (await subscribers().list())[0]?.waiting === 0);
    await stage.database.script('truncate webhook_delivery, tracking_event restart identity');
    await tell('A', 'in-transit');
    await until('the second is there', () => receiver.received.length === 2);
    expect(statusesOf('A')).toEqual(['handed-over', 'in-transit']);
    expect(new Set(receiver.received.map((each) => each.id)).size).toBe(2);
  });

  it('that an instance of a version without random ids has added, before the upgrade or during it, keeps its id', async () => {
    await register(stage, [newParcel('A')]);
    await tell('A', 'handed-over');
    const { id } = await subscribers().add({ url: receiver.url, area: null });
    await stage.database.query(
      `insert into webhook_delivery (subscriber_id, event_id, parcel_id, status, due_at, created_at)
       select $1, e.id, p.id, e.status, $2, $2 from tracking_event e, tracked_parcel p`,
      [id, stage.clock.now()],
    );
    start();
    await until('it is there', () => receiver.received.length === 1);
    expect(receiver.received[0]?.id).toBe(`evt_${id}_1`);
  });

  it('is tried nine times, is a dead letter then, and can be sent again', async () => {
    await register(stage, [newParcel('A')]);
    const { id } = await subscribers().add({ url: receiver.url, area: null });
    receiver.answer = () => 503;
    start();
    await tell('A', 'delivered');
    const SECOND_MS = 1_000;
    const delays = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400].map((seconds) => seconds * SECOND_MS);
    for (const [failures, delay] of delays.entries()) {
      await until(`try ${failures + 1} is noted`, async () => (await triesOf(id)) === failures + 1);
      stage.clock.forward(delay * 1.1);
    }
    await until('it is dead', async () => ((await subscribers().deadLetters(id, 10)) ?? []).length === 1);
    expect(receiver.received.length).toBe(9);
    expect(await subscribers().deadLetters(id, 10)).toMatchObject([
      { attempts: 9, tries: 9, note: 'answered 503', trackingNumber: 'A', status: 'delivered' },
    ]);
    receiver.answer = () => 200;
    expect(await subscribers().sendAgain(id, null)).toBe(1);
    await until('it is there', () => receiver.received.length === 10);
    await until('nothing is dead', async () => (await subscribers().list())[0]?.waiting === 0);
    expect(new Set(receiver.received.map((each) => each.id)).size).toBe(1);
    expect(await subscribers().list()).toMatchObject([{ deadLetters: 0 }]);
  });

  it('is not tried again where the address says that it is gone', async () => {
    await register(stage, [newParcel('A')]);
    const { id } = await subscribers().add({ url: receiver.url, area: null });
    receiver.answer = () => 410;
    start();
    await tell('A', 'delivered');
    await until('it is dead', async () => ((await subscribers().deadLetters(id, 10)) ?? []).length === 1);
    expect(receiver.received.length).toBe(1);
  });

  it('does not go to private addresses, unless that is allowed', async () => {
    await register(stage, [newParcel('A')]);
    const named = receiver.url.replace('http:', 'https:');
    await subscribers().add({ url: named, area: null });
    start({ post: refused.links.post });
    await tell('A', 'delivered');
    await until('it is refused', async () => (await subscribers().list())[0]?.trouble !== null);
    expect((await subscribers().list())[0]?.trouble).toMatch(/private network/);
    expect(receiver.received).toEqual([]);
    expect(() => refused.links.requireAddress(receiver.url)).toThrow(/only https/);
  });

  it.each([
    'https://localhost/hook',
    'https://shop.localhost./hook',
    'https://127.0.0.1/hook',
    'https://0x7f.1/hook',
    'https://[::1]/hook',
    'https://[::ffff:10.0.0.1]/hook',
    'https://10.1.2.3/hook',
    'https://192.168.1.1/hook',
    'https://169.254.169.254/latest',
    'https://0.0.0.0/hook',
    'https://[fd00::1]/hook',
  ])('is refused with %s before anything is posted, and taken where private addresses are allowed', (url) => {
    expect(() => refused.links.requireAddress(url)).toThrow(/give a public address/);
    expect(() => allowed.links.requireAddress(url)).not.toThrow();
  });

  it.each(['https://shop.example/hook', 'https://8.8.8.8/hook', 'https://[2001:4860:4860::8888]/hook'])(
    'is taken with %s',
    (url) => expect(() => refused.links.requireAddress(url)).not.toThrow(),
  );

  it('is shown without what its address has in the query', async () => {
    const added = await subscribers().add({ url: 'https://shop.example/hook?token=secret-0001&shop=7', area: null });
    expect(added.url).toContain('secret-0001');
    const shown = await subscribers().list();
    expect(shown.map(({ url }) => url)).toContain('https://shop.example/hook?token=***&shop=***');
    expect(JSON.stringify(shown)).not.toContain('secret-0001');
  });
});

describe('events that come in', () => {
  it('are sent in order and each once by two instances, however they share the work', async () => {
    const numbers = Array.from({ length: 12 }, (_, n) => `N${n}`);
    await register(
      stage,
      numbers.map((number) => newParcel(number)),
    );
    await subscribers().add({ url: receiver.url, area: null });
    start({ owner: 'first' });
    start({ owner: 'second' });
    const course = ['handed-over', 'in-transit', 'out-for-delivery', 'delivered'] as const;
    for (const status of course) for (const number of numbers) await tell(number, status);
    await until('all are there', () => receiver.received.length >= numbers.length * course.length);
    for (const number of numbers) expect(statusesOf(number)).toEqual(course);
  });

  it('are sent the oldest first where a carrier answers with several, the newest first', async () => {
    await register(stage, [newParcel('A')]);
    await subscribers().add({ url: receiver.url, area: null });
    start();
    const course = ['handed-over', 'in-transit', 'out-for-delivery', 'delivered'] as const;
    const told = course.map((status, hours) =>
      event({ trackingNumber: 'A', status, at: new Date(stage.clock.now().getTime() + hours * HOUR_MS).toISOString() }),
    );
    const context = { options: stage.tracking.options, now: stage.clock.now() };
    const answer = told.toReversed().map((each) => ({ account: 'main', event: each }));
    await stage.database.transaction((sql) => applyEvents(sql, answer, context));
    await until('all are there', () => receiver.received.length >= course.length);
    expect(statusesOf('A')).toEqual(course);
  });

  it('are sent by another instance when the first one died with them', async () => {
    await register(stage, [newParcel('A')]);
    await subscribers().add({ url: receiver.url, area: null });
    // It claims and dies: its answer never comes.
    let alive = true;
    const database = {
      ...stage.database,
      query: <Row>(text: string, values?: readonly unknown[]) =>
        alive ? stage.database.query<Row>(text, values) : Promise.reject(new Error('dead')),
    };
    start({ owner: 'dead', database, post: () => new Promise(() => undefined) });
    await tell('A', 'delivered');
    const claimed = async () =>
      (await stage.database.query('select 1 from webhook_delivery where lease_owner is not null')).length === 1;
    await until('it is claimed', claimed);
    alive = false;
    start({ owner: 'second' });
    expect(receiver.received).toEqual([]);
    stage.clock.forward(31_000);
    await until('it is there', () => receiver.received.length === 1);
  });

  it('from before the subscription are not sent', async () => {
    await register(stage, [newParcel('A')]);
    await tell('A', 'handed-over');
    stage.clock.forward(1_000);
    await subscribers().add({ url: receiver.url, area: null });
    start();
    await tell('A', 'in-transit');
    await until('it is there', () => receiver.received.length === 1);
    expect(statusesOf('A')).toEqual(['in-transit']);
  });

  it('that are recognised later are sent in their new words too', async () => {
    await register(stage, [newParcel('A')]);
    await subscribers().add({ url: receiver.url, area: null });
    start();
    const context = { options: stage.tracking.options, now: stage.clock.now() };
    for (const status of ['unrecognised', 'customs'] as const) {
      const told = { account: 'main', event: event({ trackingNumber: 'A', status, code: 'X1', id: 'e-1' }) };
      await stage.database.transaction((sql) => applyEvents(sql, [told, told], context));
      await until(`${status} is there`, () => statusesOf('A').at(-1) === status);
    }
    expect(statusesOf('A')).toEqual(['unrecognised', 'customs']);
  });
});

describe('an event that is called without words, and then polled', () => {
  it('is posted once, with the words', async () => {
    await subscribers().add({ url: receiver.url, area: null });
    await register(stage, [newParcel('1')]);
    const bare = event({ trackingNumber: '1', status: 'returned', id: 'RETURN 2026-03-04T11:00:00.000Z' });
    const apply = (told: TrackingEvent, polled: ReadonlySet<string>) =>
      stage.database.transaction((sql) =>
        applyEvents(sql, [{ account: 'main', event: told }], {
          ...{ options: stage.tracking.options, now: stage.clock.now(), polled },
        }),
      );
    await apply(bare, new Set([parcelKey({ account: 'main', trackingNumber: '1' })]));
    start();
    stage.clock.forward(5_000);
    await apply({ ...bare, text: 'Refused by the recipient', place: 'Vejle' }, new Set());
    stage.clock.forward(16_000);
    await until('it is posted', () => receiver.received.length > 0);
    const rows = await stage.database.query('select state from webhook_delivery');
    expect(rows).toHaveLength(1);
    expect(receiver.received.map(({ json }) => json.data.event)).toMatchObject([
      { status: 'returned', text: 'Refused by the recipient', place: 'Vejle' },
    ]);
  });
});
