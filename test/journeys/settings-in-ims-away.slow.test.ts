import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { until } from '../support/harness.js';
import { type Config, type Life, type Lives, MINUTE_MS, openLives } from '../support/lives.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

const { oneParcel } = sampleShipments;
const DAO = { customerId: '9999', code: 'dao-code-of-carrier' };
/** Its request is frozen, and the carrier has nothing of it. */
const UNBOOKED = ['planned', 'booking'];

const fromIms = (config: Config) => {
  const { dao } = config['accounts'] as Readonly<Record<string, object>>;
  return { ...config, rules: [], accounts: { dao: { ...dao, config: { from: 'ims' } } } };
};

let lives: Lives;
let life: Life;
let dataDir: string;

beforeAll(async () => {
  lives = await openLives(fromIms);
  lives.sandbox.control.setCarrierDataDocument(1, 'DAO', { DAOTransport: DAO });
  dataDir = await mkdtemp(join(tmpdir(), 'waybridge-away-'));
  await placeEmptyDatabase(dataDir);
  await begin();
});
afterEach(() => lives.sandbox.control.clearFaults());
afterAll(async () => {
  await life.end();
  await lives.end();
  await rm(dataDir, { recursive: true, force: true });
});

/** All lives of this file share their records, and remember nothing else of each other. */
async function begin(): Promise<void> {
  life = await lives.begin({ DATA_DIR: dataDir });
  life.service.listenAgain();
}

const book = () => life.service.book(life.service.ship(oneParcel, { carrierName: 'DAO', sellerNumber: undefined }));
const stateOf = async (documentId: number) => (await life.service.consignmentOf(documentId))?.state;
const orders = (mark: number) =>
  life.service
    .requestsSince(mark, 'dao')
    .filter(({ path }) => path.includes('everingsordre') || path.includes('Ordre'));
const isAway = (path?: string) =>
  lives.sandbox.control.addFault({
    ...{ target: 'ims', kind: 'status', times: 'always', status: 503 },
    ...(path !== undefined && { path, method: 'GET' }),
  });

it('starts while the IMS is away, keeps what was planned before, and books it once with its settings when the IMS is back', async () => {
  const before = life.service.mark();
  lives.sandbox.control.addFault({ target: 'dao', kind: 'status', status: 429, times: 'always' });
  const documentId = book();
  await until('DAO was asked', () => orders(before).length > 0);
  await until('it waits', async () => UNBOOKED.includes(await stateOf(documentId)));
  await life.end();
  lives.sandbox.control.clearFaults();
  isAway();
  const mark = life.service.mark();
  await begin();
  const { service } = life;
  const waits = () =>
    service.lines.some(({ event, fields }) => event === 'postponed' && fields['waitingFor'] === 'ims');
  await until('it waits for the IMS', waits);
  expect(orders(mark)).toEqual([]);
  expect(UNBOOKED).toContain(await stateOf(documentId));
  lives.sandbox.control.clearFaults();
  await until('it is booked', () => service.document(documentId).workStatus === 'DONE');
  expect(orders(mark)).toHaveLength(1);
  expect(orders(mark)).toMatchObject([{ query: { kundeid: '9999' } }]);
  expect(service.bookings('dao', service.numberOf(documentId))).toHaveLength(1);
});

it('has a booking wait, with words to the worker, while settings that this process has never read cannot be read', async () => {
  await life.end();
  await begin();
  const { service } = life;
  const mark = service.mark();
  isAway('^/(sellers|carriers)');
  const documentId = book();
  const told = () => service.messages(service.eventOf(documentId)).map(({ text }) => text);
  await until('it is in', async () => (await stateOf(documentId)) !== undefined);
  life.forward(MINUTE_MS);
  await until('it is told', () => told().length > 0);
  expect(told()[0]).toMatch(/takes longer: the warehouse system does not answer us/);
  expect(orders(mark)).toEqual([]);
  lives.sandbox.control.clearFaults();
  await until('it is booked', () => service.document(documentId).workStatus === 'DONE');
  expect(orders(mark)).toHaveLength(1);
});
