import { Random as Numbers } from '../../control/random.js';

/** Chance that repeats itself: the same seed draws the same. */
export interface Random {
  /** A whole number, both ends included. */
  whole(from: number, to: number): number;
  /** @throws Error the list is empty */
  pick<T>(list: readonly T[]): T;
  chance(percent: number): boolean;
  shuffled<T>(list: readonly T[]): readonly T[];
  /** Each `#` becomes a digit. */
  digits(pattern: string): string;
  /** An independent one, so that one list does not change when another gets longer. */
  branch(name: string): Random;
}

/** @param stream different streams of one seed have nothing to do with each other */
export function randomFrom(seed: number, stream: string): Random {
  const numbers = new Numbers(seed);
  const next = (): number => numbers.next(stream);
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    whole,
    pick: (list) => {
      const item = list[whole(0, list.length - 1)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    chance: (percent) => next() * 100 < percent,
    shuffled: (list) =>
      list
        .map((item) => ({ item, key: next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item),
    digits: (pattern) => pattern.replace(/#/g, () => String(whole(0, 9))),
    branch: (name) => randomFrom(seed, `${stream}/${name}`),
  };
}
