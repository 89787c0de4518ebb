/** So many letters may be wrong, missing or too many; most of them must be right. */
const MAX_SLIPS = 2;

/** The word that somebody may have meant; `null` when none is like it. */
export function nearest(word: string, known: readonly string[]): string | null {
  const [best] = known
    .map((each) => ({ each, slips: slipsBetween(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, slips }) => slips <= MAX_SLIPS && slips * 2 < each.length)
    .toSorted((one, other) => one.slips - other.slips);
  return best?.each ?? null;
}

/** Letters to be changed, added or left out to make the other word of one: the edit distance. */
function slipsBetween(one: string, other: string): number {
  const first = Array.from({ length: other.length + 1 }, (_none, column) => column);
  const last = Array.from(one).reduce<readonly number[]>((above, letter) => {
    const row = [at(above, 0) + 1];
    for (const [column, wanted] of Array.from(other).entries()) {
      const changed = at(above, column) + (letter === wanted ? 0 : 1);
      row.push(Math.min(changed, at(above, column + 1) + 1, at(row, column) + 1));
    }
    return row;
  }, first);
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
