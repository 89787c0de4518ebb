import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { sandboxSecrets } from '../../src/cli/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../service/harness.js';
import { buildChild } from './build-child.js';
import { serverDatabases } from './databases.js';
import { Stage } from './stage.js';
import { ship } from './story.js';
import { checkWorld } from './world.js';

/** `AWAY_MS` makes it longer. */
const AWAY_MS = Number(process.env['AWAY_MS'] ?? 8_000);
const GOES_ON_WITHIN_MS = 5_000;
const SETTLES_WITHIN_MS = 60_000;
const { oneParcel, threeParcels } = sampleShipments;

describeOnServer('a database that goes away', (url, server) => {
  describe('and comes back', () => {
    let stage: Stage;

    beforeAll(async () => {
      const program = await buildChild();
      const databases = await serverDatabases(url());
      stage = await Stage.open({ program, database: await databases.fresh() });
      await stage.start();
    }, 120_000);
    afterAll(async () => stage?.close());

    const postEvent = () =>
      fetch(`${stage.urlOf(0)}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandboxSecrets.EVENTS_SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify({ eventId: `event-${Date.now()}`, contextId: '1', eventType: 'documentCreated' }),
      });

    it(
      'is told to senders and to whoever watches, and is back at work by itself when it is back',
      async () => {
        const { control } = stage.sandbox;
        for (const carrier of ['pretend', 'dao', 'gls-dk'])
          control.addFault({
            target: carrier,
            path: 'bookings$|leveringsordre|CreateShipment',
            kind: 'delay',
            ms: 3_000,
          });
        const under = [
          ship(stage.sandbox, threeParcels, 'Pretend'),
          ship(stage.sandbox, oneParcel, 'DAO'),
          ship(stage.sandbox, oneParcel, 'GLS'),
        ];
        await until('all three are being booked', () => stage.bookings().length === under.length);

        await server().halt();
        const refused = await postEvent();
        expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
        expect((await fetch(`${stage.urlOf(0)}/readyz`)).status).toBe(503);
        const later = ship(stage.sandbox, oneParcel, 'GLS');
        await pause(AWAY_MS);
        expect((await fetch(`${stage.urlOf(0)}/healthz`)).status).toBe(200);

        await server().resume();
        const begin = Date.now();
        const done = () =>
          control
            .state()
            .documents.filter((row) => [...under, later].some(({ documentId }) => documentId === row.id))
            .every((row) => row.workStatus === 'DONE');
        await until('everything is DONE', done, SETTLES_WITHIN_MS);
        const ms = Date.now() - begin;
        expect((await fetch(`${stage.urlOf(0)}/readyz`)).status).toBe(200);
        expect(checkWorld(await stage.world(await stage.settle(SETTLES_WITHIN_MS)))).toEqual([]);
        expect(ms).toBeLessThan(GOES_ON_WITHIN_MS);
      },
      AWAY_MS + 120_000,
    );
  });
});
