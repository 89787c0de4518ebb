import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { scoped } from '../../src/transport/scoped.js';

const [color, size] = [scoped<string>('color'), scoped<number>('size')];
const seen = async () => {
  await pause(1);
  return [color.value(), size.value()];
};

it('a scoped value is seen by the functions that its work calls, and by no other function', async () => {
  expect(await color.during('red', seen)).toEqual(['red', undefined]);
  expect(await seen()).toEqual([undefined, undefined]);
});

it('a scoped value does not hide another value of the same work', async () => {
  expect(await color.during('red', () => size.during(7, seen))).toEqual(['red', 7]);
});

it('a scoped value is the outer one again when inner work has ended', async () => {
  const both = await color.during('red', async () => [await color.during('blue', seen), await seen()]);
  expect(both).toEqual([
    ['blue', undefined],
    ['red', undefined],
  ]);
});

it('works that run at the same time have values of their own', async () => {
  const works = ['red', 'blue', 'green'].map((each, n) => color.during(each, () => size.during(n, seen)));
  expect(await Promise.all(works)).toEqual([
    ['red', 0],
    ['blue', 1],
    ['green', 2],
  ]);
});
