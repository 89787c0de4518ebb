import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type WebhookContext, startWebhooks } from '../../src/webhooks/deliver.js';
import { createSubscribers } from '../../src/webhooks/subscribers.js';
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
    const open = async () => openPostgres(url(), silentLog, { statementMs: STATEMENT_WITHIN_MS });
    stage = await trackingStage(async () => [], {}, open);
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
