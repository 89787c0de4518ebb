import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { TurnedAway, createCarrierQueue } from '../../src/consignment/carrier-queue.js';
import { silentLog } from '../../src/log.js';

const AT_ONCE = 16;
const LONGEST_LINE = 100;

/** A queue whose visits last until the test ends them. */
function queueOfVisits() {
  const queue = createCarrierQueue({
    ...{ account: 'gls', clock: { now: () => new Date() }, random: () => 0, log: silentLog },
  });
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const visit = (n: number) =>
    queue.visit(`consignment ${n}`, async () => {
      begun.push(n);
      await new Promise<void>((done) => ends.set(n, done));
      return n;
    });
  const end = async (n: number) => {
    ends.get(n)?.();
    await settled();
  };
  return { queue, begun, visit, end };
}

/** Longer than the library takes to let somebody in. */
const settled = () => new Promise((done) => setTimeout(done, 30));

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
    const { begun, visit, end } = queueOfVisits();
    for (const n of numbers(AT_ONCE + 4)) void visit(n);
    await settled();
    expect(begun).toEqual(numbers(AT_ONCE));
    await end(3);
    expect(begun).toEqual(numbers(AT_ONCE + 1));
    await Promise.all([end(0), end(1), end(2)]);
    expect(begun).toEqual(numbers(AT_ONCE + 4));
  });

  it('never has more than sixteen at the carrier, and none is forgotten, however they come and go', async () => {
    const { queue } = queueOfVisits();
    let there = 0;
    let most = 0;
    const visit = (n: number) =>
      queue.visit(`consignment ${n}`, async () => {
        there += 1;
        most = Math.max(most, there);
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
    const begun: number[] = [];
    for (const n of numbers(AT_ONCE)) void queue.visit(`later ${n}`, async () => begun.push(n));
    await settled();
    expect(begun).toHaveLength(AT_ONCE);
  });

  it('turns away who would be the hundred and first in line', async () => {
    const { visit } = queueOfVisits();
    for (const n of numbers(AT_ONCE + LONGEST_LINE)) void visit(n);
    await expect(visit(999)).rejects.toMatchObject({ waitingFor: 'limit' });
  });

  it('turns away who waits when it closes, and lets what has begun go on', async () => {
    const { queue, begun, visit, end } = queueOfVisits();
    const [first, ...others] = numbers(AT_ONCE + 2).map((n) => visit(n));
    const waiting = others.slice(AT_ONCE - 1);
    const refused = Promise.allSettled(waiting);
    queue.close();
    expect(await refused).toMatchObject(waiting.map(() => ({ status: 'rejected', reason: expect.any(TurnedAway) })));
    await expect(visit(999)).rejects.toThrow(TurnedAway);
    await end(0);
    expect(await first).toBe(0);
    expect(begun).toEqual(numbers(AT_ONCE));
  });

  it('works for whoever stood in line, not for whoever let them in', async () => {
    const { queue, visit, end } = queueOfVisits();
    const whose = new AsyncLocalStorage<string>();
    for (const n of numbers(AT_ONCE)) void whose.run('others', () => visit(n));
    const seen = whose.run('mine', () => queue.visit('mine', async () => whose.getStore()));
    await settled();
    await end(0);
    expect(await seen).toBe('mine');
  });
});
