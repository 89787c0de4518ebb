import { RandomStreams } from '../../control/random.js';

/** Reproducible pseudo-random choices: the same seed gives the same ones. */
export interface Random {
  /** A whole number from `from` to `to`, both inclusive. */
  whole(from: number, to: number): number;
  /** @throws Error when the list is empty */
  pick<T>(list: readonly T[]): T;
  chance(percent: number): boolean;
  shuffled<T>(list: readonly T[]): readonly T[];
  /** Replaces each `#` of the pattern by a random digit. */
  digits(pattern: string): string;
  /** A generator with an independent stream, so that one generated list does not change when another gets longer. */
  branch(name: string): Random;
}

/** @param stream streams of one seed are independent of each other */
export function randomFrom(seed: number, stream: string): Random {
  const numbers = new RandomStreams(seed);
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
