import { describe, expect, it } from '@jest/globals';
import { type Batching, createBatcher } from '../../src/worker/batcher.js';

/** Notes each write; an item named `bad` fails the write that has it. */
function noting(given: Partial<Batching<string, string>> = {}) {
  const writes: (readonly string[])[] = [];
  const batcher = createBatcher<string, string>({
    sizeOf: (item) => ({ count: 1, bytes: item.length }),
    limit: { count: 3, bytes: 100 },
    storeAll: async (items) => {
      writes.push(items);
      await new Promise((done) => setImmediate(done));
      if (items.includes('bad')) throw new Error('a write failed');
      return items.map((item) => `${item} stored`);
    },
    storeAlone: async (_item, error) => Promise.reject(error),
    gatherMs: 0,
    ...given,
  });
  return { batcher, writes };
}

describe('a batcher', () => {
  it('stores what came together in one write, and gives each its own result', async () => {
    const { batcher, writes } = noting();
    expect(await Promise.all(['a', 'b', 'c'].map(batcher.add))).toEqual(['a stored', 'b stored', 'c stored']);
    expect(writes).toEqual([['a', 'b', 'c']]);
  });

  it('stores what comes during a write with the next one', async () => {
    const first = { begun: () => undefined as void };
    const begun = new Promise<void>((done) => (first.begun = done));
    const { batcher, writes } = noting({
      storeAll: async (items) => {
        writes.push(items);
        first.begun();
        await new Promise((done) => setImmediate(done));
        return items;
      },
    });
    const alone = batcher.add('a');
    await begun;
    await Promise.all([alone, batcher.add('b'), batcher.add('c')]);
    expect(writes).toEqual([['a'], ['b', 'c']]);
  });

  it.each([
    ['count', { count: 2, bytes: 100 }],
    ['bytes', { count: 100, bytes: 2 }],
  ])('writes at most the limit of %s at once, in the order of arrival', async (_what, limit) => {
    const { batcher, writes } = noting({ limit });
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map(batcher.add));
    expect(writes).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('stores an item that is larger than the limit by itself', async () => {
    const { batcher, writes } = noting({ limit: { count: 9, bytes: 3 } });
    await Promise.all(['a', 'much too long', 'b'].map(batcher.add));
    expect(writes).toEqual([['a'], ['much too long'], ['b']]);
  });

  it('stores the others of a failed write one by one, and rejects the one that cannot be stored', async () => {
    const { batcher } = noting({
      storeAlone: async (item, error) => (item === 'bad' ? Promise.reject(error) : `${item} alone`),
    });
    const results = await Promise.allSettled(['a', 'bad', 'c'].map(batcher.add));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'rejected'))).toEqual([
      'a alone',
      'rejected',
      'c alone',
    ]);
  });

  it('goes on after a failed write', async () => {
    const { batcher } = noting();
    await expect(batcher.add('bad')).rejects.toThrow('a write failed');
    expect(await batcher.add('a')).toBe('a stored');
    expect(batcher.waiting()).toBe(0);
  });

  it('tells no item that it is stored when the results do not fit the items', async () => {
    const { batcher } = noting({ storeAll: async () => ['one'] });
    const results = await Promise.allSettled(['a', 'b'].map(batcher.add));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
