/** Columns of a terminal. */
export const MAX_COLUMNS = 100;
export const GAP = '  ';

/** Prints rows; a cell that is wider than its column is wrapped. */
export function grid(rows: readonly (readonly string[])[], widths: readonly number[]): readonly string[] {
  return rows.flatMap((cells) => {
    const columns = cells.map((cell, index) => wrappedCell(cell, widths[index] ?? MAX_COLUMNS));
    const height = Math.max(...columns.map((lines) => lines.length));
    return Array.from({ length: height }, (_none, line) =>
      columns
        .map((lines, index) => (lines[line] ?? '').padEnd(widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
    );
  });
}

/** Wraps a text to at least one line. Keeps blanks inside a line; cuts a word that is longer than a line. */
export function wrappedCell(text: string, columns: number): readonly string[] {
  if (text.length <= columns) return [text];
  const blank = text.lastIndexOf(' ', columns);
  const at = blank > 0 && text.slice(0, blank).trim() !== '' ? blank : columns;
  return [text.slice(0, at).trimEnd(), ...wrappedCell(text.slice(at).trimStart(), columns)];
}
