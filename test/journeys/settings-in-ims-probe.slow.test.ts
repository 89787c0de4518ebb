import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, until } from '../support/harness.js';
import { type Config, type Life, type Lives, openLives } from '../support/lives.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

const GLS = { userName: 'warehouse', password: 'pw-of-warehouse', contactId: 'C0', customerId: 'K0' };
const DAO = { customerId: '9999', code: 'dao-code-of-carrier' };

const fromIms = (config: Config) => {
  const { gls, dao } = config['accounts'] as Readonly<Record<string, object>>;
  const settled = (account: object | undefined) => ({ ...account, config: { from: 'ims' } });
  return { ...config, rules: [], accounts: { gls: settled(gls), dao: settled(dao) } };
};

let lives: Lives;
let life: Life;
let dataDir: string;

beforeAll(async () => {
  lives = await openLives(fromIms);
  dataDir = await mkdtemp(join(tmpdir(), 'waybridge-probe-'));
  await placeEmptyDatabase(dataDir);
  lives.sandbox.control.setCarrierDataDocument(1, 'GLS', { GLSTransport: GLS });
  lives.sandbox.control.setCarrierDataDocument(1, 'DAO', { DAOTransport: DAO });
  await begin();
});
afterAll(async () => {
  await life.end();
  await lives.end();
  await rm(dataDir, { recursive: true, force: true });
});

/** All lives of this file share their records. */
async function begin(): Promise<void> {
  life = await lives.begin({ DATA_DIR: dataDir });
  life.service.listenAgain();
}

function goesDown(target: 'gls-dk' | 'dao'): void {
  lives.sandbox.control.addFault({ target, kind: 'status', status: 503, body: 'down', times: 'always' });
}

const ship = (service: Service, changes: object) =>
  service.ship(sampleShipments.oneParcel, { sellerNumber: undefined, ...changes });

/** Requests to GLS: those in the name of an account may book, those in nobody's name are probes. */
function atGls(service: Service, mark: number) {
  const sent = service.requestsSince(mark, 'gls-dk').map(({ body }) => Object.keys((body ?? {}) as object).length > 0);
  return { bookings: sent.filter(Boolean).length, probes: sent.filter((names) => !names).length };
}

it('probes a carrier that does not answer instead of spending bookings on it, also where the settings are in the IMS', async () => {
  const { service } = life;
  const mark = service.mark();
  goesDown('gls-dk');
  const lost = service.book(ship(service, { carrierName: 'GLS' }));
  await until('it is sent', () => atGls(service, mark).bookings === 1);
  const waiting = service.book(ship(service, { carrierName: 'GLS' }));
  await until('GLS is probed', () => atGls(service, mark).probes >= 2);
  await until('both are in', async () => (await service.consignmentOf(waiting)) !== null);
  expect(atGls(service, mark).bookings).toBe(1);
  lives.sandbox.control.clearFaults();
  await until('it is booked', () => service.document(waiting).workStatus === 'DONE');
  expect((await service.consignmentOf(lost)).needsOperator).toBe(true);
  expect(atGls(service, mark).bookings).toBe(2);
});

it("probes with the seller's settings that were used last, and after a new start with any that the IMS has", async () => {
  const { sellers } = lives.sandbox.control.state();
  const fjord = sellers.find((row) => row['sellerNumber'] === 'FJORD' && row['contextId'] === 1);
  await life.service.ims(`PATCH /sellers/${String(fjord?.['id'])}/dataDocument`, {
    DAOTransport: { customerId: '1111', code: 'dao-code-of-fjord' },
  });
  const probesOf = (mark: number) =>
    life.service.requestsSince(mark, 'dao').filter(({ path }) => path.endsWith('FejlKoder.php'));
  const mark = life.service.mark();
  goesDown('dao');
  life.service.book(ship(life.service, { carrierName: 'DAO', sellerNumber: 'FJORD' }));
  await until('DAO is probed', () => probesOf(mark).length > 0);
  expect(probesOf(mark)[0]?.query['kundeid']).toBe('1111');
  await life.end();
  const again = life.service.mark();
  await begin();
  await until('DAO is probed again', () => probesOf(again).length > 0);
  expect(probesOf(again)[0]?.query['kundeid']).toBe('9999');
});
