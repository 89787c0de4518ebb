import { type NumberPort, NumbersUsedUp } from '../contract/index.js';

/** Gives out numbers as the service does, and forgets them with the process. */
export function numbersInMemory(): NumberPort {
  const next = new Map<string, number>();
  const given = new Map<string, number>();
  return {
    take: async ({ series, reference, keys, from, to }) =>
      keys.map((key) => {
        const whose = JSON.stringify([series, reference, key]);
        const number = given.get(whose) ?? Math.max(next.get(series) ?? from, from);
        if (number > to) throw new NumbersUsedUp(`series ${series} has no numbers left up to ${to}`);
        if (!given.has(whose)) next.set(series, number + 1);
        given.set(whose, number);
        return number;
      }),
  };
}
