import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../service/harness.js';
import { buildChild } from './build-child.js';
import { embeddedDatabases, serverDatabases } from './databases.js';
import { Stage } from './stage.js';
import { ship } from './story.js';

const ELSEWHERE_WITHIN_MS = 15_000;
const AFTER_RESTART_WITHIN_MS = 5_000;
const PATIENCE_MS = 120_000;
const { oneParcel } = sampleShipments;

let program: string;

beforeAll(async () => {
  program = await buildChild();
}, 60_000);

async function untilDone(stage: Stage, documentId: number): Promise<void> {
  const statusOf = () => stage.sandbox.control.state().documents.find((row) => row.id === documentId)?.workStatus;
  await until('the document is DONE', () => statusOf() === 'DONE', PATIENCE_MS);
}

describe('a single instance that is started again', () => {
  it('goes on within 5 seconds with what it had left', async () => {
    const databases = await embeddedDatabases();
    const stage = await Stage.open({ program, database: await databases.fresh() });
    try {
      const death = { moment: 'PATCH /ims/shipments/* carriersShipmentNumber | answer read', pass: 1 };
      const { service } = await stage.start({ death });
      const { documentId } = ship(stage.sandbox, oneParcel, 'GLS');
      await service.gone;
      await stage.start();
      const begin = Date.now();
      await untilDone(stage, documentId);
      expect(Date.now() - begin).toBeLessThan(AFTER_RESTART_WITHIN_MS);
    } finally {
      await stage.close();
      await databases.close();
    }
  }, 180_000);
});

describeOnServer('work of an instance that was killed', (url) => {
  describe('is not lost', () => {
    let stage: Stage;

    beforeAll(async () => {
      const databases = await serverDatabases(url());
      stage = await Stage.open({ program, database: await databases.fresh(), instances: 2 });
      await stage.start({}, 1);
    }, 120_000);
    afterAll(async () => stage?.close());

    it.each([
      ['a booking', 'PATCH /ims/shipments/* carriersShipmentNumber | answer read'],
      ['the choice of a carrier', 'runErrand > claimErrand: update errand set lease_owner | after'],
    ])(
      'goes on elsewhere within 15 seconds: %s',
      async (what, moment) => {
        const { control } = stage.sandbox;
        stage.listenAt(0);
        // Held still until then: either of them may take what is new.
        stage.services[1]?.signal('SIGSTOP');
        const { service } = await stage.start({ death: { moment, pass: 1 } }, 0);
        const { documentId } = what === 'a booking' ? ship(stage.sandbox, oneParcel, 'GLS') : { documentId: null };
        const shipment = control.createShipment({ area: 1, shipment: { ...oneParcel.shipment }, event: 'send' });
        await service.gone;
        stage.services[1]?.signal('SIGCONT');
        const begin = Date.now();
        // What was not taken by the one that died is sent again; here only what was taken counts.
        stage.listenAt(1);
        if (documentId !== null) await untilDone(stage, documentId);
        else {
          const chosen = () => control.state().shipments.find((row) => row.id === shipment.id)?.carrierName;
          await until('the carrier is chosen', () => typeof chosen() === 'string', PATIENCE_MS);
        }
        expect(Date.now() - begin).toBeLessThan(ELSEWHERE_WITHIN_MS);
      },
      180_000,
    );
  });
});
