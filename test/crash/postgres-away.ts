import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { createLabelLinks } from '../../src/labels/signed-link.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { AlertTrial } from '../support/alert-rules.js';
import { until } from '../support/harness.js';
import { buildChild } from './build-child.js';
import { serverDatabases } from './databases.js';
import { Stage } from './stage.js';
import { ship } from './story.js';
import { checkFinalState } from './crash-stage.js';

/** Less than a lease lasts: nothing waits for the end of one. */
const GOES_ON_WITHIN_MS = 10_000;
const SETTLES_WITHIN_MS = 180_000;
/** In seconds. */
const HALF_AN_HOUR = 1_800;
/** Long enough for the database to be gone before any of them is answered. */
const BOOKING_TAKES_MS = 3_000;
const { oneParcel, threeParcels } = sampleShipments;

/** A service whose database goes away for so long in the middle of its work. */
export function describeAway(awayMs: number): void {
  describeOnServer('a database that goes away', (url, server) => {
    describe('and comes back', () => {
      let stage: Stage;

      beforeAll(async () => {
        const program = await buildChild();
        const databases = await serverDatabases(url());
        stage = await Stage.open({ program, database: await databases.fresh() });
        await stage.start();
      });
      afterAll(async () => stage?.close());

      const postEvent = () =>
        fetch(`${stage.urlOf(0)}/events`, {
          method: 'POST',
          headers: { authorization: `Bearer ${sandboxSecrets.EVENTS_SECRET}`, 'content-type': 'application/json' },
          body: JSON.stringify({ eventId: `event-${Date.now()}`, contextId: '1', eventType: 'documentCreated' }),
        });

      const statusOf = async (path: string) => (await fetch(`${stage.urlOf(0)}${path}`)).status;

      /** The alerts of half an hour in which the measures stay as they are. */
      async function firing(): Promise<readonly string[]> {
        const trial = new AlertTrial();
        trial.scraped(await (await fetch(`${stage.urlOf(0)}/metrics`)).text(), HALF_AN_HOUR);
        return trial.firing();
      }

      /** Somebody opens the label of a consignment. */
      const labelLink = () => {
        const secret = sandboxSecrets.OPERATOR_TOKEN;
        return createLabelLinks({ secret, publicUrl: '', now: () => new Date() }).link('c-1');
      };

      /** Three that are at their carriers when it goes. @returns their documents */
      async function begin(): Promise<readonly number[]> {
        const path = 'bookings$|leveringsordre|CreateShipment';
        for (const target of ['pretend', 'dao', 'gls-dk'])
          stage.sandbox.control.addFault({ target, path, kind: 'delay', ms: BOOKING_TAKES_MS });
        const under = [
          ship(stage.sandbox, threeParcels, 'Pretend'),
          ship(stage.sandbox, oneParcel, 'DAO'),
          ship(stage.sandbox, oneParcel, 'GLS'),
        ];
        await until('all three are being booked', () => stage.bookings().length === under.length);
        return under.map(({ documentId }) => documentId);
      }

      it(
        `is told to senders and to whoever watches, and the service is back at work by itself after ${awayMs / 1_000} s`,
        async () => {
          const under = await begin();
          await server().halt();
          const refused = await postEvent();
          expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
          expect([await statusOf('/readyz'), await statusOf(labelLink())]).toEqual([503, 503]);
          const later = ship(stage.sandbox, oneParcel, 'GLS').documentId;
          await pause(awayMs);
          expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
          expect(await firing()).toContain('WaybridgeDatabaseAway');

          await server().resume();
          const from = Date.now();
          const documents = () => stage.sandbox.control.state().documents;
          const ours = () => documents().filter(({ id }) => [...under, later].includes(id));
          await until(
            'everything is DONE',
            () => ours().every(({ workStatus }) => workStatus === 'DONE'),
            SETTLES_WITHIN_MS,
          );
          const backAfterMs = Date.now() - from;
          expect(await statusOf('/readyz')).toBe(200);
          expect(checkFinalState(await stage.context(await stage.settle(SETTLES_WITHIN_MS)))).toEqual([]);
          expect(backAfterMs).toBeLessThan(GOES_ON_WITHIN_MS);
          process.stdout.write(`away for ${awayMs} ms: everything is DONE ${backAfterMs} ms after it is back\n`);
        },
        awayMs + 120_000,
      );
    });
  });
}
