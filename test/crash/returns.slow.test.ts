import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../support/harness.js';
import { buildChild } from './build-child.js';
import { type Death, HELD_STILL } from './child/protocol.js';
import { inParallel, rowsOf } from './crash.js';
import { type Databases, embeddedDatabases, serverDatabases } from './databases.js';
import { Stage } from './stage.js';
import { ship } from './story.js';

const SETTLES_WITHIN_MS = 180_000;
/** After that the carrier has certainly ended its work on a request that it was sent. */
const MUCH_LATER_MS = 300_000;
/** A request for a return leaves within 10 s, or never. */
const TOO_LATE_MS = 11_000;
/** Moments after which something lasts, here or at the carrier, that was not there before. */
const LASTING = /insert into return_label|pretend\/returns|before the commit$|committed$|set label/;
/** Other work of the process goes on meanwhile; a process that dies in that may never come to the return. */
const OF_A_RETURN = /return_label|pretend\/returns|keepMade|keep-made/;
const FEWEST_MOMENTS = 8;
const FEWEST_DEATHS = 5;
/** On a server, where the embedded database has died at each moment: one for each thing that lasts. `ALL_DEATHS=1` takes all. */
const ON_SERVER =
  process.env['ALL_DEATHS'] === '1' ? /./ : /return_label( set label)? \| after$|not read|answer read|\| committed$/;
/** As many as the smallest machine has cores. */
const AT_ONCE = 2;
const BEFORE_IT_LEAVES = 'POST /carriers/pretend/returns reference | before it leaves';

let program: string;

beforeAll(async () => {
  program = await buildChild();
});

/** A booked parcel at Pretend. @returns the path of its return label */
async function booked(stage: Stage): Promise<string> {
  const { documentId } = ship(stage.sandbox, sampleShipments.oneParcel, 'Pretend');
  const { consignments } = await stage.settle(SETTLES_WITHIN_MS);
  const one = consignments.find((row) => row.documentId === String(documentId));
  return `/api/v1/consignments/${one?.id}/return-label`;
}

const returnsOf = (stage: Stage) => stage.sandbox.control.returns('pretend')?.length ?? 0;

/** @returns the status; 0: the service died while it was asked */
async function ask(stage: Stage, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}` };
  const answer = await fetch(stage.liveUrl + path, { method: 'POST', headers }).catch(() => null);
  await answer?.arrayBuffer().catch(() => null);
  return answer?.status ?? 0;
}

/** @param deadly of the moments of a return, those at which the process dies */
function dying(open: () => Promise<Databases>, deadly: RegExp): void {
  let databases: Databases;

  beforeAll(async () => {
    databases = await open();
  });
  afterAll(async () => databases?.close());

  async function onStage<Result>(death: Death | null, play: (stage: Stage) => Promise<Result>): Promise<Result> {
    const stage = await Stage.open({ program, database: await databases.fresh() });
    try {
      await stage.start({ death });
      return await play(stage);
    } finally {
      await stage.close();
    }
  }

  /** Moments that a process passes when it makes a return, and passes for nothing else. */
  const momentsOfAReturn = () =>
    onStage(null, async (stage) => {
      const path = await booked(stage);
      const before = new Set((await stage.service.moments()).keys());
      expect(await ask(stage, path)).toBe(200);
      const after = [...(await stage.service.moments()).keys()];
      return after.filter((moment) => !before.has(moment) && LASTING.test(moment) && OF_A_RETURN.test(moment));
    });

  /**
   * One death after the other, each while another return is made.
   * @returns how many returns the carrier has made of each when the operator got it at last
   */
  const afterDeaths = (deaths: readonly Death[]) =>
    onStage(null, async (stage) => {
      const made: (readonly [string, number])[] = [];
      for (const death of deaths) {
        const [path, before, { service }] = [await booked(stage), returnsOf(stage), stage];
        await service.dieAt(death);
        await Promise.race([ask(stage, path), service.gone]);
        await service.gone;
        await stage.putForward(MUCH_LATER_MS);
        await stage.start();
        await until('the return is made', async () => (await ask(stage, path)) === 200, SETTLES_WITHIN_MS);
        made.push([death.moment, returnsOf(stage) - before]);
      }
      return made;
    });

  it.concurrent('is one at the carrier, wherever the process dies that makes it', async () => {
    const moments = await momentsOfAReturn();
    process.stdout.write(`${moments.length} moments of a return:\n  ${moments.join('\n  ')}\n`);
    expect(moments.length).toBeGreaterThan(FEWEST_MOMENTS);
    const deaths = moments.filter((moment) => deadly.test(moment)).map((moment) => ({ moment, pass: 1 }));
    expect(deaths.length).toBeGreaterThanOrEqual(FEWEST_DEATHS);
    const rows = rowsOf(deaths, Math.ceil(deaths.length / AT_ONCE));
    const made = await inParallel(rows, AT_ONCE, afterDeaths);
    expect(made.flat()).toEqual(rows.flat().map(({ moment }) => [moment, 1]));
  });

  // It waits for most of its time.
  it.concurrent('is not asked for by a process that stood still when its request was about to leave', async () => {
    const death: Death = { moment: BEFORE_IT_LEAVES, pass: 1, by: 'SIGSTOP' };
    const [status, returns] = await onStage(death, async (stage) => {
      const path = await booked(stage);
      const answer = ask(stage, path);
      await until('it is held still', () => stage.service.output.includes(HELD_STILL));
      await pause(TOO_LATE_MS);
      stage.service.signal('SIGCONT');
      return [await answer, stage.sandbox.control.returns('pretend')];
    });
    expect([status, returns]).toEqual([503, []]);
  });
}

/** One moment for each thing that lasts; `ALL_DEATHS=1` takes all that an operator's return has too. */
const BESIDE =
  /insert into return_label \| after|answer not read|store: transaction \| committed|storeReturnLabel.*after/;
const FEWEST_BESIDE = 4;

/** Its labels come with a return label as their last page. */
const withReturnLabel = (text: string) =>
  text.replace(
    'rules:\n',
    'rules:\n  - { name: returns, when: { carrierName: Pretend, termsOfDelivery: return }, use: { account: pretend, options: { withReturnLabel: true } } }\n',
  );

describe('a return label together with a booking', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await embeddedDatabases();
  });
  afterAll(async () => databases?.close());

  /** @returns what the IMS and the carrier have in the end, and the moments of a return that were passed */
  async function outcome(death: Death | null) {
    const stage = await Stage.open({ program, database: await databases.fresh(), config: withReturnLabel });
    try {
      await stage.start({ death });
      ship(stage.sandbox, sampleShipments.oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'return' });
      if (death !== null) {
        await stage.service.gone;
        await stage.start({ clockAheadMs: MUCH_LATER_MS });
      }
      const { consignments } = await stage.settle(SETTLES_WITHIN_MS);
      const path = `/api/v1/consignments/${consignments[0]?.id}/return-label`;
      await until('the return is made', async () => (await ask(stage, path)) === 200, SETTLES_WITHIN_MS);
      const { documents, prints } = stage.sandbox.control.state();
      const [document] = documents.filter(({ documentType }) => documentType === 'TRANSPORT_BOOKING');
      const moments = death === null ? [...(await stage.service.moments()).keys()] : [];
      return {
        made: stage.sandbox.control.returns('pretend')?.length,
        status: document?.workStatus,
        prints: prints.length,
        moments: moments.filter((moment) => LASTING.test(moment) && OF_A_RETURN.test(moment)),
      };
    } finally {
      await stage.close();
    }
  }

  it('is one at the carrier, and holds no label up, wherever the process dies that makes it', async () => {
    const { moments, ...undisturbed } = await outcome(null);
    expect(undisturbed).toEqual({ made: 1, status: 'DONE', prints: 1 });
    process.stdout.write(`${moments.length} moments of a return beside a booking:\n  ${moments.join('\n  ')}\n`);
    expect(moments.length).toBeGreaterThan(FEWEST_MOMENTS);
    const deadly = process.env['ALL_DEATHS'] === '1' ? moments : moments.filter((moment) => BESIDE.test(moment));
    expect(deadly.length).toBeGreaterThanOrEqual(FEWEST_BESIDE);
    const ends = await inParallel(deadly, AT_ONCE, async (moment) => {
      const end = await outcome({ moment, pass: 1 });
      return [moment, end.made, end.status, end.prints];
    });
    expect(ends).toEqual(deadly.map((moment) => [moment, 1, 'DONE', 1]));
  });
});

describe('a return label, on the embedded database', () => dying(embeddedDatabases, /./));
describeOnServer('a return label', (url) => {
  describe('on a server', () => dying(() => serverDatabases(url()), ON_SERVER));
});
