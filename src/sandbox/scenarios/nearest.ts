/** Largest edit distance between a word and a suggestion; it must also be less than half of the suggestion's length. */
const MAX_SLIPS = 2;

/** The known word that is most similar to a misspelled one; `null` when none is similar. */
export function nearest(word: string, known: readonly string[]): string | null {
  const [best] = known
    .map((each) => ({ each, slips: slipsBetween(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, slips }) => slips <= MAX_SLIPS && slips * 2 < each.length)
    .toSorted((one, other) => one.slips - other.slips);
  return best?.each ?? null;
}

/** The edit distance (Levenshtein) of two words. */
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
