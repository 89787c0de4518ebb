import { expect, it } from '@jest/globals';
import { boundedStore } from '../../src/http/rate-limit.js';

it('counts the hits of each address, and begins anew when there are more addresses than it may remember', async () => {
  const store = boundedStore(3);
  store.init?.({ windowMs: 60_000 } as never);
  const hits = async (address: string) => (await store.increment(address)).totalHits;
  expect([await hits('a'), await hits('b'), await hits('c'), await hits('a')]).toEqual([1, 1, 1, 2]);
  expect(await hits('d')).toBe(1);
  expect(await hits('a')).toBe(1);
});
