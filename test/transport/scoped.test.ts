import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { scoped } from '../../src/transport/scoped.js';

const [color, size] = [scoped<string>('color'), scoped<number>('size')];
const seen = async () => {
  await pause(1);
  return [color.value(), size.value()];
};

it('is there for the functions that the work calls, and for nobody else', async () => {
  expect(await color.during('red', seen)).toEqual(['red', undefined]);
  expect(await seen()).toEqual([undefined, undefined]);
});

it('does not hide another value of the same work', async () => {
  expect(await color.during('red', () => size.during(7, seen))).toEqual(['red', 7]);
});

it('is what it was when work inside the work has ended', async () => {
  const both = await color.during('red', async () => [await color.during('blue', seen), await seen()]);
  expect(both).toEqual([
    ['blue', undefined],
    ['red', undefined],
  ]);
});

it('is of its own for works that run at the same time', async () => {
  const works = ['red', 'blue', 'green'].map((each, n) => color.during(each, () => size.during(n, seen)));
  expect(await Promise.all(works)).toEqual([
    ['red', 0],
    ['blue', 1],
    ['green', 2],
  ]);
});
