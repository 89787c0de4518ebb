import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { TurnedAway, createCarrierQueue } from '../../src/consignment/carrier-queue.js';
import { silentLog } from '../../src/log.js';
import { until } from '../service/harness.js';

const AT_ONCE = 16;
const LONGEST_LINE = 100;

const newQueue = () =>
  createCarrierQueue({ account: 'gls', clock: { now: () => new Date() }, random: () => 0, log: silentLog });

/** A queue whose visits last until the test ends them. */
function queueOfVisits(queue = newQueue()) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const visit = (n: number) =>
    queue.visit(`consignment ${n}`, async () => {
      begun.push(n);
      await new Promise<void>((done) => ends.set(n, done));
      return n;
    });
  const end = (n: number) => ends.get(n)?.();
  const areThere = (count: number) => until(`${count} have begun`, () => begun.length >= count);
  return { queue, begun, visit, end, areThere };
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_none, n) => from + n);

describe('the way to a carrier', () => {
  it('begins at once where there is room: no timer is waited for', async () => {
    const { begun, visit } = queueOfVisits();
    void visit(1);
    await null;
    await null;
    expect(begun).toEqual([1]);
  });

  it('lets sixteen in, and then one for each that leaves, in the order they came', async () => {
    const { begun, visit, end, areThere } = queueOfVisits();
    for (const n of numbers(AT_ONCE + 4)) void visit(n);
    await areThere(AT_ONCE);
    end(3);
    await areThere(AT_ONCE + 1);
    expect(begun).toEqual(numbers(AT_ONCE + 1));
    for (const n of [0, 1, 2]) end(n);
    await areThere(AT_ONCE + 4);
    expect(begun).toEqual(numbers(AT_ONCE + 4));
  });

  it('never has more than sixteen at the carrier, and none is forgotten, however they come and go', async () => {
    const queue = newQueue();
    let there = 0;
    let most = 0;
    let release: () => void = () => undefined;
    const full = new Promise<void>((done) => (release = done));
    const visit = (n: number) =>
      queue.visit(`consignment ${n}`, async () => {
        there += 1;
        most = Math.max(most, there);
        if (there === AT_ONCE) release();
        await full;
        await new Promise((done) => setTimeout(done, 5 + (n % 7)));
        there -= 1;
        return n;
      });
    const all = [];
    for (const n of numbers(90)) {
      all.push(visit(n));
      if (n % 5 === 0) await new Promise((done) => setTimeout(done, n % 3));
    }
    expect(await Promise.all(all)).toEqual(numbers(90));
    expect(most).toBe(AT_ONCE);
    // Nobody is there now: as many as before find room.
    const { begun, visit: stay, areThere } = queueOfVisits(queue);
    for (const n of numbers(AT_ONCE)) void stay(n);
    await areThere(AT_ONCE);
    expect(begun).toEqual(numbers(AT_ONCE));
  });

  it('turns away who would be the hundred and first in line', async () => {
    const { visit } = queueOfVisits();
    for (const n of numbers(AT_ONCE + LONGEST_LINE)) void visit(n);
    await expect(visit(999)).rejects.toMatchObject({ waitingFor: 'limit' });
  });

  it('turns away who waits when it closes, and lets what has begun go on', async () => {
    const { queue, begun, visit, end, areThere } = queueOfVisits();
    const [first, ...others] = numbers(AT_ONCE + 2).map((n) => visit(n));
    await areThere(AT_ONCE);
    const waiting = others.slice(AT_ONCE - 1);
    const refused = Promise.allSettled(waiting);
    queue.close();
    expect(await refused).toMatchObject(waiting.map(() => ({ status: 'rejected', reason: expect.any(TurnedAway) })));
    await expect(visit(999)).rejects.toThrow(TurnedAway);
    end(0);
    expect(await first).toBe(0);
    expect(begun).toEqual(numbers(AT_ONCE));
  });

  it('works for whoever stood in line, not for whoever let them in', async () => {
    const { queue, visit, end, areThere } = queueOfVisits();
    const whose = new AsyncLocalStorage<string>();
    for (const n of numbers(AT_ONCE)) void whose.run('others', () => visit(n));
    const seen = whose.run('mine', () => queue.visit('mine', async () => whose.getStore()));
    await areThere(AT_ONCE);
    end(0);
    expect(await seen).toBe('mine');
  });
});
