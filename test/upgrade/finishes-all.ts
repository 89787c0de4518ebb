import { expect } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { carriers } from '../../carriers/index.js';
import { startApp } from '../../src/app/app.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { settingsFor } from '../../src/cli/settings-for.js';
import type { Database } from '../../src/db/database.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import { Service, until } from '../support/harness.js';
import { keepLog } from '../support/log-lines.js';
import { type Receiver, startReceiver } from '../webhooks/receiver.js';
import { type OlderVersion, loadOlderDatabase, readOlderVersion, restoreOlderState } from './older-version.js';

/** The carriers of the older version: a sandbox with more of them gives other ids to shipments and documents. */
const OLDER_CARRIERS = carriers.filter(({ adapter: { id } }) => ['bring', 'gls-dk', 'dao', 'pretend'].includes(id));
export const BEHAVIOUR = 'finishes every booking, books nothing twice and loses nothing';

/** What the older version left, and the service that goes on with it. */
interface TakenOver {
  readonly older: OlderVersion;
  readonly service: Service;
  /** Hears of the parcels, as the older version's subscriber. */
  readonly receiver: Receiver;
  /** What the carriers had booked before the upgrade. */
  readonly before: readonly string[];
}

/** A database that the older version is put into. */
export interface Place {
  readonly dataDir: string;
  readonly environment: Record<string, string>;
  open(): Promise<Database>;
}

const documentOf = (older: OlderVersion, state: string): number => {
  const found = older.shipments.find((booking) => booking.state === state);
  if (!found) throw new Error(`the older version had no booking that was ${state}`);
  return found.documentId;
};

const booked = ({ sandbox }: Pick<Service, 'sandbox'>): readonly string[] =>
  OLDER_CARRIERS.flatMap(({ adapter: { id } }) =>
    (sandbox.control.bookings(id) ?? [])
      .filter(({ state }) => state === 'booked')
      .map(({ reference }) => `${id} ${reference}`),
  );

/** Today's service on what the older version left. */
async function takeOver(place: Place, receiver: Receiver): Promise<TakenOver> {
  const older = await readOlderVersion();
  const sandbox = await startSandbox({ port: 0, carriers: OLDER_CARRIERS, limits: { requestsPerSecond: null } });
  await restoreOlderState(sandbox, older);
  const database = await place.open();
  await loadOlderDatabase(database, sandbox, { older, subscriber: receiver.url });
  await database.close();
  const before = booked({ sandbox });
  const configFile = join(place.dataDir, '..', 'waybridge.yaml');
  const config = parse(sandboxConfig(sandbox));
  const areas = config.areas.map((area: object) => ({ ...area, tracking: { tellDelivered: true } }));
  await writeFile(configFile, stringify({ ...config, areas }));
  const { settings, config: read } = await settingsFor({
    ...sandboxEnvironment(sandbox, { port: 0, configFile, dataDir: place.dataDir }),
    ...place.environment,
  });
  const { log, lines } = keepLog();
  const app = await startApp(settings, read, log);
  const stop = async () => {
    await app.stop();
    await sandbox.close();
  };
  return { older, receiver, before, service: new Service({ sandbox, url: app.url, lines, stop }) };
}

const SLOW_TO_SEARCH = 'in-doubt, after 503';
const END_OF: Readonly<Record<string, object>> = {
  closed: { state: 'closed', needsOperator: false },
  refused: { state: 'refused', needsOperator: false },
  incomplete: { state: 'incomplete', needsOperator: false },
  cancelled: { state: 'cancelled', needsOperator: false },
  'set-aside': { state: 'skipped', needsOperator: false },
  cancelling: { state: 'cancelled', needsOperator: false },
  'in-doubt, needs a person': { state: 'in-doubt', needsOperator: true },
  booking: { state: 'closed', needsOperator: false },
  'in-doubt': { state: 'closed', needsOperator: false },
  booked: { state: 'closed', needsOperator: false },
  labelled: { state: 'closed', needsOperator: false },
  // That carrier's bookings can be searched for minutes later only.
  [SLOW_TO_SEARCH]: { state: 'in-doubt', needsOperator: false },
  planned: { state: 'closed', needsOperator: false },
  compensating: { state: 'refused', needsOperator: false },
  received: { state: 'closed', needsOperator: false },
};

/** Waits until the service has nothing more to do. */
async function settle({ older, service }: TakenOver): Promise<void> {
  await Promise.all(
    older.shipments
      .filter(({ state }) => state !== SLOW_TO_SEARCH)
      .map(({ documentId, state }) =>
        until(
          `document ${documentId}, which was ${state}, comes to rest`,
          async () => (await service.consignmentOf(documentId))?.dueAt === null,
        ),
      ),
  );
}

async function everyBookingIsFinished({ older, service, before }: TakenOver): Promise<void> {
  const ends = await Promise.all(
    older.shipments.map(async ({ documentId, state }) => {
      const { state: end, needsOperator } = await service.consignmentOf(documentId);
      return [state, { state: end, needsOperator }];
    }),
  );
  expect(Object.fromEntries(ends)).toEqual(END_OF);
  const after = booked(service);
  expect(new Set(after).size).toBe(after.length);
  const reference = (state: string) => `pretend ${service.numberOf(documentOf(older, state))}`;
  const expected = [
    ...before.filter((one) => one !== reference('cancelling') && !one.startsWith('dao ')),
    reference('planned'),
    // The first shipment of the other area has the same number.
    `${reference('received')}.2`,
  ];
  expect([...after].sort()).toEqual([...expected].sort());
  for (const state of ['booking', 'in-doubt', 'booked', 'planned', 'received'])
    expect(await service.look(documentOf(older, state))).toMatchObject({ workStatus: 'DONE', timesAttached: 1 });
  // The older version had attached the label already.
  const labelled = await service.look(documentOf(older, 'labelled'));
  expect(labelled).toMatchObject({ workStatus: 'DONE', timesAttached: 0 });
}

/** Tasks, webhooks and messages of the older version, too. */
async function backgroundWorkIsFinished({ older, service, receiver }: TakenOver): Promise<void> {
  await until('subscribers are told', () => receiver.received.length >= 4);
  const returned = () =>
    service.messages(service.eventOf(documentOf(older, 'closed'))).filter(({ type }) => type === 'WARNING');
  await until('the worker is told of the return', () => returned().length === 1);
  const [, [bare = 0] = []] = older.bare;
  const carrierOf = () => service.control.state().shipments.find(({ id }) => id === bare)?.['carrierId'];
  await until('a carrier is chosen', () => typeof carrierOf() === 'number');
}

export async function finishesAll(place: Place): Promise<void> {
  const receiver = await startReceiver();
  try {
    const taken = await takeOver(place, receiver);
    try {
      await settle(taken);
      await everyBookingIsFinished(taken);
      await backgroundWorkIsFinished(taken);
    } finally {
      await taken.service.stop();
    }
  } finally {
    await receiver.close();
  }
}
