import { beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../support/harness.js';
import { fastest } from '../support/fastest.js';
import { sideBySide } from '../support/side-by-side.js';
import { buildChild } from './build-child.js';
import { HELD_STILL, type Sabotage } from './child/protocol.js';
import { type Databases, serverDatabases } from './databases.js';
import { Stage } from './stage.js';
import { ship } from './story.js';

const HELD_UP_AT_MOST_MS = 15_000;
const { oneParcel } = sampleShipments;

interface Case {
  readonly carrier: string;
  readonly moment: string;
  readonly sabotage?: readonly Sabotage[];
}

interface Built {
  readonly program: string;
  readonly databases: Databases;
}

const NUMBER: Case = { carrier: 'GLS', moment: 'PATCH /ims/shipments/* carriersShipmentNumber | before it leaves' };
const BOOKING: Case = { carrier: 'Pretend', moment: 'POST /carriers/pretend/bookings reference | before it leaves' };
const WITHOUT_PERMISSION: Case = { ...BOOKING, sabotage: ['no-permission'] };

/** With locks that every instance needs. */
const TRANSACTIONS = [
  'round > send: transaction | before the commit',
  'tracking > registerEnded: transaction | before the commit',
];

/** Requests that change something. */
function changesIn(stage: Stage): readonly string[] {
  return stage.sandbox.control
    .requests()
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/oauth2/token'))
    .map(({ target, method, path }) => `${target} ${method} ${path}`);
}

describeOnServer('an instance that is held still', (url) => {
  /** One is held still in the moment before it sends; another one does its work meanwhile. @returns what left afterwards */
  async function leftAfterwards(
    { program, databases }: Built,
    { carrier, moment, sabotage = [] }: Case,
  ): Promise<readonly string[]> {
    const stage = await Stage.open({ program, database: await databases.fresh(), instances: 2 });
    try {
      const { service: held } = await stage.start({ death: { moment, pass: 1, by: 'SIGSTOP' }, sabotage }, 0);
      const { documentId } = ship(stage.sandbox, oneParcel, carrier);
      const document = () => stage.sandbox.control.state().documents.find(({ id }) => id === documentId);
      await until('it has begun', () => document()?.workStatus === 'ON_GOING');
      const { service: other } = await stage.start({}, 1);
      const isAtRest = async () => (await other.rows())?.consignments.every(({ dueAt }) => dueAt === null) === true;
      await until('the other one has done it', () => document()?.workStatus === 'DONE');
      await until('nothing is left to do', isAtRest);
      const before = changesIn(stage).length;
      held.signal('SIGCONT');
      // What it was not stopped from sending is answered, and that answer comes too late.
      const gaveUp = () => /lease lost|late answer of a carrier/.test(held.output);
      await until('the one that was held gives up', gaveUp);
      return changesIn(stage).slice(before);
    } finally {
      await stage.close();
    }
  }

  /** One is held still while it has others wait for its transaction. @returns after how many milliseconds a booking has ended */
  async function elsewhereMeanwhile({ program, databases }: Built, moment: string): Promise<number> {
    const stage = await Stage.open({ program, database: await databases.fresh(), instances: 2 });
    try {
      const { service: held } = await stage.start({ death: { moment, pass: 1, by: 'SIGSTOP' } }, 1);
      await until('it is held still', () => held.output.includes(HELD_STILL));
      const from = Date.now();
      await stage.start({}, 0);
      const { documentId } = ship(stage.sandbox, oneParcel, 'GLS');
      const document = () => stage.sandbox.control.state().documents.find(({ id }) => id === documentId);
      await until('the other one has done it', () => document()?.workStatus === 'DONE');
      return Date.now() - from;
    } finally {
      await stage.close();
    }
  }

  describe('in the middle of a transaction', () => {
    let runs: readonly Promise<number>[];

    beforeAll(async () => {
      const built = { program: await buildChild(), databases: await serverDatabases(url()) };
      const measure = (moment: string) => fastest(HELD_UP_AT_MOST_MS, () => elsewhereMeanwhile(built, moment));
      runs = sideBySide(TRANSACTIONS.map((moment) => () => measure(moment)));
    });

    it.each(TRANSACTIONS.map((moment, run) => [moment, run] as const))(
      'holds nobody up for longer than 15 seconds: %s',
      async (_moment, run) => {
        expect(await runs[run]).toBeLessThan(HELD_UP_AT_MOST_MS);
      },
    );
  });

  describe('beyond its lease, and then goes on', () => {
    let runs: readonly Promise<readonly string[]>[];

    beforeAll(async () => {
      const built = { program: await buildChild(), databases: await serverDatabases(url()) };
      runs = sideBySide([NUMBER, BOOKING, WITHOUT_PERMISSION].map((one) => () => leftAfterwards(built, one)));
    });

    it.each([
      [NUMBER.moment, 0],
      [BOOKING.moment, 1],
    ])('sends nothing any more: %s', async (_moment, run) => {
      expect(await runs[run]).toEqual([]);
    });

    it('would book once more if nobody asked for permission', async () => {
      expect(await runs[2]).toContain('pretend POST /bookings');
    });
  });
});
