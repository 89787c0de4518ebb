import { describe, expect, it } from '@jest/globals';
import { createRunner } from '../../src/worker/runner.js';
import { silentLog } from '../../src/log.js';
import { scoped } from '../../src/transport/scoped.js';

interface Piece {
  readonly begun: () => void;
  readonly end: () => void;
}

/** A runner whose pieces of work go on when the test says so. */
function stage(mostBeginning: number) {
  const started: string[] = [];
  const pieces = new Map<string, Piece>();
  const work = (id: string, begun: () => void) => {
    started.push(id);
    return new Promise<void>((end) => pieces.set(id, { begun, end }));
  };
  const piece = (id: string) => {
    const found = pieces.get(id);
    if (!found) throw new Error(`${id} was not started`);
    return found;
  };
  return { runner: createRunner(work, silentLog, mostBeginning), started, piece };
}

const ids = (name: string, count: number) => Array.from({ length: count }, (_none, n) => `${name}-${n + 1}`);
const soon = () => new Promise((done) => setImmediate(done));

describe('the runner', () => {
  it('begins so many under a limiter at once, and the next one when one of them has begun, first come first served', () => {
    const { runner, started, piece } = stage(2);
    runner.wake(['a', 'b', 'c', 'd'], 'area 1');
    runner.wake(['c'], 'area 1');
    expect(started).toEqual(['a', 'b']);
    piece('b').begun();
    piece('b').begun();
    expect(started).toEqual(['a', 'b', 'c']);
    expect(runner.running()).toEqual(['a', 'b', 'c']);
  });

  it('says whether work under a limiter would start at once', async () => {
    const { runner, piece } = stage(1);
    expect(runner.startsAtOnce('area 1')).toBe(true);
    runner.wake(['a'], 'area 1');
    expect([runner.startsAtOnce('area 1'), runner.startsAtOnce('area 2')]).toEqual([false, true]);
    piece('a').begun();
    expect(runner.startsAtOnce('area 1')).toBe(true);
    piece('a').end();
    await runner.stop(5_000);
    expect(runner.startsAtOnce('area 1')).toBe(false);
  });

  it('makes room when a piece of work ends without saying that it has begun', async () => {
    const { runner, started, piece } = stage(1);
    runner.wake(['a', 'b', 'c'], 'area 1');
    piece('a').end();
    await soon();
    piece('b').begun();
    piece('b').end();
    await soon();
    expect(started).toEqual(['a', 'b', 'c']);
    expect(runner.running()).toEqual(['c']);
  });

  it('lets no limiter wait for another, and work without one for none', () => {
    const { runner, started } = stage(1);
    runner.wake(['a', 'b'], 'area 1');
    runner.wake(['c', 'd'], 'area 2');
    runner.wake(['e', 'f']);
    expect(started).toEqual(['a', 'c', 'e', 'f']);
  });

  it('starts work under a limiter at once, however much waits under another', () => {
    const { runner, started } = stage(1);
    runner.wake(ids('a', 3_000), 'area 1');
    expect(runner.startsAtOnce('area 2')).toBe(true);
    runner.wake(['b'], 'area 2');
    expect(started).toEqual(['a-1', 'b']);
  });

  it('runs a thousand at once, and leaves those that wait then to be woken again', async () => {
    const { runner, started, piece } = stage(1);
    runner.wake(['first', 'left', 'left too'], 'area 1');
    runner.wake(ids('other', 2_000));
    expect(runner.running()).toHaveLength(1_000);
    piece('first').begun();
    expect(runner.running()).toHaveLength(1_000);
    piece('first').end();
    await soon();
    runner.wake(['left'], 'area 1');
    expect(started.slice(1_000)).toEqual(['left']);
  });

  it('runs once what was woken without a limiter while it waited at one', () => {
    const { runner, started, piece } = stage(1);
    runner.wake(['a', 'b', 'c'], 'area 1');
    runner.wake(['b']);
    piece('a').begun();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('runs once more what is woken while it runs', async () => {
    const { runner, started, piece } = stage(1);
    runner.wake(['a'], 'area 1');
    runner.wake(['a'], 'area 1');
    runner.wake(['a']);
    piece('a').end();
    await soon();
    piece('a').end();
    await soon();
    expect(started).toEqual(['a', 'a']);
    expect(runner.running()).toEqual([]);
  });

  it('forgets who waits when it stops', async () => {
    const { runner, started, piece } = stage(1);
    runner.wake(['a', 'b'], 'area 1');
    const stopped = runner.stop(5_000);
    piece('a').end();
    await stopped;
    runner.wake(['c']);
    expect(started).toEqual(['a']);
  });

  it('starts work that waited outside the work that made room for it', async () => {
    const caller = scoped<string>('caller');
    const seen: (string | undefined)[] = [];
    const work = (id: string, begun: () => void) =>
      caller.during(`${caller.value() ?? ''}/${id}`, async () => {
        seen.push(caller.value());
        await soon();
        begun();
        await soon();
      });
    const runner = createRunner(work, silentLog, 1);
    runner.wake(['a', 'b', 'c'], 'area 1');
    for (let turn = 0; turn < 10; turn += 1) await soon();
    expect(seen).toEqual(['/a', '/b', '/c']);
  });
});
