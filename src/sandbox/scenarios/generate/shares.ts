import type { Shares } from '../scenario.js';
import type { Random } from './random.js';

/**
 * Distributes names by their shares, in random order. Each name appears as often as its share of `count`, rounded by
 * the largest remainder method.
 * @returns `count` names
 */
export function dealt(shares: Shares, count: number, random: Random): readonly string[] {
  const sum = Object.values(shares).reduce((total, part) => total + part, 0);
  const exact = Object.entries(shares).map(([name, part]) => ({ name, due: (part / sum) * count }));
  const certain = exact.flatMap(({ name, due }) => Array.from({ length: Math.floor(due) }, () => name));
  const rest = [...exact]
    .sort((a, b) => (b.due % 1) - (a.due % 1))
    .slice(0, count - certain.length)
    .map(({ name }) => name);
  return random.shuffled([...certain, ...rest]);
}
