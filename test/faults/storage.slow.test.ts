import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDatabase } from '../../src/cli/doctor/doctor-database.js';
import type { Check } from '../../src/cli/doctor/report.js';
import type { Settings } from '../../src/config/environment.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { buildChild } from '../crash/build-child.js';
import { Stage } from '../crash/stage.js';
import { ship } from '../crash/story.js';
import { checkFinalState } from '../crash/crash-stage.js';
import { until } from '../support/harness.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';
import { AlertTrial } from '../support/alert-rules.js';
import { disk, fill, fillBut, makeRoom, mayMount, remount, unmount } from './disk.js';
import { failCalls, mayTrace } from './strace.js';

const ANSWERS_OR_ENDS_WITHIN_MS = 60_000;
const SETTLES_WITHIN_MS = 240_000;
const STORAGE_FAILED = 74;
/** In seconds, longer than each alert waits. */
const HALF_AN_HOUR = 1_800;
const { oneParcel } = sampleShipments;

let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-storage-'));
  program = await buildChild();
  await placeEmptyDatabase(join(folder, 'empty'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const itOnDisk = mayMount ? it : it.skip;
if (!mayMount) process.stderr.write('faults of a real disk: skipped, this machine does not allow mount\n');

/** Raises or lowers what a running process may open. */
function limitFiles(pid: number, most: number): void {
  expect(spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most}:20000`]).status).toBe(0);
}

interface Fault {
  readonly what: string;
  begins(place: string, pid: number): void;
  ends(place: string): void;
  readonly said: RegExp;
  /** Whether a start fails in the same way. */
  readonly lasts: boolean;
  /** Calls of the process are given an error from outside. */
  readonly isTraced?: boolean;
}

/** From now on these calls of a process end with an error, until it ends. */
function inject(calls: string, error: string): Fault['begins'] {
  return (_place, pid) => {
    failCalls(calls, error, [pid]);
  };
}

const FAULTS: readonly Fault[] = [
  {
    what: 'the disk is full',
    begins: fill,
    ends: makeRoom,
    said: /storage failed.*ENOSPC.*The disk is full: make room/,
    lasts: true,
  },
  {
    what: 'the process has no file descriptors left',
    begins: (_place, pid) => limitFiles(pid, 1),
    ends: () => undefined,
    said: /storage failed.*EMFILE.*raise its limit/,
    lasts: false,
  },
  {
    what: 'a sync of the disk fails',
    begins: inject('fsync,fdatasync', 'EIO'),
    ends: () => undefined,
    said: /storage failed.*EIO.*The disk reports an error/,
    lasts: false,
    isTraced: true,
  },
  {
    what: 'a write to the disk fails',
    begins: inject('pwrite64', 'EIO'),
    ends: () => undefined,
    said: /storage failed.*EIO.*The disk reports an error/,
    lasts: false,
    isTraced: true,
  },
  {
    // The system refuses to make a disk read-only while files on it are open for writing; one that fails turns so by itself.
    what: 'the disk turns read-only',
    begins: inject('pwrite64', 'EROFS'),
    ends: () => undefined,
    said: /storage failed.*EROFS.*The disk is read-only: mount it writable/,
    lasts: false,
    isTraced: true,
  },
];

const READ_ONLY = /cannot be used: .*EROFS.*The disk is read-only: mount it writable/;

async function onStage(name: string, play: (stage: Stage, place: string) => Promise<void>): Promise<void> {
  const place = disk(folder, name, 120);
  cpSync(join(folder, 'empty'), join(place, 'data'), { recursive: true });
  const database = { environment: { DATA_DIR: join(place, 'data') }, drop: async () => undefined };
  const stage = await Stage.open({ program, database });
  try {
    await play(stage, place);
  } finally {
    await stage.close();
    unmount(place);
  }
}

/** One after the other, until the process has ended. */
async function keepBooking(stage: Stage): Promise<void> {
  const end = Date.now() + ANSWERS_OR_ENDS_WITHIN_MS;
  while (stage.services[0]?.isAlive && Date.now() < end) {
    ship(stage.sandbox, oneParcel, 'Pretend');
    await new Promise((done) => setTimeout(done, 100));
  }
}

async function endedWith(stage: Stage): Promise<number | null> {
  const service = stage.services[0];
  await until('the process has ended', () => service?.isAlive === false, ANSWERS_OR_ENDS_WITHIN_MS);
  return (await service?.gone)?.code ?? null;
}

/** Started again it may live until it needs the disk, but not in silence. */
async function endsAgain(
  stage: Stage,
  { place, begins, said }: Pick<Fault, 'begins' | 'said'> & { readonly place: string },
): Promise<void> {
  begins(place, 0);
  const { service } = await stage.start();
  await keepBooking(stage);
  expect(await endedWith(stage)).toBe(STORAGE_FAILED);
  expect(service.output).toMatch(said);
}

const canTrace = mayMount && mayTrace;
if (!canTrace) process.stderr.write('errors of calls to a disk: skipped, this machine does not allow strace\n');

describe.each(FAULTS)('when $what', ({ what, begins, ends, said, lasts, isTraced = false }) => {
  const itHere = isTraced && !canTrace ? it.skip : itOnDisk;
  itHere(
    'the process ends with a line, and after the repair everything accepted ends, none of it twice',
    () =>
      onStage(what.replaceAll(' ', '-'), async (stage, place) => {
        const { service } = await stage.start();
        for (let n = 0; n < 3; n += 1) ship(stage.sandbox, oneParcel, 'Pretend');
        begins(place, service.pid);
        await keepBooking(stage);
        expect(await endedWith(stage)).toBe(STORAGE_FAILED);
        expect(service.output).toMatch(said);
        if (lasts) await endsAgain(stage, { place, begins, said });
        ends(place);
        await stage.start();
        const rows = await stage.settle(SETTLES_WITHIN_MS);
        expect(checkFinalState(await stage.context(rows))).toEqual([]);
        expect(rows.consignments.length).toBeGreaterThan(3);
        expect(rows.consignments.filter(({ state }) => state !== 'closed')).toEqual([]);
      }),
    300_000,
  );
});

describe('a disk that is nearly full', () => {
  itOnDisk(
    'fires its alert until there is room',
    () =>
      onStage('nearly-full', async (stage, place) => {
        await stage.start();
        const firing = async () => {
          const trial = new AlertTrial();
          trial.scraped(await (await fetch(`${stage.liveUrl}/metrics`)).text(), HALF_AN_HOUR);
          return trial.firing();
        };
        fillBut(place, 0.08);
        expect(await firing()).toEqual(['WaybridgeDiskNearlyFull']);
        makeRoom(place);
        expect(await firing()).toEqual([]);
      }),
    120_000,
  );
});

describe('a full disk', () => {
  itOnDisk('is what `doctor` finds, which leaves nothing behind', async () => {
    const place = disk(folder, 'examined', 20);
    const examined = async () => {
      const rows = new Map<string, string>();
      const check: Check = async (what, work) => {
        rows.set(what, await work().catch((error: Error) => error.message));
        return true;
      };
      await checkDatabase({ DATA_DIR: place } as Settings, check);
      return rows.get('database');
    };
    fill(place);
    expect(await examined()).toMatch(/cannot be used: .*ENOSPC.*make room on it/);
    makeRoom(place);
    expect(await examined()).toContain('DATA_DIR can be written');
    expect(readdirSync(place)).toEqual([]);
    unmount(place);
  });
});

describe('a disk that is read-only', () => {
  itOnDisk(
    'is named when the service starts',
    () =>
      onStage('read-only', async (stage, place) => {
        expect(remount(place, 'ro')).toBe(true);
        const { service, listens } = await stage.start();
        expect(listens).toBe(false);
        await service.gone;
        expect(service.output).toMatch(READ_ONLY);
        expect(remount(place, 'rw')).toBe(true);
        await stage.start();
        ship(stage.sandbox, oneParcel, 'Pretend');
        expect(checkFinalState(await stage.context(await stage.settle(SETTLES_WITHIN_MS)))).toEqual([]);
      }),
    300_000,
  );
});
