import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Area } from '../../src/areas/area.js';
import type { BookingContext } from '../../src/consignment/context.js';
import type { Database } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/postgres.js';
import { arrivalsIn } from '../../src/intake/arrivals.js';
import type { KnownAreas } from '../../src/intake/classify-event.js';
import { identifyDocument } from '../../src/intake/identify-document.js';
import { takeIn } from '../../src/intake/intake.js';
import { silentLog } from '../../src/log.js';
import type { MessageDraft } from '../../src/messages/message.js';
import { claimTask } from '../../src/tasks/task-rows.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../support/until.js';
import { DAWN, type Stage, openEmptied, trackingStage } from '../tracking/tracking-stage.js';

const AREAS: KnownAreas = new Map([['1', { bookOn: 'transport-booking' }]]);

const of = { contextId: '1', documentType: 'TRANSPORT_BOOKING', shipmentId: 's-1' };
const at = (second: number) => ({ time: new Date(DAWN.getTime() - 60_000 + second * 1_000).toISOString() });
const creation = { ...of, ...at(0), eventId: 'e-1', eventType: 'documentCreated' };
const cancellation = { ...of, ...at(30), eventId: 'e-9', eventType: 'documentCancelled' };

describeOnServer(
  'events of one shipment that two instances take in at the same moment, and that name no document',
  (url) => {
    let stage: Stage;
    let other: Database;
    /** Messages to workers: event and key. */
    let posts: (readonly [string, string])[] = [];

    beforeAll(async () => {
      stage = await trackingStage(
        async () => [],
        {},
        () => openEmptied(url()),
      );
      other = openPostgres(url(), silentLog);
    });
    afterAll(async () => {
      await other?.close();
      await stage?.database.close();
    });
    beforeEach(() => {
      posts = [];
      return stage.database.script('truncate event, task, consignment cascade');
    });

    type Work = (database: Database) => Promise<unknown>;

    /** The first one commits when the second one has ended, or waits for it. */
    async function atTheSameMoment(first: Work, second: Work): Promise<void> {
      let ended: Promise<unknown> | null = null;
      const transaction: Database['transaction'] = (work) =>
        stage.database.transaction(async (sql) => {
          const result = await work(sql);
          if (ended === null) {
            let isEnded = false;
            ended = second(other).finally(() => (isEnded = true));
            await until('the second one has ended, or waits', async () => isEnded || (await isWaiting()));
          }
          return result;
        });
      await first({ ...stage.database, transaction });
      await ended;
    }

    async function isWaiting(): Promise<boolean> {
      return (await stage.database.query('select from pg_locks where not granted')).length > 0;
    }

    const arrives =
      (event: object): Work =>
      (database) => {
        const arrivals = arrivalsIn(Buffer.from(JSON.stringify(event))).map((each) => ({ ...each, now: DAWN }));
        return database.transaction((sql) => takeIn(sql, arrivals, AREAS));
      };

    /** The shipment refers to no document. */
    const isIdentified =
      (eventId: string): Work =>
      async (database) => {
        const loadShipment = async (id: string) => ({ id, shipmentNumber: '10045', transportBookingId: null });
        const postEventMessage = async (event: string, { messageText }: { readonly messageText: string }) =>
          void posts.push([event, messageText]);
        const ims = { loadShipment, postEventMessage };
        const text = ({ key }: MessageDraft) => key;
        const area = { contextId: '1', bookOn: 'transport-booking', ims, imsBackground: ims, text } as unknown as Area;
        const context: BookingContext = { ...stage.tracking.booking, database, areas: new Map([['1', area]]) };
        const lease = { owner: eventId, now: DAWN, until: new Date(DAWN.getTime() + 60_000) };
        const task = await claimTask(database, eventId, lease);
        if (!task) throw new Error('no task');
        await identifyDocument(context, task);
      };

    const bookings = () =>
      stage.database.query('select cancel_wanted is not null as cancelled from consignment order by created_at');

    it('leave no booking uncancelled where the cancellation commits last', async () => {
      await atTheSameMoment(arrives(creation), arrives(cancellation));
      expect(await bookings()).toEqual([{ cancelled: true }]);
    });

    it('leave no booking uncancelled where the booking commits last', async () => {
      await atTheSameMoment(arrives(cancellation), arrives(creation));
      expect(await bookings()).toEqual([{ cancelled: true }]);
    });

    it('are booked once, and told to the worker of the second one, where neither says what became of the document', async () => {
      const untyped = { ...of, eventType: null };
      for (const eventId of ['e-1', 'e-2']) await arrives({ ...untyped, eventId })(stage.database);
      await atTheSameMoment(isIdentified('e-1'), isIdentified('e-2'));
      expect(await bookings()).toEqual([{ cancelled: false }]);
      expect(posts).toEqual([['e-2', 'change-not-identified']]);
    });

    it('are booked once, and told to the worker of the one that does not say what became of the document', async () => {
      await arrives({ ...of, eventId: 'e-2' })(stage.database);
      await atTheSameMoment(arrives(creation), isIdentified('e-2'));
      expect(await bookings()).toEqual([{ cancelled: false }]);
      expect(posts).toEqual([['e-2', 'change-not-identified']]);
    });
  },
);
