import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { RandomStreams } from '../../src/sandbox/control/random.js';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { buildChild } from './build-child.js';
import { type Databases, embeddedDatabases, serverDatabases } from './databases.js';
import { answerQuestions } from './person.js';
import { Stage } from './stage.js';
import { ship } from './story.js';
import { checkFinalState } from './crash-stage.js';

const SHIPMENTS = 500;
const KILLS = 20;
const SEED = 20_261;
/** Between a start and the next death. */
const MAX_LIFE_MS = 3_000;
const SETTLES_WITHIN_MS = 240_000;
const WITHIN_MS = 12 * 60_000;
/** How long an instance is held still: longer than a lease. */
const HELD_MS = 14_000;
const SHIPMENTS_OF_THREE = 200;
const KILLS_OF_THREE = 6;

const { oneParcel, threeParcels, toSweden } = sampleShipments;
const twoParcels: SampleShipment = { ...oneParcel, containers: [...oneParcel.containers, ...oneParcel.containers] };
const KINDS = [
  { carrier: 'DAO', sample: twoParcels },
  { carrier: 'Pretend', sample: threeParcels },
  { carrier: 'GLS', sample: oneParcel },
  { carrier: 'Bring', sample: toSweden },
  { carrier: 'Pretend', sample: oneParcel },
];

/** Orders come in all the time, in both areas, until there are enough. */
async function packers(stage: Stage, count: number, everyMs: number): Promise<readonly number[]> {
  const documents: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const kind = KINDS[n % KINDS.length];
    if (kind)
      documents.push(ship(stage.sandbox, kind.sample, { carrierName: kind.carrier, area: (n % 2) + 1 }).documentId);
    await pause(everyMs);
  }
  return documents;
}

async function outcomeOf(stage: Stage) {
  const settle = () => stage.settle(SETTLES_WITHIN_MS);
  const { rows, questions } = await answerQuestions({
    ...{ url: stage.liveUrl, bookings: () => stage.bookings(), settle },
    putForward: (ms) => stage.putForward(ms),
  });
  const wrong = checkFinalState(await stage.context(rows));
  const { documents, shippingContainers } = stage.sandbox.control.state();
  const withoutNumber = shippingContainers.filter((row) => typeof row['trackingNumber'] !== 'string').length;
  const asked = documents.filter((row) => row.documentType === 'TRANSPORT_BOOKING');
  const done = asked.filter((row) => row.workStatus === 'DONE').length;
  return { wrong, withoutNumber, questions, done, asked: asked.length };
}

function soak(what: string, open: () => Promise<Databases>): void {
  describe(what, () => {
    let databases: Databases;
    let program: string;

    beforeAll(async () => {
      program = await buildChild();
      databases = await open();
    });
    afterAll(async () => databases?.close());

    it(
      `loses nothing and books nothing twice with ${SHIPMENTS} shipments and ${KILLS} kills`,
      async () => {
        const begin = Date.now();
        const random = new RandomStreams(SEED);
        const stage = await Stage.open({ program, database: await databases.fresh() });
        try {
          const lives = KILLS * MAX_LIFE_MS;
          const packing = packers(stage, SHIPMENTS, Math.floor(lives / SHIPMENTS));
          for (let kill = 0; kill < KILLS; kill += 1) {
            const { service } = await stage.start();
            await pause(random.next('life') * MAX_LIFE_MS);
            await service.end('SIGKILL');
          }
          await stage.start();
          await packing;
          const outcome = await outcomeOf(stage);
          process.stdout.write(
            `\n${what}: ${JSON.stringify({ ...outcome, kills: KILLS, seconds: Math.round((Date.now() - begin) / 1_000) })}\n`,
          );
          expect(outcome.wrong).toEqual([]);
          expect(outcome.withoutNumber).toBe(0);
          expect(outcome.asked).toBe(SHIPMENTS);
        } finally {
          await stage.close();
        }
      },
      WITHIN_MS,
    );
  });
}

soak('a single instance with the embedded database', embeddedDatabases);

describeOnServer('soaking', (url) => {
  soak('a single instance with a server', () => serverDatabases(url()));

  describe('three instances on one server', () => {
    let databases: Databases;
    let program: string;

    beforeAll(async () => {
      program = await buildChild();
      databases = await serverDatabases(url());
    });

    it(
      'lose nothing and book nothing twice while one is killed after the other, and one is held still beyond its lease',
      async () => {
        const random = new RandomStreams(SEED);
        const stage = await Stage.open({ program, database: await databases.fresh(), instances: 3 });
        try {
          for (const instance of [0, 1, 2]) await stage.start({}, instance);
          const packing = packers(stage, SHIPMENTS_OF_THREE, 150);
          for (let kill = 0; kill < KILLS_OF_THREE; kill += 1) {
            const victim = Math.floor(random.next('victim') * 3);
            await pause(random.next('life') * MAX_LIFE_MS);
            await stage.services[victim]?.end('SIGKILL');
            stage.listenAt((victim + 1) % 3);
            if (kill === KILLS_OF_THREE / 2) await holdStill(stage, (victim + 1) % 3);
            await stage.start({}, victim);
          }
          await packing;
          const outcome = await outcomeOf(stage);
          process.stdout.write(`\nthree instances: ${JSON.stringify({ ...outcome, kills: KILLS_OF_THREE })}\n`);
          expect(outcome.wrong).toEqual([]);
          expect(outcome.withoutNumber).toBe(0);
        } finally {
          await stage.close();
        }
      },
      WITHIN_MS,
    );
  });
});

async function holdStill(stage: Stage, instance: number): Promise<void> {
  stage.services[instance]?.signal('SIGSTOP');
  stage.listenAt((instance + 1) % 3);
  await pause(HELD_MS);
  stage.services[instance]?.signal('SIGCONT');
}
