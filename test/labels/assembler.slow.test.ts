import { platform } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Label } from '../../carriers/contract/index.js';
import { assembleLabels } from '../../src/labels/assemble.js';
import { type Assembler, createAssembler } from '../../src/labels/assembler.js';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { LabelUnusable } from '../../src/labels/label-unusable.js';
import { assemblyProcesses } from './assembly-processes.js';
import { BOMBS, noise } from './bombs.js';
import { DRAWN_BOMBS } from './drawn-bombs.js';
import { label, pdfOf, readPages } from './pdfs.js';

const TIME_LIMIT_MS = 5_000;
/** For what would take all the time there is. */
const LESS_TIME_MS = 3_000;
/** Until a process that is over its time is gone, on a machine that has much else to do. */
const SLACK_MS = 20_000;
/** Heap, unpacked parts, copies of the file, and Node itself. */
const MAX_RESIDENT_MB = 700;
/** Of this process alone; computing, not waiting, so that it does not matter what else the machine does. */
const MAX_OWN_COMPUTING_MS = 1_500;
/** While the event loop stands still, the service renews no lease and answers no request. */
const MAX_STAND_MS = 50;
/** A pause of the garbage collector comes once; what stands each time, the code does. */
const STAND_TRIES = 3;
/** Without what draws, the process holds about 80. */
const LOADED_MB = 130;
const LOADED_WITHIN_MS = 30_000;
/** Skipped elsewhere: processes and their memory are read from /proc, which only Linux has. */
const inProc = platform() === 'linux' ? describe : describe.skip;
if (platform() !== 'linux') process.stderr.write('processes that read labels: skipped, this machine has no /proc\n');

const opened: Assembler[] = [];

function open(limits = { timeMs: TIME_LIMIT_MS }): Assembler {
  const assembler = createAssembler(limits);
  opened.push(assembler);
  return assembler;
}

/** @returns the processes that were there */
function killAll(): readonly number[] {
  const pids = assemblyProcesses().map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return pids;
}

async function middle(times: number, work: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const before = performance.now();
    await work();
    took.push(performance.now() - before);
  }
  return took.sort((a, b) => a - b)[Math.floor(times / 2)] ?? Infinity;
}

describe('labels that are put together in a process of their own', () => {
  afterEach(() => opened.splice(0).forEach((assembler) => assembler.close()));

  it('are the same as without it', async () => {
    const labels = [label(await pdfOf({ text: 'first' })), label(await pdfOf({ text: 'second', pages: 2 }))];
    const [here, there] = [await assembleLabels(labels), await open().assemble(labels, null)];
    expect([there.sha256, there.pages]).toEqual([here.sha256, 3]);
    expect((await readPages(there.bytes)).map((page) => page.text)).toEqual(['first', 'second/1', 'second/2']);
  });

  inProc('for a printer that speaks ZPL', () => {
    it('find what draws them loaded before the first one comes, also in a process that replaces another', async () => {
      const assembler = open();
      const loaded = async () => {
        let largest = 0;
        for (const end = performance.now() + LOADED_WITHIN_MS; performance.now() < end && largest < LOADED_MB;) {
          await pause(100);
          largest = Math.max(0, ...assemblyProcesses().map(({ residentMb }) => residentMb));
        }
        return largest;
      };
      assembler.warm([ZPL]);
      expect(await loaded()).toBeGreaterThan(LOADED_MB);
      killAll();
      await assembler.assemble([label(await pdfOf({ text: 'fine' }))], null);
      expect(await loaded()).toBeGreaterThan(LOADED_MB);
    });
  });

  it('are refused in the same words', async () => {
    const labels = [label(await pdfOf({ text: 'fine' })), label(Buffer.from('nothing'))];
    const refusal = open().assemble(labels, null);
    await expect(refusal).rejects.toThrow(LabelUnusable);
    await expect(refusal).rejects.toMatchObject({ message: 'label 2 of 2 is not a PDF', position: 2 });
  });

  inProc('one after the other', () => {
    it('wait for no process to start', async () => {
      const assembler = open();
      const labels = [label(await pdfOf({ text: 'a' })), label(await pdfOf({ text: 'b' }))];
      await Promise.all([assembler.assemble(labels, null), assembleLabels(labels)]);
      const before = assemblyProcesses().map(({ pid }) => pid);
      const here = await middle(25, () => assembleLabels(labels));
      const there = await middle(25, () => assembler.assemble(labels, null));
      process.stdout.write(`two small labels: ${here.toFixed(1)} ms here, ${there.toFixed(1)} ms there\n`);
      expect(assemblyProcesses().map(({ pid }) => pid)).toEqual(before);
      expect(before).toHaveLength(1);
    });
  });

  it('have all of their time, however long the process that reads them takes to start', async () => {
    const labels = [label(await pdfOf({ text: 'fine' }))];
    const began = performance.now();
    await open().assemble(labels, null);
    // Reading takes a fifth of that, starting the rest.
    const timeMs = (performance.now() - began) * 0.6;
    const read = () =>
      open({ timeMs })
        .assemble(labels, null)
        .then(({ pages }) => pages);
    // Where others keep the machine busy, reading itself may be late.
    const ends = [await read().catch(String), await read().catch(String), await read().catch(String)];
    expect(ends).toContain(1);
  });

  it('do not wait for one that takes all the time there is', async () => {
    const assembler = open();
    const fine = label(await pdfOf({ text: 'fine' }));
    const ends: string[] = [];
    const slow = assembler.assemble([label(await noise())], null).catch((error: Error) => ends.push(error.message));
    await Promise.all([1, 2, 3].map(() => assembler.assemble([fine], null).then(() => ends.push('fine'))));
    await slow;
    expect(ends.filter((end) => end === 'fine')).toHaveLength(3);
    // How many come before it depends on how fast another process starts; the first does not wait.
    expect(ends[0]).toBe('fine');
    expect(ends).toContainEqual(expect.stringMatching(/^label 1 of 1 is built .* more than 5 seconds/));
  });

  inProc('when that process is killed', () => {
    it('are read by another one', async () => {
      const assembler = open();
      const fine = label(await pdfOf({ text: 'fine' }));
      await assembler.assemble([fine], null);
      killAll();
      await expect(assembler.assemble([fine], null)).resolves.toMatchObject({ pages: 1 });
    });

    it('are drawn by another one, with error sheets and papers', async () => {
      const assembler = open();
      const sheet = { widthMm: 102, heightMm: 152, notALabel: '-', barcode: null, messages: [] };
      const draw = () => assembler.drawErrorSheet({ ...sheet, shipment: { title: '-', number: '10045' } });
      const before = await draw();
      killAll();
      expect(Buffer.from(await draw()).equals(before)).toBe(true);
    });

    it('in the middle, and each other one as well, are given up, and are no labels that cannot be used', async () => {
      const assembler = open({ timeMs: 60_000 });
      const killed = new Set<number>();
      const lost = assembler.assemble([label(await noise())], null);
      const kills = setInterval(() => killAll().forEach((pid) => killed.add(pid)), 50);
      await expect(lost).rejects.toThrow('the process that reads labels has ended: SIGKILL');
      clearInterval(kills);
      await expect(lost).rejects.not.toThrow(LabelUnusable);
      expect(killed.size).toBeGreaterThanOrEqual(3);
    });
  });
});

/** How long this process has computed and stood, and the most that the other one held. */
function watch() {
  const before = process.cpuUsage();
  const turns = watchTurns();
  let residentMb = 0;
  const looks = setInterval(() => {
    const residents = platform() === 'linux' ? assemblyProcesses() : [];
    residentMb = Math.max(residentMb, ...residents.map((one) => one.residentMb));
  }, 50);
  return {
    end: () => {
      clearInterval(looks);
      return { residentMb, stoodMs: turns.end(), computedMs: process.cpuUsage(before).user / 1_000 };
    },
  };
}

/**
 * The longest turn of the loop: the time that it took, of which only what this process has computed counts, because a machine
 * that is busy with others keeps it waiting.
 */
function watchTurns() {
  let [longestMs, beganAt, used] = [0, performance.now(), process.cpuUsage()];
  const turn = () => {
    const { user, system } = process.cpuUsage(used);
    longestMs = Math.max(longestMs, Math.min(performance.now() - beganAt, (user + system) / 1_000));
    [beganAt, used] = [performance.now(), process.cpuUsage()];
  };
  const turns = setInterval(turn, 1);
  return {
    end: () => {
      clearInterval(turns);
      turn();
      return longestMs;
    },
  };
}

const ZPL: LabelTarget = { format: 'zpl', widthMm: 102, heightMm: 152, dpi: 300, sheet: null, perSheet: 1 };

const made = new Map<unknown, Promise<Uint8Array>>();

/** Some take seconds to make, and each is read twice. */
function madeOnce(make: () => Promise<Uint8Array> | Uint8Array): Promise<Uint8Array> {
  const bytes = made.get(make) ?? Promise.resolve(make());
  made.set(make, bytes);
  return bytes;
}

describe.each([
  { how: 'as it came', target: null, bombs: BOMBS, timeMs: TIME_LIMIT_MS },
  { how: 'as ZPL, with less time', target: ZPL, bombs: [...BOMBS, ...DRAWN_BOMBS], timeMs: LESS_TIME_MS },
])('a label that is a bomb, wanted $how,', ({ target, bombs, timeMs }) => {
  let assembler: Assembler;
  beforeAll(() => {
    assembler = createAssembler({ timeMs });
  });
  afterAll(() => assembler.close());

  const assembleWatched = async (labels: readonly Label[]) => {
    const watched = watch();
    const before = performance.now();
    const outcome = await assembler.assemble(labels, target).then(
      ({ pages }) => `${pages} pages`,
      (error: unknown) => (error instanceof LabelUnusable ? error.message : error),
    );
    return { outcome, tookMs: performance.now() - before, ...watched.end() };
  };

  it.each(bombs)('is read or refused within bounds, and the next one is read, when it %s', async (what, make) => {
    const fine = label(await pdfOf({ text: 'fine' }));
    const bomb = label(await madeOnce(make));
    const stands: number[] = [];
    do {
      const { outcome, tookMs, computedMs, residentMb, stoodMs } = await assembleWatched([fine, bomb]);
      process.stdout.write(
        `${what}: ${Math.round(tookMs)} ms, own ${Math.round(computedMs)} ms, stood ${Math.round(stoodMs)} ms, ${Math.round(residentMb)} MB: ${String(outcome)}\n`,
      );
      expect(outcome).toMatch(
        /^[1-9]\d* pages$|^label 2 of 2 |^of the labels at least one |^the labels together have /,
      );
      expect(tookMs).toBeLessThan(timeMs + SLACK_MS);
      expect(residentMb).toBeLessThan(MAX_RESIDENT_MB);
      expect(computedMs).toBeLessThan(MAX_OWN_COMPUTING_MS);
      await expect(assembler.assemble([fine], null)).resolves.toMatchObject({ pages: 1 });
      stands.push(stoodMs);
    } while (Math.min(...stands) >= MAX_STAND_MS && stands.length < STAND_TRIES);
    expect(Math.min(...stands)).toBeLessThan(MAX_STAND_MS);
  });
});
