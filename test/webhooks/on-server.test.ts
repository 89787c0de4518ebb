import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type WebhookContext, startWebhooks } from '../../src/webhooks/deliver-webhooks.js';
import { deleteSubscriber } from '../../src/webhooks/subscriber-rows.js';
import { createSubscribers } from '../../src/webhooks/subscribers.js';
import type { Sql } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { applyEvents, lockTracking } from '../../src/tracking/events/apply-events.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../support/harness.js';
import { event } from '../tracking/callers.js';
import { type Stage, newParcel, register, trackingStage } from '../tracking/tracking-stage.js';
import { type Receiver, startReceiver } from './receiver.js';

/** For a busy machine. */
const STATEMENT_WITHIN_MS = 120_000;
const PARCELS = 6;
const COURSE = ['handed-over', 'in-transit', 'delivered'] as const;

describeOnServer('events that come in', (url) => {
  const port = createHttpPort({ allowPrivateAddresses: 'allowed' });
  let stage: Stage;
  let receiver: Receiver;
  const running: ReturnType<typeof startWebhooks>[] = [];

  beforeEach(async () => {
    receiver = await startReceiver();
    stage = await trackingStage(
      async () => [],
      {},
      async () => {
        const database = openPostgres(url(), silentLog, { statementMs: STATEMENT_WITHIN_MS });
        await database.script('drop schema public cascade; create schema public');
        return database;
      },
    );
  });

  afterEach(async () => {
    for (const webhooks of running.splice(0)) await webhooks.stop(1_000);
    await receiver.close();
    await stage.database.close();
    port.close();
  });

  function start(owner: string): void {
    const { log, random } = stage.tracking.booking;
    const { database, clock } = stage;
    const context: WebhookContext = { database, clock, log, random, owner, post: port.links.post };
    running.push(startWebhooks(context));
  }

  it('are kept, and sent to the others, while a subscriber is being removed', async () => {
    await register(stage, [newParcel('A')]);
    const { database, clock } = stage;
    const subscribers = createSubscribers({ database, clock, requireAddress: port.links.requireAddress });
    const { id } = await subscribers.add({ url: receiver.url, area: null });
    await subscribers.add({ url: receiver.url, area: null });
    clock.forward(1_000);
    const told = event({ trackingNumber: 'A', status: 'in-transit', at: '2026-03-04T12:00:00Z' });
    const keep = async (sql: Sql) => {
      await lockTracking(sql);
      const context = { options: stage.tracking.options, now: clock.now() };
      await applyEvents(sql, [{ account: 'main', event: told }], context);
    };
    let ended: Promise<string> = Promise.resolve('not begun');
    await database.transaction(async (removing) => {
      await deleteSubscriber(removing, id);
      ended = database.transaction(keep).then(
        () => 'kept',
        (error: Error) => error.message,
      );
      const waits = "select from pg_stat_activity where wait_event_type = 'Lock'";
      await until('it meets the removal', async () => (await database.query(waits)).length > 0);
    });
    expect(await ended).toBe('kept');
    start('first');
    await until('it is there', () => receiver.received.length > 0);
    expect(receiver.received).toHaveLength(1);
  });

  it('are sent in the order of each parcel and each once, whatever instances do at the same time', async () => {
    const numbers = Array.from({ length: PARCELS }, (_none, n) => `N${n}`);
    await register(
      stage,
      numbers.map((number) => newParcel(number)),
    );
    const { database, clock } = stage;
    await createSubscribers({ database, clock, requireAddress: port.links.requireAddress }).add({
      url: receiver.url,
      area: null,
    });
    ['first', 'second', 'third'].forEach(start);
    for (const [minute, status] of COURSE.entries()) {
      // Shorter than a lease: what is under way stays with the instance that has it.
      clock.forward(1_000);
      const at = `2026-03-04T12:0${minute}:00Z`;
      const context = { options: stage.tracking.options, now: clock.now() };
      // Each in a transaction of its own, all at once.
      await Promise.all(
        numbers.map((trackingNumber) =>
          database.transaction(async (sql) => {
            await lockTracking(sql);
            const told = event({ trackingNumber, status, at });
            await applyEvents(sql, [{ account: 'main', event: told }], context);
          }),
        ),
      );
    }
    await until('all are there', () => receiver.received.length >= PARCELS * COURSE.length);
    for (const number of numbers) {
      const ofIt = receiver.received.filter(({ json }) => json.data.trackingNumber === number);
      expect(ofIt.map(({ json }) => json.data.event.status)).toEqual(COURSE);
    }
  });
});
