import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { NumberPort } from '../../carriers/contract/tools.js';
import { numbersOfAccount } from '../../src/accounts/connect-accounts.js';
import { createNumbers } from '../../src/accounts/number-rows.js';
import type { Database } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { RandomStreams } from '../../src/sandbox/control/random.js';
import { describeOnServer } from '../db/postgres-server.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { buildChild } from './build-child.js';
import { type Databases, type FreshDatabase, serverDatabases } from './databases.js';

const INSTANCES = 3;
const KILLS = 20;
const SEED = 20_262;
/** From the first booking of an instance to its death. */
const MAX_LIFE_MS = 200;
const FIRST_WITHIN_MS = 180_000;

const wanted = { series: 'sscc', reference: '10045', keys: ['501', '502'], from: 1, to: 9_999 };

function numbers(open: () => Promise<Database>): void {
  let database: Database;
  let port: NumberPort;
  beforeAll(async () => {
    database = await open();
    port = createNumbers(database);
  });
  afterAll(async () => database?.close());

  it('are the same for the same booking, also where it has one parcel more', async () => {
    expect(await port.take(wanted)).toEqual([1, 2]);
    expect(await createNumbers(database).take({ ...wanted, keys: ['503', '502', '501'] })).toEqual([3, 2, 1]);
  });

  it('are given to one of several bookings at once', async () => {
    const references = Array.from({ length: 20 }, (_, n) => `at-once-${n % 10}`);
    const taken = await Promise.all(references.map((reference) => port.take({ ...wanted, reference })));
    expect(new Set(taken.flat()).size).toBe(20);
    references.forEach((reference, n) => expect(taken[n]).toEqual(taken[references.indexOf(reference)]));
  });

  it('of a series that two accounts share are others for the same reference', async () => {
    const [one, other] = ['van', 'truck'].map((account) => numbersOfAccount(account, port));
    const shared = { ...wanted, series: 'shared' };
    expect([await one?.take(shared), await other?.take(shared), await one?.take(shared)]).toEqual([
      [1, 2],
      [3, 4],
      [1, 2],
    ]);
  });

  it('begin above a number that is set later, and never go back', async () => {
    expect(await port.take({ ...wanted, reference: 'restored', from: 5_000 })).toEqual([5_000, 5_001]);
    expect(await port.take({ ...wanted, reference: 'later', from: 1 })).toEqual([5_002, 5_003]);
  });

  it('count for each series alone', async () => {
    expect(await port.take({ ...wanted, series: 'gsin' })).toEqual([1, 2]);
  });

  it('are refused as a whole where not enough are left', async () => {
    const last = { ...wanted, series: 'short', to: 3 };
    expect(await port.take({ ...last, reference: 'a' })).toEqual([1, 2]);
    await expect(port.take({ ...last, reference: 'b' })).rejects.toMatchObject({ name: 'NumbersUsedUp' });
    expect(await port.take({ ...last, reference: 'c', keys: ['501'] })).toEqual([3]);
  });

  it('are refused for another time while the database is away', async () => {
    const away = { ...database, transaction: () => Promise.reject(new Error('the connection was cut')) };
    await expect(createNumbers(away).take(wanted)).rejects.toMatchObject({ name: 'CarrierUnavailable' });
  });
}

describe('numbers of the embedded database', () => numbers(openEmptyDatabase));

describeOnServer('numbers', (url) => {
  let databases: Databases;
  let fresh: FreshDatabase;
  let program: string;
  beforeAll(async () => {
    program = join(dirname(await buildChild()), 'numbering.js');
    databases = await serverDatabases(url());
    fresh = await databases.fresh();
  });

  describe('numbers of a server', () =>
    numbers(async () => openPostgres((await databases.fresh()).environment['DATABASE_URL'] ?? '', silentLog)));

  it(`are given out once by ${INSTANCES} instances with ${KILLS} kills, with the right check digit`, async () => {
    const random = new RandomStreams(SEED);
    const lines: string[] = [];
    const start = (name: number, from: number) => startInstance({ program, fresh, lines }, name, from);
    const instances = await Promise.all([0, 1, 2].map((name) => start(name, 0)));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const victim = Math.floor(random.next('victim') * INSTANCES);
      await pause(random.next('life') * MAX_LIFE_MS);
      await end(instances[victim]);
      // Bookings whose outcome the dead instance could not store are repeated.
      instances[victim] = await start(victim, Math.max(0, lastOf(lines, victim) - 2));
    }
    await Promise.all(instances.map(end));

    const booked = lines.map((line) => line.split(' ') as [string, string, string]);
    const [parcels, ssccs] = [new Map<string, string>(), new Map<string, string>()];
    for (const [reference, parcel, sscc] of booked) {
      expect(ssccs.get(sscc) ?? `${reference} ${parcel}`).toBe(`${reference} ${parcel}`);
      expect(parcels.get(`${reference} ${parcel}`) ?? sscc).toBe(sscc);
      ssccs.set(sscc, `${reference} ${parcel}`);
      parcels.set(`${reference} ${parcel}`, sscc);
    }
    expect([...ssccs.keys()].filter((sscc) => !isSscc(sscc))).toEqual([]);
    // Some were booked again after a death.
    expect(booked.length).toBeGreaterThan(ssccs.size);
    expect(ssccs.size).toBeGreaterThan(100);
    process.stdout.write(
      `\n${ssccs.size} parcels, ${booked.length - ssccs.size} of them booked again, ${KILLS} kills\n`,
    );
  });
});

interface Place {
  readonly program: string;
  readonly fresh: FreshDatabase;
  readonly lines: string[];
}

/** @returns after its first booking */
async function startInstance({ program, fresh, lines }: Place, name: number, from: number): Promise<ChildProcess> {
  const url = fresh.environment['DATABASE_URL'] ?? '';
  const child = spawn(process.execPath, [program, url, `i${name}`, `${from}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [rest, errors] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const first = new Promise<void>((done, fail) => {
    const late = setTimeout(() => fail(new Error(`it books nothing:\n${errors}`)), FIRST_WITHIN_MS);
    child.once('exit', () => fail(new Error(`it ended by itself:\n${errors}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      const written = (rest + chunk.toString()).split('\n');
      rest = written.pop() ?? '';
      lines.push(...written);
      clearTimeout(late);
      done();
    });
  });
  await first;
  return child;
}

/** All that it wrote is read before this returns. */
async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** The number of the last reference of an instance. */
function lastOf(lines: readonly string[], name: number): number {
  const own = lines.filter((line) => line.startsWith(`i${name}-`));
  return Math.max(0, ...own.map((line) => Number(line.split(/[- ]/)[1])));
}

/** By GS1's method, written down once more: 3 and 1 in turn from the right, up to the next ten. */
function isSscc(sscc: string): boolean {
  const sum = Array.from(sscc).reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return /^\d{18}$/.test(sscc) && sum % 10 === 0;
}
