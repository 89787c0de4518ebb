/** What a terminal shows in one line. */
export const MAX_COLUMNS = 100;
export const GAP = '  ';

/** Rows whose cells go on in further lines where they are wider than their column. */
export function grid(rows: readonly (readonly string[])[], widths: readonly number[]): readonly string[] {
  return rows.flatMap((cells) => {
    const columns = cells.map((cell, index) => wrapped(cell, widths[index] ?? MAX_COLUMNS));
    const height = Math.max(...columns.map((lines) => lines.length));
    return Array.from({ length: height }, (_none, line) =>
      columns
        .map((lines, index) => (lines[line] ?? '').padEnd(widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
    );
  });
}

/** At least one line. Blanks inside it stay; a word that is longer than a line is cut. */
export function wrapped(text: string, columns: number): readonly string[] {
  if (text.length <= columns) return [text];
  const blank = text.lastIndexOf(' ', columns);
  const at = blank > 0 && text.slice(0, blank).trim() !== '' ? blank : columns;
  return [text.slice(0, at).trimEnd(), ...wrapped(text.slice(at).trimStart(), columns)];
}
