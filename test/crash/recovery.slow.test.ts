import { beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../support/harness.js';
import { fastest } from '../support/fastest.js';
import { sideBySide } from '../support/side-by-side.js';
import { buildChild } from './build-child.js';
import { type Databases, embeddedDatabases, serverDatabases } from './databases.js';
import { Stage } from './stage.js';
import { ship } from './story.js';

const ELSEWHERE_WITHIN_MS = 15_000;
/** Less than a lease lasts: a single instance does not wait for its own. How long the start takes is measured in the bench. */
const AFTER_START_WITHIN_MS = 5_000;
const { oneParcel } = sampleShipments;

interface Built {
  readonly program: string;
  readonly databases: Databases;
}

interface Case {
  readonly what: 'a booking' | 'the choice of a carrier';
  readonly moment: string;
}

const NUMBER_WRITTEN = 'PATCH /ims/shipments/* carriersShipmentNumber | answer read';
const CASES: readonly Case[] = [
  { what: 'a booking', moment: NUMBER_WRITTEN },
  {
    what: 'the choice of a carrier',
    moment: 'runTask > claimTask: update task set lease_owner | after',
  },
];

let program: string;

beforeAll(async () => {
  program = await buildChild();
});

async function untilDone(stage: Stage, documentId: number): Promise<void> {
  const statusOf = () => stage.sandbox.control.state().documents.find((row) => row.id === documentId)?.workStatus;
  await until('the document is DONE', () => statusOf() === 'DONE');
}

function restart(name: string, open: () => Promise<Databases>): void {
  describe(`a single instance with ${name} that is started again`, () => {
    /** @returns how many milliseconds after its new start it had ended what it had left */
    async function endedAfterStart(databases: Databases): Promise<number> {
      const stage = await Stage.open({ program, database: await databases.fresh() });
      try {
        const { service } = await stage.start({ death: { moment: NUMBER_WRITTEN, pass: 1 } });
        const { documentId } = ship(stage.sandbox, oneParcel, 'GLS');
        await service.gone;
        const killedAt = Date.now();
        await stage.start();
        const listensAt = Date.now();
        await untilDone(stage, documentId);
        const doneAfterMs = Date.now() - listensAt;
        process.stdout.write(
          `killed, ${name}: listens after ${listensAt - killedAt} ms, DONE ${doneAfterMs} ms later\n`,
        );
        return doneAfterMs;
      } finally {
        await stage.close();
      }
    }

    it('has ended within 5 seconds of its start what it had left', async () => {
      const databases = await open();
      try {
        expect(await fastest(AFTER_START_WITHIN_MS, () => endedAfterStart(databases))).toBeLessThan(
          AFTER_START_WITHIN_MS,
        );
      } finally {
        await databases.close();
      }
    });
  });
}

restart('the embedded database', embeddedDatabases);
describeOnServer('the same machine', (url) => restart('a server', () => serverDatabases(url())));

describeOnServer('work of an instance that was killed', (url) => {
  /** @returns after how many milliseconds the other one has ended it */
  async function elsewhere(built: Built, { what, moment }: Case): Promise<number> {
    const stage = await Stage.open({ ...built, database: await built.databases.fresh(), instances: 2 });
    const { control } = stage.sandbox;
    try {
      const { service: other } = await stage.start({}, 1);
      // Held still until then: either of them may take what is new.
      other.signal('SIGSTOP');
      const { service } = await stage.start({ death: { moment, pass: 1 } }, 0);
      const { documentId } = what === 'a booking' ? ship(stage.sandbox, oneParcel, 'GLS') : { documentId: null };
      const shipment = control.createShipment({ area: 1, shipment: { ...oneParcel.shipment }, event: 'send' });
      await service.gone;
      const killedAt = Date.now();
      other.signal('SIGCONT');
      // What was not taken by the one that died is sent again; here only what was taken counts.
      stage.listenAt(1);
      const chosen = () => control.state().shipments.find((row) => row.id === shipment.id)?.carrierName;
      if (documentId !== null) await untilDone(stage, documentId);
      else await until('the carrier is chosen', () => typeof chosen() === 'string');
      const goneOnAfterMs = Date.now() - killedAt;
      process.stdout.write(`killed: ${what} goes on elsewhere after ${goneOnAfterMs} ms\n`);
      return goneOnAfterMs;
    } finally {
      await stage.close();
    }
  }

  describe('is not lost', () => {
    let runs: readonly Promise<number>[];

    beforeAll(async () => {
      const built = { program, databases: await serverDatabases(url()) };
      runs = sideBySide(CASES.map((one) => () => fastest(ELSEWHERE_WITHIN_MS, () => elsewhere(built, one))));
    });

    it.each(CASES.map(({ what }, run) => [what, run] as const))(
      'goes on elsewhere within 15 seconds: %s',
      async (_what, run) => {
        expect(await runs[run]).toBeLessThan(ELSEWHERE_WITHIN_MS);
      },
    );
  });
});
