import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { OutcomeUnknown } from '../../carriers/contract/errors.js';
import { BulkheadRejected, createBulkhead } from '../../src/accounts/bulkhead.js';
import { silentLog } from '../../src/log.js';
import { until } from '../support/harness.js';

const AT_ONCE = 16;
const MAX_WAITING = 100;

const newBulkhead = () =>
  createBulkhead({ account: 'gls', clock: { now: () => new Date() }, random: () => 0, log: silentLog });

/** A bulkhead whose runs last until the test ends them. */
function bulkheadWithRuns(bulkhead = newBulkhead()) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const run = (n: number) =>
    bulkhead.run(`consignment ${n}`, async () => {
      begun.push(n);
      await new Promise<void>((done) => ends.set(n, done));
      return n;
    });
  const end = (n: number) => ends.get(n)?.();
  const haveBegun = (count: number) => until(`${count} have begun`, () => begun.length >= count);
  return { bulkhead, begun, run, end, haveBegun };
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_none, n) => from + n);

describe('the bulkhead of an account', () => {
  it('begins a run at once where a place is free: no timer is waited for', async () => {
    const { begun, run } = bulkheadWithRuns();
    void run(1);
    await null;
    await null;
    expect(begun).toEqual([1]);
  });

  it('has sixteen runs at once, and begins one for each that ends, in the order they came', async () => {
    const { begun, run, end, haveBegun } = bulkheadWithRuns();
    for (const n of numbers(AT_ONCE + 4)) void run(n);
    await haveBegun(AT_ONCE);
    end(3);
    await haveBegun(AT_ONCE + 1);
    expect(begun).toEqual(numbers(AT_ONCE + 1));
    for (const n of [0, 1, 2]) end(n);
    await haveBegun(AT_ONCE + 4);
    expect(begun).toEqual(numbers(AT_ONCE + 4));
  });

  it('never has more than sixteen runs at once, and forgets none, whenever they begin and end', async () => {
    const bulkhead = newBulkhead();
    let running = 0;
    let most = 0;
    let release: () => void = () => undefined;
    const full = new Promise<void>((done) => (release = done));
    const run = (n: number) =>
      bulkhead.run(`consignment ${n}`, async () => {
        running += 1;
        most = Math.max(most, running);
        if (running === AT_ONCE) release();
        await full;
        await new Promise((done) => setTimeout(done, 5 + (n % 7)));
        running -= 1;
        return n;
      });
    const all = [];
    for (const n of numbers(90)) {
      all.push(run(n));
      if (n % 5 === 0) await new Promise((done) => setTimeout(done, n % 3));
    }
    expect(await Promise.all(all)).toEqual(numbers(90));
    expect(most).toBe(AT_ONCE);
    // Nothing runs now: as many as before begin at once.
    const { begun, run: stay, haveBegun } = bulkheadWithRuns(bulkhead);
    for (const n of numbers(AT_ONCE)) void stay(n);
    await haveBegun(AT_ONCE);
    expect(begun).toEqual(numbers(AT_ONCE));
  });

  it('rejects a run where a hundred wait', async () => {
    const { run } = bulkheadWithRuns();
    for (const n of numbers(AT_ONCE + MAX_WAITING)) void run(n);
    await expect(run(999)).rejects.toMatchObject({ waitingFor: 'limit' });
  });

  it('rejects the runs that wait when it closes; those that have begun go on', async () => {
    const { bulkhead, begun, run, end, haveBegun } = bulkheadWithRuns();
    const [first, ...others] = numbers(AT_ONCE + 2).map((n) => run(n));
    await haveBegun(AT_ONCE);
    const waiting = others.slice(AT_ONCE - 1);
    const refused = Promise.allSettled(waiting);
    bulkhead.close();
    expect(await refused).toMatchObject(
      waiting.map(() => ({ status: 'rejected', reason: expect.any(BulkheadRejected) })),
    );
    await expect(run(999)).rejects.toThrow(BulkheadRejected);
    end(0);
    expect(await first).toBe(0);
    expect(begun).toEqual(numbers(AT_ONCE));
  });

  it('begins a run that has waited in the context of its own caller, not of the run that made room for it', async () => {
    const { bulkhead, run, end, haveBegun } = bulkheadWithRuns();
    const whose = new AsyncLocalStorage<string>();
    for (const n of numbers(AT_ONCE)) void whose.run('others', () => run(n));
    const seen = whose.run('mine', () => bulkhead.run('mine', async () => whose.getStore()));
    await haveBegun(AT_ONCE);
    end(0);
    expect(await seen).toBe('mine');
  });
});

describe('the bulkhead of a carrier that cannot be asked about bookings', () => {
  const carefully = (instances = 1) =>
    createBulkhead({
      ...{ account: 'gls', clock: { now: () => new Date() }, random: () => 0, log: silentLog },
      rules: { probe: 'yes', lostAnswers: 'person' },
      instances: () => instances,
    });

  /** Bookings that last until the test answers them. */
  function bookings(bulkhead: ReturnType<typeof carefully>) {
    const under = new Map<number, { answer: () => void; lose: () => void }>();
    let begun = 0;
    const book = (n: number) =>
      bulkhead.run(
        `consignment ${n}`,
        (call) =>
          call(
            () =>
              new Promise<void>((answer, fail) => {
                begun += 1;
                under.set(n, { answer, lose: () => fail(new OutcomeUnknown('lost')) });
              }),
          ),
        'booking',
      );
    return { under, book, begun: () => begun };
  }

  it('begins with two bookings, and has more at once after each answer', async () => {
    const { under, book, begun } = bookings(carefully());
    for (const n of numbers(AT_ONCE + 4)) void book(n);
    await until('two have begun', () => begun() === 2);
    under.get(0)?.answer();
    await until('ten have begun', () => begun() === 10);
    under.get(1)?.answer();
    under.get(2)?.answer();
    await until('nineteen have begun', () => begun() === 19);
  });

  it('begins with one in each of several instances', async () => {
    const { book, begun } = bookings(carefully(2));
    for (const n of numbers(5)) void book(n);
    await until('one has begun', () => begun() > 0);
    await new Promise((done) => setTimeout(done, 50));
    expect(begun()).toBe(1);
  });

  it('lets labels be fetched while bookings wait', async () => {
    const bulkhead = carefully();
    const { book, begun } = bookings(bulkhead);
    for (const n of numbers(5)) void book(n);
    await until('two have begun', () => begun() === 2);
    expect(await bulkhead.run('label', async (call) => call(async () => 'label'))).toBe('label');
  });

  it('rejects the bookings that wait when the first answer is lost', async () => {
    const bulkhead = carefully();
    const { under, book, begun } = bookings(bulkhead);
    const all = numbers(6).map((n) => book(n));
    const ended = Promise.allSettled(all);
    await until('two have begun', () => begun() === 2);
    under.get(0)?.lose();
    await until('it is open', () => bulkhead.circuitState() === 'open');
    under.get(1)?.lose();
    const results = await ended;
    expect(results.slice(2)).toMatchObject(numbers(4).map(() => ({ reason: expect.any(BulkheadRejected) })));
    expect(begun()).toBe(2);
  });
});
